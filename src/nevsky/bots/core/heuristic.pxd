cimport cython
from nevsky.bots.core.features cimport FeatureWeights
from nevsky.rules.position cimport Position
from nevsky.rules.rng cimport Rng

cdef int BLUE, EXCHANGE, FIRST, GREEN, KINDS, LAST_VALUE, LAY_ROOM, MARIINSKY, NONE, OVER, PUB, PURPLE, RED, TAX_MAN, V_BONUS, V_BONUS_CARD, V_BUY, V_BUY_DRAWN, V_DISCARD, V_DISCARD_DRAWN, V_GUILD_HALL, V_MOOCH, V_OBSERVE, V_PASS, V_PLAY, V_PUB, V_SEARCH, V_SYCOPHANT, V_TAKE, V_TAKE_DRAWN, V_THROW, V_TRADING_HOUSE, V_UPKEEP_PAY, V_USE, YELLOW
cdef int LONG_AGO, MOST_RUBLES
cdef double GROWTH, HAND_BONUS, HAND_BONUS_ROUNDS, HOPE, HOPE_ROUNDS, HOPELESS, LAST_ROUND, LOST_CARD, MARKET_PACE, NEVER
cdef double PACE_ROUNDS, SAVED, USUAL_PACE

@cython.final
cdef class HeuristicPolicy:
    cdef double last_ruble, round_ruble, early_ruble, spare_ruble, needed_rubles, nobles_to_come, kept, hand_space
    cdef double reduction, observation, goods_share, passing, noise
    cdef public double worth[112]
    cdef public double cash[128]
    cdef public double scored[5]
    cdef public double paid[5]
    cdef public double values[1024]
    cdef double per_round[112]
    cdef public int key
    cdef public double rounds, time, pub_sale, goods
    cdef FeatureWeights learned

    cdef double fading(self, double x) noexcept nogil
    cdef void look(self, Position p) noexcept nogil
    cdef double rounds_left(self, Position p) noexcept nogil
    cdef void count_scorings(self, int colour, int place, int at, int places, int acting) noexcept nogil
    cdef double ruble(self, double time) noexcept nogil
    cdef double sale(self, double points, double rubles, double left) noexcept nogil
    cdef void fill_cash(self) noexcept nogil
    cdef double single(self, Position p, int kind) noexcept nogil
    cdef double noble_step(self, int different) noexcept nogil
    cdef double gain(self, Position p, int seat, int kind, int onto, int different) noexcept nogil
    cdef double rubles(self, Position p, int seat, int more) noexcept nogil
    cdef double lay(self, Position p, int seat, int kind, int row, int onto, int different) noexcept nogil
    @cython.locals(bits=cython.uint, low=cython.uint)
    cdef double keep(self, Position p, int seat, int kind, int different) noexcept nogil
    cdef double later(self, Position p, int seat, int kind, int onto, int different) noexcept nogil
    cdef double take(self, Position p, int seat, int kind, int different) noexcept nogil
    cdef double value(self, Position p, int number, int different) noexcept nogil
    cdef double other_value(self, Position p, int number, int verb, int kind, int different) noexcept nogil
    cpdef int appraise(self, Position p) noexcept
    cdef int choose(self, Position p, Rng rng) noexcept nogil
    cpdef int playout(self, Position p, Rng rng, int most) noexcept
