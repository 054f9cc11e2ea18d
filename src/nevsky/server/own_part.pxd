cimport cython

from nevsky.rules.glance cimport Glance
from nevsky.rules.position cimport Position

# constants, written by tools/pxd.py
cdef int ENOUGH
cdef int KINDS
cdef int MOST
cdef int NONE
cdef int PASS
cdef int PLENTY
# end of constants

@cython.final
cdef class Leaves:
    cdef public str language
    cdef public str edition
    cdef public object wording
    cdef public dict display
    cdef public dict told
    cdef public dict held
    cdef public dict choices

    @cython.locals(price=cython.longlong, rubles=cython.longlong, full=cython.longlong, key=cython.longlong, about=cython.longlong, asked=cython.longlong)
    cdef object card(self, Position p, Glance g, int i)
    cdef object _told(self, Position p, Glance g, int i, long long key)
    cdef object _card(self, Position p, Glance g, int i)
    cdef object _now(self, Glance g, int price)
    @cython.locals(price=cython.longlong, rubles=cython.longlong, key=cython.longlong)
    cdef object card_held(self, Glance g, int i)
    cdef object _card_held(self, Glance g, int i)
    @cython.locals(number=cython.longlong, key=cython.longlong)
    cdef object choice(self, Position p, Glance g, int n)
    cdef int _lays(self, Glance g)
    cdef object _choice(self, Position p, Glance g, int n)

@cython.final
cdef class OwnPart:
    cdef Leaves _leaves
    cdef Glance _glance
    cdef Glance _before
    cdef object _seen
    cdef object _player
    cdef public list row1
    cdef public list row2
    cdef public list hand
    cdef public list choices
    cdef public dict remaining

    @cython.locals(g=Glance, before=Glance, leaves=Leaves, i=cython.int, n=cython.int)
    cpdef bint look(self, Position p, int seat, bint show_seen, bint open_hands) except -1
    @cython.locals(i=cython.int)
    cdef list _same(self, list old, list new)

cdef object _too_few(Glance g, int price)
@cython.locals(kind=cython.int, pile=cython.int)
cdef dict _remaining(Glance g, Position p)
