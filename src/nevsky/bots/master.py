"""The strongest bot: the search, with habits that were learned in games against itself."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from nevsky.bots.core.instinct import WEIGHTS, Instinct
from nevsky.bots.core.tree import Tree
from nevsky.bots.habits import BOX_HABITS, MASTER_HABITS, load_habits
from nevsky.bots.search import SearchBot
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import View

__all__ = ["MasterBot", "practised_instinct"]

_SHARPNESS: Final = 3.0
"""Points by which an action may look worse and still be tried: playouts tell more than the first look does."""
_NOISE: Final = 0.4
_DOUBT: Final = 0.1
"""The part of its looks that it shares out evenly: the first look may be blind to the best action."""
_DUEL: Final = 2
_OWN_SHARE: Final = 0.15
"""How much its own points count among several rivals: who only minds the lead takes cards away from one of them,
to the joy of the others, and hurries the end."""


def practised_instinct(ruleset: Ruleset, habits: Path | None = None) -> Instinct:
    """The instinct as master has it in such a game, or with the habits of another file."""
    if habits is None:
        habits = BOX_HABITS if ruleset.market or ruleset.modules else MASTER_HABITS
    return Instinct((*WEIGHTS[:-1], _NOISE), load_habits(ruleset.players, habits))


class MasterBot(SearchBot):
    """Plays games out the way it has learned to play, and looks at more of what seems worse at first."""

    name = "master"

    def __init__(self, seed: int | str = 0, playouts: int | None = None, habits: Path | None = None) -> None:
        super().__init__(seed, playouts)
        self._habits = habits

    def _make_tree(self, view: View) -> Tree:
        own_share = _OWN_SHARE if view.ruleset.players > _DUEL else 0.0
        instinct = practised_instinct(view.ruleset, self._habits)
        return Tree(instinct, sharpness=_SHARPNESS, own_share=own_share, doubt=_DOUBT)
