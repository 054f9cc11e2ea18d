"""The names of all numbers of an observation and of all blocks of actions, and the tables of both in docs/envs.md."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from nevsky.cards import CARDS, COLOURS, GOODS, PILES
from nevsky.encoding import SIZE
from nevsky.errors import NevskyError
from nevsky.rules import actions
from nevsky.rules.actions import ACTIONS, EVENTS
from nevsky.rules.constants import DUES, KINDS
from nevsky.rules.extras import ASSISTANTS, SPACES, TILES
from nevsky.rules.ruleset import MODULES

__all__ = ["SEATS", "SEAT_SIZE", "Block", "Field", "action_blocks", "actions_table", "layout", "name_of", "table"]

SEATS: Final = 5
"""Blocks of seats in an observation: the own one and, clockwise, the others; what is not played with stays 0."""
SEAT_SIZE: Final = 274

_KINDS: Final = tuple(card.exact for card in CARDS) + ("",) * (KINDS - len(CARDS))
_COLOURS: Final = tuple(COLOURS[:4])
_ASSIGNMENTS: Final = tuple(str(number) for number in range(1, 16))
_ANY: Final = ("",)


class Field(NamedTuple):
    """Numbers of an observation that belong together."""

    name: str
    start: int
    stop: int
    scale: int
    """What is counted, divided by this, is the number in the observation."""
    meaning: str
    labels: tuple[str, ...]
    """What each number stands for; empty words where there is only one, or where no card is."""


class _Part(NamedTuple):
    name: str
    scale: int
    meaning: str
    labels: tuple[str, ...] = _ANY


_SEAT: Final = (
    _Part("present", 1, "1 if somebody sits there"),
    _Part("rubles", 25, "rubles, 0 where they are secret"),
    _Part("rubles_known", 1, "1 if the rubles are known"),
    _Part("points", 50, "points on the track"),
    _Part("hand", 4, "cards on the hand"),
    _Part("hand_limit", 4, "cards the hand may hold"),
    _Part("nobles", 10, "different nobles in the area"),
    _Part("noble_points", 50, "points they would bring at the end (8.2)"),
    _Part("to_move", 1, "1 if this seat has to decide"),
    _Part("income_rubles", 10, "rubles of the next scoring, by colour", _COLOURS),
    _Part("income_points", 10, "points of the next scoring, by colour", _COLOURS),
    _Part("token", 1, "1 if it is start player of the phase", PILES),
    _Part("goods", 5, "symbols of each good (Market)", GOODS),
    _Part("assistant", 1, "1 if it has the assistant (module 3)", ASSISTANTS),
    _Part("passed", 1, "1 if it is done with the obstacle of the space (module 6)", tuple(map(str, SPACES))),
    _Part("event_used", 1, "1 if it has used its event (module 4)"),
    _Part("storeroom", 1, "1 if it has the storeroom (module 4)"),
    _Part("down", 1, "observatories that are face down (9.3)"),
    _Part("pub", 5, "points it may buy at pubs (7.3)"),
    _Part("unknown", 1, "cards on the hand whose face is unknown, by their backs", PILES),
    _Part("banquet", 1, "1 if the Banquet is attached here (module 1)"),
    _Part("jester", 1, "1 if the Jester is attached here (module 1)"),
    _Part("covered", 1, "1 if the chip of the Money Collector lies on a card here (module 1)"),
    _Part("prison_down", 1, "1 if the Debtors' Prison is face down (module 2)"),
    _Part("area", 1, "cards in the area, by kind", _KINDS),
    _Part("held", 1, "cards on the hand whose face is known, by kind", _KINDS),
)

_TABLE: Final = (
    _Part("row_1", 1, "cards in row 1, by kind", _KINDS),
    _Part("row_2", 1, "cards in row 2, by kind", _KINDS),
    _Part("discard", 4, "cards in the discard pile, by kind", _KINDS),
    _Part("unseen", 4, "cards that are in a pile or on a hand, unknown to the seat, by kind", _KINDS),
    _Part("drawn", 1, "1 for the card that is being looked at, if the seat may see it", _KINDS),
    _Part("pile", 10, "cards in the piles", PILES),
    _Part("phase", 1, "1 for the phase", PILES),
    _Part("due", 1, "1 for the kind of decision", DUES),
    _Part("round", 8, "the round"),
    _Part("passes", 1, "players who have passed in a row, as a share of all"),
    _Part("must_buy", 1, "1 while the first workers are bought (3.6)"),
    _Part("last_round", 1, "1 in the last round"),
    _Part("players", 1, "1 for the number of players", ("2", "3", "4", "5")),
    _Part("first_edition", 1, "1 for the first edition"),
    _Part("market", 1, "1 with the Market"),
    _Part("modules", 1, "1 for each module in play", tuple(MODULES.values())),
    _Part("events", 1, "1 for each event that is left (module 4)", EVENTS),
    _Part(
        "obstacles",
        1,
        "1 for the tile on each space (module 6)",
        tuple(f"{space} {tile}" for space in SPACES for tile in TILES),
    ),
    _Part("assignments", 1, "1 for each of the own assignments (module 5)", _ASSIGNMENTS),
    _Part("chosen", 1, "1 for the one that was chosen (module 5)", _ASSIGNMENTS),
    _Part("halved", 1, "1 if the next card costs half (module 1)"),
    _Part("extra", 1, "turns of a Double Turn that are left (module 1)"),
    _Part("final", 1, "1 in the final scoring (modules 5 and 6)"),
)


def _placed(parts: tuple[_Part, ...], start: int, prefix: str) -> Iterator[Field]:
    for part in parts:
        stop = start + len(part.labels)
        yield Field(prefix + part.name, start, stop, part.scale, part.meaning, part.labels)
        start = stop


@cache
def layout() -> tuple[Field, ...]:
    """All fields of an observation in order, without gaps; those of seats begin with ``seat0.``, the own one, etc.

    >>> rubles = next(field for field in layout() if field.name == "seat0.rubles")
    >>> rubles.start, rubles.stop, rubles.scale
    (1, 2, 25)
    """
    fields: list[Field] = []
    for seat in range(SEATS):
        fields += _placed(_SEAT, seat * SEAT_SIZE, f"seat{seat}.")
    fields += _placed(_TABLE, SEATS * SEAT_SIZE, "")
    return tuple(fields)


@cache
def _starts() -> tuple[int, ...]:
    return tuple(field.start for field in layout())


def name_of(place: int) -> str:
    """What one number of an observation is called.

    >>> name_of(1), name_of(95), name_of(1935)
    ('seat0.rubles', 'seat0.area wharf', 'phase worker')
    """
    if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < SIZE:
        raise NevskyError("env.no_place", place=repr(place), last=SIZE - 1)
    field = layout()[bisect_right(_starts(), place) - 1]
    label = field.labels[place - field.start]
    if label:
        return f"{field.name} {label}"
    return field.name if len(field.labels) == 1 else f"{field.name} (no card)"


class Block(NamedTuple):
    """Actions that have ids in a row."""

    name: str
    start: int
    stop: int
    meaning: str


_BLOCKS: Final = (
    ("PASS", "pass, or say no to what is offered"),
    ("BUY_1", "buy from row 1: a card, or an exchange card with each card it could replace"),
    ("BUY_2", "the same from row 2"),
    ("PLAY", "play from the hand, likewise"),
    ("BUY_DRAWN", "buy the card that is being looked at, likewise"),
    ("TAKE_1", "take a card of row 1 into the hand"),
    ("TAKE_2", "take a card of row 2 into the hand"),
    ("TAKE_DRAWN", "take the card that is being looked at into the hand"),
    ("DISCARD_DRAWN", "discard the card that is being looked at"),
    ("OBSERVE", "use an observatory on a pile (9.3)"),
    ("PUB_0", "buy 0 to 10 points at the pub (7.3)"),
    ("GOOD_0", "the good for a “?” card (10.2)"),
    ("UPKEEP_PAY", "keep an orange card (10.3)"),
    ("UPKEEP_DROP", "lose an orange card (10.3)"),
    ("SEARCH_0", "choose a card of the discard pile"),
    ("RETURN_DRAWN", "put the card that is being looked at back"),
    ("USE_PRISON", "use the Debtors' Prison (module 2)"),
    ("THROW_0", "throw a card of the hand away (module 1)"),
    ("MOOCH_0", "rubles or points of a card of a seat (module 1)"),
    ("ATTACH_BANQUET", "attach the Banquet to a card (module 1)"),
    ("ATTACH_JESTER", "attach the Jester to a card (module 1)"),
    ("GUILD_0", "0 to 4 rubles from the Guild Hall, the rest in points (module 2)"),
    ("TRADE_0", "pay at the Trading House or not (module 2)"),
    ("SYCOPHANT_0", "pay the Sycophant or lose it (module 2)"),
    ("EVENT_0", "use an event (module 4)"),
    ("DISCARD_1", "discard a card of row 1 (module 4)"),
    ("DISCARD_2", "discard a card of row 2 (module 4)"),
    ("ASSIGNMENT_0", "choose assignment 1 to 15 (module 5)"),
    ("BONUS_0", "rubles or points of a bonus (module 6)"),
    ("BONUS_CARD", "rubles or points of a card (module 6)"),
    ("BONUS_GOOD", "rubles of a good (module 6)"),
)


@cache
def action_blocks() -> tuple[Block, ...]:
    """All blocks of ``ACTIONS`` in the order of their ids, without gaps.

    >>> action_blocks()[1].name, action_blocks()[1].start
    ('BUY_1', 1)
    """
    starts = [int(getattr(actions, name)) for name, _ in _BLOCKS]
    return tuple(
        Block(name, start, stop, meaning)
        for (name, meaning), start, stop in zip(_BLOCKS, starts, [*starts[1:], len(ACTIONS)], strict=True)
    )


def table() -> str:
    """The observation as a table in Markdown; of the seats only the own one, since all are alike."""
    lines = ["| Name | Numbers | How many | Divided by | Meaning |", "|---|---|---:|---:|---|"]
    lines += [
        f"| `{field.name}` | {_span(field.start, field.stop)} | {field.stop - field.start} "
        f"| {field.scale} | {field.meaning} |"
        for field in layout()
        if field.start < SEAT_SIZE or field.start >= SEATS * SEAT_SIZE
    ]
    return "\n".join(lines)


def _span(start: int, stop: int) -> str:
    return f"{start}" if stop == start + 1 else f"{start}–{stop - 1}"


def actions_table() -> str:
    """The blocks of actions as a table in Markdown."""
    lines = ["| Block | Ids | How many | First one | Meaning |", "|---|---|---:|---|---|"]
    lines += [
        f"| `{block.name}` | {_span(block.start, block.stop)} | {block.stop - block.start} "
        f"| `{ACTIONS[block.start].text}` | {block.meaning} |"
        for block in action_blocks()
    ]
    return "\n".join(lines)
