cimport cython

from nevsky.rules.course cimport FullPosition
from nevsky.rules.position cimport Position

# constants, written by tools/pxd.py
cdef int ALL_CARDS
cdef int BANQUET
cdef int CHIP
cdef int FIRST_EDITION
cdef int G_ASSIGNMENTS
cdef int G_CHOSEN
cdef int G_DISCARD
cdef int G_DRAWN
cdef int G_DUE
cdef int G_EVENTS
cdef int G_EXTRA
cdef int G_FINAL
cdef int G_FIRST_EDITION
cdef int G_HALVED
cdef int G_LAST_ROUND
cdef int G_MARKET
cdef int G_MODULES
cdef int G_MUST_BUY
cdef int G_OBSTACLES
cdef int G_PASSES
cdef int G_PHASE
cdef int G_PILE
cdef int G_PLAYERS
cdef int G_ROUND
cdef int G_ROW_1
cdef int G_ROW_2
cdef int G_UNSEEN
cdef int HAND_ROOM
cdef int JESTER
cdef int KINDS
cdef int MODULE_ROOM
cdef int NONE
cdef int PILE_ROOM
cdef int RED
cdef int ROW_ROOM
cdef int SEAT_SIZE
cdef int S_AREA
cdef int S_ASSISTANT
cdef int S_BANQUET
cdef int S_COVERED
cdef int S_DOWN
cdef int S_EVENT_USED
cdef int S_GOODS
cdef int S_HAND
cdef int S_HAND_LIMIT
cdef int S_HELD
cdef int S_INCOME_POINTS
cdef int S_INCOME_RUBLES
cdef int S_JESTER
cdef int S_NOBLES
cdef int S_NOBLE_POINTS
cdef int S_PASSED
cdef int S_POINTS
cdef int S_PRESENT
cdef int S_PRISON_DOWN
cdef int S_PUB
cdef int S_RUBLES
cdef int S_RUBLES_KNOWN
cdef int S_STOREROOM
cdef int S_TOKEN
cdef int S_TO_MOVE
cdef int S_UNKNOWN
# end of constants

@cython.final
cdef class Encoder:
    cdef int place[2112]
    cdef float value[2112]
    cdef public int n
    cdef int unseen[112]
    cdef int noble_points[112]

    cdef void put(self, int place, float value) noexcept nogil
    @cython.locals(full=FullPosition)
    cpdef int encode(self, Position p, int viewer, int open_rubles, int open_hands) noexcept
    cdef int encode_known(
        self, Position p, FullPosition full, int viewer, int open_rubles, int open_hands
    ) noexcept nogil
    cdef void encode_seat(self, Position p, int seat, int base, int rubles_known, int hand_known) noexcept nogil
    cdef void add(self, int place) noexcept nogil
    cdef void encode_row(self, Position p, int row, int base) noexcept nogil
    cdef void encode_table(self, Position p, int viewer) noexcept nogil
    cdef void encode_extras(self, FullPosition p, int viewer) noexcept nogil
    cdef void encode_extras_of(self, FullPosition p, int seat, int base) noexcept nogil
    cpdef int write(self, short[::1] places, float[::1] values, int at) noexcept
    cpdef void put_into(self, float[::1] row) noexcept
    cpdef list row(self)
