# Written by tools/pxd.py from the .py beside it.
cimport cython

from nevsky.rules.fields cimport Fields
from nevsky.rules.market cimport Market
from nevsky.rules.rng cimport Rng

cdef int ARCHITECT
cdef int CZARS_DAUGHTER
cdef int KINDS
cdef int LAWYER
cdef int MARKET
cdef int MASTER_CRAFTSMAN
cdef int MISTRESS_OF_THE_MANOR
cdef int NONE
cdef int NUMBER
cdef int WORKER

@cython.final
cdef class Assistants(Fields):
    cdef public short seat[5]

    cdef Assistants copied(self, Assistants c)
    cdef void deal(self, Market p, Rng rng) noexcept nogil
    cpdef void place(self, Market p, int which, int seat) noexcept nogil
    cdef void assist(self, Market p, int which, int seat, int by) noexcept nogil
    cdef void end_round(self, Market p) noexcept nogil
