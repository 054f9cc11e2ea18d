"""Ratings that come out of the placings: OpenSkill's Plackett-Luce model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import Any, NamedTuple

__all__ = ["Rating", "after_game", "newcomer", "rate"]


class Rating(NamedTuple):
    """How strong a bot seems to be; everybody starts at 25 with an uncertainty of 25/3."""

    mu: float
    sigma: float

    @property
    def cautious(self) -> float:
        """A strength that is almost certainly reached."""
        return self.mu - 3 * self.sigma


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce  # takes a while to load

    return PlackettLuce()


def newcomer() -> Rating:
    """Of somebody about whom nothing is known.

    >>> newcomer().mu, round(newcomer().sigma, 2)
    (25.0, 8.33)
    """
    return Rating(_model().mu, _model().sigma)


def after_game(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """What a game makes of the ratings of its players, each of whom took a place; several may share one."""
    model = _model()
    teams = [[model.rating(mu=each.mu, sigma=each.sigma)] for each in before]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [Rating(team[0].mu, team[0].sigma) for team in after]


def rate(entrants: int, games: Iterable[Mapping[str, Any]]) -> list[Rating]:
    """Ratings after the games in the order of their numbers, the same for the same games.

    A bot on several seats of a table plays there with one strength, which then changes by what its seats
    changed on average.
    """
    ratings = [newcomer() for _ in range(entrants)]
    for game in sorted(games, key=lambda game: int(game["game"])):
        after = after_game([ratings[i] for i in game["seats"]], game["places"])
        changed: defaultdict[int, list[Rating]] = defaultdict(list)
        for entrant, found in zip(game["seats"], after, strict=True):
            changed[entrant].append(found)
        for entrant, several in changed.items():
            ratings[entrant] = Rating(fmean(r.mu for r in several), fmean(r.sigma for r in several))
    return ratings
