"""What a game makes of ratings: those of its players before, and the places that they took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from statistics import fmean

from nevsky.arena.ratings import Rating, after_game

__all__ = ["changed"]


def _orders(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All orders of the seats in which those who share a place stand one behind the other."""
    groups = [[seat for seat, taken in enumerate(places) if taken == place] for place in sorted(set(places))]
    for parts in product(*(permutations(group) for group in groups)):
        yield tuple(seat for part in parts for seat in part)


def _after(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """As OpenSkill has it where nobody shares a place, else the mean of all orders.

    OpenSkill's own way to treat ties can give less for a shared first place than for a shared last one.
    """
    found = []
    for order in _orders(places):
        ranks = [1 + order.index(seat) for seat in range(len(places))]
        found.append(after_game(before, ranks))
    return [
        Rating(fmean(each.mu for each in seat), fmean(each.sigma for each in seat)) for seat in zip(*found, strict=True)
    ]


def changed(before: Sequence[Rating], places: Sequence[int], weight: float) -> list[Rating]:
    """The ratings after a game that counts so much."""
    return [
        Rating(old.mu + weight * (new.mu - old.mu), old.sigma + weight * (new.sigma - old.sigma))
        for old, new in zip(before, _after(before, places), strict=True)
    ]
