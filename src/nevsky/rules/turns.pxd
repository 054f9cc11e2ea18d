# Written by tools/pxd.py from the .py beside it.
from nevsky.rules.legal cimport Legal
from nevsky.rules.rng cimport Rng

cdef int BUILDING
cdef int DRAWN
cdef int EXCHANGE
cdef int NONE
cdef int OBSERVATORY
cdef int OBSERVE
cdef int OVER
cdef int PUB
cdef int PUB_0
cdef int PURPLE
cdef int ROW_ROOM
cdef int SECOND
cdef int TURN
cdef int V_BUY
cdef int V_BUY_DRAWN
cdef int V_DISCARD_DRAWN
cdef int V_OBSERVE
cdef int V_PASS
cdef int V_PLAY
cdef int V_PUB
cdef int V_TAKE
cdef int V_TAKE_DRAWN
cdef int WORKER

cdef class Turns(Legal):
    cdef void deal(self, Rng rng, int youngest) noexcept nogil
    cdef void start(self) noexcept nogil
    cdef void do(self, int number) noexcept nogil
    cdef void pass_turn(self) noexcept nogil
    cdef void turn_over(self) noexcept nogil
    cdef void play_purple(self, int seat, int kind) noexcept nogil
    cdef void do_other(self, int number) noexcept nogil
    cdef void pay(self, int seat, int price) noexcept nogil
    cdef void lay_card(self, int seat, int kind, int onto) noexcept nogil
    cdef void throw_away(self, int kind) noexcept nogil
    cdef void observe(self, int seat, int p) noexcept nogil
    cdef void turned(self, int seat, int kind) noexcept nogil
    cdef void start_phase(self) noexcept nogil
    cdef void start_turns(self) noexcept nogil
    cdef void end_turn(self) noexcept nogil
    cdef void score_phase(self) noexcept nogil
    cdef void after_scoring(self) noexcept nogil
    cdef void pub_done(self) noexcept nogil
    cdef void end_phase(self) noexcept nogil
    cdef void finish(self) noexcept nogil
    cdef void end_round(self) noexcept nogil
