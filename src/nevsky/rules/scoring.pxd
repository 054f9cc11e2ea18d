# Written by tools/pxd.py from the .py beside it.
from nevsky.rules.state cimport State

cdef int BLUE
cdef int FIRST
cdef int GREEN
cdef int KINDS
cdef int MARIINSKY
cdef int OBSERVATORY
cdef int RED
cdef int TAX_MAN

cdef class Scoring(State):
    cdef void gain_rubles(self, int seat, int rubles) noexcept nogil
    cdef void gain_points(self, int seat, int points) noexcept nogil
    cdef int variable_rubles(self, int seat, int colour) noexcept nogil
    cdef int variable_points(self, int seat, int colour) noexcept nogil
    cdef int value_rubles(self, int seat, int kind) noexcept nogil
    cdef int open_points(self, int seat, int kind) noexcept nogil
    cdef int face_down(self, int seat, int kind) noexcept nogil
    cdef int value_points(self, int seat, int kind) noexcept nogil
    cdef int counting(self, int seat, int kind) noexcept nogil
    cdef int phase_rubles(self, int seat, int colour) noexcept nogil
    cdef int phase_points(self, int seat, int colour) noexcept nogil
    cdef void score_colour(self, int seat, int colour) noexcept nogil
    cdef int different_nobles(self, int seat) noexcept nogil
    cdef int different(self, int seat, int colour) noexcept nogil
    cdef int noble_points(self, int seat) noexcept nogil
    cdef int penalised_cards(self, int seat) noexcept nogil
    cdef int tie_rubles(self, int seat) noexcept nogil
    cdef int final_points(self, int seat) noexcept nogil
