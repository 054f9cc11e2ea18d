"""The whole truth about positions as rows of numbers; what each number means is in ``truth.py``."""

from __future__ import annotations

from nevsky.encoding import Encoder
from nevsky.rules.constants import HAND_ROOM, KINDS, NONE, PILE_ROOM
from nevsky.rules.course import FullPosition
from nevsky.rules.position import Position

__all__ = ["Witness"]

NUMBERS = 15
PER_SEAT = 3
UNSEEN = 1706
DRAWN = 1818
SEEN = 2079
ASSIGNED = 2639
PILES = 2789


class Witness:
    """Tells everything about a position, secrets included."""

    encoder: Encoder

    def __init__(self) -> None:
        self.encoder = Encoder()

    def write(self, p: Position, first: int, rows: memoryview[float], i: int) -> None:
        """Fill a row of zeros; its blocks of seats begin with the first one, then clockwise."""
        full = p if isinstance(p, FullPosition) else None
        self.tell(p, full, first, rows, i)

    def tell(self, p: Position, full: FullPosition | None, first: int, rows: memoryview[float], i: int) -> None:
        """The same for whoever knows already whether it is a full position, and may not ask Python."""
        self.encoder.encode_known(p, full, first, 1, 1)
        for k in range(self.encoder.n):
            rows[i, self.encoder.place[k]] = self.encoder.value[k]
        if p.drawn != NONE and rows[i, DRAWN + p.drawn] == 0:  # the encoder takes it for unseen
            rows[i, UNSEEN + p.drawn] -= 0.25
            rows[i, DRAWN + p.drawn] = 1
        for s in range(p.n):
            seat = (first + s) % p.n
            for k in range(seat * HAND_ROOM, seat * HAND_ROOM + p.hand_n[seat]):
                rows[i, SEEN + s * KINDS + p.hand[k]] += p.hand_open[k]
        for pile in range(5):
            for k in range(p.pile_n[pile]):
                kind = p.pile[pile * PILE_ROOM + p.pile_n[pile] - 1 - k]
                rows[i, PILES + pile * PILE_ROOM + k] = (kind + 1.0) / KINDS
        if full is not None and full.assignments is not None:
            for s in range(p.n):
                seat = (first + s) % p.n
                start = ASSIGNED + s * 2 * NUMBERS
                for k in range(seat * PER_SEAT, seat * PER_SEAT + PER_SEAT):
                    rows[i, start + full.assignments.dealt[k] - 1] = 1
                if full.assignments.chosen[seat]:
                    rows[i, start + NUMBERS + full.assignments.chosen[seat] - 1] = 1
