"""The bot that thinks ahead: it plays the rest of the game over and over, the unseen cards dealt anew each time."""

from __future__ import annotations

import time
from typing import Final, NamedTuple

from nevsky import COMPILED
from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.core.tree import Tree
from nevsky.bots.protocol import UNHURRIED, Suggestion
from nevsky.bots.reasons import Reason, suggestion
from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS, parse_action
from nevsky.rules.redeal import redeal_position
from nevsky.rules.rng import Rng
from nevsky.rules.view import View

__all__ = ["SearchBot"]

_CHUNK: Final = 16 if COMPILED else 1
"""Descents between two looks at the clock."""
_LEAST: Final = 64
"""Descents before a search may end early."""
_SHOWN: Final = 5


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
            raise NevskyError("bot.nothing_to_decide")
        if len(view.legal) == 1:
            return view.legal[0]
        ends = time.perf_counter() + milliseconds / 1000
        thought = self._begin(view)
        self._search(thought, ends)
        return ACTIONS[thought.ranked()[0]].text

    def explain(self, view: View, milliseconds: int = UNHURRIED) -> list[Suggestion]:
        """The best actions, with the final score and the chance to win that were found for each.

        Half of the time goes into finding them, half into looking at all of them equally often.
        """
        if not view.legal:
            return []
        if len(view.legal) == 1:
            return [suggestion(view.legal[0], None, None, Reason("only"), view.ruleset.edition)]
        begins = time.perf_counter()
        thought = self._begin(view)
        self._search(thought, begins + milliseconds / 2000)
        shown = thought.ranked()[:_SHOWN]
        self._compare(thought, shown, begins + milliseconds / 1000)
        figures = thought.figures()
        shown.sort(key=lambda number: -figures[number].reward)
        return [_told(figures[number], view.ruleset.edition) for number in shown]

    def _make_tree(self, view: View) -> Tree:  # noqa: ARG002
        return Tree(HeuristicPolicy())

    def _begin(self, view: View) -> _Thought:
        if self._tree is None:
            self._tree = self._make_tree(view)
        return _Thought(self._tree, view, self._rng)

    def _search(self, thought: _Thought, ends: float) -> None:
        if self.playouts is not None:
            thought.grow(max(self.playouts, len(thought.view.legal)))
            return
        tree, started = thought.tree, time.perf_counter()
        while (now := time.perf_counter()) < ends:
            thought.grow(_CHUNK)
            if tree.descents >= _LEAST and tree.decided((ends - now) / (now - started + 1e-6)):
                break

    def _compare(self, thought: _Thought, actions: list[int], ends: float) -> None:
        number = _CHUNK if self.playouts is None else -(-self.playouts // len(actions))
        while True:
            for action in actions:
                thought.tree.only = action
                thought.grow(number)
            if self.playouts is not None or time.perf_counter() >= ends:
                break


class _Figures(NamedTuple):
    """What a tree found out about one action."""

    action: int
    visits: int
    reward: float
    score: float
    win: float


class _Thought:
    """One decision that is being thought about."""

    def __init__(self, tree: Tree, view: View, rng: Rng) -> None:
        tree.clear()
        self.tree = tree
        self.view = view
        self._rng = rng
        self._root = redeal_position(view, rng)
        self._scratch = self._root.copy()

    def grow(self, descents: int) -> None:
        assert self.view.seat is not None
        open_hands = int(self.view.ruleset.open_hands)
        self.tree.grow(self._root, self._scratch, self.view.seat, open_hands, self._rng, descents)

    def figures(self) -> dict[int, _Figures]:
        return {entry[0]: _Figures(*entry) for entry in self.tree.actions()}

    def ranked(self) -> list[int]:
        """All legal actions: first what most descents went through, then what seemed better."""
        figures = self.figures()
        tried = sorted(figures, key=lambda number: (-figures[number].visits, -figures[number].reward))
        legal = (parse_action(text).id for text in self.view.legal)
        return tried + [number for number in legal if number not in figures]


def _told(figures: _Figures, edition: str) -> Suggestion:
    score = round(figures.score, 1)
    why = Reason("playouts", {"score": score, "percent": figures.win, "number": figures.visits})
    return suggestion(ACTIONS[figures.action].text, score, figures.win, why, edition)
