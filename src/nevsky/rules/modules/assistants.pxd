cimport cython

from nevsky.rules.modules.good_company cimport GoodCompany
from nevsky.rules.rng cimport Rng
from nevsky.rules.state cimport State

cdef int BLUE, GREEN, KINDS, MARKET, NONE, RED, WORKER, YELLOW
cdef int MASTER_CRAFTSMAN, MISTRESS_OF_THE_MANOR, ARCHITECT, LAWYER, CZARS_DAUGHTER, ASSISTANTS_BIT

cdef class Assistants(GoodCompany):
    cdef public short assistant[5]
    @cython.locals(o=Assistants)
    cdef void copy_into(self, State c) noexcept
    cdef void deal_tokens(self, Rng rng, int youngest) noexcept nogil
    cdef void deal_assistants(self, Rng rng) noexcept nogil
    cdef void place_assistant(self, int which, int seat) noexcept nogil
    cdef void assist(self, int which, int seat, int by) noexcept nogil
    cdef void end_round(self) noexcept nogil
