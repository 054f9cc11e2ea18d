cimport cython

from nevsky.rules.flow cimport Flow
from nevsky.rules.rng cimport Rng
from nevsky.rules.state cimport State

cdef int GOOD_0, UPKEEP_DROP, UPKEEP_PAY
cdef int CZAR_AND_CARPENTER, GOOD, KINDS, MARKET, NONE, SACK_SPECIAL, SHIP_BUILDER_ANY, SPECIAL_STEP, UPKEEP
cdef int V_GOOD, V_UPKEEP_DROP, V_UPKEEP_PAY

cdef class Market(Flow):
    cdef public short goods[25]
    cdef public short tile[2]
    cdef public short tile_seat[2]
    cdef public int open_tile
    @cython.locals(o=Market)
    cdef void copy_into(self, State c) noexcept
    cdef void deal_tokens(self, Rng rng, int youngest) noexcept nogil
    cdef int higher_value(self) noexcept nogil
    cdef int lower_value(self) noexcept nogil
    cdef int any_card(self, int kind) noexcept nogil
    cdef void change_area(self, int seat, int kind, int by) noexcept nogil
    cdef void lay_card(self, int seat, int kind, int onto) noexcept nogil
    cdef void give_tile(self, int card, int seat, int good) noexcept nogil
    cdef int is_orange(self, int kind) noexcept nogil
    cdef void throw_away(self, int kind) noexcept nogil
    cdef int ask_pending(self) noexcept nogil
    cdef int ask_after_scoring(self, int seat) noexcept nogil
    cdef int score_more(self, int seat) noexcept nogil
    cdef int good_points(self, int seat, int good) noexcept nogil
    cdef int list_other(self) noexcept nogil
    cdef void do_other(self, int number) noexcept nogil
