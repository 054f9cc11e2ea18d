cimport cython
from nevsky.bots.core.features cimport FeatureWeights
from nevsky.rules.position cimport Position
from nevsky.rules.rng cimport Rng

# constants, written by tools/pxd.py
cdef double GROWTH
cdef double HAND_BONUS
cdef double HAND_BONUS_ROUNDS
cdef double HOPE
cdef double HOPELESS
cdef double HOPE_ROUNDS
cdef double LAST_ROUND
cdef double LOOK_A_ROUND
cdef double LOST_CARD
cdef double MARKET_PACE
cdef double NEVER
cdef double PACE_ROUNDS
cdef double SAVED
cdef double USUAL_PACE
cdef int BLUE
cdef int EXCHANGE
cdef int FIRST
cdef int GREEN
cdef int KINDS
cdef int LAST_VALUE
cdef int LAY_ROOM
cdef int LONG_AGO
cdef int MARIINSKY
cdef int MOST_RUBLES
cdef int NONE
cdef int OVER
cdef int PUB
cdef int PURPLE
cdef int RED
cdef int TAX_MAN
cdef int V_BONUS
cdef int V_BONUS_CARD
cdef int V_BUY
cdef int V_BUY_DRAWN
cdef int V_DISCARD
cdef int V_DISCARD_DRAWN
cdef int V_GUILD_HALL
cdef int V_MOOCH
cdef int V_OBSERVE
cdef int V_PASS
cdef int V_PLAY
cdef int V_PUB
cdef int V_SEARCH
cdef int V_SYCOPHANT
cdef int V_TAKE
cdef int V_TAKE_DRAWN
cdef int V_THROW
cdef int V_TRADING_HOUSE
cdef int V_UPKEEP_PAY
cdef int V_USE
cdef int YELLOW
# end of constants

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
