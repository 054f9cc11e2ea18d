"""The batch for Stable-Baselines3, as one of its own vectorised environments; needs the extra ``sb3``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from nevsky.extras import missing, needing

with needing("envs", __name__):
    import numpy as np
    import numpy.typing as npt

from nevsky.envs.frozen import FrozenNetwork, InsideLike
from nevsky.envs.observing import Observed
from nevsky.envs.options import check_number
from nevsky.envs.vector import VectorSaintPetersburg
from nevsky.errors import NevskyError
from nevsky.rules.ruleset import Ruleset

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError:  # the module can be read without it, for its documentation
    VecEnv = None

__all__ = ["BatchVecEnv", "freeze"]

_TOLD: Final = ("action_masks", "state")
_ACTIVATIONS: Final = {"ReLU": "relu", "Tanh": "tanh"}


class BatchVecEnv(VecEnv or object):  # type: ignore[misc]
    """So many games that are stepped in compiled code; in each one seat learns.

    Options are those of `VectorSaintPetersburg`, but observations are flat unless told otherwise. What is legal is
    told as MaskablePPO asks for it, by ``env_method("action_masks")``.
    """

    def __init__(
        self,
        num_envs: int = 64,
        ruleset: Ruleset | None = None,
        *,
        opponents: InsideLike | Sequence[InsideLike] = "random",
        flat: bool = True,
        **options: Any,
    ) -> None:
        if VecEnv is None:
            raise missing(__name__, "stable_baselines3", "sb3")
        if options.get("learners") is not None:
            raise NevskyError("env.one_learner")
        self.vector = VectorSaintPetersburg(num_envs, ruleset, opponents=opponents, flat=flat, **options)
        """The same games in Gymnasium's form."""
        self._actions: npt.NDArray[np.int64] | None = None
        super().__init__(num_envs, self.vector.single_observation_space, self.vector.single_action_space)

    def reset(self) -> Observed:
        """Deal all games anew, from the seeds that `seed` has set for them."""
        seeds = [seed for seed in self._seeds if seed is not None]
        observations, infos = self.vector.reset(seed=seeds or None)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [{"seat": int(seat)} for seat in infos["seat"]]
        return observations

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Take the actions; `step_wait` carries them out."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[Observed, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """One decision of each learner, and whatever follows until its next one."""
        assert self._actions is not None
        observations, rewards, ended, _, told = self.vector.step(self._actions)
        self._actions = None
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(told["refused"]) if "refused" in told else ():
            infos[i]["refused"] = True
        for i in np.flatnonzero(ended):
            final = told["final_info"]
            infos[i] = {
                "terminal_observation": told["final_obs"][i],
                "TimeLimit.truncated": False,
                "seat": int(final["seat"][i]),
                "points": int(final["points"][i]),
                "scores": final["scores"][i].tolist(),
            }
        return observations, rewards.astype(np.float32), ended, infos

    def close(self) -> None:
        """Nothing stays behind."""
        self.vector.close()

    def set_opponents(self, opponents: InsideLike | Sequence[InsideLike]) -> None:
        """Others answer from the next decision on: for a learner that plays against what it was a while ago."""
        self.vector.batch.set_opponents(opponents)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """What is legal in each game now."""
        return self.vector.action_masks()

    def state(self) -> npt.NDArray[np.float32]:
        """The whole truth about each game, secrets included, for a critic: seats from the learner's, then clockwise."""
        return self.vector.state()

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """An attribute, which is the same for all games."""
        return [getattr(self.vector, attr_name)] * len(self._which(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:  # noqa: ARG002
        """Games of a batch have no attributes of their own."""
        raise NevskyError("env.set_attribute", name=repr(attr_name))

    def env_method(
        self, method_name: str, *method_args: Any, indices: int | Iterable[int] | None = None, **method_kwargs: Any
    ) -> list[Any]:
        """What a method tells of each game; there are ``action_masks`` and ``state``."""
        if method_name not in _TOLD:
            raise NevskyError("env.no_method", name=repr(method_name))
        rows = getattr(self.vector, method_name)(*method_args, **method_kwargs)
        return [rows[i] for i in self._which(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:  # noqa: ARG002
        """No game is wrapped by itself."""
        return [False] * len(self._which(indices))

    def _which(self, indices: int | Iterable[int] | None) -> list[int]:
        return [check_number("indices", i, 0) for i in self._get_indices(indices)]


def freeze(model: Any, *, sample: bool = True, ruleset: Ruleset | None = None, memory: bool = False) -> FrozenNetwork:
    """The policy that a PPO, A2C or MaskablePPO has now, as an opponent: what it learns later does not change it.

    It must have been made with ``MlpPolicy`` for flat observations, with layers of ReLU or Tanh, as is usual. If it
    learned with ``actions="ruleset"``, say for which ``ruleset``; if with ``memory``, say that.
    """
    policy = model.policy
    try:
        parts = [*policy.mlp_extractor.policy_net, policy.action_net]
    except AttributeError as error:
        raise NevskyError("env.freeze") from error
    linear = [part for part in parts if type(part).__name__ == "Linear"]
    bends = {type(part).__name__ for part in parts} - {"Linear"}
    if len(bends) > 1 or not bends <= set(_ACTIVATIONS):
        raise NevskyError("env.freeze")
    layers = [(part.weight.detach().cpu().numpy(), part.bias.detach().cpu().numpy()) for part in linear]
    return FrozenNetwork(
        layers, _ACTIVATIONS[bends.pop()] if bends else "relu", sample=sample, ruleset=ruleset, memory=memory
    )
