# Written by tools/pxd.py from the .py beside it.
cimport cython

from nevsky.rules.fields cimport Fields
from nevsky.rules.market cimport Market

cdef int ALL_EVENTS
cdef int ASK_SCAVENGE
cdef int ASK_STACK
cdef int ASK_SWAP
cdef int BUY_1
cdef int BUY_DRAWN
cdef int DISCARD_1
cdef int DISCARD_2
cdef int EVENT_0
cdef int FRESH_CARDS
cdef int GIFT
cdef int NONE
cdef int NUMBER
cdef int OTHERS_GIFT
cdef int OWN_GIFT
cdef int ROW_ROOM
cdef int SCAVENGER
cdef int SECOND_CARD
cdef int STOREROOM
cdef int SWAP
cdef int TAKE_1
cdef int TURN
cdef int V_EVENT

@cython.final
cdef class Events(Fields):
    cdef public int left
    cdef public int used
    cdef public int storeroom_seat
    cdef public int first_space
    cdef public int stack

    cdef Events copied(self, Events c)
    cdef void start_turns(self, Market p) noexcept nogil
    cdef void card_leaves(self, Market p, int row, int kind) noexcept nogil
    cdef int list_special(self, Market p, int n, int seat) noexcept nogil
    cdef int usable(self, Market p, int scratch, int seat, int event) noexcept nogil
    cdef void use(self, Market p, int seat, int event) noexcept nogil
    cdef int more_stack(self, Market p) noexcept nogil
    cdef int list_stack(self, Market p) noexcept nogil
    cdef int list_choices(self, Market p) noexcept nogil
    cdef void do(self, Market p, int number) noexcept nogil
