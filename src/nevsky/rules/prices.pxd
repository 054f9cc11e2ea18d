# Written by tools/pxd.py from the .py beside it.
cimport cython

from nevsky.rules.scoring cimport Scoring

cdef int BUY_1
cdef int BUY_2
cdef int HAND_ROOM
cdef int KINDS
cdef int LAY_ROOM
cdef int MOST_WORTH
cdef int NONE
cdef int PLAY
cdef int PURPLE
cdef int ROW_ROOM
cdef int TAKE_1
cdef int TAKE_2
cdef unsigned long long NO_BITS
cdef unsigned long long ONE_BIT

cdef class Prices(Scoring):
    @cython.final
    cdef int full_price(self, int seat, int kind, int onto) noexcept nogil
    cdef int owner_price(self, int seat, int kind, int row, int onto) noexcept nogil
    cdef int replaceable(self, int seat, int kind) noexcept nogil
    cdef void mark_replaceable(self, int seat, int kind) noexcept nogil
    cdef void change_area(self, int seat, int kind, int by) noexcept nogil
    @cython.locals(low=cython.ulonglong, high=cython.ulonglong, bit=cython.ulonglong)
    cdef int list_row(self, int n, int seat, int row, int room) noexcept nogil
    cdef int list_hand(self, int n, int seat) noexcept nogil
    cdef int row_card(self, int row, int i) noexcept nogil
    cdef int first_in_row(self, int row, int i) noexcept nogil
    @cython.final
    cdef int first_in_hand(self, int seat, int i) noexcept nogil
    cdef int list_lays(self, int n, int block, int seat, int kind, int row) noexcept nogil
    @cython.final
    @cython.locals(bits=cython.uint, low=cython.uint)
    cdef int lays(self, int n, int block, int seat, int kind, int row) noexcept nogil
    cdef int list_purple(self, int n, int seat, int kind) noexcept nogil
