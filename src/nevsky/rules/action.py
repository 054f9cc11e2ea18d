"""What a player can say at a decision, and the blocks in which actions have their ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, NamedTuple

from nevsky.cards import CARDS, KIND, Card
from nevsky.errors import NevskyError

__all__ = ["ACTION_ROOM", "Action", "Block", "Entry", "per_card", "per_gain", "plain_block"]


class Action(NamedTuple):
    """One thing a player can say at a decision.

    >>> Action("buy", card="wharf", row=2, onto="ship_builder").text
    'buy wharf row 2 onto ship_builder'
    """

    verb: str
    card: str = ""
    row: int = 0
    """1 or 2 for a card of the display."""
    onto: str = ""
    """The card that an exchange card replaces."""
    drawn: bool = False
    """The card is the one being looked at (observatory)."""
    pile: str = ""
    number: int = 0
    choice: str = ""

    @property
    def id(self) -> int:
        """The stable integer of this action."""
        try:
            return _ids()[self]
        except KeyError:
            raise NevskyError("action.none", action=tuple(self)) from None

    @property
    def reserved(self) -> bool:
        """Whether this is a free id, kept for cards to come."""
        return self.verb == RESERVED

    @property
    def text(self) -> str:
        """The action as one writes it down; `parse_action` reads it back."""
        words = [self.verb]
        if self.pile:
            words.append(self.pile)
        if self.card:
            words.append(self.card)
        if self.drawn:
            words.append("drawn")
        if self.row == 2:
            words.append("row 2")
        if self.onto:
            words.append(f"onto {self.onto}")
        if self.number or self.verb in _NUMBERED:
            words.append(f"of {self.number}" if self.card else str(self.number))
        if self.choice:
            words.append(self.choice)
        return " ".join(words)

    def __str__(self) -> str:
        return self.text


@cache
def _ids() -> dict[Action, int]:
    from nevsky.rules.actions import ids

    return ids()


RESERVED: Final = "reserved"
_NUMBERED: Final = frozenset({"pub", "mooch", "guild_hall", "assignment"})
"""Verbs whose number may be 0 and is written all the same."""

KIND_ROOM: Final = 112
"""Ids in a block with one action for each kind of card: room for cards to come."""
LAY_BLOCK: Final = 640
"""Ids in a block with one action for each way to lay a card."""
GAINS: Final = ("rubles", "points")

CANONICAL: Final = tuple(KIND[card.text] for card in CARDS)
"""Kind that stands for a card in actions: purple cards with two backs are one."""
TAKEN: Final = tuple(kind for kind in range(len(CARDS)) if CANONICAL[kind] == kind)
IN_AREAS: Final = tuple(card.kind for card in CARDS if card.colour != "purple")
"""Kinds that can lie in an area: all but the purple ones."""
BASE_PILE_OF_COLOUR: Final = {"green": "worker", "blue": "building", "red": "noble"}
assert len(CARDS) <= KIND_ROOM


def can_replace(card: Card, onto: Card) -> bool:
    """Whether an exchange card may lie on the other card, by the tables alone (6.1, 6.2, 11.1 j, 11.2 e)."""
    if (
        not card.exchange
        or onto.exchange
        or BASE_PILE_OF_COLOUR[card.colour] != onto.pile
        or onto.colour != card.colour
    ):
        return False
    only = card.effect("replaces")
    if only:
        return only in ("any", onto.id)
    return card.colour != "green" or bool(set(card.crafts) & set(onto.crafts))


def _lays() -> list[tuple[int, int]]:
    """All ways to lay a card into the area: (kind, kind it replaces or -1).

    Ordered by the later of both rows, so that a row at the end of the table adds its ways at the end.
    """
    lays: list[tuple[int, int]] = []
    for card in CARDS:
        if card.exchange:
            lays.extend((card.kind, onto.kind) for onto in CARDS if can_replace(card, onto))
        elif CANONICAL[card.kind] == card.kind:
            lays.append((card.kind, -1))
    return sorted(lays, key=lambda lay: (max(lay), lay))


LAYS: Final = tuple(_lays())
assert len(LAYS) <= LAY_BLOCK


class Entry(NamedTuple):
    """An action in its block, with the number that the rules read from it."""

    at: int
    """Its place in the block."""
    action: Action
    arg: int = 0


class Block(NamedTuple):
    """Actions that the rules carry out alike; the id of one is the block's start plus its place."""

    name: str
    verb: str
    """What the rules do: several blocks may share it."""
    size: int
    entries: tuple[Entry, ...]
    meaning: str


def plain_block(name: str, verb: str, meaning: str, actions: Iterable[tuple[Action, int]]) -> Block:
    """A block without room: its actions are complete."""
    entries = tuple(Entry(at, action, arg) for at, (action, arg) in enumerate(actions))
    return Block(name, verb, len(entries), entries, meaning)


def per_card(
    name: str, verb: str, meaning: str, make: Callable[[str], Action], kinds: Iterable[int] = TAKEN, arg: int = 0
) -> Block:
    """A block with one action for each kind of card."""
    entries = tuple(Entry(kind, make(CARDS[kind].text), arg) for kind in kinds)
    return Block(name, verb, KIND_ROOM, entries, meaning)


def per_gain(name: str, verb: str, meaning: str, make: Callable[[str, int, str], Action], seats: int = 1) -> Block:
    """A block with two actions, for rubles and for points, for each card that can lie in an area (of each seat)."""
    entries = tuple(
        Entry((kind * seats + seat) * 2 + gain, make(CARDS[kind].text, seat, word), seat)
        for kind in IN_AREAS
        for seat in range(seats)
        for gain, word in enumerate(GAINS)
    )
    return Block(name, verb, KIND_ROOM * seats * 2, entries, meaning)


ACTION_ROOM: Final = 6144
"""Room for action ids in the tables; what is left behind the last block is for modules to come."""
