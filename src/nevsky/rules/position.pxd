from nevsky.rules.rng cimport Rng
from nevsky.rules.turns cimport Turns

cdef int HAND_ROOM, ROW_ROOM, KINDS, OVER, PILE_ROOM

cdef class Position(Turns):
    cdef int random_playout(self, Rng rng, int most) noexcept nogil
