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

__all__ = ["Compared", "Playouts", "Root", "compare", "difference"]

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


class Playouts:
    """Those that began with one action."""

    def __init__(self, action: int, root: Root) -> None:
        self.action = action
        self.rewards: list[float] = []
        """Of the seat that acts, and so its shares of the win."""
        self.wins: list[float] = []
        self._root = root
        self._worth = 0.0
        self._scores = [0.0] * root.position.n
        self._chances = [0.0] * root.position.n

    def play(self, tree: Tree, luck: Rng) -> None:
        """One more, with this luck, which stays as it is."""
        seat = self._root.seat
        tree.only = self.action
        self._root.grow(tree, luck.copy(), 1)
        rewards, scores, wins = tree.outcome()
        self.rewards.append(rewards[seat])
        self.wins.append(wins[seat])
        self._worth += tree.point_worth(seat)
        for at, (score, win) in enumerate(zip(scores, wins, strict=True)):
            self._scores[at] += score
            self._chances[at] += win

    @property
    def reward(self) -> float:
        """The mean."""
        return sum(self.rewards) / len(self.rewards)

    def beside(self, best: Playouts, worth: float, *, thorough: bool) -> Compared:
        """What became of the action, and how far it is behind another one that was played out in the same deals."""
        number = len(self.rewards)
        behind, doubt = difference(best.rewards, self.rewards)
        chances = tuple(wins / number for wins in self._chances)
        comparison = Comparison(behind / worth, doubt / worth, behind <= doubt, chances, number, thorough)
        return Compared(self.action, tuple(score / number for score in self._scores), comparison)

    @staticmethod
    def point(records: Sequence[Playouts]) -> float:
        """What a point is worth as a reward, in the mean of all playouts."""
        worth, number = sum(each._worth for each in records), sum(len(each.rewards) for each in records)
        return max(_LEAST_WORTH, worth / number)


def difference(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float]:
    """By how much ours are higher in the mean of as many pairs, and how far that may be wrong (95 %)."""
    number = len(ours)
    each = [one - other for one, other in zip(ours, theirs, strict=True)]
    mean = sum(each) / number
    spread = sqrt(sum((one - mean) ** 2 for one in each) / max(1, number - 1))
    return mean, _SURE * spread / sqrt(number)


def compare(
    tree: Tree, root: Root, actions: Sequence[int], rng: Rng, playouts: int, in_time: Callable[[], bool]
) -> list[Compared]:
    """So many playouts of every action as long as there is time; the best action first."""
    records = [Playouts(action, root) for action in actions]
    done = 0
    while done < playouts and (done < _LEAST or in_time()):
        luck = rng.fork()
        for record in records:
            record.play(tree, luck)
        done += 1
    records.sort(key=lambda record: -record.reward)
    point = Playouts.point(records)
    found = [record.beside(records[0], point, thorough=done == playouts) for record in records]
    alike = len(list(takewhile(lambda each: each.comparison.close, found)))
    return found[:alike] + [each._replace(comparison=each.comparison._replace(close=False)) for each in found[alike:]]
