"""Everything a player can say: typed actions, their stable integer ids and their texts.

Ids are positions in ``ACTIONS``. New kinds of action are appended at the end, never in between:
masks, networks and old records rely on them.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from nevsky.cards import CARDS, GOODS, KIND, PILES, Card, find_card
from nevsky.errors import NevskyError

__all__ = ["ACTIONS", "Action", "parse_action"]


class Action(NamedTuple):
    """One thing a player can say at a decision.

    >>> Action("buy", card="wharf", row=2, onto="ship_builder").text
    'buy wharf row 2 onto ship_builder'
    >>> parse_action("buy wharf row 2 onto ship_builder").onto
    'ship_builder'
    >>> ACTIONS[parse_action("pass").id]
    Action(verb='pass', card='', row=0, onto='', drawn=False, pile='', number=0, choice='')
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
        if self.verb in _NUMBERED:
            words.append(f"of {self.number}" if self.verb == "mooch" else str(self.number))
        if self.choice:
            words.append(self.choice)
        return " ".join(words)

    def __str__(self) -> str:
        return self.text


_NUMBERED: Final = frozenset({"pub", "mooch", "guild_hall", "assignment"})

CANONICAL: Final = tuple(KIND[card.text] for card in CARDS)
"""Kind that stands for a card in actions: purple cards with two backs are one."""
BASE_PILE_OF_COLOUR: Final = {"green": "worker", "blue": "building", "red": "noble"}


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


_BELOW: Final = tuple(card for card in CARDS if card.pile in BASE_PILE_OF_COLOUR.values())


def _lays() -> list[tuple[int, int]]:
    """All ways to lay a card into the area: (kind, kind it replaces or -1)."""
    lays: list[tuple[int, int]] = []
    for card in CARDS:
        if card.exchange:
            lays.extend((card.kind, onto.kind) for onto in _BELOW if can_replace(card, onto))
        elif CANONICAL[card.kind] == card.kind:
            lays.append((card.kind, -1))
    return lays


LAYS: Final = tuple(_lays())
_LAID: Final = tuple(lay for lay in LAYS if CARDS[lay[0]].colour != "purple")
TAKEN: Final = tuple(kind for kind in range(len(CARDS)) if CANONICAL[kind] == kind)
IN_AREAS: Final = tuple(card.kind for card in CARDS if card.colour != "purple")
"""Kinds that can lie in an area: all but the purple ones."""
assert tuple(range(len(IN_AREAS))) == IN_AREAS
PUB_MOST: Final = 10
GAINS: Final = ("rubles", "points")
EVENTS: Final = ("second_card", "gift", "swap", "fresh_cards", "storeroom", "scavenger")
"""The six events in the order of rule 11.4 (D16)."""

_actions: list[Action] = []


def _block(actions: list[Action]) -> int:
    start = len(_actions)
    _actions.extend(actions)
    return start


def _laying(verb: str, lays: tuple[tuple[int, int], ...], row: int = 0, drawn: bool = False) -> list[Action]:
    return [
        Action(verb, card=CARDS[kind].text, row=row, onto=CARDS[onto].text if onto >= 0 else "", drawn=drawn)
        for kind, onto in lays
    ]


PASS: Final = _block([Action("pass")])
BUY_1: Final = _block(_laying("buy", _LAID, row=1))
BUY_2: Final = _block(_laying("buy", _LAID, row=2))
PLAY: Final = _block(_laying("play", LAYS))
BUY_DRAWN: Final = _block(_laying("buy", _LAID, drawn=True))
TAKE_1: Final = _block([Action("take", card=CARDS[kind].text, row=1) for kind in TAKEN])
TAKE_2: Final = _block([Action("take", card=CARDS[kind].text, row=2) for kind in TAKEN])
TAKE_DRAWN: Final = _block([Action("take", card=CARDS[kind].text, drawn=True) for kind in TAKEN])
DISCARD_DRAWN: Final = _block([Action("discard", card=CARDS[kind].text, drawn=True) for kind in TAKEN])
OBSERVE: Final = _block([Action("observe", pile=pile) for pile in PILES])
PUB_0: Final = _block([Action("pub", number=points) for points in range(PUB_MOST + 1)])
GOOD_0: Final = _block([Action("good", choice=good) for good in GOODS])
UPKEEP_PAY: Final = _block([Action("upkeep", card=f"{good}_special", choice="pay") for good in GOODS])
UPKEEP_DROP: Final = _block([Action("upkeep", card=f"{good}_special", choice="drop") for good in GOODS])

SEARCH_0: Final = _block([Action("search", card=CARDS[kind].text) for kind in TAKEN])
RETURN_DRAWN: Final = _block([Action("return", card=CARDS[kind].text, drawn=True) for kind in TAKEN])
USE_PRISON: Final = _block([Action("use", card="debtors_prison")])
THROW_0: Final = _block([Action("throw", card=CARDS[kind].text) for kind in TAKEN])
MOOCH_0: Final = _block(
    [
        Action("mooch", card=CARDS[kind].text, number=seat, choice=choice)
        for kind in IN_AREAS
        for seat in range(5)
        for choice in GAINS
    ]
)
ATTACH_BANQUET: Final = _block([Action("play", card="banquet", onto=CARDS[kind].text) for kind in IN_AREAS])
ATTACH_JESTER: Final = _block([Action("play", card="jester", onto=CARDS[kind].text) for kind in IN_AREAS])
GUILD_0: Final = _block([Action("guild_hall", number=rubles) for rubles in range(5)])
TRADE_0: Final = _block([Action("trading_house", choice=choice) for choice in ("pay", "skip")])
SYCOPHANT_0: Final = _block([Action("sycophant", choice=choice) for choice in ("pay", "drop")])
EVENT_0: Final = _block([Action("event", choice=event) for event in EVENTS])
DISCARD_1: Final = _block([Action("discard", card=CARDS[kind].text, row=1) for kind in TAKEN])
DISCARD_2: Final = _block([Action("discard", card=CARDS[kind].text, row=2) for kind in TAKEN])
ASSIGNMENT_0: Final = _block([Action("assignment", number=number) for number in range(1, 16)])
BONUS_0: Final = _block([Action("bonus", choice=choice) for choice in GAINS])
BONUS_CARD: Final = _block(
    [Action("bonus", card=CARDS[kind].text, choice=choice) for kind in IN_AREAS for choice in GAINS]
)
BONUS_GOOD: Final = _block([Action("bonus", choice=good) for good in GOODS])

ACTIONS: Final[tuple[Action, ...]] = tuple(_actions)
"""All actions by id."""

_IDS: Final[dict[Action, int]] = {}
_BY_TEXT: Final[dict[str, int]] = {}


def _ids() -> dict[Action, int]:
    """Filled when first asked for: importing the package should be quick."""
    if not _IDS:
        _IDS.update((action, number) for number, action in enumerate(ACTIONS))
    return _IDS


def _texts() -> dict[str, int]:
    if not _BY_TEXT:
        _BY_TEXT.update((action.text, number) for number, action in enumerate(ACTIONS))
    return _BY_TEXT


_CARD_VERBS: Final = frozenset(action.verb for action in ACTIONS if action.card)
_TAIL: Final = re.compile(r"( of \d)? (row [12]|drawn|pay|drop|rubles|points)$")


def _card_text(words: str) -> str:
    kind = find_card(words)
    if kind is None:
        raise NevskyError("card.unknown", card=repr(words))
    return CARDS[kind].text


def _normal(text: str) -> str:
    """The text with card names of any language turned into ids."""
    verb, _, rest = text.partition(" ")
    if verb not in _CARD_VERBS:
        return text
    rest, onto_word, onto = rest.partition(" onto ")
    tail = _TAIL.search(rest)
    ending = tail.group() if tail else ""
    words = f"{verb} {_card_text(rest.removesuffix(ending))}{'' if ending == ' row 1' else ending}"
    return f"{words} onto {_card_text(onto)}" if onto_word else words


def parse_action(text: str) -> Action:
    """Read an action text, with card ids or the card names of any of the four languages.

    >>> parse_action("take Außenminister row 2").text
    'take foreign_minister row 2'
    >>> parse_action("dance")
    Traceback (most recent call last):
    nevsky.errors.NevskyError: 'dance' is not an action.
    """
    if not isinstance(text, str):
        raise NevskyError("action.no_text", type=type(text).__name__)
    if len(text) > 200:
        raise NevskyError("action.too_long")
    clean = " ".join(text.split())
    number = _texts().get(clean)
    if number is None:
        number = _texts().get(_normal(clean))
    if number is None:
        raise NevskyError("action.unreadable", action=repr(text))
    return ACTIONS[number]
