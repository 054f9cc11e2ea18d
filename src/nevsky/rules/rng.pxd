cimport cython

cdef unsigned long long MASK

cdef class Rng:
    cdef public unsigned long long s0, s1, s2, s3
    @cython.locals(x=cython.ulonglong, t=cython.ulonglong)
    @cython.final
    cdef unsigned long long next32(self) noexcept nogil
    @cython.locals(m=cython.ulonglong, low=cython.ulonglong, least=cython.ulonglong)
    cdef unsigned int draw(self, unsigned int n) noexcept nogil
