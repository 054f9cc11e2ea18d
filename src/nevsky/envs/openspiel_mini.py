"""Nevsky-mini as a game of OpenSpiel; importing this module registers it. Needs the extra ``openspiel``.

>>> import pyspiel
>>> import nevsky.envs.openspiel_mini
>>> game = pyspiel.load_game("python_nevsky_mini")
>>> state = game.new_initial_state()
>>> [(state.action_to_string(-1, noble), share) for noble, share in state.chance_outcomes()]
[('author to 0', 0.5), ('administrator to 0', 0.5)]
>>> game.num_distinct_actions()
21
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from nevsky.extras import needing

with needing("openspiel", __name__):
    import pyspiel

from nevsky.cards import CARDS
from nevsky.envs.openspiel_mini_deal import BOX, MiniDeal, mini_actions
from nevsky.envs.openspiel_state import TableGame, game_type
from nevsky.envs.options import check_reward
from nevsky.errors import NevskyError

__all__ = ["SHORT_NAME", "MiniGame"]

SHORT_NAME: Final = "python_nevsky_mini"
"""By which OpenSpiel loads the game."""
PARAMETERS: Final[dict[str, str]] = {"reward": "score"}
HIGHEST_LEAD: Final = 0.2
"""With the reward ``score`` nobody gets more: a lead of twenty points."""
LONGEST: Final = 30
"""More decisions than any game has."""


def _game_type(utility: pyspiel.GameType.Utility) -> pyspiel.GameType:
    return game_type(SHORT_NAME, "Nevsky-mini", utility, PARAMETERS, players=2)


class MiniGame(TableGame):
    """Nevsky-mini with one kind of reward."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        choices = {**PARAMETERS, **(params or {})}
        unknown = sorted(set(choices) - set(PARAMETERS))
        if unknown:
            raise NevskyError("env.no_parameter", unknown=", ".join(unknown), parameters=", ".join(PARAMETERS))
        self.reward: str = check_reward(choices["reward"])
        self.auto: bool = True
        self.deal = MiniDeal()
        self.ruleset = self.deal.ruleset
        self.action_set = mini_actions()
        wins = self.reward == "win"
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.action_set),
            max_chance_outcomes=len(CARDS),
            num_players=2,
            min_utility=0.0 if wins else -HIGHEST_LEAD,
            max_utility=1.0 if wins else HIGHEST_LEAD,
            utility_sum=1.0 if wins else 0.0,
            max_game_length=LONGEST,
        )
        kinds = pyspiel.GameType.Utility
        super().__init__(_game_type(kinds.CONSTANT_SUM if wins else kinds.ZERO_SUM), info, choices)

    def max_chance_nodes_in_history(self) -> int:
        """Every card that can be dealt or turned up."""
        return sum(map(len, BOX.values()))


if SHORT_NAME not in pyspiel.registered_names():
    pyspiel.register_game(_game_type(pyspiel.GameType.Utility.ZERO_SUM), MiniGame)
