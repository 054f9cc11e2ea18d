"""Who plays whom, and where they sit: the same deal with everybody on every seat equally often."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Final, NamedTuple

from nevsky.errors import NevskyError

Seatings = tuple[tuple[int, ...], ...]
"""The entrants by seat, for all games of one pairing."""

__all__ = ["FORMATS", "Fixture", "Schedule", "make_schedule"]

MOST_GAMES: Final = 10_000_000
FORMATS: Final = ("duel", "one-vs-rest", "all")


class Fixture(NamedTuple):
    """One game to be played."""

    number: int
    """From 0; the place in the schedule."""
    matchup: int
    deal: int
    seating: int
    """Which of the matchup's seatings it is."""
    seats: tuple[int, ...]
    """The entrant on each seat."""


class Schedule(NamedTuple):
    """All matchups with their seatings. A *pairing* is one deal with everybody on every seat."""

    matchups: tuple[tuple[Seatings, ...], ...]
    """For each matchup the seatings of its pairings; deal after deal takes the next of them."""
    deals: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """The games of a pairing of each matchup."""
        return tuple(len(orders[0]) for orders in self.matchups)

    @property
    def per_deal(self) -> int:
        """Games that are played with each deal."""
        return sum(self.sizes)

    @property
    def games(self) -> int:
        """All games."""
        return self.deals * self.per_deal

    def fixture(self, number: int) -> Fixture:
        """A game by its number. Numbers do not depend on how many deals there are."""
        deal, place = divmod(number, self.per_deal)
        for matchup, orders in enumerate(self.matchups):
            seatings = orders[deal % len(orders)]
            if place < len(seatings):
                return Fixture(number, matchup, deal, place, seatings[place])
            place -= len(seatings)
        raise AssertionError(number)


def make_schedule(entrants: int, players: int, games: int, form: str = "", both_ways: bool | None = None) -> Schedule:
    """At least so many games, in full pairings.

    >>> make_schedule(2, 2, 100).matchups
    ((((0, 1), (1, 0)),),)
    >>> make_schedule(2, 3, 100, "one-vs-rest").matchups
    ((((0, 1, 1), (1, 0, 1), (1, 1, 0)),),)
    >>> make_schedule(2, 3, 100, "one-vs-rest").games
    102
    """
    if entrants < 2:
        raise NevskyError("arena.two_bots")
    if isinstance(games, bool) or games < 1:
        raise NevskyError("games.from_one", games=repr(games))
    if games > MOST_GAMES:
        raise NevskyError("arena.most_games", most=MOST_GAMES, games=games)
    if form and form not in FORMATS:
        raise NevskyError("arena.format", format=repr(form), others=", ".join(FORMATS[:-1]), last=FORMATS[-1])
    if not form:
        form = "duel" if players == 2 else "all" if entrants >= players else "one-vs-rest"
    if both_ways is not None and form != "one-vs-rest":
        raise NevskyError("arena.ways")
    if form == "all":
        if entrants < players:
            raise NevskyError("arena.all_bots", players=players, bots=entrants)
        matchups = tuple(_orders(group) for group in combinations(range(entrants), players))
    elif form == "duel":
        matchups = tuple((_duel(one, other, players),) for one, other in combinations(range(entrants), 2))
    else:
        matchups = _against_rest(entrants, players, both_ways)
    schedule = Schedule(matchups, 0)
    return schedule._replace(deals=-(-games // schedule.per_deal))


def _orders(group: tuple[int, ...]) -> tuple[Seatings, ...]:
    """Every order around the table, so that nobody always sits behind the same rival."""
    return tuple(_rotations((group[0], *rest)) for rest in permutations(group[1:]))


def _rotations(seats: tuple[int, ...]) -> Seatings:
    """All different turns of a seating, each once."""
    turned = (seats[-shift:] + seats[:-shift] for shift in range(len(seats)))
    return tuple(dict.fromkeys(turned))


def _duel(one: int, other: int, players: int) -> Seatings:
    """Seats in turns; with an odd number of them the one who has more changes too."""
    seats = tuple(one if seat % 2 == 0 else other for seat in range(players))
    if players % 2 == 0:
        return _rotations(seats)
    return _rotations(seats) + _rotations(tuple(other if seat == one else one for seat in seats))


def _against_rest(entrants: int, players: int, both_ways: bool | None) -> tuple[tuple[Seatings, ...], ...]:
    both = players > 2 and (both_ways if both_ways is not None else entrants > 2)
    matchups = []
    for one, other in combinations(range(entrants), 2):
        for single, rest in ((one, other), (other, one)) if both else ((one, other),):
            matchups.append((_rotations((single,) + (rest,) * (players - 1)),))
    return tuple(matchups)
