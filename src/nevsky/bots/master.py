"""The strongest bot: the search, with habits that were learned in games against itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nevsky.bots.core.instinct import WEIGHTS, Instinct
from nevsky.bots.core.tree import Tree
from nevsky.bots.habits import load_habits
from nevsky.bots.search import SearchBot
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import View

__all__ = ["MasterBot", "practised_instinct"]

_SHARPNESS: Final = 3.0
"""Points by which an action may look worse and still be tried: playouts tell more than the first look does."""
_NOISE: Final = 0.4
_DUEL: Final = 2
_OWN_SHARE: Final = 0.15
"""How much its own points count among several rivals: who only minds the lead takes cards away from one of them,
to the joy of the others, and hurries the end."""
_ELSEWHERE: Final = 0.4
"""How much habits count in games that they were not learned in."""


def practised_instinct(ruleset: Ruleset) -> Instinct:
    """The instinct as master has it in such a game."""
    habits: Sequence[float] = load_habits(ruleset.players)
    if ruleset.market or ruleset.modules:
        habits = [_ELSEWHERE * habit for habit in habits]
    return Instinct((*WEIGHTS[:-1], _NOISE), habits)


class MasterBot(SearchBot):
    """Plays games out the way it has learned to play, and looks at more of what seems worse at first."""

    name = "master"

    def _make_tree(self, view: View) -> Tree:
        own_share = _OWN_SHARE if view.ruleset.players > _DUEL else 0.0
        return Tree(practised_instinct(view.ruleset), sharpness=_SHARPNESS, own_share=own_share)
