"""The proof that one action is clearly best: two searches with luck of their own agree, the second one deeper.

The search is that of reviews, and so is the way in which actions are played out: equally often, in the same deals. All
chance follows from the view and everything is counted, so that a proof can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from nevsky.bots.comparing import Compared, Playouts, Root, difference
from nevsky.bots.hint_reasons import hint_reasons
from nevsky.bots.reasons import Reason
from nevsky.review.judging import judging_tree, play_beside
from nevsky.review.verdict import NOTICED, mark_of
from nevsky.rules.actions import ACTIONS, parse_action
from nevsky.rules.redeal import redeal_position
from nevsky.rules.rng import Rng
from nevsky.rules.view import View

__all__ = ["LEAST", "VERSION", "Look", "Margin", "Proof", "Value", "is_clear", "look", "prove"]

VERSION: Final = 1
"""Proofs of another one are not the same."""
LEAST: Final = NOTICED
"""Points by which the best action is ahead of every other one, in both searches: a review would say so."""
_REAL: Final = 10.0
_REAL_ONES: Final = 2
"""So many other actions must be within so many points: otherwise there is nothing to choose."""
_NEXT: Final = 2
_RIVALS: Final = 6
"""Actions that are played out beside the best one where it is to be known well: at least those that come next, and all
that are not clearly behind; where these are too many nothing is clear."""
_MORE_WINS: Final = 0.02
"""By so much the best action must raise the chance to win: games that are decided are no puzzles."""
_LOOK: Final = 64
_GLIMPSE: Final = 32
"""Descents where there are few actions."""
_FEW: Final = 3
_FIRST_FEW: Final = 10
_ROUGH: Final = 30
_SOME: Final = 50
_FINE: Final = 150
_DEEP: Final = 1000
_DEEP_FINE: Final = 250


def is_clear(points: float, doubt: float) -> bool:
    """Whether a review would find fault with an action that is so many points behind."""
    return mark_of(points, doubt, first=False) not in ("best", "good")


class Look(NamedTuple):
    """What a short search makes of a decision."""

    best: str
    share: float
    """Of its descents that went through the best action."""
    chance: float
    """To win."""


class Margin(NamedTuple):
    """By how much the best action is ahead of the one that comes next."""

    points: float
    """At the end of the game, as in reviews and hints."""
    doubt: float
    """By how much this may be wrong (95 %)."""
    chance: float
    """The same as a part of the win, from 0 to 1."""
    chance_doubt: float
    playouts: int
    """Of each of the two, in fresh deals."""

    @property
    def clear(self) -> bool:
        """Whether this is beyond the noise, and enough for a puzzle."""
        return is_clear(self.points, self.doubt) and self.chance >= _MORE_WINS

    @property
    def possible(self) -> bool:
        """Whether more playouts may make it clear."""
        return self.points + self.doubt / 2 >= LEAST


class Value(NamedTuple):
    """What a legal action is worth beside the best one."""

    action: str
    behind: float
    """Points, as in a margin."""
    doubt: float
    chance: float
    """To win, from 0 to 1."""
    playouts: int
    why: Reason


class Proof(NamedTuple):
    """Two searches that agree."""

    first: Margin
    again: Margin
    values: tuple[Value, ...]
    """Of all legal actions, the best first; those that come next were played out most often."""

    @property
    def best(self) -> str:
        """The action that is clearly best."""
        return self.values[0].action


Promising = Callable[[Sequence[Playouts]], bool]


class _Search:
    """The search of reviews, looking at a decision with luck of its own."""

    def __init__(self, view: View, luck: str) -> None:
        assert view.seat is not None
        self._rng = Rng.of("puzzle", VERSION, luck, view.to_bytes().decode())
        position = redeal_position(view, self._rng)
        self._root = Root(position, position.copy(), view.seat, int(view.ruleset.open_hands))
        self._tree = judging_tree(view.ruleset)
        self._legal = len(view.legal)

    def grow(self, descents: int) -> list[tuple[int, int, float]]:
        """Actions with how many descents went through them and the chance to win there, most first."""
        self._tree.clear()
        self._root.grow(self._tree, self._rng, max(descents, 2 * self._legal))
        found = sorted(self._tree.actions(), key=lambda entry: (-entry[1], -entry[2], entry[0]))
        return [(action, visits, wins) for action, visits, _, _, wins in found]

    def play(self, actions: Sequence[int], few: int, number: int, promising: Promising) -> list[Playouts] | None:
        """All of them played out so often, in fresh deals; None if after a few it is not promising any more."""
        self._tree.clear()
        records = [Playouts(action, self._root) for action in actions]
        play_beside(self._tree, records, self._rng, few)
        if not promising(records):
            return None
        play_beside(self._tree, records, self._rng, number - few)
        return records


def look(view: View) -> Look:
    """What master does after a short search."""
    found = _Search(view, "look").grow(_LOOK if len(view.legal) > _FEW else _GLIMPSE)
    action, visits, chance = found[0]
    return Look(ACTIONS[action].text, visits / sum(number for _, number, _ in found), chance)


def prove(view: View, looked: Look | None = None) -> Proof | None:
    """The proof, or None if there is none; ``looked`` is what `look` says of the view, if that is known already."""
    best = parse_action((looked or look(view)).best).id
    search = _Search(view, "first")
    legal = [best, *(number for text in view.legal if (number := parse_action(text).id) != best)]
    rough = search.play(legal, _FIRST_FEW, _ROUGH, _is_possible)
    rivals = None if rough is None else _rivals(rough)
    if rough is None or rivals is None:
        return None
    fine = search.play([best, *rivals], _SOME, _FINE, _is_possible)
    if fine is None or not (first := _least(fine)).clear:
        return None
    search = _Search(view, "again")
    found = [action for action, *_ in search.grow(_DEEP)]
    if found[0] != best:
        return None
    rivals = list(dict.fromkeys([*rivals, *found[1 : 1 + _NEXT]]))
    deep = search.play([best, *rivals], _SOME, _DEEP_FINE, _is_possible)
    if deep is None or not (again := _least(deep)).clear:
        return None
    values = {each.action: each for each in [*_values(view, rough), *_values(view, deep)]}
    return Proof(first, again, tuple(sorted(values.values(), key=lambda each: (each.behind, each.action))))


def _is_possible(records: Sequence[Playouts]) -> bool:
    """Whether the first one may still turn out to be clearly ahead of all others."""
    point = Playouts.point(records)
    return all(_margin(records[0], other, point).possible for other in records[1:])


def _rivals(rough: Sequence[Playouts]) -> list[int] | None:
    """What has to be compared with the best action more often; None if that is too much, or nothing to choose from."""
    point = Playouts.point(rough)
    margins = sorted((_margin(rough[0], each, point), each.action) for each in rough[1:])
    real = sum(margin.points - margin.doubt <= _REAL for margin, _ in margins)
    possible = all(margin.possible for margin, _ in margins)
    found = [action for place, (margin, action) in enumerate(margins) if place < _NEXT or not margin.clear]
    return found if real >= _REAL_ONES and possible and len(found) <= _RIVALS else None


def _least(records: Sequence[Playouts]) -> Margin:
    """Of the first one over all others: one that is not clear, if there is one, else the smallest."""
    point = Playouts.point(records)
    margins = [_margin(records[0], other, point) for other in records[1:]]
    return min(margins, key=lambda margin: (margin.clear, margin.points))


def _margin(best: Playouts, other: Playouts, point: float) -> Margin:
    points, doubt = (value / point for value in difference(best.rewards, other.rewards))
    chance, chance_doubt = difference(best.wins, other.wins)
    return Margin(round(points, 2), round(doubt, 2), round(chance, 3), round(chance_doubt, 3), len(best.rewards))


def _values(view: View, records: Sequence[Playouts]) -> list[Value]:
    best, point = records[0], Playouts.point(records)
    ranked = sorted(records, key=lambda each: (each is not best, -each.reward, each.action))
    compared = [each.beside(best, point, thorough=True) for each in ranked]
    return [_value(view, each, why) for each, why in zip(compared, hint_reasons(view, compared), strict=True)]


def _value(view: View, each: Compared, why: Reason) -> Value:
    assert view.seat is not None
    told = each.comparison
    chance = round(told.chances[view.seat], 3)
    values = {name: round(value, 2) if isinstance(value, float) else value for name, value in why.values.items()}
    doubt = round(told.doubt, 2)
    return Value(
        ACTIONS[each.action].text, round(told.behind, 2), doubt, chance, told.playouts, Reason(why.key, values)
    )
