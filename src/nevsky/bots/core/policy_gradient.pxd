cimport cython
from nevsky.bots.core.habit cimport Habit
from nevsky.bots.core.instinct cimport Instinct
from nevsky.rules.position cimport Position
from nevsky.rules.rng cimport Rng

cdef int OVER, HABITS, SEATS
cdef double LOWEST

@cython.final
cdef class Practice:
    cdef Instinct instinct
    cdef Habit habit
    cdef double slope[77260]
    cdef double gains[15452]
    cdef double odds[1024]

    @cython.locals(highest=cython.double, norm=cython.double, at=cython.double, push=cython.double)
    cpdef void practise(self, Position p, Rng rng, double heat) noexcept
    @cython.locals(i=cython.int)
    cpdef void credit(self, int seat, double worth) noexcept
    @cython.locals(i=cython.int)
    cpdef void fade(self, double part) noexcept
