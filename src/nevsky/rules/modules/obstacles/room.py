"""The tiles of the score track, what real ones ask for, and what there is to choose at them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nevsky.cards import GOODS
from nevsky.errors import NevskyError
from nevsky.rules.action import GAINS, Action, per_gain, plain_block
from nevsky.rules.room import Room

if TYPE_CHECKING:
    from nevsky.rules.possible import Box
    from nevsky.rules.ruleset import Ruleset

SPACES = (10, 20, 35, 50, 70)
"""Where on the track tiles lie (11.6 a)."""
TILES = ("B1", "B2", "B3", "B4", "B5", "R1", "R2", "R3", "R4", "R5")
QUEUE_ROOM = 8
"""Room for the bonuses that a seat waits for."""
FIRST_REAL = 5
STANDARD_REAL = (1, 2)
"""The spaces of the real tiles in the standard set-up: 20 and 35."""
NEEDED = {
    "R1": (3, 4, 5, 5, 6),
    "R2": (2, 3, 4, 5, 5),
    "R3": (1, 2, 3, 4, 5),
    "R4": (1, 2, 3, 4, 5),
    "R5": (1, 2, 3, 0, 4),
}
"""How many different green cards, goods with a marker, blue cards, red cards or exchange cards each real tile asks
for on each space (11.6 c); 0: one exchange card of each colour."""
NEEDED_POSITION = (3, 4, 5, 6, 7)
"""R2: the position that one of the markers must have reached."""


def check(ruleset: Ruleset) -> None:
    """A number of real obstacles needs the module (11.6 a)."""
    real = ruleset.real_obstacles
    if real is None:
        return
    if ROOM.number not in ruleset.modules:
        raise NevskyError("ruleset.obstacles")
    if isinstance(real, bool) or not isinstance(real, int) or not 0 <= real <= len(SPACES):
        raise NevskyError("ruleset.obstacle_number", number=repr(real))


def possible(box: Box, action: Action) -> bool:
    """Which bonuses there are to choose depends on the sorts of tiles that can lie on the track (11.6 b, c)."""
    asked = box.ruleset.real_obstacles
    real = len(STANDARD_REAL) if asked is None else asked
    if action.card:
        if not box.pays(action.card, action.choice):
            return False
        of_real = {"blue": "points", "red": "rubles"}  # R3 and R4
        return real < len(SPACES) or of_real.get(box.colour(action.card)) == action.choice
    return real > 0 if action.choice in GOODS else real < len(SPACES)


ROOM = Room(
    number=6,
    id="obstacles",
    name="Obstacles",
    needs_market=True,
    dues=("bonus",),
    blocks=(
        plain_block(
            "BONUS",
            "bonus",
            "a bonus in rubles or in points",
            [(Action("bonus", choice=gain), 0) for gain in GAINS],
        ),
        per_gain(
            "BONUS_CARD",
            "bonus_card",
            "the rubles or the points of a card",
            lambda card, _seat, gain: Action("bonus", card=card, choice=gain),
        ),
        plain_block(
            "BONUS_GOOD",
            "bonus_good",
            "the position of a marker",
            [(Action("bonus", choice=good), number) for number, good in enumerate(GOODS)],
        ),
    ),
    dealt="obstacles",
    check=check,
    possible=possible,
)
