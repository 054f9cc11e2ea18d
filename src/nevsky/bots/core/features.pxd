cimport cython
from nevsky.rules.position cimport Position

# constants, written by tools/pxd.py
cdef int EXCHANGE
cdef int F_BEFORE
cdef int F_CASH
cdef int F_COPIES
cdef int F_COUNT
cdef int F_DENY
cdef int F_FULL
cdef int F_HAND
cdef int F_INCOME
cdef int F_KIND_CASH
cdef int F_KIND_DENY
cdef int F_KIND_INCOME
cdef int F_LAY
cdef int F_LAY_PHASE
cdef int F_LEAD
cdef int F_NOBLES
cdef int F_OBSERVE
cdef int F_ONTO
cdef int F_PASS
cdef int F_PLAY
cdef int F_PRICE
cdef int F_PUB
cdef int F_RIVAL
cdef int F_ROW
cdef int F_SCARCE
cdef int F_START
cdef int F_TAKE
cdef int F_TAKE_PHASE
cdef int F_TEMPO
cdef int KINDS
cdef int NONE
cdef int NO_WAY
cdef int PURPLE
cdef int RED
cdef int ROW_ROOM
cdef int SIZE
cdef int SPAN
cdef int STAGES
cdef int V_BUY
cdef int V_BUY_DRAWN
cdef int V_OBSERVE
cdef int V_PASS
cdef int V_PLAY
cdef int V_PUB
cdef int V_TAKE
cdef int V_TAKE_DRAWN
cdef int WAY_LAY
cdef int WAY_PASS
cdef int WAY_PLAY
cdef int WAY_TAKE
cdef double PARTS
# end of constants

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
