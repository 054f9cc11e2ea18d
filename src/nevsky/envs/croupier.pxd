from nevsky.encoding cimport Encoder
from nevsky.envs.chronicle cimport Chronicle
from nevsky.envs.rivals cimport Rival
from nevsky.envs.wages cimport Wages
from nevsky.rules.course cimport FullPosition
from nevsky.rules.position cimport Position
from nevsky.rules.rng cimport Rng

cimport cython

# constants, written by tools/pxd.py
cdef int ASKED
cdef int BY_WIN
cdef int CHANCE
cdef int LOWEST
cdef int NOBODY
cdef int OVER
cdef int ROTATING
cdef int SEVERAL
cdef int SIZE
# end of constants

@cython.final
cdef class Place:
    cdef Position p
    cdef FullPosition full
    cdef Rng deals
    cdef public Rng chance
    cdef public tuple root

    cpdef void set_position(self, Position position) noexcept

@cython.final
cdef class Croupier:
    cdef int players, how, auto, fixed, youngest, known_rubles, open_hands
    cdef Position blank
    cdef Encoder encoder
    cdef Rival rivals
    cdef Chronicle chronicle
    cdef Wages wages
    cdef float[:, ::1] observed
    cdef signed char[:, ::1] masked
    cdef float[:, ::1] rewarded
    cdef float[::1] own
    cdef unsigned char[::1] done
    cdef int[::1] seat
    cdef int[::1] learner
    cdef unsigned char[:, ::1] asked
    cdef signed char[:, ::1] rival
    cdef signed char[:, ::1] seating
    cdef int[:, ::1] score
    cdef long long[::1] number
    cdef short[::1] full
    cdef short[::1] reduced
    cdef short[:, ::1] allowed
    cdef int[::1] allowed_n
    cdef short[:, ::1] places
    cdef int[::1] places_n
    cdef float[:, ::1] last

    cpdef int find_illegal(self, long long[::1] numbers, unsigned char[::1] wanted, int games) noexcept
    cpdef void choose_all(self, long long[::1] numbers, Rng sampler, int games) noexcept
    cdef int carry_out(self, int i, Place place, int number) noexcept nogil
    cdef void act(self, int i, Place place, int action, int chosen) noexcept nogil
    cdef void forget_rewards(self, int i) noexcept nogil
    cpdef int prepare(self, int i, Place place) except -1
    cdef int start(self, int i, Place place) noexcept nogil
    cdef void place_seats(self, int i, Place place) noexcept nogil
    cpdef void tell_seats(self, int i, int learner) noexcept nogil
    cdef int settle(self, int i, Place place) noexcept nogil
    cdef int go_on(self, int i, Place place) noexcept nogil
    cdef void judge(self, int i, Position p) noexcept nogil
    cdef void keep_last(self, int i, Place place) noexcept nogil
    cdef void show(self, int i, Place place, int n) noexcept nogil
    cpdef void show_again(self, int i, Place place) noexcept
