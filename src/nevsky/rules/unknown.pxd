from nevsky.rules.modules.assignments cimport Assignments
from nevsky.rules.rng cimport Rng
from nevsky.rules.state cimport State

cdef int ASSIGNMENTS, F_CHOICE, HAND_ROOM, KINDS, NONE, PILE_ROOM

cdef class Unknown:
    cdef short counts[112]
    cdef short pool[64]

    cpdef void deal(self, State p, int viewer, int open_hands, Rng rng) noexcept
    cdef void deal_pile(self, State p, int viewer, int open_hands, int pile, Rng rng) noexcept nogil
    cdef int hides(self, State p, int viewer, int open_hands, int seat, int place) noexcept nogil
    cdef void deal_assignments(self, Assignments p, int viewer, Rng rng) noexcept nogil
