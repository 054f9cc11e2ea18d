from nevsky.rules.course cimport FullPosition
from nevsky.rules.position cimport Position

cimport cython

# constants, written by tools/pxd.py
cdef int BY_LEAD
cdef int LOWEST
cdef int SCORE_UNIT
# end of constants

@cython.final
cdef class Wages:
    cdef int players, how
    cdef double discount
    cdef double[:, ::1] before
    cdef unsigned char[:, ::1] begun
    cdef float[:, ::1] rewarded

    cdef void begin(self, int i) noexcept nogil
    @cython.locals(now=double)
    cdef void decides(self, int i, Position p, FullPosition full, int seat) noexcept nogil
    cdef void ends(self, int i) noexcept nogil
    cdef double potential(self, Position p, FullPosition full, int seat) noexcept nogil
    cdef int standing(self, Position p, FullPosition full, int seat) noexcept nogil
