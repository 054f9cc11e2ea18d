"""Which actions can come up in a game of a ruleset at all: a small part of those that have an id."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from nevsky.cards import CARDS, PILES
from nevsky.rules.action import GAINS, Action, Block
from nevsky.rules.actions import BLOCKS, STARTS
from nevsky.rules.modules import ROOMS
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.tables import copies

__all__ = ["Box", "possible_actions"]

_BY_ID: Final = frozenset(card.id for card in CARDS)
_ATTACHED: Final = frozenset(entry.action.card for block in BLOCKS if block.verb == "attach" for entry in block.entries)
_SEARCHERS: Final = ("black_market", "debtors_prison")
"""The cards that look through the discard pile (11.1 c, 11.2 c)."""
_RUBLES: Final = frozenset({"rubles_per_red", "rubles_per_green", "rubles_per_blue", "split"})
_POINTS: Final = frozenset({"points_per_carpet", "split"})
_NO_INCOME: Final = frozenset("worth name pub hand observe reduce replaces trade search sycophant upkeep".split())
"""Effects that change nothing about what a card pays. An effect that stands nowhere here may pay anything."""


class Box:
    """What is in the box of a ruleset, for modules that say which of their actions can come up."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._copies: dict[str, int] = {}
        self._cards = {card.text: card for card in CARDS}
        for card in CARDS:
            self._copies[card.text] = self._copies.get(card.text, 0) + copies(ruleset, card.kind)

    def copies(self, card: str) -> int:
        """How many there are of a card, by its text in the notation."""
        return self._copies[card]

    def pays(self, card: str, gain: str) -> bool:
        """Whether a card can bring its owner rubles, or points."""
        row = self._cards[card]
        if row.rubles if gain == GAINS[0] else row.points:
            return True
        words = {word for word, _ in row.effects}
        if "per_red" in words:  # the Mariinsky Theater: rubles in the first edition, then points (7.2)
            return (gain == GAINS[0]) == (self.ruleset.edition == "first")
        known = _RUBLES | _POINTS | _NO_INCOME
        return bool(words - known or words & (_RUBLES if gain == GAINS[0] else _POINTS))

    def pays_both(self, card: str) -> bool:
        """Whether rubles and points are printed on a card (11.1 h)."""
        return bool(self._cards[card].rubles and self._cards[card].points)

    def colour(self, card: str) -> str:
        """The colour of a card."""
        return self._cards[card].colour

    def in_discard(self, card: str) -> bool:
        """Whether somebody can find a card in the discard pile: special offers never lie there (10.5)."""
        row = self._cards[card]
        if self.ruleset.market and row.orange:
            return False
        searchers = sum(self.copies(searcher) for searcher in _SEARCHERS)
        return searchers > (1 if card in _SEARCHERS else 0)  # what searches does not find itself

    @property
    def pub_points(self) -> int:
        """The points that somebody with all pubs may buy (7.3)."""
        return sum(int(card.effect("pub", "0")) * self.copies(card.text) for card in CARDS)


@cache
def possible_actions(ruleset: Ruleset) -> tuple[int, ...]:
    """The ids of all actions that can be legal at some decision of a game of this ruleset, in ascending order.

    They are told from the cards and modules that take part. What was arranged by hand may go beyond it.

    >>> len(possible_actions(Ruleset("second", 2)))
    1068
    """
    return tuple(_each(Box(ruleset)))


def _each(box: Box) -> Iterator[int]:
    for block in BLOCKS:
        room = _ROOM_OF.get(block.name)
        if room is not None and not room.in_play(box.ruleset):
            continue
        for entry in sorted(block.entries):
            action = entry.action
            if _in_box(box, action) and (_possible(box, block, action) if room is None else room.possible(box, action)):
                yield STARTS[block.name] + entry.at


_ROOM_OF: Final = {block.name: room for room in ROOMS for block in room.blocks}


def _in_box(box: Box, action: Action) -> bool:
    """Whether all cards that the action names take part; some actions are named after the card that asks for them."""
    named = [card for card in (action.card, action.onto, action.verb if action.verb in _BY_ID else "") if card]
    return all(box.copies(card) for card in named)


def _possible(box: Box, block: Block, action: Action) -> bool:
    """Whether an action of the base game or the Market can come up, if its cards take part."""
    match block.verb:
        case "play":
            return action.card not in _ATTACHED
        case "observe":
            return box.ruleset.market or action.pile != PILES[1]
        case "pub":
            return action.number <= box.pub_points
        case "good":
            return box.ruleset.market
        case "search" | "return_drawn":
            return box.in_discard(action.card)
    return True
