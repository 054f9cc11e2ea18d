"""The games of a batch in a row. Compiled, ``games.pyx`` stands for this file and plays them with several threads."""

from __future__ import annotations

from nevsky.envs.croupier import Croupier, Place
from nevsky.envs.witness import Witness

__all__ = ["GameRow"]


class GameRow:
    """All places of a batch, in order. Threads, one for each croupier, would gain nothing here, so there are none."""

    def __init__(self, places: list[Place], croupiers: list[Croupier]) -> None:
        self.places = places[:]
        self.croupier = croupiers[0]

    def deal(self) -> None:
        """The next game in each place."""
        for i in range(len(self.places)):
            self._go_on(i, 1)

    def play(self, numbers: memoryview[int], wanted: memoryview[int]) -> int:
        """One action in each game that takes part; the first game whose action is not legal, and then none, or -1."""
        wrong = self.croupier.find_illegal(numbers, wanted, len(self.places))
        if wrong < 0:
            for i, place in enumerate(self.places):
                self.croupier.forget_rewards(i)
                if wanted[i]:
                    self._go_on(i, self.croupier.carry_out(i, place, numbers[i]))
        return wrong

    def tell(self, witness: Witness, firsts: memoryview[int], rows: memoryview[float]) -> None:
        """Everything about each game, into rows of zeros that begin with these seats."""
        for i, place in enumerate(self.places):
            witness.tell(place.p, place.full, firsts[i], rows, i)

    def dismiss(self) -> None:
        """There is no more work."""

    def _go_on(self, i: int, over: int) -> None:
        """Where a game is over the next one follows."""
        while over:
            self.croupier.prepare(i, self.places[i])
            over = self.croupier.start(i, self.places[i])
