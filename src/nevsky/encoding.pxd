cimport cython

from nevsky.rules.course cimport FullPosition
from nevsky.rules.position cimport Position

cdef int BANQUET, CHIP, JESTER, MODULE_ROOM
cdef int HAND_ROOM, KINDS, NONE, PILE_ROOM, RED, ROW_ROOM
cdef int S_PRESENT, S_RUBLES, S_RUBLES_KNOWN, S_POINTS, S_HAND, S_HAND_LIMIT, S_NOBLES, S_NOBLE_POINTS, S_TO_MOVE, S_INCOME_RUBLES, S_INCOME_POINTS, S_TOKEN, S_GOODS, S_ASSISTANT, S_PASSED, S_EVENT_USED, S_STOREROOM, S_DOWN, S_PUB, S_UNKNOWN, S_BANQUET, S_JESTER, S_COVERED, S_PRISON_DOWN, S_AREA, S_HELD, SEAT_SIZE, G_ROW_1, G_ROW_2, G_DISCARD, G_UNSEEN, G_DRAWN, G_PILE, G_PHASE, G_DUE, G_ROUND, G_PASSES, G_MUST_BUY, G_LAST_ROUND, G_PLAYERS, G_FIRST_EDITION, G_MARKET, G_MODULES, G_EVENTS, G_OBSTACLES, G_ASSIGNMENTS, G_CHOSEN, G_HALVED, G_EXTRA, G_FINAL, FIRST_EDITION, ALL_CARDS

@cython.final
cdef class Encoder:
    cdef int place[2112]
    cdef float value[2112]
    cdef public int n
    cdef int unseen[112]
    cdef int noble_points[112]

    cdef void put(self, int place, float value) noexcept nogil
    cpdef int encode(self, Position p, int viewer, int open_rubles, int open_hands) noexcept
    cdef void encode_seat(self, Position p, int seat, int base, int rubles_known, int hand_known) noexcept nogil
    cdef void add(self, int place) noexcept nogil
    cdef void encode_row(self, Position p, int row, int base) noexcept nogil
    cdef void encode_table(self, Position p, int viewer) noexcept nogil
    cdef void encode_extras(self, FullPosition p, int viewer) noexcept nogil
    cdef void encode_extras_of(self, FullPosition p, int seat, int base) noexcept nogil
    cpdef int write(self, short[::1] places, float[::1] values, int at) noexcept
