"""Rewards on the way that change nothing about what is best: differences of a potential."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any, Final, TypeAlias

from nevsky.envs.options import SCORE_UNIT, check_choice
from nevsky.errors import NevskyError
from nevsky.rules.game import Game
from nevsky.rules.view import View

__all__ = ["POTENTIALS", "Potential", "Shaper", "ShapingLike", "check_discount", "choose_potential"]

Potential: TypeAlias = Callable[[Game, int], float]
"""How well a seat stands in a game. It must read nothing that the seat may not know."""
ShapingLike: TypeAlias = str | Callable[[View], float] | None
"""One of `POTENTIALS`, or what tells from the view of a seat how well it stands."""


def _standings(game: Game) -> list[int]:
    """The points of each seat on the track and for its nobles, which everybody sees."""
    position = game.position
    points = position.points
    return [points[seat] + position.final_parts(seat)[0] for seat in range(game.ruleset.players)]


def _lead(game: Game, seat: int) -> float:
    standings = _standings(game)
    return (standings[seat] - max(standings[:seat] + standings[seat + 1 :])) / SCORE_UNIT


def _share(game: Game, seat: int) -> float:
    standings = [max(0, standing) for standing in _standings(game)]
    whole = sum(standings)
    return standings[seat] / whole - 1 / len(standings) if whole else 0.0


POTENTIALS: Final[dict[str, Potential]] = {"lead": _lead, "share": _share}
"""The lead over the best rival, divided by 100, or the share of all points less an equal share; nobles count."""


def choose_potential(wanted: Any, *, memory: bool = False) -> Potential | None:
    """The potential that an option names; one of the user's gets views, with memory if the learner has one."""
    if wanted is None:
        return None
    if not callable(wanted):
        return POTENTIALS[check_choice("shaping", wanted, tuple(POTENTIALS))]

    def potential(game: Game, seat: int) -> float:
        return float(wanted(game.view(seat, memory=memory)))

    return potential


def check_discount(value: object) -> float:
    """A number above 0 and not above 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value) or not 0 < value <= 1:
        raise NevskyError("env.discount", value=repr(value))
    return float(value)


class Shaper:
    """Pays each seat, from one of its decisions to the next, discounted potential there less potential here.

    The end of a game has the potential 0. So the discounted sum of what a seat is paid is minus the potential of its
    first decision, whatever it does: what is added to all ways to play alike makes none of them better.
    """

    def __init__(self, potential: Potential | None, discount: float) -> None:
        self._potential = potential
        self._discount = discount
        self._before: dict[int, float] = {}

    def begin(self) -> None:
        """A new game."""
        self._before = {}

    def decides(self, game: Game, seat: int) -> float:
        """The seat has to decide: what it is paid for the way from its last decision to here."""
        if self._potential is None:
            return 0.0
        now = self._potential(game, seat)
        before = self._before.get(seat)
        self._before[seat] = now
        return 0.0 if before is None else self._discount * now - before

    def ends(self, seat: int) -> float:
        """The game is over: what the seat is paid for the way from its last decision to the end."""
        return -self._before.pop(seat) if seat in self._before else 0.0
