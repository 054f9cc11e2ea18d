# Written by tools/pxd.py from the .py beside it.
cimport cython

from nevsky.rules.fields cimport Fields
from nevsky.rules.position cimport Position
from nevsky.rules.rng cimport Rng

cdef int HAND_ROOM
cdef int KINDS
cdef int NONE
cdef int PILE_ROOM

@cython.final
cdef class Redealer(Fields):
    cdef short counts[112]
    cdef short pool[64]

    cpdef void deal(self, Position p, int viewer, int open_hands, Rng rng) noexcept
    cdef void deal_pile(self, Position p, int viewer, int open_hands, int pile, Rng rng) noexcept nogil
    cdef int hides(self, Position p, int viewer, int open_hands, int seat, int place) noexcept nogil
