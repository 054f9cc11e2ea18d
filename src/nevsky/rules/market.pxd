# Written by tools/pxd.py from the .py beside it.
from nevsky.rules.flow cimport Flow
from nevsky.rules.rng cimport Rng
from nevsky.rules.state cimport State

cdef int GOOD
cdef int GOOD_0
cdef int KINDS
cdef int LAST_VALUE
cdef int MARKET
cdef int NONE
cdef int SEATS
cdef int UPKEEP
cdef int UPKEEP_DROP
cdef int UPKEEP_PAY
cdef int V_GOOD
cdef int V_UPKEEP_DROP
cdef int V_UPKEEP_PAY

cdef class Market(Flow):
    cdef public short goods[25]
    cdef public short tile[2]
    cdef public short tile_seat[2]
    cdef public int open_tile

    cdef void copy_into(self, State c) noexcept
    cdef void deal_tokens(self, Rng rng, int youngest) noexcept nogil
    cdef int higher_value(self) noexcept nogil
    cdef int lower_value(self) noexcept nogil
    cdef int markers(self, int seat) noexcept nogil
    cdef int best_marker(self, int seat, int without) noexcept nogil
    cdef int marker_position(self, int seat, int good) noexcept nogil
    cdef int exchange_cards(self, int seat, int colour) noexcept nogil
    cdef int counted_points(self, int seat, int kind) noexcept nogil
    cdef void change_area(self, int seat, int kind, int by) noexcept nogil
    cdef void lay_card(self, int seat, int kind, int onto) noexcept nogil
    cdef void give_tile(self, int card, int seat, int good) noexcept nogil
    cdef void throw_away(self, int kind) noexcept nogil
    cdef int ask_pending(self) noexcept nogil
    cdef int ask_after_scoring(self, int seat) noexcept nogil
    cdef int score_more(self, int seat) noexcept nogil
    cdef int good_points(self, int seat, int good) noexcept nogil
    cdef int list_other(self) noexcept nogil
    cdef void do_other(self, int number) noexcept nogil
