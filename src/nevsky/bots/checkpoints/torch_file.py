"""Checkpoints of torch: the weights of our examples' network, or any network that was exported."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from nevsky.bots.checkpoints.bot import Judge, Network
from nevsky.bots.guard import told_error
from nevsky.encoding import SIZE
from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS

__all__ = ["fitting", "read"]

_NAMES: Final = ("first.weight", "bias", "second.weight", "second.bias", "action.weight", "taste.weight")
_EXPORTED: Final = ".pt2"


def read(path: Path) -> Network:
    """The network of a file; one that is not ours, or for other observations, is refused."""
    torch: Any = import_module("torch")
    torch.set_num_threads(1)  # such small networks are slower on more, and the same everywhere on one
    try:
        if path.suffix == _EXPORTED:
            return Network(_exported(torch, torch.export.load(path).module(), path))
        weights = torch.load(path, map_location="cpu", weights_only=True)
    except NevskyError:
        raise
    except Exception as error:  # files of strangers fail in many ways
        raise NevskyError("checkpoint.unreadable", path=path, error=told_error(error)) from error
    return _example(weights, path)


def fitting(path: Path, numbers: int, actions: int) -> None:
    """Refuse a network for other observations than all our rulesets have, or for more actions.

    Fewer may be those of a ruleset: which one is told when it plays.
    """
    if numbers != SIZE or not 0 < actions <= len(ACTIONS):
        raise _misfit(path, numbers, actions)


def _misfit(path: Path, numbers: int, actions: int) -> NevskyError:
    return NevskyError(
        "checkpoint.shape",
        path=path,
        numbers=numbers,
        actions=actions,
        our_numbers=SIZE,
        our_actions=len(ACTIONS),
    )


def _example(weights: Any, path: Path) -> Network:
    """The network of ``examples/envs/policy.py``: small enough for numpy."""
    if not isinstance(weights, dict) or not all(name in weights for name in _NAMES):
        raise NevskyError("checkpoint.unknown", path=path)
    first, bias, second, second_bias, action, taste = (np.asarray(weights[name].numpy(), np.float32) for name in _NAMES)
    fitting(path, first.shape[0], action.shape[0])

    def judge(row: npt.NDArray[Any], legal: npt.NDArray[Any]) -> npt.NDArray[Any]:
        places = np.flatnonzero(row)
        hidden = np.maximum(row[places] @ first[places] + bias, 0)
        hidden = np.maximum(second @ hidden + second_bias, 0)
        logits: npt.NDArray[Any] = action[legal] @ hidden + taste[legal, 0]
        return logits

    return Network(judge, action.shape[0])


def _exported(torch: Any, module: Any, path: Path) -> Judge:
    """Any network that takes an observation and a mask of legal actions and gives a logit for each action."""

    def judge(row: npt.NDArray[Any], legal: npt.NDArray[Any]) -> npt.NDArray[Any]:
        mask = np.zeros((1, len(ACTIONS)), np.bool_)
        mask[0, legal] = True
        with torch.no_grad():
            answer = module(torch.from_numpy(row[None]), torch.from_numpy(mask))
        logits = answer[0] if isinstance(answer, tuple) else answer
        if tuple(logits.shape) != (1, len(ACTIONS)):
            raise _misfit(path, SIZE, int(logits.shape[-1]) if logits.ndim else 1)
        found: npt.NDArray[Any] = logits[0].numpy()[legal]
        return found

    judge(np.zeros(SIZE, np.float32), np.zeros(1, np.int64))
    return judge
