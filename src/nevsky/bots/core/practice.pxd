cimport cython
from nevsky.bots.core.instinct cimport Instinct
from nevsky.rules.position cimport Position
from nevsky.rules.rng cimport Rng

cdef int OVER, HABITS, SEATS
cdef double LOWEST

cdef class Practice(Instinct):
    cdef double slope[18300]
    cdef double gains[3660]
    cdef double odds[1024]

    @cython.locals(highest=cython.double, norm=cython.double, at=cython.double, push=cython.double)
    cpdef void practise(self, Position p, Rng rng, double heat) noexcept
    @cython.locals(i=cython.int)
    cpdef void credit(self, int seat, double worth) noexcept
    @cython.locals(i=cython.int)
    cpdef void fade(self, double part) noexcept
