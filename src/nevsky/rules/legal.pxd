from nevsky.rules.prices cimport Prices

cdef int BUY_DRAWN, DISCARD_DRAWN, OBSERVE, PASS, PUB_0, TAKE_DRAWN
cdef int BUILDING, DRAWN, KINDS, OBSERVATORY, PUB, TURN

cdef class Legal(Prices):
    cdef int list_legal(self) noexcept nogil
    cdef int list_other(self) noexcept nogil
    cdef int list_turn(self) noexcept nogil
    cdef int list_special(self, int n, int seat) noexcept nogil
    cdef int list_drawn(self) noexcept nogil
    cdef int list_pub(self) noexcept nogil
