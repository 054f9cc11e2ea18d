from nevsky.encoding cimport Encoder
from nevsky.rules.course cimport FullPosition
from nevsky.rules.position cimport Position

cimport cython

# constants, written by tools/pxd.py
cdef int ASSIGNED
cdef int DRAWN
cdef int HAND_ROOM
cdef int KINDS
cdef int NONE
cdef int NUMBERS
cdef int PER_SEAT
cdef int PILES
cdef int PILE_ROOM
cdef int SEEN
cdef int UNSEEN
# end of constants

@cython.final
cdef class Witness:
    cdef Encoder encoder

    @cython.locals(full=FullPosition)
    cpdef void write(self, Position p, int first, float[:, ::1] rows, int i) noexcept
    cdef void tell(self, Position p, FullPosition full, int first, float[:, ::1] rows, int i) noexcept nogil
