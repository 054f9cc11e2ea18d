"""Everything that decides how a training goes: the same plan gives the same samples."""

from __future__ import annotations

import struct
from array import array
from typing import Any, Final, NamedTuple

from nevsky._version import __version__
from nevsky.bots.core.net import SHAPE
from nevsky.errors import NevskyError
from nevsky.rules.ruleset import RULES_VERSION, Ruleset

__all__ = ["CHUNK", "RULESETS", "Plan", "digest", "make_plan"]

CHUNK: Final = 12
"""Games whose samples lie in one file."""
RULESETS: Final = (
    *(Ruleset("second", players) for players in (2, 4, 2, 4, 3, 2, 4)),
    *(Ruleset("first", players) for players in (2, 4, 3)),
)
"""What is played, one chunk after the other: mostly what is played most."""
_LIMITS: Final = {
    "generations": (1, 1000),
    "games": (1, 10_000_000),
    "descents": (0, 50_000),
    "playouts": (1, 100_000),
    "epochs": (1, 1000),
}


class Plan(NamedTuple):
    """What is played and learned in each generation. Plain data, so that it can be sent to other processes."""

    games: int
    descents: int
    """How far the search looks that plays most of the games."""
    playouts: int
    """How often each position is played out."""
    epochs: int
    seed: str

    @property
    def chunks(self) -> int:
        """Files of samples in each generation."""
        return -(-self.games // CHUNK)

    def games_of(self, chunk: int) -> int:
        """How many games a chunk has; the last one may be smaller."""
        return min(CHUNK, self.games - chunk * CHUNK)

    def descents_of(self, chunk: int) -> int:
        """Two chunks of three are played by a search, the third one by the heuristic policy."""
        return 0 if chunk % 3 == 2 else self.descents

    def to_dict(self) -> dict[str, Any]:
        """The plan as it is kept; how many generations there are is not part of it."""
        return {
            "version": __version__,
            "rules": RULES_VERSION,
            "rulesets": [f"{ruleset.edition} {ruleset.players}" for ruleset in RULESETS],
            "network": list(SHAPE),
            "chunk": CHUNK,
            **self._asdict(),
        }


def check(name: str, number: int) -> int:
    """The number, if it is one that can be asked for."""
    least, most = _LIMITS[name]
    if not least <= number <= most:
        raise NevskyError("training.number", name=name, least=least, most=most, number=number)
    return number


def digest(*tables: array[float]) -> str:
    """A short name for numbers, by which a plan knows them again."""
    from hashlib import sha256

    found = sha256()
    for table in tables:
        found.update(struct.pack(f"<{len(table)}d", *table))
    return found.hexdigest()[:16]


def make_plan(games: int = 2000, descents: int = 16, playouts: int = 24, epochs: int = 6, seed: int | str = 0) -> Plan:
    """A plan, checked."""
    return Plan(
        check("games", games),
        check("descents", descents),
        check("playouts", playouts),
        check("epochs", epochs),
        str(seed),
    )
