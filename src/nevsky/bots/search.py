"""The bot that thinks ahead: it plays the rest of the game over and over, the unseen cards dealt anew each time."""

from __future__ import annotations

import time
from typing import Final

from nevsky import COMPILED
from nevsky.bots.comparing import Root, compare
from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.core.tree import Tree
from nevsky.bots.hint_reasons import hint_reasons
from nevsky.bots.protocol import UNHURRIED, Suggestion
from nevsky.bots.reasons import Reason, suggestion
from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS, parse_action
from nevsky.rules.redeal import redeal_position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import View

__all__ = ["SearchBot"]

_CHUNK: Final = 16 if COMPILED else 1
"""Descents between two looks at the clock."""
_LEAST: Final = 64
"""Descents before a search may end early."""
_SHOWN: Final = 5
_PATIENCE: Final = 3
"""An explanation may take so many times as long as it was meant to, where a machine is slow or busy."""
_LEAST_PATIENCE: Final = 1.0
"""Seconds that it may take in any case."""


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
        thought = self._begin(view, self._rng)
        self._search(thought, ends)
        return ACTIONS[thought.ranked()[0]].text

    def explain(self, view: View, milliseconds: int = UNHURRIED) -> list[Suggestion]:
        """The best actions, with the final score, the chances to win and how far each is behind the best.

        Half of the descents go into finding them, half into playing all of them out equally often. Whoever asks
        again gets the same answer: chance follows from the view alone, whatever the bot's seed, and descents are
        counted. The clock only ends what takes far too long, and the suggestions say so.
        """
        if not view.legal:
            return []
        if len(view.legal) == 1:
            return [suggestion(view.legal[0], None, None, Reason("only"), view.ruleset.edition)]
        half = self.playouts or _half(view.ruleset, milliseconds)
        begins = time.perf_counter()
        patience = float("inf") if self.playouts else max(_LEAST_PATIENCE, _PATIENCE * milliseconds / 1000)
        thought = self._begin(view, Rng.of(self.name, "explain", view.to_bytes().decode()))
        thought.grow_in_time(max(half, len(view.legal)), begins + patience / 2)
        shown = thought.ranked()[:_SHOWN]
        found = compare(
            thought.tree,
            thought.root,
            shown,
            thought.rng,
            -(-half // len(shown)),
            lambda: time.perf_counter() < begins + patience,
        )
        assert view.seat is not None
        reasons = hint_reasons(view, found)
        return [
            suggestion(
                ACTIONS[each.action].text,
                round(each.scores[view.seat], 1),
                each.comparison.chances[view.seat],
                why,
                view.ruleset.edition,
                each.comparison,
            )
            for each, why in zip(found, reasons, strict=True)
        ]

    def _make_tree(self, view: View) -> Tree:  # noqa: ARG002
        return Tree(HeuristicPolicy())

    def _begin(self, view: View, rng: Rng) -> _Thought:
        if self._tree is None:
            self._tree = self._make_tree(view)
        return _Thought(self._tree, view, rng)

    def _search(self, thought: _Thought, ends: float) -> None:
        if self.playouts is not None:
            thought.grow(max(self.playouts, len(thought.view.legal)))
            return
        tree, started = thought.tree, time.perf_counter()
        while (now := time.perf_counter()) < ends:
            thought.grow(_CHUNK)
            if tree.descents >= _LEAST and tree.decided((ends - now) / (now - started + 1e-6)):
                break


def _half(ruleset: Ruleset, milliseconds: int) -> int:
    """Descents for half of such a time on a quiet core, at the start of a game, where they take longest."""
    a_second = 4000 if ruleset.market or ruleset.modules else 7500
    return max(_LEAST, a_second * milliseconds // 2000 // (1 if COMPILED else 60))


class _Thought:
    """One decision that is being thought about."""

    def __init__(self, tree: Tree, view: View, rng: Rng) -> None:
        assert view.seat is not None
        tree.clear()
        self.tree = tree
        self.view = view
        self.rng = rng
        position = redeal_position(view, rng)
        self.root = Root(position, position.copy(), view.seat, int(view.ruleset.open_hands))

    def grow(self, descents: int) -> None:
        self.root.grow(self.tree, self.rng, descents)

    def grow_in_time(self, descents: int, ends: float) -> None:
        """So many descents, or fewer if that takes too long."""
        while descents > 0 and time.perf_counter() < ends:
            self.grow(min(_CHUNK, descents))
            descents -= _CHUNK

    def ranked(self) -> list[int]:
        """All legal actions: first what most descents went through, then what seemed better."""
        tried = [action for action, *_ in sorted(self.tree.actions(), key=lambda entry: (-entry[1], -entry[2]))]
        legal = (parse_action(text).id for text in self.view.legal)
        return tried + [number for number in legal if number not in tried]
