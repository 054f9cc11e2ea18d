cimport cython

from nevsky.encoding cimport Encoder
from nevsky.rules.position cimport Position

# constants, written by tools/pxd.py
cdef int FIRST_LAYER
cdef int INPUTS
cdef int OUTPUTS
cdef int SECOND_LAYER
cdef float LARGE
cdef float SCORE_SCALE
# end of constants

cdef class Net:
    cdef Encoder encoder
    cdef float[::1] w1
    cdef float[::1] b1
    cdef float[::1] w2
    cdef float[::1] b2
    cdef float[::1] w3
    cdef float[::1] b3
    cdef float h1[64]
    cdef float h2[32]
    cdef float out[10]
    cdef float win[5]
    cdef float score[5]

    @cython.locals(highest=float, norm=float)
    cpdef void look(self, Position p) noexcept
    @cython.locals(y=float)
    cdef float fading(self, float x) noexcept nogil
    @cython.locals(value=float)
    cdef void forward(self) noexcept nogil
