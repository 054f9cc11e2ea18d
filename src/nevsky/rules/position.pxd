# Written by tools/pxd.py from the .py beside it.
from nevsky.rules.rng cimport Rng
from nevsky.rules.turns cimport Turns

cdef int HAND_ROOM
cdef int KINDS
cdef int NONE
cdef int OVER
cdef int PILE_ROOM
cdef int ROW_ROOM

cdef class Position(Turns):
    cdef void deal_secrets(self, int viewer, Rng rng) noexcept nogil
    cdef int random_playout(self, Rng rng, int most) noexcept nogil
