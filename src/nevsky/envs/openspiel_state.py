"""A point in a game of OpenSpiel.

OpenSpiel's classes can do all this by themselves, but they ask Python several times for each answer, and for each
tensor they begin a new game. What algorithms in Python call all the time is therefore answered here at once; code in
C++ goes through OpenSpiel and finds the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from nevsky.extras import needing

with needing("openspiel", __name__):
    import pyspiel

from nevsky.encoding import SIZE
from nevsky.envs.action_sets import ActionSet
from nevsky.envs.openspiel_deal import Deal
from nevsky.envs.openspiel_guess import follow, guess, has_secrets
from nevsky.envs.openspiel_observer import FINGERPRINT, NevskyObserver, numbers, observation_text
from nevsky.envs.openspiel_play import CHANCE, Play
from nevsky.envs.options import final_rewards
from nevsky.errors import NevskyError
from nevsky.rules.final import final_scoring
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng

__all__ = ["HIGHEST_LEAD", "NevskyState", "TableGame", "game_type"]

HIGHEST_LEAD: Final = 10.0
"""With the reward ``score`` nobody gets more: a lead of a thousand points."""
GUESSES: Final = 100
_CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
_TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)


def game_type(
    short_name: str,
    long_name: str,
    utility: pyspiel.GameType.Utility,
    parameters: Mapping[str, str | int | bool],
    *,
    players: int,
) -> pyspiel.GameType:
    """What OpenSpiel wants to know of a game that our rules play, with so many players at most."""
    return pyspiel.GameType(
        short_name=short_name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(parameters),
        provides_factored_observation_string=True,
    )


class TableGame(pyspiel.Game):  # type: ignore[misc]
    """What every game of OpenSpiel that our rules play has."""

    deal: Deal
    auto: bool
    reward: str
    action_set: ActionSet | None = None
    """The mapping from OpenSpiel's numbers of actions to ids, None if they are the same."""

    def new_initial_state(self) -> NevskyState:
        """A table before the deal."""
        return NevskyState(self)

    def observation_tensor_shape(self) -> list[int]:
        """How many numbers a seat sees."""
        return [SIZE]

    def information_state_tensor_shape(self) -> list[int]:
        """These and a fingerprint of all that happened."""
        return [SIZE + FINGERPRINT]

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> NevskyObserver:
        """What a seat sees, or with perfect recall what it knows; or only the public or the private part of that."""
        return NevskyObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class NevskyState(pyspiel.State):  # type: ignore[misc]
    """A point in a game. Chance deals at the start and turns up every card."""

    def __init__(self, game: TableGame) -> None:
        super().__init__(game)
        self.play = Play(game.deal, game.auto, game.reward, game.action_set)

    def current_player(self) -> int:
        """The seat whose decision is due, or OpenSpiel's number for chance or for the end."""
        play = self.play
        return _TERMINAL if play.over else play.mover  # chance has the same number in OpenSpiel

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self.play.over

    def is_chance_node(self) -> bool:
        """Whether something is dealt or turned up next."""
        return self.play.mover == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The numbers of what this player may do now, or of what chance may; by itself of whoever is to move."""
        play = self.play
        if play.mover == CHANCE:
            return [number for number, _ in play.chances()]
        return play.choices() if player is None or player == play.mover else []

    def _legal_actions(self, _: int) -> list[int]:
        return self.play.choices()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What may be dealt or turned up next, and how likely."""
        return self.play.chances()

    def _apply_action(self, action: int) -> None:
        self.play.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        numbering = self.play.numbering
        return self.play.words(player, action if numbering is None or player < 0 else numbering.full(action))

    def _repeat(self, step: int) -> None:
        """Do what a step of a history did, given as there: an outcome, or the id of an action."""
        numbering = self.play.numbering
        if numbering is not None and not self.is_chance_node():
            (step,) = numbering.reduced([step])
        self.apply_action(step)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """The numbers of what a seat, or the one to move, sees now."""
        return numbers(self.play, self._seat(player), memory=False)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """The numbers of what a seat, or the one to move, knows, and a fingerprint of it."""
        return numbers(self.play, self._seat(player), memory=True)

    def observation_string(self, player: int | None = None) -> str:
        """The view of a seat, or of the one to move, as JSON."""
        return observation_text(self.play, self._seat(player))

    def information_state_string(self, player: int | None = None) -> str:
        """Everything that a seat, or the one to move, has seen happen, in order."""
        return self.play.information(self._seat(player))

    def _seat(self, player: int | None) -> int:
        seat = self.current_player() if player is None else player
        if not 0 <= seat < self.play.ruleset.players:
            raise NevskyError("env.no_player", player=seat)
        return seat

    def returns(self) -> list[float]:
        """What each seat has got: nothing before the end."""
        if not self.play.over or self.play.position is None:
            return [0.0] * self.play.ruleset.players
        return self.utilities(self.play.position)

    def utilities(self, position: Position) -> list[float]:
        """What each seat gets in a position at the end of a game."""
        if not position.over:
            raise NevskyError("env.not_over")
        rewards = final_rewards(final_scoring(position), self.play.reward)
        return [max(-HIGHEST_LEAD, min(HIGHEST_LEAD, value)) for value in rewards]

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> NevskyState:
        """A state that this player cannot tell from this one, all chance being equally likely to have made it."""
        self._seat(player)
        if has_secrets(self.play, player):
            rng = Rng(*(int(probability_sampler() * 2**32) for _ in range(4)))
            for _ in range(GUESSES):
                other: NevskyState = self.get_game().new_initial_state()
                if follow(other.play, other._repeat, player, guess(self.play, player, rng)):
                    return other
        return self.clone()  # type: ignore[no-any-return]

    def __str__(self) -> str:
        """Everything that happened, secrets included."""
        return "; ".join(step.text for step in self.play.history)


assert _CHANCE == CHANCE
