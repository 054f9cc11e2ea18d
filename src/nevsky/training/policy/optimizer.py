"""How far policy weights have come: what an update needs of those before it, and the file that keeps it."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite, sqrt
from pathlib import Path
from typing import Final
from zlib import crc32

from nevsky.bots.core.features import NUMBER_OF_WEIGHTS
from nevsky.errors import NevskyError
from nevsky.training.policy.plan import PolicyPlan

__all__ = ["OptimizerState", "pack", "read", "unpack"]

_MAGIC: Final = b"nevsky-policy-1\n"
_HEAD: Final = struct.Struct("<QQI")
"""Updates done, how many seats there are, and a checksum of what follows."""
_TABLES: Final = 4
_BETA_1: Final = 0.9
_BETA_2: Final = 0.99
_EPSILON: Final = 0.003
_WEIGHT_DECAY: Final = 0.01
_LATEST: Final = 0.01
_LATEST_REWARD: Final = 0.1


def _nothing() -> array[float]:
    return array("d", bytes(8 * NUMBER_OF_WEIGHTS))


@dataclass
class OptimizerState:
    """Policy weights on their way (Adam), and their average, which is what is kept in the end."""

    baseline: array[float]
    """What each seat has got so far on average."""
    number: int = 0
    """Updates done."""
    weights: array[float] = field(default_factory=_nothing)
    first_moment: array[float] = field(default_factory=_nothing)
    second_moment: array[float] = field(default_factory=_nothing)
    average: array[float] = field(default_factory=_nothing)

    @staticmethod
    def new(players: int, start: Sequence[float] | None = None) -> OptimizerState:
        """Before the first update."""
        state = OptimizerState(array("d", [1 / players] * players))
        if start is not None:
            state.weights = array("d", start)
            state.average = array("d", start)
        return state

    def update(self, plan: PolicyPlan, gradient: Sequence[float], rewards: Sequence[float]) -> None:
        """Move the weights along the gradient; it and the rewards are sums over the games."""
        self.number += 1
        rate = plan.rate_of(self.number)
        keep = 1 - _WEIGHT_DECAY * rate
        first_scale = 1 / (1 - _BETA_1**self.number)
        second_scale = 1 / (1 - _BETA_2**self.number)
        latest = max(_LATEST, 1 / self.number)
        for i, total in enumerate(gradient):
            slope = total / plan.games
            first_moment = self.first_moment[i] = _BETA_1 * self.first_moment[i] + (1 - _BETA_1) * slope
            second_moment = self.second_moment[i] = _BETA_2 * self.second_moment[i] + (1 - _BETA_2) * slope * slope
            step = rate * first_moment * first_scale / (sqrt(second_moment * second_scale) + _EPSILON)
            weight = self.weights[i] = (self.weights[i] + step) * keep
            self.average[i] += (weight - self.average[i]) * latest
        share = max(_LATEST_REWARD, 1 / self.number)
        for seat, reward in enumerate(rewards):
            self.baseline[seat] += (reward / plan.games - self.baseline[seat]) * share


def pack(state: OptimizerState) -> bytes:
    """A state as bytes."""
    parts = (state.weights, state.first_moment, state.second_moment, state.average, state.baseline)
    body = b"".join(struct.pack(f"<{len(part)}d", *part) for part in parts)
    return _MAGIC + _HEAD.pack(state.number, len(state.baseline), crc32(body)) + body


def unpack(data: bytes, plan: PolicyPlan) -> OptimizerState:
    """A state from bytes; any others raise."""
    start = len(_MAGIC) + _HEAD.size
    if not data.startswith(_MAGIC) or len(data) < start:
        raise NevskyError("training.no_state")
    number, seats, checksum = _HEAD.unpack_from(data, len(_MAGIC))
    sizes = [NUMBER_OF_WEIGHTS] * _TABLES + [plan.players]
    if seats != plan.players or len(data) != start + 8 * sum(sizes) or crc32(data[start:]) != checksum:
        raise NevskyError("training.state_damaged")
    parts = []
    for size in sizes:
        parts.append(array("d", struct.unpack_from(f"<{size}d", data, start)))
        start += 8 * size
    if number > plan.updates or not all(isfinite(value) for part in parts for value in part):
        raise NevskyError("training.state_damaged")
    weights, first_moment, second_moment, average, baseline = parts
    return OptimizerState(baseline, number, weights, first_moment, second_moment, average)


def read(path: Path, plan: PolicyPlan) -> OptimizerState | None:
    """The state of a file, if there is one."""
    try:
        return unpack(path.read_bytes(), plan)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NevskyError("training.state_unreadable", path=path, reason=error.strerror or str(error)) from error
    except NevskyError as error:
        raise NevskyError("training.state_unusable", path=path, why=error) from error
