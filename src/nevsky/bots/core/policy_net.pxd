cimport cython

from nevsky.encoding cimport Encoder
from nevsky.rules.course cimport FullPosition
from nevsky.rules.position cimport Position
from nevsky.rules.rng cimport Rng

# constants, written by tools/pxd.py
cdef int CHANCES
cdef int MOST_LAYERS
cdef int SIZE
cdef double FARTHEST
cdef double LOG_2
cdef double LOWEST
# end of constants

@cython.final
cdef class PolicyNet:
    cdef Encoder encoder
    cdef float[::1] w
    cdef float[::1] b
    cdef float[::1] now
    cdef float[::1] then
    cdef int layers, tanh, sample, open_rubles, open_hands, width
    cdef Py_ssize_t last_w, last_b
    cdef int size[17]
    cdef double half[96]
    cdef double logits[1024]

    @cython.locals(y=cython.double, halvings=cython.int)
    cdef double fading(self, double x) noexcept nogil
    @cython.locals(x=cython.double, y=cython.double)
    cdef void bend(self, int width) noexcept nogil
    @cython.locals(x=cython.float, row=cython.Py_ssize_t, at=cython.Py_ssize_t, at_b=cython.Py_ssize_t)
    cdef void forward(self, int n) noexcept nogil
    @cython.locals(x=cython.float, row=cython.Py_ssize_t)
    cdef int appraise(self, Position p, FullPosition full) noexcept nogil
    @cython.locals(best=cython.double, norm=cython.double, at=cython.double)
    cdef int choose(self, Position p, FullPosition full, Rng rng) noexcept nogil
