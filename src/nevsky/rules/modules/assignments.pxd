cimport cython

from nevsky.rules.modules.events cimport Events
from nevsky.rules.rng cimport Rng
from nevsky.rules.state cimport State

cdef int ASSIGNMENT_0
cdef int ASSIGNMENT, BLUE, EXCHANGE, GREEN, KINDS, NONE, RED, V_ASSIGNMENT, YELLOW, FINAL
cdef int MARKET_CARD, CUSTOMS_HOUSE, FIREHOUSE, ASSIGNMENTS_BIT, STEPWISE_BITS, RICHEST
cdef int F_NOBLES, F_CHOICE, F_RICHEST, F_ASSIGNMENT, F_RUBLES, F_HAND

cdef class Assignments(Events):
    cdef public short assignments[15]
    cdef public short chosen[5]
    cdef public int final
    cdef public short standing[5]
    cdef public short part_nobles[5]
    cdef public short part_assignment[5]
    cdef public short part_rubles[5]
    cdef public short part_hand[5]
    @cython.locals(o=Assignments)
    cdef void copy_into(self, State c) noexcept
    cdef void deal_tokens(self, Rng rng, int youngest) noexcept nogil
    cdef void deal_assignments(self, Rng rng) noexcept nogil
    cdef void gain_points(self, int seat, int points) noexcept nogil
    cdef void finish(self) noexcept nogil
    cdef int final_step(self) noexcept nogil
    cdef int final_points(self, int seat) noexcept nogil
    cdef int tie_rubles(self, int seat) noexcept nogil
    cdef int list_other(self) noexcept nogil
    cdef void do_other(self, int number) noexcept nogil
    cdef int markers(self, int seat) noexcept nogil
    cdef int best_marker(self, int seat, int without) noexcept nogil
    cdef int marker_position(self, int seat, int good) noexcept nogil
    cdef int best_points(self, int seat, int colour) noexcept nogil
    cdef int exchange_cards(self, int seat) noexcept nogil
    cdef int cards_in_area(self, int seat) noexcept nogil
    cdef int assignment_points(self, int seat, int number) noexcept nogil
