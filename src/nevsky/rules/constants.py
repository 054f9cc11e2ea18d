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
QUEUE_ROOM: Final = 8

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
SEARCH: Final = 5
FOUND: Final = 6
THROW: Final = 7
HALF: Final = 8
MOOCH: Final = 9
PICK_POCKET: Final = 10
PICK: Final = 11
SECOND_CARD: Final = 12
SWAP: Final = 13
SCAVENGE: Final = 14
GUILD_HALL: Final = 15
TRADING_HOUSE: Final = 16
SYCOPHANT: Final = 17
ASSIGNMENT: Final = 18
BONUS: Final = 19
OVER: Final = -1

DUES: Final = (
    "turn",
    "drawn",
    "pub",
    "good",
    "upkeep",
    "search",
    "found",
    "throw",
    "half",
    "mooch",
    "pick_pocket",
    "pick",
    "second",
    "swap",
    "scavenge",
    "guild_hall",
    "trading_house",
    "sycophant",
    "assignment",
    "bonus",
)
"""What a seat is asked for, by number."""

IDLE: Final = 0
TURN_OVER: Final = 1
SCORING: Final = 2
FINAL: Final = 3

F_CHOICE: Final = 1
"""The part of the final scoring in which assignments are chosen."""

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
V_GOOD: Final = 9
V_UPKEEP_PAY: Final = 10
V_UPKEEP_DROP: Final = 11
V_SEARCH: Final = 12
V_RETURN_DRAWN: Final = 13
V_USE: Final = 14
V_THROW: Final = 15
V_MOOCH: Final = 16
V_ATTACH: Final = 17
V_GUILD_HALL: Final = 18
V_TRADING_HOUSE: Final = 19
V_SYCOPHANT: Final = 20
V_EVENT: Final = 21
V_DISCARD: Final = 22
V_ASSIGNMENT: Final = 23
V_BONUS: Final = 24
V_BONUS_CARD: Final = 25
V_BONUS_GOOD: Final = 26

START_RUBLES: Final = 25
HAND_LIMIT: Final = 3

OBSERVATORY: Final = KIND["observatory"]
CZAR_AND_CARPENTER: Final = KIND["czar_and_carpenter"]
MARIINSKY: Final = KIND["mariinsky_theater"]
TAX_MAN: Final = KIND["tax_man"]
AWAY_WITH_IT: Final = KIND["away_with_it"]
BLACK_MARKET: Final = KIND["black_market"]
MONEY_COLLECTOR: Final = KIND["money_collector"]
MOOCHER: Final = KIND["moocher"]
GOLDEN_DONKEY: Final = KIND["golden_donkey"]
DOUBLE_TURN: Final = KIND["double_turn"]
PICK_POCKET_CARD: Final = KIND["pick_pocket"]
BANQUET_CARD: Final = KIND["banquet"]
JESTER: Final = KIND["jester"]
TRADING_HOUSE_CARD: Final = KIND["trading_house"]
COFFEE_HOUSE: Final = KIND["coffee_house"]
DEBTORS_PRISON: Final = KIND["debtors_prison"]
SYCOPHANT_CARD: Final = KIND["sycophant"]
GUILD_HALL_CARD: Final = KIND["guild_hall"]
TEXTILE_FACTORY: Final = KIND["textile_factory"]
MAYOR: Final = KIND["mayor"]
SHIP_BUILDER_ANY: Final = KIND["ship_builder:?"]
SACK_SPECIAL: Final = KIND["sack_special"]
SPECIAL_STEP: Final = KIND["chicken_special"] - SACK_SPECIAL
"""The special offers stand in the order of the goods, each so many rows after the one before."""
assert KIND["cabbage_special"] == SACK_SPECIAL + 4 * SPECIAL_STEP
