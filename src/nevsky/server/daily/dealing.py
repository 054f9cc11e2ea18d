"""What is played: made of the server's secret and the date, so that all processes agree and nobody can guess it."""

from __future__ import annotations

import hashlib
import hmac
from typing import Final, NamedTuple, TypeVar

from nevsky.bots.names import PEOPLE
from nevsky.rules.game import Game
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.server.daily.calendar import kind_of
from nevsky.server.live_bots import Fixed

__all__ = ["MASTER", "Deal", "commitment", "fixed", "fixed_level", "game_of", "make_deal"]

_T = TypeVar("_T")
_PLAYOUTS: Final = {"easy": 0, "medium": 0, "hard": 600, "master": 800}
"""Descents for a decision, by level; those that do not search have none."""
MASTER: Final = 1500
"""The same for the master who plays the seat of the people."""
_LEVELS: Final = (("hard",), ("hard", "medium"), ("hard", "medium", "medium"))
"""The bots of the day, by how many there are."""
_PLAYERS: Final = (2, 3, 4)
_MODULES: Final = (1, 2, 3, 4, 5, 6)


class Deal(NamedTuple):
    """One deal with all that belongs to it."""

    key: str
    seed: str
    ruleset: Ruleset
    seat: int
    """Where people sit."""
    bots: list[tuple[str, str] | None]
    """Level and name by seat; None where people sit."""


def commitment(seed: str) -> str:
    """What is shown while the deal is played: whoever gets the seed later can see that it was this one.

    >>> commitment("neva")[:16]
    '2f465f181fda52ad'
    """
    return hashlib.sha256(seed.encode()).hexdigest()


def make_deal(secret: str, key: str) -> Deal:
    """The deal of a day or a week. All of it follows from the seed."""
    seed = hmac.new(secret.encode(), f"nevsky deal {key}".encode(), hashlib.sha256).hexdigest()
    rng = Rng.of(seed, "seats")
    ruleset = _weekly(rng) if kind_of(key) == "week" else Ruleset(players=_PLAYERS[rng.below(len(_PLAYERS))])
    seat = rng.below(ruleset.players)
    names = _some(list(PEOPLE), ruleset.players - 1, rng)
    levels = _LEVELS[ruleset.players - 2]
    bots: list[tuple[str, str] | None] = list(zip(levels, names, strict=True))
    bots.insert(seat, None)
    return Deal(key, seed, ruleset, seat, bots)


def _weekly(rng: Rng) -> Ruleset:
    """The Market and two modules."""
    players = _PLAYERS[rng.below(len(_PLAYERS))]
    modules = sorted(_some(list(_MODULES), 2, rng))
    return Ruleset(players=players, market=True, modules=tuple(modules))


def _some(things: list[_T], number: int, rng: Rng) -> list[_T]:
    return [things.pop(rng.below(len(things))) for _ in range(number)]


def game_of(deal: Deal, name: str = "You") -> Game:
    """The game, before anybody has decided anything."""
    names = [name if bot is None else bot[1] for bot in deal.bots]
    return Game(deal.ruleset, deal.seed, seats=names, auto=True)


def fixed(seed: str, seat: int, moves: int, playouts: int) -> Fixed:
    """How a bot decides there: its luck follows from the deal, the seat and how many moves there were before.

    The bot is not told the seed of the deal itself.
    """
    return Fixed(hashlib.sha256(f"{seed} bot {seat} {moves}".encode()).hexdigest(), playouts)


def fixed_level(seed: str, seat: int, moves: int, level: str) -> Fixed:
    """The same for the bots of the deal, which count playouts by their level."""
    return fixed(seed, seat, moves, _PLAYOUTS.get(level, 0))
