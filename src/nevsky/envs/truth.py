"""The whole truth about a game as numbers, for critics that see more than players do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from nevsky.extras import needing

with needing("envs", __name__):
    import numpy as np
    import numpy.typing as npt

from nevsky.cards import CARDS, PILES
from nevsky.encoding import SIZE
from nevsky.envs.batch_arrays import view_of
from nevsky.envs.layout import SEATS, Field, layout
from nevsky.envs.witness import Witness
from nevsky.rules.constants import KINDS, PILE_ROOM
from nevsky.rules.game import Game
from nevsky.rules.modules.assignments.room import NUMBERS
from nevsky.rules.position import Position

if TYPE_CHECKING:
    from gymnasium import spaces

__all__ = ["STATE_SIZE", "Truth", "state_layout", "state_space"]

_CARDS: Final = tuple(card.exact for card in CARDS) + ("",) * (KINDS - len(CARDS))
_SEEN: Final = SIZE
_ASSIGNED: Final = _SEEN + SEATS * KINDS
_PILES: Final = _ASSIGNED + SEATS * 2 * NUMBERS
STATE_SIZE: Final = _PILES + len(PILES) * PILE_ROOM
"""How many numbers a state has."""


def state_space() -> spaces.Space[Any]:
    """The same for every ruleset."""
    from gymnasium import spaces  # only now: the batch has states without it

    from nevsky.envs.observing import HIGHEST

    return spaces.Box(0.0, HIGHEST, (STATE_SIZE,), np.float32)


@cache
def state_layout() -> tuple[Field, ...]:
    """All fields of a state in order, without gaps: first those of an observation, in which nothing is hidden.

    >>> [field.name for field in state_layout() if field.start >= 2079][::5]
    ['seat0.seen', 'seat0.dealt', 'seat2.picked', 'pile_worker']
    """
    return (*layout(), *_more())


def _more() -> Iterator[Field]:
    numbers = tuple(str(number) for number in range(1, NUMBERS + 1))
    for seat in range(SEATS):
        start = _SEEN + seat * KINDS
        meaning = "cards on the hand that everybody has seen, by kind"
        yield Field(f"seat{seat}.seen", start, start + KINDS, 1, meaning, _CARDS)
    for seat in range(SEATS):
        start = _ASSIGNED + seat * 2 * NUMBERS
        yield Field(f"seat{seat}.dealt", start, start + NUMBERS, 1, "1 for each assignment (module 5)", numbers)
        start += NUMBERS
        yield Field(f"seat{seat}.picked", start, start + NUMBERS, 1, "1 for the one that was chosen", numbers)
    for number, pile in enumerate(PILES):
        start = _PILES + number * PILE_ROOM
        places = tuple(str(place) for place in range(1, PILE_ROOM + 1))
        meaning = "the kinds of the cards in the pile, plus 1, from the top; 0 for no card"
        yield Field(f"pile_{pile}", start, start + PILE_ROOM, KINDS, meaning, places)


class Truth:
    """Writes states; each one is new and belongs to whoever asked for it."""

    def __init__(self) -> None:
        self._witness = Witness()

    def state(self, game: Game, first: int) -> npt.NDArray[np.float32]:
        """Everything about a game, secrets included; the blocks of seats begin with the first one, then clockwise."""
        return self.row(game.position, first)

    def row(self, position: Position, first: int) -> npt.NDArray[np.float32]:
        """The same of a position."""
        row: npt.NDArray[np.float32] = np.zeros(STATE_SIZE, np.float32)
        self._witness.write(position, first, view_of(row[None]), 0)
        return row
