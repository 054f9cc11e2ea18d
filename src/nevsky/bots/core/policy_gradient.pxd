cimport cython
from nevsky.bots.core.features cimport FeatureWeights
from nevsky.bots.core.heuristic cimport HeuristicPolicy
from nevsky.rules.position cimport Position
from nevsky.rules.rng cimport Rng

cdef int OVER, SIZE, SEATS
cdef double LOWEST

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
