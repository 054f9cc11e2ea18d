"""Saint Petersburg for Gymnasium: one seat learns, bots sit on the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nevsky.extras import needing

with needing("envs", __name__):
    import gymnasium
    import numpy as np
    import numpy.typing as npt

from nevsky.bots.driver import Driver, play_on
from nevsky.bots.programs import BotFailureError
from nevsky.envs.action_sets import ActionSet, choose_actions
from nevsky.envs.history import history_info
from nevsky.envs.observing import Observation, Observed, Observer, action_space, observation_space
from nevsky.envs.opponents import OpponentLike, choose_opponents
from nevsky.envs.options import (
    check_action,
    check_choice,
    check_flag,
    check_number,
    check_reward,
    check_seed,
    final_rewards,
    make_ruleset,
)
from nevsky.envs.rendering import RENDER_MODES, Picture, render
from nevsky.envs.shaping import Shaper, ShapingLike, check_discount, choose_potential
from nevsky.envs.truth import Truth, state_space
from nevsky.errors import NevskyError
from nevsky.rules.actions import parse_action
from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset

__all__ = ["SaintPetersburgEnv"]

_ILLEGAL = ("refuse", "raise", "lose")
_FORFEIT = -1.0
PASS_ID = parse_action("pass").id


class SaintPetersburgEnv(gymnasium.Env[Observed, int]):
    """One seat of a game; a step is one decision of it, and then the others play until it has to decide again.

    ``ruleset`` or its fields (``edition``, ``players``, ``market``, ``modules`` ...) say which game is played.
    ``seat`` is a number or ``random``, drawn for each game. ``opponents`` are the bots, one kind for all or a list
    clockwise from the learner; each has ``milliseconds`` for a decision, or, if it searches and games shall be
    repeated exactly, so many ``playouts``. ``reward`` is ``win`` or ``score``. With ``auto`` the environment itself
    makes decisions that leave no choice.

    An illegal action changes nothing and ``info["refused"]`` says why; with ``illegal="raise"`` it raises, with
    ``illegal="lose"`` it ends the game with a reward of -1.

    With ``flat`` an observation is its numbers alone, and `action_masks` has what is legal. At the end of a game the
    mask allows to pass, which does nothing there: whoever chooses by it always finds something. Without ``infos``
    every info is empty, for libraries that make tensors of them.

    With ``memory`` the learner is told what bots are: the rubles of the others and what happened since its last
    decision. Without ``opponent_memory`` the bots are not. ``actions="ruleset"`` numbers only actions that can come up,
    and ``shaping`` adds differences of a potential to the rewards, for a learner with this ``discount``.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        ruleset: Ruleset | None = None,
        *,
        seat: int | str = "random",
        opponents: OpponentLike | Sequence[OpponentLike] = "random",
        milliseconds: int | None = None,
        playouts: int | None = None,
        reward: str = "win",
        auto: bool = True,
        illegal: str = "refuse",
        flat: bool = False,
        infos: bool = True,
        memory: bool = False,
        opponent_memory: bool = True,
        actions: str = "all",
        shaping: ShapingLike = None,
        discount: float = 1.0,
        render_mode: str | None = None,
        **choices: Any,
    ) -> None:
        self.ruleset = make_ruleset(ruleset, **choices)
        self._wanted_seat = self._check_seat(seat)
        self._opponents = choose_opponents(opponents, self.ruleset.players - 1, milliseconds)
        self._playouts = None if playouts is None else check_number("playouts", playouts, 1)
        self.reward = check_reward(reward)
        self.auto = check_flag("auto", auto)
        self.illegal = check_choice("way with what is illegal,", illegal, _ILLEGAL)
        self._flat = check_flag("flat", flat)
        self._infos = check_flag("infos", infos)
        self._memory = check_flag("memory", memory)
        self._opponent_memory = check_flag("opponent_memory", opponent_memory)
        self.action_set: ActionSet | None = choose_actions(self.ruleset, actions)
        """The mapping from the learner's actions to ids, None if they are the same."""
        self._shaper = Shaper(choose_potential(shaping, memory=memory), check_discount(discount))
        if render_mode is not None:
            check_choice("render mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.observation_space = observation_space(flat=self._flat, memory=memory, actions=self.action_set)
        self.action_space = action_space(self.action_set)
        self.state_space = state_space()
        self.game: Game | None = None
        """The game that is played, secrets included; None before the first reset."""
        self.seat = 0
        """Where the learner sits in this game."""
        self._ended = True
        self._bots: dict[int, Driver] = {}
        self._observer = Observer(memory=memory, actions=self.action_set)
        self._truth = Truth()

    def _check_seat(self, seat: object) -> int | None:
        if seat == "random":
            return None
        try:
            number = check_number("seat", seat, 0)
        except NevskyError:
            number = self.ruleset.players
        if number >= self.ruleset.players:
            raise NevskyError("env.seat", last=self.ruleset.players - 1, seat=repr(seat))
        return number

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Deal a new game and play to the learner's first decision.

        A seed gives the deal that it gives everywhere in Nevsky, and decides about everything that follows.
        """
        number = check_seed(seed)
        if options:
            raise NevskyError("env.new_game_option", options=", ".join(map(str, options)))
        super().reset(seed=number)
        if number is None:
            number = int(self.np_random.integers(2**63))
        players = self.ruleset.players
        self.seat = int(self.np_random.integers(players)) if self._wanted_seat is None else self._wanted_seat
        self._bots = {
            (self.seat + i) % players: opponent.seated(f"{number}-{(self.seat + i) % players}", self._playouts)
            for i, opponent in enumerate(self._opponents, 1)
        }
        for bot in self._bots.values():
            bot.memory = self._opponent_memory
        self._ended = False
        self._shaper.begin()
        self.game = Game(self.ruleset, number)
        self._play_on(self.game)
        self._shaper.decides(self.game, self.seat)
        if self.render_mode == "human":
            self.render()
        return self._observe(self.game), self._info(self.game)

    def step(self, action: int) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Make the learner's decision, and let the others play until the next one."""
        game = self._game()
        if self._ended:
            raise NevskyError("env.over")
        try:
            game.push(check_action(action) if self.action_set is None else self.action_set.full(action))
        except NevskyError as error:
            if self.illegal == "raise":
                raise
            return self._refuse(game, str(error))
        self._play_on(game)
        result = game.result
        if result is not None:
            self._ended = True
            reward = final_rewards(result, self.reward)[self.seat] + self._shaper.ends(self.seat)
        else:
            reward = self._shaper.decides(game, self.seat)
        if self.render_mode == "human":
            self.render()
        return self._observe(game), reward, self._ended, False, self._info(game)

    def render(self) -> Picture:
        """The table as the learner sees it: a text, a picture with ``rgb_array``, or printed with ``human``."""
        if self.render_mode is None:
            raise NevskyError("env.render_mode")
        return render(self._game(), self.seat, self.render_mode)

    def action_masks(self) -> Any:
        """What is legal now, under the name that masked algorithms of other libraries ask for."""
        return self._whole(self._game())["action_mask"].astype(bool)

    def state(self) -> npt.NDArray[np.float32]:
        """The whole truth, secrets included, for a critic: seats from the learner's own one, then clockwise."""
        return self._truth.state(self._game(), self.seat)

    def _refuse(self, game: Game, why: str) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        lost = self.illegal == "lose"
        self._ended = lost
        reward = _FORFEIT + self._shaper.ends(self.seat) if lost else self._shaper.decides(game, self.seat)
        info = {**self._info(game), "refused": why} if self._infos else {}
        return self._observe(game), reward, lost, False, info

    def _play_on(self, game: Game) -> None:
        """Until the learner has to decide or the game is over."""
        try:
            play_on(game, self._bots, forced=self.auto)
        except BotFailureError as failure:
            self._ended = True
            seat = next(seat for seat, bot in self._bots.items() if bot.last_failure)
            raise NevskyError("env.opponent_failed", seat=seat, failure=failure) from failure

    def _observe(self, game: Game) -> Observed:
        whole = self._whole(game)
        return whole["observation"] if self._flat else whole

    def _whole(self, game: Game) -> Observation:
        whole = self._observer.observe(game, self.seat)
        if game.over:
            whole["action_mask"][PASS_ID] = 1
        return whole

    def _info(self, game: Game) -> dict[str, Any]:
        if not self._infos:
            return {}
        result = game.result
        if result is None:
            info: dict[str, Any] = {"seat": self.seat, "due": game.due}
            if self._memory:
                info["since"] = history_info(self._observer.since(game, self.seat))
            return info
        own = result.final[self.seat]
        return {"seat": self.seat, "points": own.total, "place": own.place}

    def _game(self) -> Game:
        if self.game is None:
            raise NevskyError("env.no_game")
        return self.game
