# Written by tools/pxd.py from the .py beside it.
cimport cython

from nevsky.rules.fields cimport Fields
from nevsky.rules.position cimport Position

cdef int CHOICE_ROOM
cdef int HAND_ROOM
cdef int KINDS
cdef int LAY_ROOM
cdef int NONE
cdef int PILE_ROOM
cdef int ROW_ROOM
cdef int TURN
cdef int V_BUY
cdef int V_PLAY
cdef int V_TAKE

@cython.final
cdef class Glance(Fields):
    cdef public int seat
    cdef public int to_move
    cdef public int must_buy
    cdef public int rubles
    cdef public int points
    cdef public int hand_limit
    cdef public int row1
    cdef public int cards
    cdef public short kind[32]
    cdef public short price[32]
    cdef public short place[32]
    cdef public short ways[32]
    cdef public short takes[32]
    cdef public int hand
    cdef public short held[8]
    cdef public short held_price[8]
    cdef public short held_place[8]
    cdef public short held_ways[8]
    cdef public int choices
    cdef public short choice[256]
    cdef public short paid[256]
    cdef public short same[256]
    cdef public short reduced[256]
    cdef public short unknown[112]
    cdef short _reducing[5]

    cpdef int look(self, Position p, int viewer, int show_seen, int open_hands) noexcept
    cdef void look_at_cards(self, Position p, int viewer) noexcept nogil
    cdef void look_at_hand(self, Position p, int viewer) noexcept nogil
    @cython.locals(bits=cython.uint, low=cython.uint)
    cdef int cheapest(self, Position p, int seat, int kind, int row) noexcept nogil
    cdef void list_choices(self, Position p, int seat) noexcept nogil
    cdef void about_display(self, Position p, int kind, int row, int n, int takes) noexcept nogil
    cdef void about_hand(self, Position p, int kind, int n) noexcept nogil
    cdef void count_unknown(self, Position p, int viewer, int show_seen, int open_hands) noexcept nogil
    cpdef int knows_as_much(self, Glance other) noexcept
