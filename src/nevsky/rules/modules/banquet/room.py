"""What there is to say and to decide in the Banquet."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nevsky.rules.action import IN_AREAS, Action, per_card, per_gain
from nevsky.rules.room import Room

if TYPE_CHECKING:
    from nevsky.rules.possible import Box

CHIP = 0
BANQUET = 1
JESTER = 2
MARKS = ("chip", "banquet", "jester")
"""What lies on one copy of a card: the chip of the Money Collector and two purple cards (D32)."""


def _attach(purple: str, onto: str) -> Action:
    return Action("play", card=purple, onto=onto)


def possible(box: Box, action: Action) -> bool:
    """The Moocher needs a seat and something to gain (11.1 e); Banquet and Jester need a card that pays both."""
    if action.verb == "mooch":
        seated = action.number < box.ruleset.players
        return seated and box.copies("moocher") > 0 and box.pays(action.card, action.choice)
    return not action.onto or box.pays_both(action.onto)


ROOM = Room(
    number=1,
    id="banquet",
    name="Banquet",
    needs_market=False,
    dues=("throw", "half", "mooch", "pick_pocket", "pick"),
    blocks=(
        per_card("THROW", "throw", "throw a card of the hand away", lambda card: Action("throw", card=card)),
        per_gain(
            "MOOCH",
            "mooch",
            "the rubles or the points of a card of each seat",
            lambda card, seat, gain: Action("mooch", card=card, number=seat, choice=gain),
            seats=5,
        ),
        *(
            per_card(
                f"ATTACH_{MARKS[mark].upper()}",
                "attach",
                f"attach the {MARKS[mark].title()} to each card",
                partial(_attach, MARKS[mark]),
                IN_AREAS,
                arg=mark,
            )
            for mark in (BANQUET, JESTER)
        ),
    ),
    possible=possible,
)
