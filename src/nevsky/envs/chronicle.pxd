from nevsky.rules.course cimport FullPosition
from nevsky.rules.position cimport Position

cimport cython

# constants, written by tools/pxd.py
cdef int DRAWN
cdef int F_CHOICE
cdef int HAND_ROOM
cdef int HIDDEN
cdef int HISTORY
cdef int KINDS
cdef int LATER
cdef int LOG_ROOM
cdef int NOTHING
cdef int OPEN
cdef int OVER
cdef int PASS
cdef int PICK_POCKET
cdef int PICK_POCKET_CARD
cdef int TAKE_DRAWN
cdef int UNNAMED
# end of constants

@cython.final
cdef class Chronicle:
    cdef int players, open_hands
    cdef signed char[:, ::1] who
    cdef short[:, ::1] what
    cdef signed char[:, ::1] secret
    cdef int[::1] made
    cdef int[:, ::1] since
    cdef unsigned char[::1] secret_due
    cdef short[::1] reduced
    cdef int[:, :, ::1] rows
    cdef int[::1] rows_n
    cdef int[:, :, ::1] last_rows
    cdef int[::1] last_rows_n

    cdef void begin(self, int i) noexcept nogil
    cdef void note(self, int i, Position p, int number, int chosen) noexcept nogil
    cdef int secrecy(self, Position p, int number) noexcept nogil
    cdef int knows(self, int i, int k, int seat, int revealed) noexcept nogil
    cdef void tell(self, int i, Position p, FullPosition full, int seat, int last) noexcept nogil
    cdef void write(self, int i, int row, int seat, int number, int last) noexcept nogil
