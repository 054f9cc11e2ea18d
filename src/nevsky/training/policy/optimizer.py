"""How far habits have come: what an update needs of those before it, and the file that keeps it."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite, sqrt
from pathlib import Path
from typing import Final
from zlib import crc32

from nevsky.bots.core.habit import NUMBER_OF_HABITS
from nevsky.errors import NevskyError
from nevsky.training.policy.plan import PolicyPlan

__all__ = ["State", "pack", "read", "unpack"]

_MAGIC: Final = b"nevsky-policy-1\n"
_HEAD: Final = struct.Struct("<QQI")
"""Updates done, how many seats there are, and a checksum of what follows."""
_TABLES: Final = 4
_SLOW: Final = 0.9
_SLOWER: Final = 0.99
_SOFT: Final = 0.003
_DECAY: Final = 0.01
_LATEST: Final = 0.01
_LATEST_REWARD: Final = 0.1


def _nothing() -> array[float]:
    return array("d", bytes(8 * NUMBER_OF_HABITS))


@dataclass
class State:
    """Habits on their way (Adam), and their average, which is what is kept in the end."""

    usual: array[float]
    """What each seat has got so far on average."""
    number: int = 0
    """Updates done."""
    habits: array[float] = field(default_factory=_nothing)
    drift: array[float] = field(default_factory=_nothing)
    spread: array[float] = field(default_factory=_nothing)
    average: array[float] = field(default_factory=_nothing)

    @staticmethod
    def new(players: int, start: Sequence[float] | None = None) -> State:
        """Before the first update."""
        state = State(array("d", [1 / players] * players))
        if start is not None:
            state.habits = array("d", start)
            state.average = array("d", start)
        return state

    def update(self, plan: PolicyPlan, lessons: Sequence[float], rewards: Sequence[float]) -> None:
        """Move the habits as the games have taught; both are sums over the games."""
        self.number += 1
        rate = plan.rate_of(self.number)
        keep = 1 - _DECAY * rate
        drift_scale = 1 / (1 - _SLOW**self.number)
        spread_scale = 1 / (1 - _SLOWER**self.number)
        latest = max(_LATEST, 1 / self.number)
        for i, lesson in enumerate(lessons):
            slope = lesson / plan.games
            drift = self.drift[i] = _SLOW * self.drift[i] + (1 - _SLOW) * slope
            spread = self.spread[i] = _SLOWER * self.spread[i] + (1 - _SLOWER) * slope * slope
            step = rate * drift * drift_scale / (sqrt(spread * spread_scale) + _SOFT)
            habit = self.habits[i] = (self.habits[i] + step) * keep
            self.average[i] += (habit - self.average[i]) * latest
        share = max(_LATEST_REWARD, 1 / self.number)
        for seat, reward in enumerate(rewards):
            self.usual[seat] += (reward / plan.games - self.usual[seat]) * share


def pack(state: State) -> bytes:
    """A state as bytes."""
    parts = (state.habits, state.drift, state.spread, state.average, state.usual)
    body = b"".join(struct.pack(f"<{len(part)}d", *part) for part in parts)
    return _MAGIC + _HEAD.pack(state.number, len(state.usual), crc32(body)) + body


def unpack(data: bytes, plan: PolicyPlan) -> State:
    """A state from bytes; any others raise."""
    start = len(_MAGIC) + _HEAD.size
    if not data.startswith(_MAGIC) or len(data) < start:
        raise NevskyError("training.no_state")
    number, seats, checksum = _HEAD.unpack_from(data, len(_MAGIC))
    sizes = [NUMBER_OF_HABITS] * _TABLES + [plan.players]
    if seats != plan.players or len(data) != start + 8 * sum(sizes) or crc32(data[start:]) != checksum:
        raise NevskyError("training.state_damaged")
    parts = []
    for size in sizes:
        parts.append(array("d", struct.unpack_from(f"<{size}d", data, start)))
        start += 8 * size
    if number > plan.updates or not all(isfinite(value) for part in parts for value in part):
        raise NevskyError("training.state_damaged")
    habits, drift, spread, average, usual = parts
    return State(usual, number, habits, drift, spread, average)


def read(path: Path, plan: PolicyPlan) -> State | None:
    """The state of a file, if there is one."""
    try:
        return unpack(path.read_bytes(), plan)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NevskyError("training.state_unreadable", path=path, reason=error.strerror or str(error)) from error
    except NevskyError as error:
        raise NevskyError("training.state_unusable", path=path, why=error) from error
