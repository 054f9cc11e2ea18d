# Written by tools/pxd.py from the .py beside it.
cimport cython

from nevsky.rules.fields cimport Fields
from nevsky.rules.market cimport Market

cdef int BLUE
cdef int BUILDING
cdef int COFFEE_HOUSE
cdef int DEBTORS_PRISON
cdef int GUILD_0
cdef int GUILD_HALL
cdef int GUILD_HALL_CARD
cdef int GUILD_TOTAL
cdef int KINDS
cdef int MAYOR
cdef int NOBLE
cdef int RED
cdef int SEARCH
cdef int SEATS
cdef int SYCOPHANT
cdef int SYCOPHANT_0
cdef int SYCOPHANT_CARD
cdef int SYCOPHANT_PRICE
cdef int TEXTILE_FACTORY
cdef int TRADE_0
cdef int TRADE_POINTS
cdef int TRADE_PRICE
cdef int TRADING_HOUSE
cdef int TRADING_HOUSE_CARD
cdef int USE_PRISON
cdef int V_GUILD_HALL
cdef int V_SYCOPHANT
cdef int V_TRADING_HOUSE
cdef int V_USE

@cython.final
cdef class GoodCompany(Fields):
    cdef public short prison_down[5]
    cdef public int to_ask

    cdef GoodCompany copied(self, GoodCompany c)
    cdef int face_down(self, int seat, int kind) noexcept nogil
    cdef int carpets(self, Market p, int seat) noexcept nogil
    cdef int value_rubles(self, Market p, int seat, int kind) noexcept nogil
    cdef int open_points(self, Market p, int seat, int kind) noexcept nogil
    cdef int chosen_income(self, int kind) noexcept nogil
    cdef int variable_rubles(self, Market p, int seat, int colour) noexcept nogil
    cdef int variable_points(self, Market p, int seat, int colour) noexcept nogil
    cdef int list_special(self, Market p, int n, int seat) noexcept nogil
    cdef void end_round(self, Market p) noexcept nogil
    cpdef void turn_prison(self, Market p, int seat, int down) noexcept nogil
    cdef int ask_during_scoring(self, Market p, int seat) noexcept nogil
    cdef int ask_after_scoring(self, Market p, int seat) noexcept nogil
    cdef int list_choices(self, Market p) noexcept nogil
    cdef int list_pay(self, Market p, int block, int price) noexcept nogil
    cdef void do(self, Market p, int number) noexcept nogil
