cimport cython

from nevsky.rules.modules.assignments cimport Assignments
from nevsky.rules.rng cimport Rng
from nevsky.rules.state cimport State

cdef int BONUS_0, BONUS_CARD, BONUS_GOOD
cdef int BLUE, BONUS, GREEN, KINDS, NONE, QUEUE_ROOM, RED, V_BONUS, V_BONUS_CARD, V_BONUS_GOOD
cdef int OBSTACLES_BIT, B1, B2, B3, B4, B5, R1, R2, R3, R4, R5

cdef class Obstacles(Assignments):
    cdef public short obstacle[5]
    cdef public short passed[5]
    cdef public short bonus[40]
    cdef public short bonus_n[5]
    cdef public short lost[5]
    @cython.locals(o=Obstacles)
    cdef void copy_into(self, State c) noexcept
    cdef void deal_tokens(self, Rng rng, int youngest) noexcept nogil
    cdef void deal_obstacles(self, Rng rng, int real) noexcept nogil
    cdef int space_points(self, int space) noexcept nogil
    cdef void gain_points(self, int seat, int points) noexcept nogil
    cdef int mastered(self, int seat, int space) noexcept nogil
    cdef int stopped(self, int seat) noexcept nogil
    cdef int exchange_of(self, int seat, int colour) noexcept nogil
    cdef int ask_pending(self) noexcept nogil
    cdef void next_bonus(self, int seat) noexcept nogil
    cdef void pay_bonus(self, int seat, int tile) noexcept nogil
    cdef int bonus_choices(self, int seat) noexcept nogil
    cdef int list_other(self) noexcept nogil
    cdef void do_other(self, int number) noexcept nogil
