"""Samples as they are kept: a head with their numbers, then the numbers themselves.

All in the byte order of the machine that played; one of the other kind finds the head wrong and refuses the file.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

from nevsky.errors import NevskyError
from nevsky.training.plan import RULESETS, Plan
from nevsky.training.samples import Samples, play_games

__all__ = ["Job", "pack", "play_chunk", "read", "unpack"]

_MAGIC: Final = b"nevsky-samples-1\n"
_HEAD: Final = struct.Struct("=QQI")
"""How many positions, how many numbers they have together, and a checksum of what follows."""
_SEATS: Final = 5


class Job(NamedTuple):
    """What those who play have to know."""

    plan: Plan
    generation: int
    network: array[float] | None
    """The newest network; there is none before the first generation."""
    weights: Mapping[int, array[float]] | None = None
    """The weights of the heuristic policy for every number of players."""


def play_chunk(job: Job, chunk: int) -> bytes:
    """Play the games of a chunk; its samples as they are kept."""
    plan = job.plan
    ruleset = RULESETS[chunk % len(RULESETS)]
    samples = play_games(
        ruleset,
        plan.games_of(chunk),
        f"{plan.seed}/{job.generation}/{chunk}",
        job.network,
        plan.descents_of(chunk),
        plan.playouts,
        weights=None if job.weights is None else job.weights[ruleset.players],
    )
    return pack(samples)


def _lengths(positions: int, numbers: int) -> tuple[int, ...]:
    """How many bytes the parts of samples have."""
    return 2 * numbers, 4 * numbers, 2 * positions, 4 * _SEATS * positions, 4 * _SEATS * positions


def pack(samples: Samples) -> bytes:
    """Samples as bytes."""
    body = b"".join(samples)
    return _MAGIC + _HEAD.pack(len(samples.sizes) // 2, len(samples.places) // 2, crc32(body)) + body


def unpack(data: bytes) -> Samples:
    """Samples from bytes; any others raise."""
    start = len(_MAGIC) + _HEAD.size
    if not data.startswith(_MAGIC) or len(data) < start:
        raise NevskyError("training.no_samples")
    positions, numbers, checksum = _HEAD.unpack_from(data, len(_MAGIC))
    lengths = _lengths(positions, numbers)
    if len(data) != start + sum(lengths) or crc32(data[start:]) != checksum:
        raise NevskyError("training.samples_damaged")
    parts = []
    for length in lengths:
        parts.append(data[start : start + length])
        start += length
    return Samples(*parts)


def read(path: Path) -> Samples:
    """The samples of a file."""
    try:
        return unpack(path.read_bytes())
    except OSError as error:
        raise NevskyError("training.samples_unreadable", path=path, reason=error.strerror or str(error)) from error
    except NevskyError as error:
        raise NevskyError("training.samples_unusable", path=path, why=error) from error
