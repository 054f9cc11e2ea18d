"""What there is to say and to decide with events."""

from __future__ import annotations

from functools import partial

from nevsky.rules.action import Action, per_card, plain_block
from nevsky.rules.room import Room

EVENTS = ("second_card", "gift", "swap", "fresh_cards", "storeroom", "scavenger")
"""The six events in the order of rule 11.4 (D16)."""


def _discard(row: int, card: str) -> Action:
    return Action("discard", card=card, row=row)


ROOM = Room(
    number=4,
    id="events",
    name="Events",
    needs_market=True,
    dues=("second", "swap", "scavenge"),
    about_drawn=("scavenge",),
    blocks=(
        plain_block(
            "EVENT",
            "event",
            "use an event",
            [(Action("event", choice=event), number) for number, event in enumerate(EVENTS)],
        ),
        *(
            per_card(
                f"DISCARD_{row}",
                "discard",
                f"discard a card of row {row}",
                partial(_discard, row),
                arg=row,
            )
            for row in (1, 2)
        ),
    ),
)
