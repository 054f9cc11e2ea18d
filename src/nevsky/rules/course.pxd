# Written by tools/pxd.py from the .py beside it.
cimport cython

from nevsky.rules.market cimport Market
from nevsky.rules.modules.assignments.rules cimport Assignments
from nevsky.rules.modules.assistants.rules cimport Assistants
from nevsky.rules.modules.banquet.rules cimport Banquet
from nevsky.rules.modules.events.rules cimport Events
from nevsky.rules.modules.good_company.rules cimport GoodCompany
from nevsky.rules.modules.obstacles.rules cimport Obstacles
from nevsky.rules.rng cimport Rng
from nevsky.rules.state cimport State

cdef int F_CHOICE
cdef int IN_ASSIGNMENTS
cdef int IN_ASSISTANTS
cdef int IN_BANQUET
cdef int IN_EVENTS
cdef int IN_GOOD_COMPANY
cdef int IN_OBSTACLES
cdef int LARGE_DISPLAY
cdef int SMALL_DISPLAY

cdef class FullPosition(Market):
    cdef public Banquet banquet
    cdef public GoodCompany good_company
    cdef public Assistants assistants
    cdef public Events events
    cdef public Assignments assignments
    cdef public Obstacles obstacles

    @cython.locals(o=FullPosition)
    cdef void copy_into(self, State c) noexcept
    cdef void deal_tokens(self, Rng rng, int youngest) noexcept nogil
    cdef void deal_secrets(self, int viewer, Rng rng) noexcept nogil
    cdef int remove_from_row(self, int row, int kind) noexcept nogil
    cdef void lay_card(self, int seat, int kind, int onto) noexcept nogil
    cdef void change_area(self, int seat, int kind, int by) noexcept nogil
    cdef void turned(self, int seat, int kind) noexcept nogil
    cdef int face_down(self, int seat, int kind) noexcept nogil
    cdef int replaceable(self, int seat, int kind) noexcept nogil
    cdef int owner_price(self, int seat, int kind, int row, int onto) noexcept nogil
    cdef int counting(self, int seat, int kind) noexcept nogil
    cdef int value_rubles(self, int seat, int kind) noexcept nogil
    cdef int open_points(self, int seat, int kind) noexcept nogil
    cdef int counted_points(self, int seat, int kind) noexcept nogil
    cdef int variable_rubles(self, int seat, int colour) noexcept nogil
    cdef int variable_points(self, int seat, int colour) noexcept nogil
    cdef void gain_points(self, int seat, int points) noexcept nogil
    cdef int penalised_cards(self, int seat) noexcept nogil
    cdef void start_turns(self) noexcept nogil
    cdef int list_purple(self, int n, int seat, int kind) noexcept nogil
    cdef void play_purple(self, int seat, int kind) noexcept nogil
    cdef int list_special(self, int n, int seat) noexcept nogil
    cdef void pass_turn(self) noexcept nogil
    cdef void turn_done(self) noexcept nogil
    cdef void score_colour(self, int seat, int colour) noexcept nogil
    cdef int ask_pending(self) noexcept nogil
    cdef int ask_during_scoring(self, int seat) noexcept nogil
    cdef int ask_after_scoring(self, int seat) noexcept nogil
    cdef void end_round(self) noexcept nogil
    cdef int final_in_steps(self) noexcept nogil
    cdef int ask_final(self, int seat) noexcept nogil
    cdef int chosen_points(self, int seat, int early) noexcept nogil
    cdef int list_other(self) noexcept nogil
    cdef void do_other(self, int number) noexcept nogil
