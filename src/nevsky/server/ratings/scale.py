"""What is rated apart, and how a rating is shown."""

from __future__ import annotations

from typing import Final, NamedTuple

from nevsky.arena.ratings import Rating
from nevsky.rules.ruleset import Ruleset
from nevsky.server.protocol import RatingFamily

__all__ = ["LEAST_GAMES", "Pool", "Shown", "pool_of", "pools", "shown"]

_MIDDLE: Final = 1500
"""Where everybody starts."""
_POINTS: Final = 30
"""Points of the scale to one of OpenSkill: 400 are a chance of about ten to one, as with Elo."""
_START_MU: Final = 25
LEAST_GAMES: Final = 10
"""Whoever has played fewer is on no leaderboard."""


class Pool(NamedTuple):
    """What is rated together: games with the same parts and as many players."""

    family: RatingFamily
    players: int


class Shown(NamedTuple):
    """A rating as people read it: 1543 ± 92."""

    rating: int
    uncertainty: int
    """The strength is within this distance in about 19 of 20 cases."""


def pool_of(ruleset: Ruleset) -> Pool:
    """Where a game belongs. Editions differ, the Market changes everything, and modules are taken together.

    >>> pool_of(Ruleset("second", players=3, market=True, modules=(1,)))
    Pool(family='modules', players=3)
    """
    if ruleset.modules:
        return Pool("modules", ruleset.players)
    if ruleset.market:
        return Pool("market", ruleset.players)
    return Pool("first" if ruleset.edition == "first" else "second", ruleset.players)


def pools() -> list[Pool]:
    """All there are; five only play with the Market."""
    families: tuple[RatingFamily, ...] = ("second", "first", "market", "modules")
    return [
        Pool(family, players)
        for family in families
        for players in range(2, 6)
        if players < 5 or family in ("market", "modules")
    ]


def shown(rating: Rating) -> Shown:
    """On the scale for people.

    >>> shown(Rating(25, 25 / 3))
    Shown(rating=1500, uncertainty=500)
    """
    return Shown(round(_MIDDLE + _POINTS * (rating.mu - _START_MU)), round(2 * _POINTS * rating.sigma))
