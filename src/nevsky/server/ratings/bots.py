"""How strong the bots are, measured against each other (see tools/bot_ratings.py); on the scale of people."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from nevsky.arena.ratings import Rating
from nevsky.server.ratings.scale import Pool

__all__ = ["COLUMNS", "FILE", "BotRating", "bots_in"]

FILE: Final = Path(__file__).with_name("bots.csv")
COLUMNS: Final = ("family", "players", "level", "mu", "sigma", "games")


class BotRating(NamedTuple):
    """Of one level."""

    level: str
    rating: Rating
    games: int


@cache
def _measured() -> list[dict[str, str]]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def bots_in(pool: Pool) -> list[BotRating]:
    """Those that were measured there."""
    return [
        BotRating(row["level"], Rating(float(row["mu"]), float(row["sigma"])), int(row["games"]))
        for row in _measured()
        if (row["family"], row["players"]) == (pool.family, str(pool.players))
    ]
