"""The bot that thinks ahead: it plays the rest of the game over and over, the unseen cards dealt anew each time."""

from __future__ import annotations

import time
from typing import Final

from nevsky.bots.core.instinct import WEIGHTS, Instinct
from nevsky.bots.core.tree import Tree
from nevsky.bots.protocol import Suggestion
from nevsky.bots.reasons import Reason, suggestion
from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS, parse_action
from nevsky.rules.redeal import redeal_position
from nevsky.rules.rng import Rng
from nevsky.rules.view import View

__all__ = ["SearchBot"]

_CHUNK: Final = 16
"""Descents between two looks at the clock."""
_LEAST: Final = 64
"""Descents before a search may end early."""
_SHOWN: Final = 5
_WORTH_TELLING: Final = 100
"""What was looked at less often than this part of the best action has no figures to speak of."""


class SearchBot:
    """Grows a tree for its time and takes the action that it looked at most.

    A search runs on one core: the arena and the server give every core a game of its own, which uses them better.
    """

    name = "search"

    def __init__(self, seed: int | str = 0, playouts: int | None = None) -> None:
        self._rng = Rng.of(self.name, seed)
        self._tree: Tree | None = None
        self.playouts = playouts
        """A fixed number of descents instead of a time, so that decisions can be repeated."""

    def decide(self, view: View, milliseconds: int) -> str:
        """The action that most descents went through."""
        if not view.legal:
            raise NevskyError("There is nothing for this seat to decide.")
        if len(view.legal) == 1:
            return view.legal[0]
        return ACTIONS[self._ranked(view, milliseconds)[0][0]].text

    def explain(self, view: View, milliseconds: int) -> list[Suggestion]:
        """The actions that the search looked at most, with the final score and the chance to win that it found."""
        if not view.legal:
            return []
        if len(view.legal) == 1:
            return [suggestion(view.legal[0], None, None, Reason("only"), view.ruleset.edition)]
        found = []
        ranked = self._ranked(view, milliseconds)
        for number, visits, _, score, win in ranked[:_SHOWN]:
            if visits * _WORTH_TELLING < ranked[0][1]:
                break
            why = Reason("playouts", {"score": round(score, 1), "percent": win, "number": visits})
            found.append(suggestion(ACTIONS[number].text, round(score, 1), win, why, view.ruleset.edition))
        return found

    def _make_tree(self, view: View) -> Tree:  # noqa: ARG002
        return Tree(Instinct(WEIGHTS))

    def _ranked(self, view: View, milliseconds: int) -> list[tuple[int, int, float, float, float]]:
        ends = time.perf_counter() + milliseconds / 1000
        assert view.seat is not None
        if self._tree is None:
            self._tree = self._make_tree(view)
        tree, open_hands = self._tree, int(view.ruleset.open_hands)
        tree.clear()
        root = redeal_position(view, self._rng)
        scratch = root.copy()
        if self.playouts is not None:
            tree.grow(root, scratch, view.seat, open_hands, self._rng, max(self.playouts, len(view.legal)))
        else:
            started = time.perf_counter()
            while (now := time.perf_counter()) < ends:
                tree.grow(root, scratch, view.seat, open_hands, self._rng, _CHUNK)
                if tree.descents >= _LEAST and tree.decided((ends - now) / (now - started + 1e-6)):
                    break
        found = tree.actions()
        found.sort(key=lambda entry: (-entry[1], -entry[2]))
        tried = {entry[0] for entry in found}
        found += [(number, 0, 0.0, 0.0, 0.0) for text in view.legal if (number := parse_action(text).id) not in tried]
        return found
