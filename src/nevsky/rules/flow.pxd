# Written by tools/pxd.py from the .py beside it.
from nevsky.rules.position cimport Position

cdef int BUILDING
cdef int BUY_DRAWN
cdef int EXCHANGE
cdef int FINAL
cdef int FOUND
cdef int F_CHOICE
cdef int F_CHOSEN
cdef int F_EARLY
cdef int F_HAND
cdef int F_NOBLES
cdef int F_RUBLES
cdef int IDLE
cdef int NONE
cdef int OVER
cdef int PUB
cdef int RETURN_DRAWN
cdef int SCORING
cdef int SCORING_PARTS
cdef int SEARCH
cdef int SEARCH_0
cdef int SEATS
cdef int TAKE_DRAWN
cdef int TURN
cdef int TURN_OVER
cdef int V_RETURN_DRAWN
cdef int V_SEARCH

cdef class Flow(Position):
    cdef public int stage
    cdef public int part
    cdef public int sub
    cdef public int turn_seat
    cdef public int again
    cdef public int extra
    cdef public int final
    cdef public short standing[5]
    cdef public short part_nobles[5]
    cdef public short part_chosen[5]
    cdef public short part_rubles[5]
    cdef public short part_hand[5]

    cdef void proceed(self) noexcept nogil
    cdef int ask(self, int seat, int due) noexcept nogil
    cdef int ask_pending(self) noexcept nogil
    cdef void turn_over(self) noexcept nogil
    cdef void turn_done(self) noexcept nogil
    cdef void start_turns(self) noexcept nogil
    cdef void pass_turn(self) noexcept nogil
    cdef void score_phase(self) noexcept nogil
    cdef void pub_done(self) noexcept nogil
    cdef int scoring_seat(self) noexcept nogil
    cdef int scoring_step(self) noexcept nogil
    cdef int ask_during_scoring(self, int seat) noexcept nogil
    cdef int ask_after_scoring(self, int seat) noexcept nogil
    cdef int score_more(self, int seat) noexcept nogil
    cdef void gain_points(self, int seat, int points) noexcept nogil
    cdef int final_in_steps(self) noexcept nogil
    cdef int ask_final(self, int seat) noexcept nogil
    cdef int chosen_points(self, int seat, int early) noexcept nogil
    cdef void finish(self) noexcept nogil
    cdef int final_step(self) noexcept nogil
    cdef int final_points(self, int seat) noexcept nogil
    cdef int tie_rubles(self, int seat) noexcept nogil
    cdef int list_other(self) noexcept nogil
    cdef int list_search(self) noexcept nogil
    cdef int list_found(self) noexcept nogil
    cdef void do_other(self, int number) noexcept nogil
    cdef int take_from_discard(self, int kind) noexcept nogil
