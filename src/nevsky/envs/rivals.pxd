from nevsky.bots.core.heuristic cimport HeuristicPolicy
from nevsky.bots.core.policy_net cimport PolicyNet
from nevsky.rules.course cimport FullPosition
from nevsky.rules.position cimport Position
from nevsky.rules.rng cimport Rng

# constants, written by tools/pxd.py
cdef int LONG_AGO
# end of constants

cdef class Rival:
    cdef Rival following

    cdef int answer(self, int number, Position p, FullPosition full, Rng rng) noexcept nogil
    cdef void forget(self) noexcept nogil
    cdef int choose(self, Position p, FullPosition full, Rng rng) noexcept nogil
    cdef void clear(self) noexcept nogil

cdef class PolicyRival(Rival):
    cdef HeuristicPolicy policy

cdef class NetworkRival(Rival):
    cdef PolicyNet net
