cimport cython
from nevsky.rules.position cimport Position

cdef int EXCHANGE, KINDS, NONE, PURPLE, RED, V_BUY, V_BUY_DRAWN, V_OBSERVE, V_PASS, V_PLAY, V_PUB, V_TAKE, V_TAKE_DRAWN
cdef int STAGES, SPAN, ROW_ROOM, WAY_LAY, WAY_TAKE, WAY_PLAY, WAY_PASS, NO_WAY
cdef int H_LAY, H_TAKE, H_PLAY, H_ONTO, H_CASH, H_NOBLES, H_HAND, H_PASS, H_OBSERVE, H_PUB, H_ROW, H_DENY, H_SCARCE
cdef int H_LAY_PHASE, H_TAKE_PHASE, H_PRICE, H_COPIES, H_KIND_DENY, H_KIND_INCOME, H_KIND_CASH
cdef int H_COUNT, H_INCOME, H_LEAD, H_TEMPO, H_BEFORE, H_RIVAL, H_FULL, H_START, HABITS
cdef double PARTS

@cython.final
cdef class Habit:
    cdef int table[15452]
    cdef int mark[32]
    cdef int mood[20]
    cdef int felt[20]
    cdef int copies[112]
    cdef int now, way, colour, stage, phase, income, lead, tempo, before, rival, rival_rubles, starts

    @cython.locals(stage=cython.int)
    cdef void situate(self, Position p, double time) noexcept nogil
    cdef int bucket(self, int rubles) noexcept nogil
    cdef int purse(self, int rubles) noexcept nogil
    cdef int own_marks(self, Position p, int number, int different) noexcept nogil
    cdef int row_marks(self, Position p, int kind, int row, int way, int n) noexcept nogil
    @cython.locals(stage=cython.int)
    cdef int way_marks(self, Position p, int n) noexcept nogil
    cdef int marks(self, Position p, int number, int different) noexcept nogil
    @cython.locals(value=cython.int, mood=cython.int)
    cdef double worth(self, Position p, int number, int different) noexcept nogil
