# Written by tools/pxd.py from the .py beside it.
cimport cython

from nevsky.rules.fields cimport Fields
from nevsky.rules.market cimport Market

cdef int ATTACH_BANQUET
cdef int ATTACH_JESTER
cdef int AWAY_WITH_IT
cdef int BANQUET
cdef int BANQUET_CARD
cdef int BLACK_MARKET
cdef int BUY_1
cdef int BUY_2
cdef int CHIP
cdef int DOUBLE_TURN
cdef int GIFT
cdef int GOLDEN_DONKEY
cdef int HALF
cdef int HAND_ROOM
cdef int JESTER
cdef int JESTER_CARD
cdef int KINDS
cdef int MARK_ROOM
cdef int MONEY_COLLECTOR
cdef int MOOCH
cdef int MOOCHER
cdef int MOOCH_0
cdef int NONE
cdef int PASS
cdef int PICK
cdef int PICK_POCKET
cdef int PICK_POCKET_CARD
cdef int PLAY
cdef int PURPLE
cdef int SEARCH
cdef int THROW
cdef int THROW_0
cdef int TURN
cdef int V_ATTACH
cdef int V_MOOCH
cdef int V_THROW

@cython.final
cdef class Banquet(Fields):
    cdef public short mark_seat[3]
    cdef public short mark_kind[3]
    cdef public short copy[3]
    cdef public int chip_down
    cdef public int halved
    cdef public int picking

    cdef Banquet copied(self, Banquet c)
    cdef int lies_on(self, int i, int seat, int kind) noexcept nogil
    cdef int covered(self, int seat, int kind) noexcept nogil
    cdef int covered_open(self, int seat, int kind) noexcept nogil
    cdef int on_covered(self, int i) noexcept nogil
    cdef int marked(self, int seat, int kind) noexcept nogil
    cpdef void cover(self, Market p, int seat, int kind, int down) noexcept nogil
    cpdef void attach(self, Market p, int i, int seat, int kind) noexcept nogil
    cdef void number_copy(self, int seat, int kind, int number) noexcept nogil
    cdef void leave(self, Market p, int seat, int kind) noexcept nogil
    cdef int upright(self, int seat, int kind) noexcept nogil
    cdef void remove(self, Market p, int i) noexcept nogil
    cdef void turned(self, Market p, int seat, int kind) noexcept nogil
    cdef int covered_points(self, Market p, int seat, int colour) noexcept nogil
    cdef int attached_gain(self, Market p, int seat, int colour, int points) noexcept nogil
    cdef void scored(self, Market p, int seat, int colour) noexcept nogil
    cdef int half(self, int price) noexcept nogil
    cdef void laid(self, Market p, int seat, int kind) noexcept nogil
    cdef int purple_in_hand(self, Market p, int seat) noexcept nogil
    cdef int list_purple(self, Market p, int n, int seat, int kind) noexcept nogil
    cdef int list_half(self, Market p, int n, int seat) noexcept nogil
    cdef int list_half_lays(self, Market p, int n, int block, int seat, int kind, int row) noexcept nogil
    cdef int list_mooch(self, Market p, int n, int seat) noexcept nogil
    cdef int list_choices(self, Market p) noexcept nogil
    cdef void play_purple(self, Market p, int seat, int kind) noexcept nogil
    cdef int keeps_pick_pocket(self, Market p) noexcept nogil
    cdef int picked(self, Market p) noexcept nogil
    cdef void start_turns(self, Market p) noexcept nogil
    cdef int can_pick(self, Market p, int seat) noexcept nogil
    cdef void do(self, Market p, int number) noexcept nogil
