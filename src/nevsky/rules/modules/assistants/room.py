"""Who the assistants are, and how many play along."""

from __future__ import annotations

from nevsky.rules.room import Room

ASSISTANTS = ("master_craftsman", "mistress_of_the_manor", "architect", "lawyer", "czars_daughter")
"""In the order of 11.3 a."""
MASTER_CRAFTSMAN = 0
MISTRESS_OF_THE_MANOR = 1
ARCHITECT = 2
LAWYER = 3
CZARS_DAUGHTER = 4
REDUCED = ("green", "yellow", "blue", "red", "exchange")
"""The cards that each of them makes cheaper."""
REDUCTION = (1, 1, 1, 1, 2)
IN_PLAY = {2: (2, 3), 3: (2, 3, 4), 4: (1, 2, 3, 4), 5: (0, 1, 2, 3, 4)}
"""Those that are dealt, by the number of players (11.3 b)."""

ROOM = Room(number=3, id="assistants", name="Assistants", needs_market=True, dealt="assistants")
