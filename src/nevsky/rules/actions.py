"""All actions of the box with their stable integer ids, and reading their texts.

Ids are positions in ``ACTIONS``, which is a row of blocks: those of the base game and the Market, then those of each
module. Blocks have room for cards to come, so a new row at the end of the card table moves no id; the blocks of a new
module stand at the end. Masks, networks and data sets rely on that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from nevsky.cards import CARDS, GOODS, PILES, find_card
from nevsky.errors import NevskyError
from nevsky.rules.action import (
    ACTION_ROOM,
    LAY_BLOCK,
    LAYS,
    RESERVED,
    Action,
    Block,
    Entry,
    per_card,
    plain_block,
)
from nevsky.rules.modules import ROOMS

__all__ = ["ACTIONS", "BLOCKS", "STARTS", "VERBS", "Action", "parse_action"]

PUB_MOST: Final = 10


def _laying(name: str, verb: str, meaning: str, said: str, row: int = 0, drawn: bool = False) -> Block:
    """A block with one action for each way to lay a card; purple cards are only ever played from the hand."""
    entries = tuple(
        Entry(
            at,
            Action(said, card=CARDS[kind].text, row=row, onto=CARDS[onto].text if onto >= 0 else "", drawn=drawn),
            row,
        )
        for at, (kind, onto) in enumerate(LAYS)
        if verb == "play" or CARDS[kind].colour != "purple"
    )
    return Block(name, verb, LAY_BLOCK, entries, meaning)


def _upkeep(name: str, verb: str, choice: str) -> Block:
    actions = [(Action("upkeep", card=f"{good}_special", choice=choice), i) for i, good in enumerate(GOODS)]
    return plain_block(name, verb, f"{choice} a special offer", actions)


_LAY: Final = "a card, or an exchange card with each card it could replace"
_OWN_BLOCKS: Final = (
    plain_block("PASS", "pass", "pass", [(Action("pass"), 0)]),
    _laying("BUY_1", "buy", f"buy from row 1: {_LAY}", "buy", row=1),
    _laying("BUY_2", "buy", "buy from row 2, likewise", "buy", row=2),
    _laying("PLAY", "play", "play from the hand, likewise", "play"),
    _laying("BUY_DRAWN", "buy_drawn", "buy the drawn card, likewise", "buy", drawn=True),
    per_card("TAKE_1", "take", "take from row 1", lambda card: Action("take", card=card, row=1), arg=1),
    per_card("TAKE_2", "take", "take from row 2", lambda card: Action("take", card=card, row=2), arg=2),
    per_card("TAKE_DRAWN", "take_drawn", "take the drawn card", lambda card: Action("take", card=card, drawn=True)),
    per_card(
        "DISCARD_DRAWN",
        "discard_drawn",
        "discard the drawn card",
        lambda card: Action("discard", card=card, drawn=True),
    ),
    plain_block(
        "OBSERVE",
        "observe",
        "look at the top card of a pile",
        [(Action("observe", pile=pile), i) for i, pile in enumerate(PILES)],
    ),
    plain_block(
        "PUB",
        "pub",
        "so many points at the pub",
        [(Action("pub", number=points), points) for points in range(PUB_MOST + 1)],
    ),
    plain_block(
        "GOOD", "good", "a good for a ? card", [(Action("good", choice=good), i) for i, good in enumerate(GOODS)]
    ),
    _upkeep("UPKEEP_PAY", "upkeep_pay", "pay"),
    _upkeep("UPKEEP_DROP", "upkeep_drop", "drop"),
    per_card("SEARCH", "search", "look at a card of the discard pile", lambda card: Action("search", card=card)),
    per_card(
        "RETURN_DRAWN",
        "return_drawn",
        "put the card from the discard pile back",
        lambda card: Action("return", card=card, drawn=True),
    ),
)
BLOCKS: Final = (*_OWN_BLOCKS, *(block for room in ROOMS for block in room.blocks))
"""All blocks in the order of their ids."""


def _starts(blocks: Iterable[Block]) -> dict[str, int]:
    starts: dict[str, int] = {}
    at = 0
    for block in blocks:
        starts[block.name] = at
        at += block.size
    return starts


STARTS: Final = _starts(BLOCKS)
"""The first id of each block."""
VERBS: Final = {verb: number for number, verb in enumerate(dict.fromkeys(block.verb for block in BLOCKS))}
"""What the rules can be told to do, by number."""

PASS: Final = STARTS["PASS"]
BUY_1: Final = STARTS["BUY_1"]
BUY_2: Final = STARTS["BUY_2"]
PLAY: Final = STARTS["PLAY"]
BUY_DRAWN: Final = STARTS["BUY_DRAWN"]
TAKE_1: Final = STARTS["TAKE_1"]
TAKE_2: Final = STARTS["TAKE_2"]
TAKE_DRAWN: Final = STARTS["TAKE_DRAWN"]
DISCARD_DRAWN: Final = STARTS["DISCARD_DRAWN"]
OBSERVE: Final = STARTS["OBSERVE"]
PUB_0: Final = STARTS["PUB"]
GOOD_0: Final = STARTS["GOOD"]
UPKEEP_PAY: Final = STARTS["UPKEEP_PAY"]
UPKEEP_DROP: Final = STARTS["UPKEEP_DROP"]
SEARCH_0: Final = STARTS["SEARCH"]
RETURN_DRAWN: Final = STARTS["RETURN_DRAWN"]


def _all_actions() -> tuple[Action, ...]:
    size = sum(block.size for block in BLOCKS)
    actions = [Action(RESERVED, number=number) for number in range(size)]
    for block in BLOCKS:
        for entry in block.entries:
            actions[STARTS[block.name] + entry.at] = entry.action
    return tuple(actions)


ACTIONS: Final[tuple[Action, ...]] = _all_actions()
"""All actions by id; ids that wait for cards to come are `reserved`."""
assert len(ACTIONS) <= ACTION_ROOM


@cache
def ids() -> dict[Action, int]:
    """The id of every action; filled when first asked for, since importing the package should be quick."""
    return {action: number for number, action in enumerate(ACTIONS) if not action.reserved}


@cache
def _texts() -> dict[str, int]:
    return {action.text: number for action, number in ids().items()}


@cache
def _card_verbs() -> frozenset[str]:
    return frozenset(action.verb for action in ids() if action.card)


_TAIL: Final = re.compile(r"( of \d)? (row [12]|drawn|pay|drop|rubles|points)$")


def _card_text(words: str) -> str:
    kind = find_card(words)
    if kind is None:
        raise NevskyError("card.unknown", card=repr(words))
    return CARDS[kind].text


def _normal(text: str) -> str:
    """The text with card names of any language turned into ids."""
    verb, _, rest = text.partition(" ")
    if verb not in _card_verbs():
        return text
    rest, onto_word, onto = rest.partition(" onto ")
    tail = _TAIL.search(rest)
    ending = tail.group() if tail else ""
    words = f"{verb} {_card_text(rest.removesuffix(ending))}{'' if ending == ' row 1' else ending}"
    return f"{words} onto {_card_text(onto)}" if onto_word else words


def parse_action(text: str) -> Action:
    """Read an action text, with card ids or the card names of any of the four languages.

    >>> parse_action("buy wharf row 2 onto ship_builder").onto
    'ship_builder'
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
