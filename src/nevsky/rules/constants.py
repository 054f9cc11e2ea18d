"""Small integers the rules are written in. Compiled modules keep C copies of the ones they name."""

from __future__ import annotations

from typing import Final

from nevsky.cards import CARDS, KIND

KINDS: Final = 112
"""Room for card kinds in the fixed arrays; a seat's cards start at ``seat * KINDS``."""
assert len(CARDS) <= KINDS
PILE_ROOM: Final = 64
HAND_ROOM: Final = 8
ROW_ROOM: Final = 16
"""Row 1 starts at ``ROW_ROOM``, row 2 at twice that; nothing is kept in row 0."""
SEATS: Final = 5

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

TURN: Final = 0
DRAWN: Final = 1
PUB: Final = 2
GOOD: Final = 3
UPKEEP: Final = 4
OVER: Final = -1

DUES: Final = ("turn", "drawn", "pub", "good", "upkeep")
"""What a seat is asked for, by number."""

NONE: Final = -1
"""No card."""

V_PASS: Final = 0
V_BUY: Final = 1
V_PLAY: Final = 2
V_BUY_DRAWN: Final = 3
V_TAKE: Final = 4
V_TAKE_DRAWN: Final = 5
V_DISCARD_DRAWN: Final = 6
V_OBSERVE: Final = 7
V_PUB: Final = 8

START_RUBLES: Final = 25
HAND_LIMIT: Final = 3

OBSERVATORY: Final = KIND["observatory"]
CZAR_AND_CARPENTER: Final = KIND["czar_and_carpenter"]
MARIINSKY: Final = KIND["mariinsky_theater"]
TAX_MAN: Final = KIND["tax_man"]
