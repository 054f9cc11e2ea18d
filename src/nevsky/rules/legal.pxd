# Written by tools/pxd.py from the .py beside it.
from nevsky.rules.prices cimport Prices

cdef int BUILDING
cdef int BUY_DRAWN
cdef int DISCARD_DRAWN
cdef int DRAWN
cdef int KINDS
cdef int OBSERVATORY
cdef int OBSERVE
cdef int PASS
cdef int PUB
cdef int PUB_0
cdef int TAKE_DRAWN
cdef int TURN

cdef class Legal(Prices):
    cdef int list_legal(self) noexcept nogil
    cdef int list_other(self) noexcept nogil
    cdef int list_turn(self) noexcept nogil
    cdef int list_special(self, int n, int seat) noexcept nogil
    cdef int list_drawn(self) noexcept nogil
    cdef int list_pub(self) noexcept nogil
