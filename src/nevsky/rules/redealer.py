"""Dealing anew what a seat cannot know, right in a position: the quick way for whoever has one at hand."""

from __future__ import annotations

from typing import Annotated

from nevsky.rules.constants import HAND_ROOM, KINDS, NONE, PILE_ROOM
from nevsky.rules.fields import SCRATCH, Fields
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng


class Redealer(Fields):
    """Scratch room for dealing; one is enough for any number of deals."""

    counts: Annotated[list[int], KINDS, SCRATCH]
    pool: Annotated[list[int], PILE_ROOM, SCRATCH]

    def __init__(self) -> None:
        self.clear_fields()

    def deal(self, p: Position, viewer: int, open_hands: int, rng: Rng) -> None:  # c: both; gil
        """Deal all cards the viewer cannot see anew; -1 views as a spectator.

        The new deal depends on the stream and on which cards are unseen, never on where they really are.
        """
        for pile in range(5):
            if p.t.deck_size[pile] > 0:
                self.deal_pile(p, viewer, open_hands, pile, rng)
        p.deal_secrets(viewer, rng)

    def deal_pile(self, p: Position, viewer: int, open_hands: int, pile: int, rng: Rng) -> None:
        """Shuffle the unseen cards with one back, and lay them where such cards lie."""
        base = pile * PILE_ROOM
        for kind in range(KINDS):
            self.counts[kind] = 0
        for i in range(p.pile_n[pile]):
            self.counts[p.pile[base + i]] += 1
        for seat in range(p.n):
            for i in range(seat * HAND_ROOM, seat * HAND_ROOM + p.hand_n[seat]):
                if p.t.pile[p.hand[i]] == pile and self.hides(p, viewer, open_hands, seat, i):
                    self.counts[p.hand[i]] += 1
        drawn = 0
        if p.drawn != NONE and p.drawn_pile == pile and viewer != p.seat:
            drawn = 1
            self.counts[p.drawn] += 1
        size = 0
        for kind in range(KINDS):
            for _ in range(self.counts[kind]):
                self.pool[size] = kind
                size += 1
        for i in range(size - 1, 0, -1):
            j = rng.draw(i + 1)
            kind = self.pool[i]
            self.pool[i] = self.pool[j]
            self.pool[j] = kind
        for i in range(p.pile_n[pile]):
            size -= 1
            p.pile[base + i] = self.pool[size]
        for seat in range(p.n):
            for i in range(seat * HAND_ROOM, seat * HAND_ROOM + p.hand_n[seat]):
                if p.t.pile[p.hand[i]] == pile and self.hides(p, viewer, open_hands, seat, i):
                    size -= 1
                    p.hand[i] = self.pool[size]
        if drawn:
            p.drawn = self.pool[0]

    def hides(self, p: Position, viewer: int, open_hands: int, seat: int, place: int) -> int:
        """Whether the viewer does not know the card at a place of a hand."""
        if seat == viewer or open_hands or p.hand_open[place]:
            return 0
        return 1
