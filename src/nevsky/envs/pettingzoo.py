"""Saint Petersburg for PettingZoo: every seat is an agent, and one decides after the other (AEC)."""

from __future__ import annotations

from typing import Any

from nevsky.extras import needing

with needing("envs", __name__):
    import numpy as np
    import numpy.typing as npt
    import pettingzoo
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

from nevsky.envs.action_sets import ActionSet, choose_actions
from nevsky.envs.history import history_info
from nevsky.envs.observing import Observation, Observer, action_space, observation_space
from nevsky.envs.options import (
    check_action,
    check_choice,
    check_flag,
    check_reward,
    check_seed,
    final_rewards,
    make_ruleset,
)
from nevsky.envs.rendering import RENDER_MODES, Picture, render
from nevsky.envs.shaping import Shaper, ShapingLike, check_discount, choose_potential
from nevsky.envs.truth import Truth, state_space
from nevsky.errors import NevskyError
from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset

__all__ = ["env", "raw_env"]

_ILLEGAL = ("raise", "lose")
_FORFEIT = -1


def env(*, illegal: str = "raise", **options: Any) -> AECEnv[str, Observation, int | None]:
    """The environment as one uses it, with the options of `raw_env`.

    An illegal action raises and changes nothing; with ``illegal="lose"`` it ends the game as in PettingZoo's classic
    games: whoever made it gets -1, the others nothing.
    """
    check_choice("way with what is illegal,", illegal, _ILLEGAL)
    found: AECEnv[str, Observation, int | None] = raw_env(**options)
    if illegal == "lose":
        found = wrappers.AssertOutOfBoundsWrapper(_Forfeit(found, illegal_reward=_FORFEIT))
    return wrappers.OrderEnforcingWrapper(found)


class raw_env(AECEnv[str, Observation, int | None], EzPickle):  # noqa: N801
    """The environment without PettingZoo's wrappers.

    ``ruleset`` or its fields (``edition``, ``players``, ``market``, ``modules`` ...) say which game is played.
    ``reward`` is ``win`` or ``score``; with ``auto`` the environment itself makes decisions that leave no choice.
    Without ``infos`` every info is empty, for libraries that make tensors of them.

    With ``memory`` agents are told what bots are: the rubles of the others and what happened since their last decision.
    ``actions="ruleset"`` numbers only actions that can come up, and ``shaping`` adds differences of a potential to the
    rewards, for learners with this ``discount``.
    """

    metadata = {  # noqa: RUF012
        "name": "saint_petersburg_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        ruleset: Ruleset | None = None,
        *,
        reward: str = "win",
        auto: bool = True,
        infos: bool = True,
        memory: bool = False,
        actions: str = "all",
        shaping: ShapingLike = None,
        discount: float = 1.0,
        render_mode: str | None = None,
        **choices: Any,
    ) -> None:
        EzPickle.__init__(
            self,
            ruleset,
            reward=reward,
            auto=auto,
            infos=infos,
            memory=memory,
            actions=actions,
            shaping=shaping,
            discount=discount,
            render_mode=render_mode,
            **choices,
        )
        super().__init__()  # type: ignore[no-untyped-call]
        self.ruleset = make_ruleset(ruleset, **choices)
        self.reward = check_reward(reward)
        self.auto = check_flag("auto", auto)
        self._told = check_flag("infos", infos)
        self._memory = check_flag("memory", memory)
        self.action_set: ActionSet | None = choose_actions(self.ruleset, actions)
        """The mapping from the agents' actions to ids, None if they are the same."""
        self._shaper = Shaper(choose_potential(shaping, memory=memory), check_discount(discount))
        if render_mode is not None:
            check_choice("render mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.ruleset.players)]
        self.agents = self.possible_agents[:]
        self.observation_spaces = {
            agent: observation_space(memory=memory, actions=self.action_set) for agent in self.agents
        }
        self.action_spaces = {agent: action_space(self.action_set) for agent in self.agents}
        self.state_space = state_space()
        self.game: Game | None = None
        """The game that is played, secrets included; None before the first reset."""
        self._observer = Observer(memory=memory, actions=self.action_set)
        self._truth = Truth()
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all agents."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Deal a new game. A seed gives the deal that it gives everywhere in Nevsky, and all deals after it."""
        number = check_seed(seed)
        if number is None:
            number = int(self._random.integers(2**63))
        else:
            self._random = np.random.default_rng(number)
        self.game = Game(self.ruleset, number, auto=self.auto)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._shaper.begin()
        self._select()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What the agent's seat sees; its mask is empty while another one decides."""
        return self._observer.observe(self._game(), self._seat(agent))

    def state(self) -> npt.NDArray[np.float32]:
        """The whole truth, secrets included, for centralised critics: seats from 0, whoever decides."""
        return self._truth.state(self._game(), 0)

    def step(self, action: int | None) -> None:
        """Make the decision of the selected agent. What is not legal raises and changes nothing."""
        game = self._game()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        game.push(check_action(action) if self.action_set is None else self.action_set.full(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if game.over:
            self._finish(game)
        else:
            self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Picture:
        """The table as the selected agent sees it: a text, or printed with ``human``."""
        if self.render_mode is None:
            raise NevskyError("env.render_mode")
        return render(self._game(), self._seat(self.agent_selection), self.render_mode)

    def close(self) -> None:
        """Nothing is kept open."""

    def _select(self) -> None:
        game = self._game()
        seat = game.to_move
        assert seat is not None
        self.agent_selection = self.possible_agents[seat]
        self.infos = {agent: {} for agent in self.agents}
        if self._told:
            self.infos[self.agent_selection] = self._info(game, seat)
        self.rewards[self.agent_selection] = self._shaper.decides(game, seat)

    def _finish(self, game: Game) -> None:
        result = game.result
        assert result is not None
        rewards = final_rewards(result, self.reward)
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = rewards[seat] + self._shaper.ends(seat)
            self.terminations[agent] = True
            own = result.final[seat]
            self.infos[agent] = {"points": own.total, "place": own.place} if self._told else {}

    def _info(self, game: Game, seat: int) -> dict[str, Any]:
        info: dict[str, Any] = {"due": game.due}
        if self._memory:
            info["since"] = history_info(self._observer.since(game, seat))
        return info

    def settle(self) -> None:
        """The game ends here: whatever shaping has paid in advance is paid back."""
        for seat, agent in enumerate(self.possible_agents):
            due = self._shaper.ends(seat)
            self.rewards[agent] += due
            self._cumulative_rewards[agent] += due

    def _game(self) -> Game:
        if self.game is None:
            raise NevskyError("env.no_game")
        return self.game

    def _seat(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise NevskyError("env.no_agent", agent=repr(agent), agents=", ".join(self.possible_agents))
        return self.possible_agents.index(agent)


class _Forfeit(wrappers.TerminateIllegalWrapper[str, Observation, int | None]):
    """PettingZoo's own wrapper, with an end of the game for whoever follows it."""

    def step(self, action: int | None) -> None:
        before = self._terminated
        super().step(action)
        if self._terminated and not before:
            self.env.unwrapped.settle()  # type: ignore[attr-defined]


if hasattr(pettingzoo, "aec_registry") and "nevsky/saint_petersburg-v0" not in pettingzoo.aec_registry:  # from 1.27 on
    pettingzoo.register("aec", "nevsky/saint_petersburg_v0", entry_point="nevsky.envs.pettingzoo:env")
