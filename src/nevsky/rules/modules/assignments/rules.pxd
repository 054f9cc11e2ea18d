# Written by tools/pxd.py from the .py beside it.
cimport cython

from nevsky.rules.fields cimport Fields
from nevsky.rules.market cimport Market
from nevsky.rules.rng cimport Rng

cdef int ASSIGNMENT
cdef int ASSIGNMENT_1
cdef int BLUE
cdef int CUSTOMS_HOUSE
cdef int FIREHOUSE
cdef int F_CHOICE
cdef int GREEN
cdef int KEPT_BACK
cdef int KINDS
cdef int MARKET_CARD
cdef int NONE
cdef int NUMBERS
cdef int PER_SEAT
cdef int RED
cdef int RICHEST
cdef int SEATS
cdef int YELLOW

@cython.final
cdef class Assignments(Fields):
    cdef public short dealt[15]
    cdef public short chosen[5]

    cdef Assignments copied(self, Assignments c)
    cdef void deal(self, Market p, Rng rng) noexcept nogil
    cdef int draw(self, int used, Rng rng) noexcept nogil
    cpdef int are_open(self, Market p) noexcept nogil
    cdef void deal_secrets(self, Market p, int viewer, Rng rng) noexcept nogil
    cdef int ask_final(self, Market p, int seat) noexcept nogil
    cdef int list_choices(self, Market p) noexcept nogil
    cdef void do(self, Market p, int number) noexcept nogil
    cdef int chosen_points(self, Market p, int seat, int early) noexcept nogil
    cdef int best_points(self, Market p, int seat, int colour) noexcept nogil
    cpdef int points(self, Market p, int seat, int number) noexcept nogil
    cdef int points_for_markers(self, Market p, int seat, int number) noexcept nogil
    cdef int points_for_names(self, Market p, int seat, int number) noexcept nogil
