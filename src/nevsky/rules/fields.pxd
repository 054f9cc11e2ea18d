cdef class Fields:
    cpdef void clear_fields(self) noexcept
    cdef void copy_fields(self, Fields c, type cls) noexcept
