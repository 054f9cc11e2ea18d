"""Checkpoints of Stable-Baselines3 and its contributions: PPO, A2C and DQN, and PPO with masks."""

from __future__ import annotations

import json
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from nevsky.bots.checkpoints.bot import Network
from nevsky.bots.checkpoints.torch_file import fitting
from nevsky.bots.guard import told_error
from nevsky.encoding import SIZE
from nevsky.errors import NevskyError

__all__ = ["read"]

_MASK: Final = "action_mask"
_NUMBERS: Final = "observation"


def read(path: Path) -> Network:
    """A model that was saved; whatever the algorithm, only legal actions are judged."""
    torch: Any = import_module("torch")
    module, name = _algorithm(path)
    algorithm: Any = getattr(import_module(module), name)
    torch.set_num_threads(1)
    try:
        model = algorithm.load(path, device="cpu")
    except Exception as error:  # files of strangers fail in many ways
        raise NevskyError("checkpoint.unreadable", path=path, error=told_error(error)) from error
    numbers, actions = _shape(model)
    fitting(path, numbers, actions)
    policy, space = model.policy, model.observation_space
    policy.set_training_mode(False)

    def judge(row: npt.NDArray[Any], legal: npt.NDArray[Any]) -> npt.NDArray[Any]:
        observation, _ = policy.obs_to_tensor(_observation(space, row, legal, actions))
        with torch.no_grad():
            if hasattr(policy, "q_net"):
                logits = policy.q_net(observation)
            else:
                logits = policy.get_distribution(observation).distribution.logits
        found: npt.NDArray[Any] = logits[0].numpy()[legal]
        return found

    return Network(judge, actions)


def _algorithm(path: Path) -> tuple[str, str]:
    """The module and the class that saved a file, by the settings that only it has."""
    try:
        with zipfile.ZipFile(path) as archive:
            data = json.loads(archive.read("data"))
        policy = str(data["policy_class"]["__module__"])
    except (OSError, zipfile.BadZipFile, KeyError, TypeError, ValueError) as error:
        raise NevskyError("checkpoint.unknown", path=path) from error
    if policy.startswith("sb3_contrib.common.maskable"):
        return "sb3_contrib", "MaskablePPO"
    if policy.startswith("stable_baselines3.dqn"):
        return "stable_baselines3", "DQN"
    if policy.startswith("stable_baselines3.common.policies"):
        return "stable_baselines3", "PPO" if "clip_range" in data else "A2C"
    raise NevskyError("checkpoint.unknown", path=path)


def _shape(model: Any) -> tuple[int, int]:
    """How many numbers and actions a model is for."""
    actions = int(getattr(model.action_space, "n", 0))
    space = model.observation_space
    parts = getattr(space, "spaces", None)
    if isinstance(parts, dict):
        return (int(np.prod(parts[_NUMBERS].shape)) if _NUMBERS in parts else 0), actions
    size = int(np.prod(space.shape or (0,)))
    return (size - actions if size == SIZE + actions else size), actions


def _observation(space: Any, row: npt.NDArray[Any], legal: npt.NDArray[Any], actions: int) -> Any:
    """An observation in the form in which the model learned: a dictionary, its numbers alone, or both in a row."""
    mask = np.zeros(actions, np.int8)
    mask[legal] = 1
    parts = getattr(space, "spaces", None)
    if isinstance(parts, dict):
        whole = {_NUMBERS: row, _MASK: mask}
        return {name: whole[name] for name in parts}
    if space.shape == (SIZE,):
        return row
    return np.concatenate([mask.astype(np.float32), row])  # as Gymnasium flattens dictionaries: by name
