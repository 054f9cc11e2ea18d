"""The project's own random generator, xoshiro128**: the same numbers on every platform and in every Python."""

from __future__ import annotations

MASK = 0xFFFFFFFF


class Rng:
    """A stream of random numbers.

    >>> Rng.of(7, "deal").below(100) == Rng.of(7, "deal").below(100)
    True
    """

    s0: int
    s1: int
    s2: int
    s3: int

    def __init__(self, s0: int, s1: int, s2: int, s3: int) -> None:
        self.s0 = s0 & MASK
        self.s1 = s1 & MASK
        self.s2 = s2 & MASK
        self.s3 = s3 & MASK
        if not (self.s0 or self.s1 or self.s2 or self.s3):
            self.s0 = 1  # the all-zero state would stay zero for ever

    @staticmethod
    def of(*seed: object) -> Rng:
        """The stream that belongs to a seed; several parts make independent streams."""
        import hashlib  # slow to load, and importing the package should be quick

        digest = hashlib.sha256("/".join(map(str, seed)).encode()).digest()
        return Rng(*(int.from_bytes(digest[i : i + 4], "little") for i in (0, 4, 8, 12)))

    def words(self) -> tuple[int, int, int, int]:
        """The inner state, for handing the stream to another program."""
        return self.s0, self.s1, self.s2, self.s3

    def copy(self) -> Rng:
        """A second stream that gives the same numbers."""
        return Rng(self.s0, self.s1, self.s2, self.s3)

    def fork(self) -> Rng:
        """A stream of its own that follows from this one."""
        return Rng(self.next32(), self.next32(), self.next32(), self.next32())

    def next32(self) -> int:
        x = (self.s1 * 5) & MASK
        x = ((x << 7) | (x >> 25)) & MASK
        x = (x * 9) & MASK
        t = (self.s1 << 9) & MASK
        self.s2 ^= self.s0
        self.s3 ^= self.s1
        self.s1 ^= self.s2
        self.s0 ^= self.s3
        self.s2 ^= t
        self.s3 = ((self.s3 << 11) | (self.s3 >> 21)) & MASK
        return x

    def draw(self, n: int) -> int:
        m = self.next32() * n
        low = m & MASK
        if low < n:
            least = (MASK - n + 1) % n
            while low < least:
                m = self.next32() * n
                low = m & MASK
        return m >> 32

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, all equally likely."""
        if not 0 < n <= MASK:
            raise ValueError(f"below({n}) has nothing to choose from")
        return self.draw(n)

    def shuffle(self, items: list[int]) -> None:
        """Put a list into random order, in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.draw(i + 1)
            items[i], items[j] = items[j], items[i]
