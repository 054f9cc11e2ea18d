cimport cython

from nevsky.rules.modules.banquet cimport Banquet
from nevsky.rules.state cimport State

cdef int GUILD_0, SYCOPHANT_0, TRADE_0, USE_PRISON
cdef int BLUE, BUILDING, COFFEE_HOUSE, DEBTORS_PRISON, GUILD_HALL, GUILD_HALL_CARD, KINDS, MAYOR, NOBLE, RED, SEARCH
cdef int SYCOPHANT, SYCOPHANT_CARD, TEXTILE_FACTORY, TRADING_HOUSE, TRADING_HOUSE_CARD
cdef int V_GUILD_HALL, V_SYCOPHANT, V_TRADING_HOUSE, V_USE
cdef int GUILD_TOTAL

cdef class GoodCompany(Banquet):
    cdef public short prison_down[5]
    cdef public int to_ask
    @cython.locals(o=GoodCompany)
    cdef void copy_into(self, State c) noexcept
    cdef int face_down(self, int seat, int kind) noexcept nogil
    cdef int carpets(self, int seat) noexcept nogil
    cdef int value_rubles(self, int seat, int kind) noexcept nogil
    cdef int value_points(self, int seat, int kind) noexcept nogil
    cdef int variable_rubles(self, int seat, int colour) noexcept nogil
    cdef int variable_points(self, int seat, int colour) noexcept nogil
    cdef int list_special(self, int n, int seat) noexcept nogil
    cdef void end_round(self) noexcept nogil
    cdef void turn_prison(self, int seat, int down) noexcept nogil
    cdef int ask_during_scoring(self, int seat) noexcept nogil
    cdef int ask_after_scoring(self, int seat) noexcept nogil
    cdef int list_other(self) noexcept nogil
    cdef int list_pay(self, int block, int price) noexcept nogil
    cdef void do_other(self, int number) noexcept nogil
