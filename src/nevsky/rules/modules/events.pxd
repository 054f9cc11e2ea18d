cimport cython

from nevsky.rules.modules.assistants cimport Assistants
from nevsky.rules.state cimport State

cdef int BUY_1, BUY_DRAWN, DISCARD_1, DISCARD_2, EVENT_0, TAKE_1
cdef int NONE, ROW_ROOM, SCAVENGE, SECOND_CARD, SWAP, TURN, V_DISCARD, V_EVENT
cdef int SECOND, GIFT, SWAP_EVENT, FRESH_CARDS, STOREROOM, SCAVENGER, ALL_EVENTS, EVENTS_BIT

cdef class Events(Assistants):
    cdef public int events_left, had_event, storeroom_seat, first_space, stack
    @cython.locals(o=Events)
    cdef void copy_into(self, State c) noexcept
    cdef void start_turns(self) noexcept nogil
    cdef int remove_from_row(self, int row, int kind) noexcept nogil
    cdef int list_special(self, int n, int seat) noexcept nogil
    cdef int event_usable(self, int scratch, int seat, int event) noexcept nogil
    cdef void use_event(self, int seat, int event) noexcept nogil
    cdef void turn_done(self) noexcept nogil
    cdef int list_stack(self) noexcept nogil
    cdef int list_other(self) noexcept nogil
    cdef void do_other(self, int number) noexcept nogil
