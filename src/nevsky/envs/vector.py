"""Many games for Gymnasium's vector API: in each one seat learns, and the others answer in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from nevsky.extras import needing

with needing("envs", __name__):
    import numpy as np
    import numpy.typing as npt
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

from nevsky.envs.batch import Batch
from nevsky.envs.batch_input import read_actions, read_seeds
from nevsky.envs.frozen import InsideLike
from nevsky.envs.observing import Observed, action_space, observation_space
from nevsky.envs.options import check_choice, check_flag, check_number, check_seed
from nevsky.envs.truth import state_space
from nevsky.errors import NevskyError
from nevsky.rules.ruleset import Ruleset

__all__ = ["VectorSaintPetersburg"]

Numbers: TypeAlias = npt.NDArray[Any]
StepResult: TypeAlias = tuple[Observed, Numbers, Numbers, Numbers, dict[str, Any]]

_ILLEGAL = ("raise", "refuse")


class VectorSaintPetersburg(VectorEnv[Observed, Numbers, Numbers]):
    """So many games; a game that ends is followed by the next one in the same step.

    ``ruleset`` or its fields (``edition``, ``players``, ``market``, ``modules`` ...) say which game is played.
    ``seat`` is where the learner sits: a number, ``random``, or ``rotating`` from game to game; ``learners`` are
    several seats, as in `Batch`. ``opponents`` are those of `Batch`: ``random``, ``heuristic``, ``master-policy``,
    weights or networks; with None every seat is asked. ``reward`` is ``win`` or ``score``. With ``auto`` the
    environment itself makes decisions that leave no choice. So many ``threads`` share the games.

    If an action is illegal, the step raises and changes nothing in any game; with ``illegal="refuse"`` the other
    games go on, and ``infos["refused"]`` tells which did not. Without ``copy`` the observations are the arrays of the
    `Batch` inside, which the next step overwrites. With ``flat`` an observation is its numbers alone, and
    `action_masks` has what is legal.

    ``memory``, ``actions``, ``shaping`` and ``discount`` are those of `Batch`. With ``memory`` observations have a
    ``history``, flat ones only the remembered rubles. A refused action is a step from a decision to itself.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 64,
        ruleset: Ruleset | None = None,
        *,
        seat: int | str = "random",
        opponents: InsideLike | Sequence[InsideLike] | None = "random",
        learners: Sequence[int] | npt.NDArray[np.bool_] | None = None,
        threads: int = 1,
        reward: str = "win",
        auto: bool = True,
        illegal: str = "raise",
        copy: bool = True,
        flat: bool = False,
        render_mode: None = None,
        **choices: Any,
    ) -> None:
        if render_mode is not None:
            raise NevskyError("env.many_drawn")
        self._refusing = check_choice("way with what is illegal,", illegal, _ILLEGAL) == "refuse"
        self._copying = check_flag("copy", copy)
        self._flat = check_flag("flat", flat)
        self.num_envs = check_number("num_envs", num_envs, 1)
        self.batch = Batch(
            ruleset,
            self.num_envs,
            seed=0,
            reward=reward,
            auto=auto,
            opponents=opponents,
            learner="rotating" if learners is not None and seat == "random" else seat,
            learners=learners,
            threads=threads,
            **choices,
        )
        """The games themselves."""
        self.action_set = self.batch.action_set
        """The mapping from the learner's actions to ids, None if they are the same."""
        self.single_observation_space = observation_space(
            flat=self._flat, memory=self.batch.memory, actions=self.action_set
        )
        self.single_action_space = action_space(self.action_set)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.single_state_space = state_space()
        self.state_space = batch_space(self.single_state_space, self.num_envs)
        self._started = False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Deal all games anew. A seed decides about everything that follows; a list has one for each game."""
        if options:
            raise NevskyError("env.deal_option", options=", ".join(map(str, options)))
        if seed is None or (hasattr(seed, "__index__") and not hasattr(seed, "__len__")):
            number = check_seed(seed)
            super().reset(seed=number)
            self.batch.reset(int(self.np_random.integers(2**63)) if number is None else number)
        else:
            self.batch.reset(seed)
            super().reset(seed=read_seeds(seed, self.num_envs)[0][0])
        self._started = True
        return self._observe(), self._infos()

    def step(self, actions: Numbers) -> StepResult:
        """One decision of each learner, and whatever follows until its next one."""
        if not self._started:
            raise NevskyError("env.no_games")
        batch = self.batch
        asked = batch.seats.copy()
        legal = None
        if self._refusing:
            chosen = read_actions(actions, self.num_envs)
            known = (chosen >= 0) & (chosen < batch.masks.shape[1])
            legal = known & (batch.masks[np.arange(self.num_envs), np.where(known, chosen, 0)] != 0)
        batch.step(actions, legal)
        infos = self._infos()
        rewards = batch.earned.astype(np.float64)
        if legal is not None:
            if batch.potentials is not None:
                stayed = batch.potentials[np.arange(self.num_envs), asked]
                rewards = np.where(legal, rewards, (batch.discount - 1) * stayed)
            infos["refused"] = ~legal
            infos["_refused"] = np.ones(self.num_envs, np.bool_)
        ended = batch.dones.copy()
        if ended.any():
            self._add_ends(infos, ended, asked)
        return self._observe(), rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> Numbers:
        """What is legal in each game now, under the name that masked algorithms of other libraries ask for."""
        if not self._started:
            raise NevskyError("env.no_games")
        masks: Numbers = self.batch.masks.astype(np.bool_)
        return masks

    def state(self) -> Numbers:
        """The whole truth about each game, secrets included, for a critic: seats from the learner's, then clockwise."""
        if not self._started:
            raise NevskyError("env.no_games")
        return self.batch.state()

    def _observe(self) -> Observed:
        batch = self.batch
        if self._flat:
            return batch.observations.copy() if self._copying else batch.observations
        whole: dict[str, Numbers] = {"observation": batch.observations, "action_mask": batch.masks}
        if batch.history is not None:
            whole["history"] = batch.history
        return {name: array.copy() for name, array in whole.items()} if self._copying else whole

    def _infos(self) -> dict[str, Any]:
        return {"seat": self.batch.seats.copy(), "_seat": np.ones(self.num_envs, np.bool_)}

    def _add_ends(self, infos: dict[str, Any], ended: Numbers, asked: Numbers) -> None:
        """What the games that are over looked like, in Gymnasium's form of it."""
        batch = self.batch
        last = np.full(self.num_envs, None, object)
        nothing = np.zeros(batch.masks.shape[1], np.int8)
        for i in np.flatnonzero(ended):
            row = batch.final_observations[i].copy()
            last[i] = row if self._flat else {"observation": row, "action_mask": nothing.copy()}
            if batch.final_history is not None and not self._flat:
                last[i]["history"] = batch.final_history[i].copy()
        points = batch.scores[np.arange(self.num_envs), asked]
        infos["final_obs"], infos["_final_obs"] = last, ended.copy()
        infos["final_info"] = {
            "seat": np.where(ended, asked, 0),
            "_seat": ended.copy(),
            "points": np.where(ended, points, 0),
            "_points": ended.copy(),
            "scores": np.where(ended[:, None], batch.scores, 0),
            "_scores": ended.copy(),
        }
        infos["_final_info"] = ended.copy()
