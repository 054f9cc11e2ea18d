"""The whole truth about a game as numbers, for critics that see more than players do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from nevsky.cards import CARDS, PILES
from nevsky.encoding import SIZE, Encoder
from nevsky.envs.layout import SEATS, Field, layout
from nevsky.envs.observing import HIGHEST
from nevsky.rules.constants import KINDS, NONE, PILE_ROOM
from nevsky.rules.course import whole_box
from nevsky.rules.game import Game
from nevsky.rules.modules.assignments.room import NUMBERS, PER_SEAT

__all__ = ["STATE_SIZE", "Truth", "state_layout", "state_space"]

_CARDS: Final = tuple(card.exact for card in CARDS) + ("",) * (KINDS - len(CARDS))
_PLACE: Final = {field.name: field.start for field in layout()}
_UNSEEN: Final = _PLACE["unseen"]
_DRAWN: Final = _PLACE["drawn"]
_SEEN: Final = SIZE
_ASSIGNED: Final = _SEEN + SEATS * KINDS
_PILES: Final = _ASSIGNED + SEATS * 2 * NUMBERS
STATE_SIZE: Final = _PILES + len(PILES) * PILE_ROOM
"""How many numbers a state has."""


def state_space() -> spaces.Space[Any]:
    """The same for every ruleset."""
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
        self._encoder = Encoder()

    def state(self, game: Game, first: int) -> npt.NDArray[np.float32]:
        """Everything about a game, secrets included; the blocks of seats begin with the first one, then clockwise."""
        position, players = game.position, game.ruleset.players
        row = np.zeros(STATE_SIZE, np.float32)
        self._encoder.encode(position, first, 1, 1)
        for place, value in self._encoder.numbers().items():
            row[place] = value
        if position.drawn != NONE and not row[_DRAWN + position.drawn]:  # the encoder takes it for unseen
            row[_UNSEEN + position.drawn] -= 0.25
            row[_DRAWN + position.drawn] = 1
        for i in range(players):
            seat = (first + i) % players
            for kind, seen in zip(position.hand_of(seat), position.seen_of(seat), strict=True):
                row[_SEEN + i * KINDS + kind] += seen
        full = whole_box(position)
        if full is not None and full.assignments is not None:
            dealt, chosen = full.assignments.dealt, full.assignments.chosen
            for i in range(players):
                seat, start = (first + i) % players, _ASSIGNED + i * 2 * NUMBERS
                for number in dealt[seat * PER_SEAT : (seat + 1) * PER_SEAT]:
                    row[start + number - 1] = 1
                if chosen[seat]:
                    row[start + NUMBERS + chosen[seat] - 1] = 1
        for pile in range(len(PILES)):
            kinds = position.pile_of(pile)
            start = _PILES + pile * PILE_ROOM
            row[start : start + len(kinds)] = (np.asarray(kinds, np.float32) + 1) / KINDS
        return row
