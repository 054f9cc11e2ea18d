from nevsky.bots.core.heuristic cimport HeuristicPolicy
from nevsky.bots.core.net cimport Net
from nevsky.rules.position cimport Position
from nevsky.rules.rng cimport Rng
from nevsky.rules.redealer cimport Redealer

# constants, written by tools/pxd.py
cdef int MOST_DECISIONS
cdef int MOST_DEPTH
cdef int MOST_NODES
cdef int NO_ACTION
cdef int NO_NODE
cdef int OVER
cdef double LIKE_A_WIN
cdef double WORST
# end of constants

cdef class Tree:
    cdef HeuristicPolicy policy
    cdef Net net
    cdef Redealer redealer
    cdef public double explore, sharpness, win_share, margin, own_share, uniform_prior
    cdef public int only, seats, size, descents
    cdef short action[60000]
    cdef int child[60000]
    cdef int sibling[60000]
    cdef int visits[60000]
    cdef int chances[60000]
    cdef double total[60000]
    cdef double score[60000]
    cdef double wins[60000]
    cdef int slot[6144]
    cdef int stamp[6144]
    cdef int now
    cdef int path[256]
    cdef int mover[256]
    cdef double reward[5]
    cdef double final[5]
    cdef double won[5]

    cpdef void clear(self) noexcept
    cpdef void grow(self, Position root, Position scratch, int viewer, int open_hands, Rng rng, int number) noexcept
    cdef void descend(self, Position p, Rng rng) noexcept
    cdef int select(self, int node, Position p, int n) noexcept nogil
    cdef double squash(self, double x) noexcept nogil
    cdef double root_of(self, int number) noexcept nogil
    cdef void add(self, int node, int number) noexcept nogil
    cdef void evaluate(self, Position p, Rng rng) noexcept
    cdef void expect(self, Position p, Net net) noexcept
    cdef double prize(self, double win, double score, double rival) noexcept nogil
    cdef void judge(self, Position p) noexcept nogil
    cdef double ahead(self, double lead) noexcept nogil
