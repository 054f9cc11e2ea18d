cimport cython

from nevsky.rules.market cimport Market
from nevsky.rules.state cimport State

cdef int ATTACH_BANQUET, ATTACH_JESTER, BUY_1, BUY_2, BUY_DRAWN, MOOCH_0, PASS, PLAY
cdef int RETURN_DRAWN, SEARCH_0, TAKE_DRAWN, THROW_0
cdef int AWAY_WITH_IT, BANQUET_CARD, BLACK_MARKET, DOUBLE_TURN, FOUND, GOLDEN_DONKEY, HALF, HAND_ROOM, JESTER, KINDS
cdef int MARIINSKY, MONEY_COLLECTOR, MOOCH, MOOCHER, NONE, OBSERVATORY, PICK, PICK_POCKET, PICK_POCKET_CARD
cdef int PURPLE, SEARCH, THROW, TURN
cdef int V_ATTACH, V_MOOCH, V_RETURN_DRAWN, V_SEARCH, V_THROW

cdef class Banquet(Market):
    cdef public int covered_seat, covered_kind, halved, extra, picking
    cdef public short attached_seat[2]
    cdef public short attached_kind[2]
    @cython.locals(o=Banquet)
    cdef void copy_into(self, State c) noexcept
    cdef int covered(self, int seat, int kind) noexcept nogil
    cdef int replaceable(self, int seat, int kind) noexcept nogil
    cdef int value_points(self, int seat, int kind) noexcept nogil
    cdef int variable_points(self, int seat, int colour) noexcept nogil
    cdef int variable_rubles(self, int seat, int colour) noexcept nogil
    cdef int attached_gain(self, int seat, int colour, int points) noexcept nogil
    cdef void score_colour(self, int seat, int colour) noexcept nogil
    cdef void detach(self, int i) noexcept nogil
    cdef void change_area(self, int seat, int kind, int by) noexcept nogil
    cdef void cover(self, int seat, int kind) noexcept nogil
    cdef void lay_card(self, int seat, int kind, int onto) noexcept nogil
    cdef int owner_price(self, int seat, int kind, int row, int onto) noexcept nogil
    cdef int penalised_cards(self, int seat) noexcept nogil
    cdef int list_purple(self, int n, int seat, int kind) noexcept nogil
    cdef int list_half(self, int n, int seat) noexcept nogil
    cdef int list_half_lays(self, int n, int block, int seat, int kind, int row) noexcept nogil
    cdef int list_mooch(self, int n, int seat) noexcept nogil
    cdef int list_search(self) noexcept nogil
    cdef int list_found(self) noexcept nogil
    cdef int list_other(self) noexcept nogil
    cdef void play_purple(self, int seat, int kind) noexcept nogil
    cdef void pass_turn(self) noexcept nogil
    cdef void turn_done(self) noexcept nogil
    cdef void start_turns(self) noexcept nogil
    cdef int can_pick(self, int seat) noexcept nogil
    cdef void look_at_found(self, int kind) noexcept nogil
    cdef void do_other(self, int number) noexcept nogil
