"""The games of a batch in a row. Compiled, ``games.pyx`` stands for this file and runs them without Python's lock."""

from __future__ import annotations

from nevsky.envs.croupier import Croupier, Place

__all__ = ["GameRow"]


class GameRow:
    """All places of a batch, in order."""

    def __init__(self, places: list[Place]) -> None:
        self.places = places[:]

    def deal(self, croupier: Croupier, first: int, last: int) -> None:
        """The next game in each place of a part."""
        for i in range(first, last):
            croupier.prepare(i, self.places[i])
            self._go_on(croupier, i, croupier.start(i, self.places[i]))

    def play(
        self, croupier: Croupier, first: int, last: int, numbers: memoryview[int], wanted: memoryview[int]
    ) -> None:
        """One legal action in each game of a part that takes part."""
        for i in range(first, last):
            croupier.forget_rewards(i)
            if wanted[i]:
                self._go_on(croupier, i, croupier.carry_out(i, self.places[i], numbers[i]))

    def _go_on(self, croupier: Croupier, i: int, over: int) -> None:
        """Where a game is over the next one follows."""
        while over:
            croupier.prepare(i, self.places[i])
            over = croupier.start(i, self.places[i])
