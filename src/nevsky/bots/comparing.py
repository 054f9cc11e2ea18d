"""Actions played out beside each other: equally often, each time in the same deals and with the same luck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from math import sqrt
from typing import Final, NamedTuple

from nevsky.bots.core.tree import Tree
from nevsky.bots.protocol import Comparison
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng

__all__ = ["Compared", "Root", "compare"]

_LEAST: Final = 8
"""Playouts of each action, however little time there is."""
_SURE: Final = 1.96
_LEAST_WORTH: Final = 1e-5


class Root(NamedTuple):
    """A position to think about, as one seat knows it."""

    position: Position
    scratch: Position
    seat: int
    open_hands: int

    def grow(self, tree: Tree, rng: Rng, descents: int) -> None:
        """So many descents from here."""
        tree.grow(self.position, self.scratch, self.seat, self.open_hands, rng, descents)


class Compared(NamedTuple):
    """An action and what became of it."""

    action: int
    scores: tuple[float, ...]
    """The final score of every seat."""
    comparison: Comparison


class _Record:
    """The playouts that began with one action."""

    def __init__(self, action: int, seats: int) -> None:
        self.action = action
        self.rewards: list[float] = []
        self._scores = [0.0] * seats
        self._wins = [0.0] * seats

    def add(self, tree: Tree, seat: int) -> None:
        rewards, scores, wins = tree.outcome()
        self.rewards.append(rewards[seat])
        for at, (score, win) in enumerate(zip(scores, wins, strict=True)):
            self._scores[at] += score
            self._wins[at] += win

    @property
    def reward(self) -> float:
        return sum(self.rewards) / len(self.rewards)

    def beside(self, best: _Record, worth: float, *, thorough: bool) -> Compared:
        number = len(self.rewards)
        lost = [ours - own for ours, own in zip(best.rewards, self.rewards, strict=True)]
        mean = sum(lost) / number
        spread = sqrt(sum((each - mean) ** 2 for each in lost) / max(1, number - 1))
        chances = tuple(wins / number for wins in self._wins)
        behind, doubt = mean / worth, _SURE * spread / sqrt(number) / worth
        comparison = Comparison(behind, doubt, behind <= doubt, chances, number, thorough)
        return Compared(self.action, tuple(score / number for score in self._scores), comparison)


def compare(
    tree: Tree, root: Root, actions: Sequence[int], rng: Rng, playouts: int, in_time: Callable[[], bool]
) -> list[Compared]:
    """So many playouts of every action as long as there is time; the best action first."""
    records = [_Record(action, root.position.n) for action in actions]
    worth, done = 0.0, 0
    while done < playouts and (done < _LEAST or in_time()):
        luck = rng.fork()
        for record in records:
            tree.only = record.action
            root.grow(tree, luck.copy(), 1)
            record.add(tree, root.seat)
            worth += tree.point_worth(root.seat)
        done += 1
    records.sort(key=lambda record: -record.reward)
    point = max(_LEAST_WORTH, worth / (done * len(records)))
    found = [record.beside(records[0], point, thorough=done == playouts) for record in records]
    alike = len(list(takewhile(lambda each: each.comparison.close, found)))
    return found[:alike] + [each._replace(comparison=each.comparison._replace(close=False)) for each in found[alike:]]
