"""The names of all numbers of an observation and of all blocks of actions, and the tables of both in docs/envs.md."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from nevsky.cards import CARDS, COLOURS, GOODS, PILES
from nevsky.encoding import SIZE
from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS, BLOCKS, STARTS
from nevsky.rules.constants import DUE_ROOM, DUES, KINDS, MODULE_ROOM
from nevsky.rules.modules import ROOMS
from nevsky.rules.modules.assistants.room import ASSISTANTS
from nevsky.rules.modules.events.room import EVENTS
from nevsky.rules.modules.obstacles.room import SPACES, TILES

__all__ = ["SEATS", "SEAT_SIZE", "Block", "Field", "action_blocks", "actions_table", "layout", "name_of", "table"]

SEATS: Final = 5
"""Blocks of seats in an observation: the own one and, clockwise, the others; what is not played with stays 0."""
SEAT_SIZE: Final = 274
"""How many numbers of an observation tell of one seat."""

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


def _with_room(labels: Sequence[str], room: int) -> tuple[str, ...]:
    return (*labels, *[""] * (room - len(labels)))


_TABLE: Final = (
    _Part("row_1", 1, "cards in row 1, by kind", _KINDS),
    _Part("row_2", 1, "cards in row 2, by kind", _KINDS),
    _Part("discard", 4, "cards in the discard pile, by kind", _KINDS),
    _Part("unseen", 4, "cards that are in a pile or on a hand, unknown to the seat, by kind", _KINDS),
    _Part("drawn", 1, "1 for the card that is being looked at, if the seat may see it", _KINDS),
    _Part("pile", 10, "cards in the piles", PILES),
    _Part("phase", 1, "1 for the phase", PILES),
    _Part("due", 1, "1 for the kind of decision", _with_room(DUES, DUE_ROOM)),
    _Part("round", 8, "the round"),
    _Part("passes", 1, "players who have passed in a row, as a share of all"),
    _Part("must_buy", 1, "1 while the first workers are bought (3.6)"),
    _Part("last_round", 1, "1 in the last round"),
    _Part("players", 1, "1 for the number of players", ("2", "3", "4", "5")),
    _Part("first_edition", 1, "1 for the first edition"),
    _Part("market", 1, "1 with the Market"),
    _Part("modules", 1, "1 for each module in play", _with_room([room.name for room in ROOMS], MODULE_ROOM)),
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
    return field.name if len(field.labels) == 1 else f"{field.name} (free {place - field.start})"


class Block(NamedTuple):
    """Actions that have ids in a row."""

    name: str
    start: int
    stop: int
    meaning: str


@cache
def action_blocks() -> tuple[Block, ...]:
    """All blocks of ``ACTIONS`` in the order of their ids, without gaps.

    >>> action_blocks()[1].name, action_blocks()[1].start
    ('BUY_1', 1)
    """
    return tuple(
        Block(block.name, STARTS[block.name], STARTS[block.name] + block.size, block.meaning) for block in BLOCKS
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
