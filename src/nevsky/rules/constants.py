"""Small integers the rules are written in. Compiled modules keep C copies of the ones they name."""

from __future__ import annotations

from typing import Final

from nevsky.cards import KIND
from nevsky.rules.action import KIND_ROOM
from nevsky.rules.actions import VERBS
from nevsky.rules.modules import ROOMS

KINDS: Final = KIND_ROOM
"""Room for card kinds in the fixed arrays; a seat's cards start at ``seat * KINDS``."""
PILE_ROOM: Final = 64
HAND_ROOM: Final = 8
LAY_ROOM: Final = 32
"""Room for the base cards of a colour that exchange cards can replace."""
KIN_ROOM: Final = 8
"""Room for the kinds that bear one name."""
DISCARD_ROOM: Final = 192
OUT_ROOM: Final = DISCARD_ROOM
"""Room for the whole box in both: an arranged position may say so."""
ROW_ROOM: Final = 16
"""Row 1 starts at ``ROW_ROOM``, row 2 at twice that; nothing is kept in row 0."""
DUE_ROOM: Final = 32
"""Room for kinds of decisions."""
MODULE_ROOM: Final = 8
SEATS: Final = 5
"""Room for seats."""

WORKER: Final = 0
MARKET: Final = 1
BUILDING: Final = 2
NOBLE: Final = 3
EXCHANGE: Final = 4

GREEN: Final = 0
YELLOW: Final = 1
BLUE: Final = 2
RED: Final = 3
PURPLE: Final = 4

FIRST: Final = 1
SECOND: Final = 2

OVER: Final = -1

DUES: Final = (
    "turn",
    "drawn",
    "pub",
    "good",
    "upkeep",
    "search",
    "found",
    *(due for room in ROOMS for due in room.dues),
)
"""What a seat is asked for, by number: first what the base game, the Market and several modules ask."""
TURN: Final = DUES.index("turn")
DRAWN: Final = DUES.index("drawn")
PUB: Final = DUES.index("pub")
GOOD: Final = DUES.index("good")
UPKEEP: Final = DUES.index("upkeep")
SEARCH: Final = DUES.index("search")
FOUND: Final = DUES.index("found")

ABOUT_DRAWN: Final = ("drawn", "found", *(due for room in ROOMS for due in room.about_drawn))
"""Decisions about a card that is being looked at."""
SECRET_DUES: Final = frozenset(due for room in ROOMS for due in room.secret_dues)
"""Decisions in which others see that something is chosen, but not what (12.2)."""

IDLE: Final = 0
TURN_OVER: Final = 1
SCORING: Final = 2
FINAL: Final = 3

SCORING_PARTS: Final = 3
"""Income, decisions and what the phase adds: with this number of parts done a scoring is over."""

F_NOBLES: Final = 0
F_CHOICE: Final = 1
"""The part of the final scoring in which secret choices are made."""
F_EARLY: Final = 2
F_CHOSEN: Final = 3
F_RUBLES: Final = 4
F_HAND: Final = 5

NONE: Final = -1
"""No card."""

V_PASS: Final = VERBS["pass"]
V_BUY: Final = VERBS["buy"]
V_PLAY: Final = VERBS["play"]
V_BUY_DRAWN: Final = VERBS["buy_drawn"]
V_TAKE: Final = VERBS["take"]
V_TAKE_DRAWN: Final = VERBS["take_drawn"]
V_DISCARD_DRAWN: Final = VERBS["discard_drawn"]
V_OBSERVE: Final = VERBS["observe"]
V_PUB: Final = VERBS["pub"]
V_GOOD: Final = VERBS["good"]
V_UPKEEP_PAY: Final = VERBS["upkeep_pay"]
V_UPKEEP_DROP: Final = VERBS["upkeep_drop"]
V_SEARCH: Final = VERBS["search"]
V_RETURN_DRAWN: Final = VERBS["return_drawn"]

LARGE_DISPLAY: Final = 10
SMALL_DISPLAY: Final = 8
START_RUBLES: Final = 25
HAND_LIMIT: Final = 3
LAST_VALUE: Final = 6
"""The higher number of the last value tile, which stays in force (10.4)."""

OBSERVATORY: Final = KIND["observatory"]
CZAR_AND_CARPENTER: Final = KIND["czar_and_carpenter"]
MARIINSKY: Final = KIND["mariinsky_theater"]
TAX_MAN: Final = KIND["tax_man"]
SHIP_BUILDER_ANY: Final = KIND["ship_builder:?"]
