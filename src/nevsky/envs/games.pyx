# cython: language_level=3
"""The games of a batch in a row, for code that runs without Python's lock: ``games.py`` tells the same in Python."""

import os
from threading import Thread

from cpython.pythread cimport (
    NOWAIT_LOCK,
    WAIT_LOCK,
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_release_lock,
    PyThread_type_lock,
)
from libc.stdlib cimport calloc, free

from nevsky.envs.croupier cimport Croupier, Place
from nevsky.envs.witness cimport Witness

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    #define nevsky_next(at) _InterlockedExchangeAdd((at), 1)
    #else
    #define nevsky_next(at) __atomic_fetch_add((at), 1, __ATOMIC_RELAXED)
    #endif
    """
    long nevsky_next(long *at) nogil

cdef int APART = 16  # counters in different lines of the cache
cdef int AT_ONCE = 4  # games that a thread takes at least
cdef int PORTIONS = 32  # in which a thread's share is divided at most
cdef int PATIENCE = 1000  # looks for more work before a thread sleeps, some 50 microseconds: to be woken takes as long


cdef class GameRow:
    """All places of a batch, in order, and the threads that play them.

    Each thread has a share of the games, and whoever is done with it takes what is left of the others'.
    """

    cdef list places
    cdef list croupiers
    cdef int games, threads, portion, dealing, dismissed
    cdef void **at  # the same objects, which the lists keep alive
    cdef void **dealers
    cdef long *taken  # portions of each share
    cdef PyThread_type_lock *calls  # open while there is work for a thread
    cdef PyThread_type_lock *answers  # open when a thread is done
    cdef long long *numbers
    cdef unsigned char *wanted
    cdef object failure
    cdef object process

    def __cinit__(self, list places not None, list croupiers not None):
        cdef Py_ssize_t i
        for objects, kind in ((places, Place), (croupiers, Croupier)):
            for each in objects:
                if not isinstance(each, kind):
                    raise TypeError(f"{each!r} is no {kind.__name__}")
        if not places or not croupiers:
            raise ValueError("a row needs places and croupiers")
        self.places = places[:]
        self.croupiers = croupiers[:]
        self.games = len(places)
        self.threads = len(croupiers)
        self.portion = max(AT_ONCE, self.games // self.threads // PORTIONS)
        self.at = <void **> calloc(self.games, sizeof(void *))
        self.dealers = <void **> calloc(self.threads, sizeof(void *))
        self.taken = <long *> calloc(self.threads * APART, sizeof(long))
        self.calls = <PyThread_type_lock *> calloc(self.threads, sizeof(PyThread_type_lock))
        self.answers = <PyThread_type_lock *> calloc(self.threads, sizeof(PyThread_type_lock))
        if not (self.at and self.dealers and self.taken and self.calls and self.answers):
            raise MemoryError
        for i in range(self.games):
            self.at[i] = <void *> self.places[i]
        for i in range(self.threads):
            self.dealers[i] = <void *> self.croupiers[i]

    def __dealloc__(self):
        cdef int part
        if self.calls != NULL and self.answers != NULL and self.process == os.getpid():
            for part in range(1, self.threads):
                PyThread_free_lock(self.calls[part])
                PyThread_free_lock(self.answers[part])
        free(self.at)
        free(self.dealers)
        free(self.taken)
        free(self.calls)
        free(self.answers)

    def deal(self):
        """The next game in each place."""
        self.dealing = 1
        self.run()

    def play(self, long long[::1] numbers not None, unsigned char[::1] wanted not None):
        """One action in each game that takes part; the first game whose action is not legal, and then none, or -1."""
        cdef int wrong = (<Croupier> self.dealers[0]).find_illegal(numbers, wanted, self.games)
        if wrong < 0:
            self.dealing = 0
            self.numbers = &numbers[0]
            self.wanted = &wanted[0]
            self.run()
        return wrong

    def tell(self, Witness witness not None, int[::1] firsts not None, float[:, ::1] rows not None):
        """Everything about each game, into rows of zeros that begin with these seats."""
        cdef int i
        cdef Place place
        for i in range(self.games):
            place = <Place> self.at[i]
            witness.tell(place.p, place.full, firsts[i], rows, i)

    def dismiss(self):
        """There is no more work: the threads end."""
        cdef int part
        self.dismissed = 1
        if self.process == os.getpid():
            for part in range(1, self.threads):
                PyThread_release_lock(self.calls[part])

    def serve(self, int part):
        """What each thread but the caller's does."""
        with nogil:
            while True:
                self.wait(self.calls[part])
                if self.dismissed:
                    break
                self.work(part)
                PyThread_release_lock(self.answers[part])

    cdef run(self):
        """All games, by all threads."""
        cdef int part
        if self.threads > 1 and self.process != os.getpid():
            self.hire()
        with nogil:
            for part in range(self.threads):
                self.taken[part * APART] = 0
            for part in range(1, self.threads):
                PyThread_release_lock(self.calls[part])
            self.work(0)
            for part in range(1, self.threads):  # one that has not come yet is not needed any more
                if not PyThread_acquire_lock(self.calls[part], NOWAIT_LOCK):
                    self.wait(self.answers[part])
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure

    cdef hire(self):
        """Threads do not survive a fork, so each process has its own. The work is done by those that could be started."""
        cdef int part
        for part in range(1, self.threads):
            self.calls[part] = self.closed()
            self.answers[part] = self.closed()
        self.process = os.getpid()
        for part in range(1, self.threads):
            Thread(target=self.serve, args=(part,), name=f"nevsky-batch-{part}", daemon=True).start()

    cdef PyThread_type_lock closed(self) except NULL:
        cdef PyThread_type_lock lock = PyThread_allocate_lock()
        if lock == NULL:
            raise MemoryError
        PyThread_acquire_lock(lock, WAIT_LOCK)
        return lock

    cdef void wait(self, PyThread_type_lock lock) noexcept nogil:
        cdef int _
        for _ in range(PATIENCE):
            if PyThread_acquire_lock(lock, NOWAIT_LOCK):
                return
        PyThread_acquire_lock(lock, WAIT_LOCK)

    cdef void work(self, int part) noexcept nogil:
        """One's own share first."""
        cdef int k, share, first, last, end
        for k in range(self.threads):
            share = (part + k) % self.threads
            end = self.bound(share + 1)
            while True:
                first = self.bound(share) + self.portion * <int> nevsky_next(&self.taken[share * APART])
                if first >= end:
                    break
                last = min(first + self.portion, end)
                self.play_some(<Croupier> self.dealers[part], first, last)

    cdef int bound(self, int share) noexcept nogil:
        """The first game of a share."""
        return <int> (<long long> self.games * share // self.threads)

    cdef void play_some(self, Croupier croupier, int first, int last) noexcept nogil:
        cdef int i
        for i in range(first, last):
            if self.dealing:
                self.go_on(croupier, i, 1)
                continue
            croupier.forget_rewards(i)
            if self.wanted[i]:
                self.go_on(croupier, i, croupier.carry_out(i, <Place> self.at[i], <int> self.numbers[i]))

    cdef void go_on(self, Croupier croupier, int i, int over) noexcept nogil:
        """Where a game is over the next one follows."""
        while over:
            with gil:
                try:
                    croupier.prepare(i, <Place> self.at[i])
                except BaseException as error:
                    if self.failure is None:
                        self.failure = error
                    return
            over = croupier.start(i, <Place> self.at[i])
