"""Points by place, and who is ahead. Nothing here knows of a database or of people: players are numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from nevsky.server.tournaments.pairing import Seats

__all__ = ["WIN", "Outcome", "Standing", "points_of", "rank"]

WIN: Final = 12
"""For the first place; the last one brings nothing, those between lie evenly between, whoever shares places shares."""


class Outcome(NamedTuple):
    """What came of a table, by seat."""

    players: Seats
    places: tuple[int | None, ...]
    """None for whoever gets nothing: they never came, or the game was given up."""
    scores: tuple[int, ...]


class Standing(NamedTuple):
    """How a player stands."""

    place: int
    player: int
    points: float
    wins: int
    """First places, shared ones too."""
    share: float
    """The own part of all points that were made at one's tables, summed up over the games."""
    games: int


def points_of(places: Sequence[int | None]) -> list[float]:
    """What the places at one table bring.

    >>> points_of([2, 1]), points_of([1, 3, 2, 4]), points_of([1, 1, 3])
    ([0.0, 12.0], [12.0, 4.0, 8.0, 0.0], [9.0, 9.0, 0.0])
    >>> points_of([1, None])
    [12.0, 0.0]
    """
    last = len(places)

    def shared(place: int) -> float:
        number = places.count(place)
        worth = sum(Fraction(WIN * (last - each), last - 1) for each in range(place, place + number))
        return float(worth / number)

    return [0.0 if place is None else shared(place) for place in places]


def _shares(scores: Sequence[int]) -> list[Fraction]:
    gained = [max(0, score) for score in scores]
    return [Fraction(score, sum(gained)) if any(gained) else Fraction(1, len(scores)) for score in gained]


def rank(players: Iterable[int], outcomes: Iterable[Outcome]) -> list[Standing]:
    """Everybody by points, then first places, then their share of the scores; equals share a place."""
    points: dict[int, float] = dict.fromkeys(players, 0.0)
    wins, games = dict.fromkeys(points, 0), dict.fromkeys(points, 0)
    share = dict.fromkeys(points, Fraction(0))
    for outcome in outcomes:
        gained, parts = points_of(outcome.places), _shares(outcome.scores)
        for seat, player in enumerate(outcome.players):
            if player is None:
                continue
            games[player] += 1
            points[player] += gained[seat]
            wins[player] += outcome.places[seat] == 1
            share[player] += parts[seat] if outcome.places[seat] is not None else 0

    def worth(player: int) -> tuple[float, int, Fraction]:
        return points[player], wins[player], share[player]

    ordered = sorted(points, key=lambda player: (tuple(-each for each in worth(player)), player))
    found: list[Standing] = []
    for number, player in enumerate(ordered, 1):
        equal = found and worth(found[-1].player) == worth(player)
        place = found[-1].place if equal else number
        figures = points[player], wins[player], float(share[player]), games[player]
        found.append(Standing(place, player, *figures))
    return found
