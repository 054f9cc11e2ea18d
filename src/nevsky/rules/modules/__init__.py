"""The modules of the second edition (section 11), each in a room of its own.

A room has ``room.py`` (its number, name, decisions and actions), ``rules.py`` (its state and rules, compiled) and
``data.py`` (its plain data: what a record tells of it, what is hidden, how that is dealt anew).
"""

from __future__ import annotations

from typing import Final

from nevsky.rules.modules.assignments.room import ROOM as ASSIGNMENTS
from nevsky.rules.modules.assistants.room import ROOM as ASSISTANTS
from nevsky.rules.modules.banquet.room import ROOM as BANQUET
from nevsky.rules.modules.events.room import ROOM as EVENTS
from nevsky.rules.modules.good_company.room import ROOM as GOOD_COMPANY
from nevsky.rules.modules.obstacles.room import ROOM as OBSTACLES
from nevsky.rules.room import Room

__all__ = [
    "ASSIGNMENTS",
    "ASSISTANTS",
    "BANQUET",
    "EVENTS",
    "GOOD_COMPANY",
    "MODULES",
    "OBSTACLES",
    "ROOMS",
]

ROOMS: Final[tuple[Room, ...]] = (BANQUET, GOOD_COMPANY, ASSISTANTS, EVENTS, ASSIGNMENTS, OBSTACLES)
"""All modules in the order of their numbers, which is also that of their decisions and action ids."""
MODULES: Final[dict[int, Room]] = {room.number: room for room in ROOMS}
