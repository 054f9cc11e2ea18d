# cython: language_level=3
"""The games of a batch in a row, for code that runs without Python's lock: ``games.py`` tells the same in Python."""

from libc.stdlib cimport free, malloc

from nevsky.envs.croupier cimport Croupier, Place

cdef class GameRow:
    """All places of a batch, in order."""

    cdef list places
    cdef void **at  # the same objects, which the list keeps alive

    def __cinit__(self, list places not None):
        cdef Py_ssize_t i
        for place in places:
            if not isinstance(place, Place):
                raise TypeError(f"{place!r} is no place")
        self.places = places[:]
        self.at = <void **> malloc(max(1, len(places)) * sizeof(void *))
        if self.at == NULL:
            raise MemoryError
        for i in range(len(places)):
            self.at[i] = <void *> self.places[i]

    def __dealloc__(self):
        free(self.at)

    def deal(self, Croupier croupier not None, int first, int last):
        """The next game in each place of a part."""
        cdef int i
        with nogil:
            for i in range(first, last):
                with gil:
                    croupier.prepare(i, <Place> self.at[i])
                self.go_on(croupier, i, croupier.start(i, <Place> self.at[i]))

    def play(
        self, Croupier croupier not None, int first, int last, long long[::1] numbers, unsigned char[::1] wanted
    ):
        """One legal action in each game of a part that takes part."""
        cdef int i
        with nogil:
            for i in range(first, last):
                croupier.forget_rewards(i)
                if wanted[i]:
                    self.go_on(croupier, i, croupier.carry_out(i, <Place> self.at[i], <int> numbers[i]))

    cdef int go_on(self, Croupier croupier, int i, int over) except -1 nogil:
        """Where a game is over the next one follows."""
        while over:
            with gil:
                croupier.prepare(i, <Place> self.at[i])
            over = croupier.start(i, <Place> self.at[i])
        return 0
