cimport cython
from nevsky.rules.position cimport Position

cdef int EXCHANGE, KINDS, NONE, PURPLE, RED, V_BUY, V_BUY_DRAWN, V_OBSERVE, V_PASS, V_PLAY, V_PUB, V_TAKE, V_TAKE_DRAWN
cdef int STAGES, SPAN, ROW_ROOM, WAY_LAY, WAY_TAKE, WAY_PLAY, WAY_PASS, NO_WAY
cdef int F_LAY, F_TAKE, F_PLAY, F_ONTO, F_CASH, F_NOBLES, F_HAND, F_PASS, F_OBSERVE, F_PUB, F_ROW, F_DENY, F_SCARCE
cdef int F_LAY_PHASE, F_TAKE_PHASE, F_PRICE, F_COPIES, F_KIND_DENY, F_KIND_INCOME, F_KIND_CASH
cdef int F_COUNT, F_INCOME, F_LEAD, F_TEMPO, F_BEFORE, F_RIVAL, F_FULL, F_START, SIZE
cdef double PARTS

@cython.final
cdef class FeatureWeights:
    cdef int table[15452]
    cdef int feature[32]
    cdef int shared[20]
    cdef int shared_at[20]
    cdef int copies[112]
    cdef int now, way, colour, stage, phase, income, lead, tempo, before, rival, rival_rubles, starts

    @cython.locals(stage=cython.int)
    cdef void set_context(self, Position p, double time) noexcept nogil
    cdef int bucket(self, int rubles) noexcept nogil
    cdef int purse(self, int rubles) noexcept nogil
    cdef int own_features(self, Position p, int number, int different) noexcept nogil
    cdef int row_features(self, Position p, int kind, int row, int way, int n) noexcept nogil
    @cython.locals(stage=cython.int)
    cdef int shared_features(self, Position p, int n) noexcept nogil
    cdef int list_features(self, Position p, int number, int different) noexcept nogil
    @cython.locals(value=cython.int, total=cython.int)
    cdef double score(self, Position p, int number, int different) noexcept nogil
