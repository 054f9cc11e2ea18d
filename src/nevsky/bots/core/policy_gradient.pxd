cimport cython
from nevsky.bots.core.features cimport FeatureWeights
from nevsky.bots.core.heuristic cimport HeuristicPolicy
from nevsky.rules.position cimport Position
from nevsky.rules.rng cimport Rng

# constants, written by tools/pxd.py
cdef int NUMBER_OF_WEIGHTS
cdef int OVER
cdef int SEATS
cdef int SIZE
cdef double LOWEST
# end of constants

@cython.final
cdef class PolicyGradient:
    cdef HeuristicPolicy policy
    cdef FeatureWeights learned
    cdef double trace[77260]
    cdef double gradient[15452]
    cdef double probability[1024]

    @cython.locals(highest=cython.double, norm=cython.double, at=cython.double, push=cython.double)
    cpdef void play_phase(self, Position p, Rng rng, double temperature) noexcept
    @cython.locals(i=cython.int)
    cpdef void credit(self, int seat, double advantage) noexcept
    @cython.locals(i=cython.int)
    cpdef void decay(self, double factor) noexcept
