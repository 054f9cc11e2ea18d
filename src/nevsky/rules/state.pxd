# Written by tools/pxd.py from the .py beside it.
from nevsky.rules.fields cimport Fields
from nevsky.rules.rng cimport Rng
from nevsky.rules.tables cimport Tables

cdef int DISCARD_ROOM
cdef int HAND_LIMIT
cdef int HAND_ROOM
cdef int KINDS
cdef int KIN_ROOM
cdef int NONE
cdef int OUT_ROOM
cdef int PILE_ROOM
cdef int ROW_ROOM
cdef int SEATS
cdef int START_RUBLES
cdef int TURN
cdef int WORKER

cdef class State(Fields):
    cdef public Tables t
    cdef short legal_ids[1024]
    cdef public int n
    cdef public int display
    cdef public int round
    cdef public int phase
    cdef public int due
    cdef public int seat
    cdef public int passes
    cdef public int asked
    cdef public int must_buy
    cdef public int last_round
    cdef public int drawn
    cdef public int drawn_pile
    cdef public int discard_n
    cdef public int out_n
    cdef public short token[5]
    cdef public short pile[320]
    cdef public short pile_n[5]
    cdef public short row[48]
    cdef public short row_n[3]
    cdef public short discard[192]
    cdef public short out[192]
    cdef public short rubles[5]
    cdef public short points[5]
    cdef public short hand[40]
    cdef public short hand_open[40]
    cdef public short hand_n[5]
    cdef public short hand_limit[5]
    cdef public short area[560]
    cdef public short named[560]
    cdef public short down[5]
    cdef public short pub[5]
    cdef public short count[25]
    cdef public short income_rubles[25]
    cdef public short income_points[25]
    cdef public short price[560]
    cdef public int owned[25]

    cdef void copy_into(self, State c) noexcept
    cdef int seat_differs(self, State other, int seat) noexcept nogil
    cdef void shuffle_piles(self, Rng rng) noexcept nogil
    cdef void deal_tokens(self, Rng rng, int youngest) noexcept nogil
    cdef int draw_card(self, int p) noexcept nogil
    cdef void refill(self, int most) noexcept nogil
    cdef int remove_from_row(self, int row, int kind) noexcept nogil
    cdef void put_in_hand(self, int seat, int kind, int seen) noexcept nogil
    cdef int remove_from_hand(self, int seat, int kind) noexcept nogil
    cdef void put_on_discard(self, int kind) noexcept nogil
    cdef void put_out(self, int kind) noexcept nogil
    cdef void lay_down(self, int seat, int kind) noexcept nogil
    cdef void lift(self, int seat, int kind) noexcept nogil
    cdef void change_area(self, int seat, int kind, int by) noexcept nogil
    cdef void reduce_prices(self, int seat, int colours, int by) noexcept nogil
