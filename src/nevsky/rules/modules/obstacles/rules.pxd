# Written by tools/pxd.py from the .py beside it.
cimport cython

from nevsky.rules.fields cimport Fields
from nevsky.rules.market cimport Market
from nevsky.rules.rng cimport Rng

cdef int B1
cdef int B2
cdef int B3
cdef int B4
cdef int B5
cdef int BLUE
cdef int BONUS
cdef int BONUS_0
cdef int BONUS_CARD
cdef int BONUS_GOOD
cdef int FIRST_REAL
cdef int GREEN
cdef int KINDS
cdef int NONE
cdef int NUMBER
cdef int QUEUE_ROOM
cdef int R1
cdef int R2
cdef int R3
cdef int R4
cdef int R5
cdef int RED
cdef int SEATS
cdef int STANDARD_PLACES
cdef int V_BONUS_CARD
cdef int V_BONUS_GOOD

@cython.final
cdef class Obstacles(Fields):
    cdef public short tile[5]
    cdef public short passed[5]
    cdef public short bonus[40]
    cdef public short bonus_n[5]
    cdef public int waiting
    cdef public short lost[5]
    cdef public int real
    cdef public short space[5]
    cdef public short needed[25]
    cdef public short needed_position[5]

    cdef Obstacles copied(self, Obstacles c)
    cdef void deal(self, Rng rng) noexcept nogil
    cdef int move(self, Market p, int seat, int points) noexcept nogil
    cdef int mastered(self, Market p, int seat, int space) noexcept nogil
    cpdef int stopped(self, Market p, int seat) noexcept nogil
    cdef int ask_pending(self, Market p) noexcept nogil
    cdef void next_bonus(self, int seat) noexcept nogil
    cdef void pay_bonus(self, Market p, int seat, int tile) noexcept nogil
    cdef int list_bonus(self, Market p, int seat) noexcept nogil
    cdef int list_choices(self, Market p) noexcept nogil
    cdef void do(self, Market p, int number) noexcept nogil
