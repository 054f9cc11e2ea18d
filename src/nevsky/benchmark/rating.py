"""One number for what an agent won, on a scale whose fixed points are the rivals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log, sqrt
from statistics import fmean
from typing import Final, NamedTuple

from nevsky.arena.intervals import Estimate

__all__ = ["CENTRE", "Won", "calibrate", "expected", "overall", "rate"]

CENTRE: Final = ("greedy", 1000)
"""Who has the same rating in every kind of game."""
_LIMITS: Final = (-9000.0, 9000.0)
_STEPS: Final = 60
_SWEEPS: Final = 200
_NORMAL: Final = 1.96


class Won(NamedTuple):
    """What an agent won, alone against one kind of rival."""

    anchor: float
    players: int
    games: int
    share: Estimate


def expected(rating: float, anchor: float, players: int, spread: float) -> float:
    """The share of games that somebody wins against rivals of this rating on all other seats.

    >>> round(expected(1400, 1000, 2, 400), 3), expected(1000, 1000, 4, 400)
    (0.909, 0.25)
    """
    return 1 / (1 + (players - 1) * 10 ** ((anchor - rating) / spread))


def rate(cells: Sequence[Won], spread: float) -> Estimate:
    """The rating at which as much is expected as was won, with its 95 % interval.

    One game more in each cell, of which the fair share is won, keeps it finite for those who win or lose everything.
    """

    def missing(rating: float) -> float:
        return sum(
            won.games * won.share.value + 1 / won.players - (won.games + 1) * p
            for won in cells
            for p in (expected(rating, won.anchor, won.players, spread),)
        )

    found = _root(missing)
    chances = [expected(found, won.anchor, won.players, spread) for won in cells]
    slope = sum((won.games + 1) * p * (1 - p) for won, p in zip(cells, chances, strict=True)) * log(10) / spread
    noise = sqrt(sum((won.games * (won.share.high - won.share.low) / 2 / _NORMAL) ** 2 for won in cells))
    half = _NORMAL * noise / slope
    return Estimate(round(found, 1), round(found - half, 1), round(found + half, 1))


def overall(ratings: Sequence[Estimate]) -> Estimate:
    """The mean of the ratings in different kinds of games, all of which count alike."""
    middle = fmean(each.value for each in ratings)
    half = sqrt(sum((each.high - each.value) ** 2 for each in ratings)) / len(ratings)
    return Estimate(round(middle, 1), round(middle - half, 1), round(middle + half, 1))


def calibrate(met: Mapping[tuple[str, str], tuple[int, float]], players: int, spread: float) -> dict[str, int]:
    """The ratings of rivals from what some of them won against all: games and share of ``(agent, rival)``."""
    centre, fixed = CENTRE
    found = dict.fromkeys(sorted({name for pair in met for name in pair}), float(fixed))
    cells = [(one, other, games, share) for (one, other), (games, share) in met.items() if one != other]

    def missing(name: str, rating: float) -> float:
        total = 0.0
        for one, other, games, share in cells:
            if name in (one, other):
                first, second = (rating, found[other]) if name == one else (found[one], rating)
                more = games * share + 1 / players - (games + 1) * expected(first, second, players, spread)
                total += more if name == one else -more
        return total

    for _ in range(_SWEEPS):
        for name in found:
            if name != centre:
                found[name] = _root(lambda rating, name=name: missing(name, rating))  # type: ignore[misc]
    return {name: round(rating) for name, rating in found.items()}


def _root(falling: Callable[[float], float]) -> float:
    low, high = _LIMITS
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2
