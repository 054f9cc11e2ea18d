"""Who sits where in the next round. Nothing here knows of a database or of people: players are numbers.

Everybody is to meet as many others as possible, and to sit on each seat equally often. At tables for two that is known
exactly: everybody stands in a circle that turns by one place each round. Otherwise players at different tables change
places as long as fewer pairs meet again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations, product
from typing import Final

from nevsky.rules.rng import Rng

__all__ = ["Seats", "pair", "repeats", "sizes"]

Seats = tuple[int | None, ...]
"""The players of a table, in the order of its seats; None is a bot."""
_TRIES: Final = 6
_FEW: Final = 24
_AGAIN_ALONE: Final = 8
"""To be alone with a bot once more is as bad as so many meetings."""


def sizes(players: int, most: int) -> list[int]:
    """How many people sit at each table: as many as possible, and nowhere two fewer than elsewhere.

    Only at tables for two somebody may be alone.

    >>> sizes(8, 4), sizes(9, 4), sizes(5, 2)
    ([4, 4], [3, 3, 3], [2, 2, 1])
    """
    tables = -(-players // most)
    return [players // tables + (number < players % tables) for number in range(tables)]


class _Past:
    """What has been so far."""

    def __init__(self, rounds: Iterable[Iterable[Seats]]) -> None:
        self.met: Counter[tuple[int, int]] = Counter()
        self.alone: Counter[int] = Counter()
        self.sat: Counter[tuple[int, int]] = Counter()
        for seats in (seats for each in rounds for seats in each):
            people = [player for player in seats if player is not None]
            for one, other in permutations(people, 2):
                self.met[one, other] += 1
            if len(people) == 1:
                self.alone[people[0]] += 1
            for seat, player in enumerate(seats):
                if player is not None:
                    self.sat[player, seat] += 1

    def beside(self, player: int, others: Iterable[int]) -> int:
        """How bad it is to sit with these."""
        others = list(others)
        return sum(self.met[player, other] for other in others) if others else _AGAIN_ALONE * self.alone[player]

    def of_table(self, people: Sequence[int]) -> int:
        """The same for all at a table."""
        if len(people) == 1:
            return self.beside(people[0], ())
        return sum(self.met[one, other] for one, other in combinations(people, 2))


def repeats(tables: Iterable[Seats], before: Iterable[Iterable[Seats]]) -> int:
    """How often pairs meet again in a round, or somebody is alone again."""
    past = _Past(before)
    return sum(past.of_table([player for player in seats if player is not None]) for seats in tables)


def pair(players: Sequence[int], most: int, before: Sequence[Sequence[Seats]], seed: str) -> list[Seats]:
    """The tables of the next round, for those who still play. The same seed gives the same tables."""
    past = _Past(before)
    best: list[list[int]] = []
    cost = -1
    for order in _orders(players, most, len(before), seed):
        tables = _improved(_cut(order, sizes(len(order), most)), past)
        found = sum(map(past.of_table, tables))
        if cost < 0 or found < cost:
            best, cost = tables, found
        if cost == 0:
            break
    rng = Rng.of(seed, "seats", len(before))
    return [_seated(people, most, past, rng) for people in best]


def _orders(players: Sequence[int], most: int, turn: int, seed: str) -> Iterator[list[int]]:
    """Where the search begins: with the circle where that is the answer, else anywhere."""
    if most == 2:
        yield _circle(_shuffled(sorted(players), Rng.of(seed, "circle")), turn)
    tries = _TRIES if len(players) <= _FEW else _TRIES // 2
    for number in range(tries):
        yield _shuffled(sorted(players), Rng.of(seed, turn, number))


def _circle(players: list[int], turn: int) -> list[int]:
    """One stays, the others walk; opposite ones play. Whoever is opposite nobody comes last."""
    ring: list[int | None] = [*players, *([None] if len(players) % 2 else [])]
    walk = turn % max(1, len(ring) - 1)
    ring = [ring[0], *ring[1 + walk :], *ring[1 : 1 + walk]]
    half = len(ring) // 2
    pairs = [(ring[place], ring[-1 - place]) for place in range(half)]
    pairs.sort(key=lambda two: None in two)
    return [player for two in pairs for player in two if player is not None]


def _shuffled(players: list[int], rng: Rng) -> list[int]:
    left = list(players)
    return [left.pop(rng.below(len(left))) for _ in players]


def _cut(order: Sequence[int], parts: Sequence[int]) -> list[list[int]]:
    tables, first = [], 0
    for size in parts:
        tables.append(list(order[first : first + size]))
        first += size
    return tables


def _improved(tables: list[list[int]], past: _Past) -> list[list[int]]:
    """Let two players change places as long as that is better."""
    better = True
    while better:
        better = False
        for here, there in combinations(tables, 2):
            for one, other in product(range(len(here)), range(len(there))):
                left, right = here[:one] + here[one + 1 :], there[:other] + there[other + 1 :]
                now = past.beside(here[one], left) + past.beside(there[other], right)
                if now and past.beside(there[other], left) + past.beside(here[one], right) < now:
                    here[one], there[other] = there[other], here[one]
                    better = True
    return tables


def _seated(people: Sequence[int], most: int, past: _Past, rng: Rng) -> Seats:
    """Everybody where they have sat least; a bot keeps company to whoever would be alone."""
    sitting: list[int | None] = list(people)
    if len(sitting) == 1 and most > 1:
        sitting.append(None)
    orders = list(permutations(sitting))
    worth = [sum(past.sat[player, seat] for seat, player in enumerate(order) if player is not None) for order in orders]
    good = [order for order, found in zip(orders, worth, strict=True) if found == min(worth)]
    return good[rng.below(len(good))]
