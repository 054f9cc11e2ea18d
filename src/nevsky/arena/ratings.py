"""Ratings that come out of the placings: OpenSkill's Plackett-Luce model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Any, NamedTuple

__all__ = ["Rating", "rate"]


class Rating(NamedTuple):
    """How strong a bot seems to be; everybody starts at 25 with an uncertainty of 25/3."""

    mu: float
    sigma: float

    @property
    def cautious(self) -> float:
        """A strength that is almost certainly reached."""
        return self.mu - 3 * self.sigma


def rate(entrants: int, games: Iterable[Mapping[str, Any]]) -> list[Rating]:
    """Ratings after the games in the order of their numbers, the same for the same games.

    A bot on several seats of a table plays there with one strength, which then changes by what its seats
    changed on average.
    """
    from openskill.models import PlackettLuce  # takes a while to load

    model = PlackettLuce()
    ratings = [Rating(model.mu, model.sigma) for _ in range(entrants)]
    for game in sorted(games, key=lambda game: int(game["game"])):
        teams = [[model.rating(mu=ratings[i].mu, sigma=ratings[i].sigma)] for i in game["seats"]]
        after = model.rate(teams, ranks=[float(place) for place in game["places"]])
        changed: defaultdict[int, list[Rating]] = defaultdict(list)
        for entrant, team in zip(game["seats"], after, strict=True):
            changed[entrant].append(Rating(team[0].mu, team[0].sigma))
        for entrant, found in changed.items():
            ratings[entrant] = Rating(fmean(r.mu for r in found), fmean(r.sigma for r in found))
    return ratings
