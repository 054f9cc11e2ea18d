"""What a search expects of every step of a finished game: the final scores and the chances to win.

Each step is searched by itself, with as many descents as the others and in the same deals. All hands are open, as they
are once a game is over, and the piles are shuffled anew each time: so the curves show what could be known at the time,
and not which cards came later.
"""

from __future__ import annotations

import time
from itertools import islice
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from nevsky.rules.game import Game
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import make_view

if TYPE_CHECKING:
    from nevsky.bots.core.tree import Tree

__all__ = ["VERSION", "Measured", "evaluate", "smooth"]

VERSION: Final = 1
"""What was kept of another one is computed anew."""
_DESCENTS: Final = 400
_SPECTATOR: Final = -1
_ERROR: Final = 0.4
"""How far a search may be off, as a share of the spread of its playouts."""
_IDLE_ERROR: Final = 0.8
"""The same after a step at which nothing happened but that somebody passed: whatever the search finds new is mostly
about whether all playouts end in this round or none."""
_CHANGE: Final = 0.25
"""How much a step may change."""
_IDLE_CHANGE: Final = 0.02


class Measured(NamedTuple):
    """What the search of one step found, with a number for every seat."""

    scores: list[float]
    chances: list[float]
    spread: float
    """Points by which the playouts differ."""
    idle: bool
    """Whether the step was a pass after which everything lies as before."""


def evaluate(
    ruleset: dict[str, Any], deal: dict[str, Any], actions: list[int], first: int, seconds: float
) -> list[Measured]:
    """For the deal and after each action, from a step on, as many steps as there is time for; at least one.

    Done in a process of the bots.
    """
    from nevsky.bots.master import calm_tree

    ends = time.perf_counter() + seconds
    game = Game.from_piles(Ruleset.from_dict(ruleset), deal["piles"], deal["tokens"], **deal["deal"])
    for action in actions:
        game.push(action)
    tree = calm_tree(game.ruleset)
    opened = Ruleset(*game.ruleset._replace(open_rubles=True, open_hands=True))
    luck = [Rng.of("evaluate", number) for number in range(_DESCENTS)]
    found: list[Measured] = []
    before = None
    positions = [game.start_position, *(after for _, after in game.replay())]
    for position in islice(positions, first, None):
        if found and time.perf_counter() >= ends:
            break
        step = first + len(found)
        if before is None and step:
            before = _lies(positions[step - 1], opened)
        lies = _lies(position, opened)
        found.append(_measure(position, tree, luck, idle=before == lies))
        before = lies
    return found


def _lies(position: Position, opened: Ruleset) -> tuple[object, ...]:
    """Everything but whose turn it is."""
    view = make_view(position, opened, None)
    return tuple(view._replace(to_move=None, passes=0, must_buy=False, legal=(), due=view.due and "turn"))


def _measure(position: Position, tree: Tree, luck: list[Rng], *, idle: bool) -> Measured:
    seats = range(position.n)
    if position.over:
        order = [position.total(seat) for seat in seats]
        winners = order.count(max(order))
        shares = [1 / winners if each == max(order) else 0.0 for each in order]
        return Measured([float(points) for points, _ in order], shares, 0.0, idle)
    tree.clear()
    scratch = position.copy()
    scores, wins, squares = [0.0] * position.n, [0.0] * position.n, [0.0] * position.n
    for rng in luck:
        tree.grow(position, scratch, _SPECTATOR, 1, rng.copy(), 1)
        _, ended, won = tree.outcome()
        for seat in seats:
            scores[seat] += ended[seat]
            squares[seat] += ended[seat] ** 2
            wins[seat] += won[seat]
    number = len(luck)
    means = [total / number for total in scores]
    variance = sum(max(0.0, squares[seat] / number - means[seat] ** 2) for seat in seats) / position.n
    return Measured(means, [total / number for total in wins], sqrt(variance), idle)


def smooth(found: list[Measured]) -> tuple[list[list[float]], list[list[float]]]:
    """The curves of scores and of chances: every step by its own search and by those before it.

    A search may be wrong by a share of the spread of its playouts, since in near ties all of them go the same way.
    Where nothing has happened, the steps before say as much as the search itself (a Kalman filter).
    """
    scores: list[list[float]] = []
    chances: list[list[float]] = []
    doubt = 0.0
    for step in found:
        error = ((_IDLE_ERROR if step.idle else _ERROR) * step.spread) ** 2
        doubt += ((_IDLE_CHANGE if step.idle else _CHANGE) * step.spread) ** 2
        share = 1.0 if not scores or not doubt + error else doubt / (doubt + error)
        doubt = error if not scores else (1 - share) * doubt
        for curve, values in ((scores, step.scores), (chances, step.chances)):
            last = curve[-1] if curve else values
            curve.append([old + share * (new - old) for old, new in zip(last, values, strict=True)])
    return [_rounded(row, 1) for row in scores], [_rounded(row, 3) for row in chances]


def _rounded(row: list[float], digits: int) -> list[float]:
    return [round(value, digits) for value in row]
