"""Files of policy weights: what the heuristic policy has learned, a table for every number of players."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Final

from nevsky.bots.core.features import NUMBER_OF_WEIGHTS
from nevsky.errors import NevskyError

__all__ = ["BOX_WEIGHTS", "COUNTS", "MASTER_WEIGHTS", "load_weights", "save_weights"]

MASTER_WEIGHTS: Final = Path(__file__).parent / "master.weights"
"""The weights that come with the package, for the base game."""
BOX_WEIGHTS: Final = Path(__file__).parent / "box.weights"
"""Those for games with the Market and modules."""
COUNTS: Final = (2, 3, 4, 5)
"""Numbers of players, in the order of their tables."""
_MAGIC: Final = b"nevsky-weights-2\n"
_OLD_MAGIC: Final = b"nevsky-habits-2\n"
"""Of files that were written when weights had another name; what follows is the same."""
_TABLE: Final = struct.Struct(f"<{NUMBER_OF_WEIGHTS}e")


@cache
def load_weights(players: int, path: Path = MASTER_WEIGHTS) -> array[float]:
    """Read the policy weights for a number of players."""
    if players not in COUNTS:
        raise NevskyError("policy.players", least=COUNTS[0], most=COUNTS[-1], players=players)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NevskyError("policy.unreadable", file=path.name, reason=error.strerror or str(error)) from error
    magic = _OLD_MAGIC if data.startswith(_OLD_MAGIC) else _MAGIC
    if not data.startswith(magic):
        raise NevskyError("policy.format", file=path.name)
    if len(data) != len(magic) + len(COUNTS) * _TABLE.size:
        raise NevskyError("policy.size", file=path.name, number=NUMBER_OF_WEIGHTS)
    table = array("d", _TABLE.unpack_from(data, len(magic) + COUNTS.index(players) * _TABLE.size))
    if not all(map(isfinite, table)):
        raise NevskyError("policy.not_numbers", file=path.name)
    return table


def save_weights(path: Path, tables: Mapping[int, Sequence[float]]) -> None:
    """Write policy weights. A number of players without any gets those of the next lower one, or else the nearest."""
    if not tables or not set(tables) <= set(COUNTS):
        raise NevskyError("policy.kept_for", least=COUNTS[0], most=COUNTS[-1])
    packed = {players: _pack(players, table) for players, table in tables.items()}
    parts = [packed[max((have for have in tables if have <= players), default=min(tables))] for players in COUNTS]
    try:
        path.write_bytes(_MAGIC + b"".join(parts))
    except OSError as error:
        raise NevskyError("policy.unwritable", file=path.name, reason=error.strerror or str(error)) from error
    load_weights.cache_clear()


def _pack(players: int, table: Sequence[float]) -> bytes:
    if len(table) != NUMBER_OF_WEIGHTS:
        raise NevskyError("policy.number", wanted=NUMBER_OF_WEIGHTS, given=len(table), players=players)
    if not all(map(isfinite, table)):
        raise NevskyError("policy.some_not_numbers", players=players)
    try:
        return _TABLE.pack(*table)
    except OverflowError as error:
        raise NevskyError("policy.too_large", players=players) from error
