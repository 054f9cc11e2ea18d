from nevsky.bots.core.heuristic cimport HeuristicPolicy
from nevsky.encoding cimport Encoder
from nevsky.rules.position cimport Position
from nevsky.rules.rng cimport Rng

cimport cython

# constants, written by tools/pxd.py
cdef int BY_WIN
cdef int CHANCE
cdef int ENCODER_ROOM
cdef int EVERYBODY
cdef int HEURISTIC
cdef int LEGAL_ROOM
cdef int LONG_AGO
cdef int LOWEST
cdef int MOST_GAMES
cdef int NOBODY
cdef int OVER
cdef int ROTATING
cdef int SIZE
# end of constants

cdef class Batch:
    cdef readonly object ruleset, reward, opponents, learner, seed
    cdef readonly int games, players
    cdef readonly bint auto
    cdef readonly object observations, masks, rewards, earned, dones, seats, learners, scores, numbers
    cdef readonly object legal, legal_counts, final_observations
    cdef object everything
    cdef int how, rivals, fixed, youngest, open_rubles, open_hands
    cdef list roots
    cdef list positions
    cdef list chances
    cdef Position blank
    cdef Encoder encoder
    cdef HeuristicPolicy policy
    cdef Rng sampler
    cdef float[:, ::1] observed
    cdef signed char[:, ::1] masked
    cdef float[:, ::1] rewarded
    cdef float[::1] own
    cdef unsigned char[::1] done
    cdef int[::1] seat
    cdef int[::1] learning
    cdef int[:, ::1] score
    cdef long long[::1] number
    cdef short[:, ::1] allowed
    cdef int[::1] allowed_n
    cdef short[:, ::1] places
    cdef int[::1] places_n
    cdef float[:, ::1] last

    cdef int find_illegal(self, long long[::1] numbers, unsigned char[::1] wanted) noexcept
    @cython.locals(p=Position)
    cdef int carry_out(self, long long[::1] numbers, unsigned char[::1] wanted) except -1
    @cython.locals(p=Position)
    cdef int deal_all(self) except -1
    @cython.locals(rng=Rng)
    cdef int deal(self, int i, Position p) except -1
    cdef int settle(self, int i, Position p) except -1
    @cython.locals(rng=Rng)
    cdef int go_on(self, int i, Position p) noexcept
    cdef int answer(self, Position p, Rng rng) noexcept nogil
    cdef void judge(self, int i, Position p) noexcept nogil
    cdef void keep_last(self, int i, Position p) noexcept
    cdef void show(self, int i, Position p, int n) noexcept
    cdef void choose_all(self, long long[::1] numbers) noexcept nogil
