"""Saint Petersburg as a game of OpenSpiel; importing this module registers it. Needs the extra ``openspiel``.

>>> import pyspiel
>>> import nevsky.envs.openspiel
>>> game = pyspiel.load_game("python_nevsky(players=2)")
>>> game.num_players(), game.num_distinct_actions()
(2, 5206)
>>> pyspiel.load_game("python_nevsky(players=2,actions=ruleset)").num_distinct_actions()
1068
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from nevsky.extras import needing

with needing("openspiel", __name__):
    import pyspiel

from nevsky.envs.action_sets import choose_actions
from nevsky.envs.openspiel_deal import BoxDeal, Deal, most_outcomes
from nevsky.envs.openspiel_state import HIGHEST_LEAD, NevskyState, TableGame, game_type
from nevsky.envs.options import check_flag, check_reward, make_ruleset
from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.tables import tables_for

__all__ = ["SHORT_NAME", "NevskyGame", "NevskyState"]

SHORT_NAME: Final = "python_nevsky"
"""By which OpenSpiel loads the game."""
PARAMETERS: Final[dict[str, str | int | bool]] = {
    "edition": "second",
    "players": 4,
    "market": False,
    "modules": "",
    "open_rubles": False,
    "open_hands": False,
    "reward": "win",
    "auto": True,
    "actions": "all",
}
"""The parameters of the game and what they are if nothing is said."""


def _game_type(utility: pyspiel.GameType.Utility) -> pyspiel.GameType:
    return game_type(SHORT_NAME, "Saint Petersburg (Nevsky)", utility, PARAMETERS, players=5)


class NevskyGame(TableGame):
    """Saint Petersburg with one ruleset and one kind of reward."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        choices = {**PARAMETERS, **(params or {})}
        unknown = sorted(set(choices) - set(PARAMETERS))
        if unknown:
            raise NevskyError("env.no_parameter", unknown=", ".join(unknown), parameters=", ".join(PARAMETERS))
        self.reward: str = check_reward(choices["reward"])
        self.auto: bool = check_flag("auto", choices["auto"])
        self.ruleset: Ruleset = _ruleset(choices)
        self.action_set = choose_actions(self.ruleset, choices["actions"])
        self.deal: Deal = BoxDeal(self.ruleset)
        # in the text of a game OpenSpiel takes a bare 4 for a number and refuses it, but not 4/
        choices["modules"] = "".join(f"{module}/" for module in self.ruleset.modules)
        utility, lowest, highest, total = _utility(self.ruleset, self.reward)
        self._chance_nodes = self.deal.length + sum(tables_for(self.ruleset).deck_size)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(ACTIONS if self.action_set is None else self.action_set),
            max_chance_outcomes=most_outcomes(self.ruleset),
            num_players=self.ruleset.players,
            min_utility=lowest,
            max_utility=highest,
            utility_sum=total,
            max_game_length=_longest(self.ruleset),
        )
        super().__init__(_game_type(utility), info, choices)

    def max_chance_nodes_in_history(self) -> int:
        """The deal, and every card of every pile."""
        return self._chance_nodes


def _ruleset(choices: Mapping[str, Any]) -> Ruleset:
    modules = choices["modules"]
    words = modules.replace("/", ",").split(",") if isinstance(modules, str) else ["?"]
    if not all(word.strip().isdecimal() for word in words if word.strip()):
        raise NevskyError("env.slashed_modules", modules=repr(modules))
    fields = {name: choices[name] for name in Ruleset._fields if name in choices}
    return make_ruleset(**{**fields, "modules": ",".join(words)})


def _utility(ruleset: Ruleset, reward: str) -> tuple[pyspiel.GameType.Utility, float, float, float | None]:
    """The kind of utility, its least and greatest value, and what all together get."""
    if reward == "win":
        return pyspiel.GameType.Utility.CONSTANT_SUM, 0.0, 1.0, 1.0
    if ruleset.players == 2:
        return pyspiel.GameType.Utility.ZERO_SUM, -HIGHEST_LEAD, HIGHEST_LEAD, 0.0
    return pyspiel.GameType.Utility.GENERAL_SUM, -HIGHEST_LEAD, HIGHEST_LEAD, None


def _longest(ruleset: Ruleset) -> int:
    """More decisions than any game can have.

    A card of the display is gone after two rounds, and each round starts with eight or more: so there are at most a
    quarter as many rounds as cards. Whoever does not pass uses up a card (twice, if it goes through the hand) or
    something that each round gives a few times; and to anything but a pass each seat can pass once in answer.
    """
    cards = sum(tables_for(ruleset).deck_size)
    rounds = cards // 4 + 2
    acts = 2 * cards + 20 * rounds + 100
    return acts + ruleset.players * (acts + 5 * rounds)


if SHORT_NAME not in pyspiel.registered_names():
    pyspiel.register_game(_game_type(pyspiel.GameType.Utility.GENERAL_SUM), NevskyGame)
