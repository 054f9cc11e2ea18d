cimport cython

from nevsky.rules.position cimport Position
from nevsky.rules.state cimport State

cdef int BUILDING, EXCHANGE, NONE, OVER, PUB, TURN
cdef int IDLE, TURN_OVER, SCORING, FINAL

cdef class Flow(Position):
    cdef public int stage, part, sub, turn_seat, again
    @cython.locals(o=Flow)
    cdef void copy_into(self, State c) noexcept
    cdef void proceed(self) noexcept nogil
    cdef int ask(self, int seat, int due) noexcept nogil
    cdef int ask_pending(self) noexcept nogil
    cdef void turn_over(self) noexcept nogil
    cdef void turn_done(self) noexcept nogil
    cdef void start_turns(self) noexcept nogil
    cdef void score_phase(self) noexcept nogil
    cdef void pub_done(self) noexcept nogil
    cdef int scoring_seat(self) noexcept nogil
    cdef int scoring_step(self) noexcept nogil
    cdef int ask_during_scoring(self, int seat) noexcept nogil
    cdef int ask_after_scoring(self, int seat) noexcept nogil
    cdef int score_more(self, int seat) noexcept nogil
    cdef int final_step(self) noexcept nogil
    cdef int take_from_discard(self, int kind) noexcept nogil
