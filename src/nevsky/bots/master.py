"""The strongest bot: the search, with habits that were learned in games against itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nevsky.bots.core.instinct import WEIGHTS, Instinct
from nevsky.bots.core.tree import Tree
from nevsky.bots.habits import load_habits
from nevsky.bots.search import SearchBot
from nevsky.rules.view import View

__all__ = ["MasterBot"]

_SHARPNESS: Final = 3.0
"""Points by which an action may look worse and still be tried: playouts tell more than the first look does."""
_NOISE: Final = 0.4
_DUEL: Final = 2
_OWN_SHARE: Final = 0.15
"""How much its own points count among several rivals: who only minds the lead takes cards away from one of them,
to the joy of the others, and hurries the end."""
_ELSEWHERE: Final = 0.4
"""How much habits count in games that they were not learned in."""


class MasterBot(SearchBot):
    """Plays games out the way it has learned to play, and looks at more of what seems worse at first."""

    name = "master"

    def _make_tree(self, view: View) -> Tree:
        habits: Sequence[float] = load_habits(view.ruleset.players)
        if view.ruleset.market or view.ruleset.modules:
            habits = [_ELSEWHERE * habit for habit in habits]
        own_share = _OWN_SHARE if view.ruleset.players > _DUEL else 0.0
        return Tree(Instinct((*WEIGHTS[:-1], _NOISE), habits), sharpness=_SHARPNESS, own_share=own_share)
