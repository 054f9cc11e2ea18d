"""Dealing anew what a seat cannot know, right in a position: the quick way for whoever has one at hand."""

from __future__ import annotations

from nevsky.rules.constants import F_CHOICE, HAND_ROOM, KINDS, NONE, PILE_ROOM
from nevsky.rules.modules.assignments import Assignments
from nevsky.rules.rng import Rng
from nevsky.rules.state import State

ASSIGNMENTS = 5


class Unknown:
    """Scratch room for dealing; one is enough for any number of deals."""

    counts: list[int]
    pool: list[int]

    def __init__(self) -> None:
        self.counts = [0] * 112
        self.pool = [0] * 64

    def deal(self, p: State, viewer: int, open_hands: int, rng: Rng) -> None:
        """Deal all cards the viewer cannot see anew; -1 views as a spectator.

        The new deal depends on the stream and on which cards are unseen, never on where they really are.
        """
        for pile in range(5):
            if p.t.deck_size[pile] > 0:
                self.deal_pile(p, viewer, open_hands, pile, rng)
        if p.t.modules >> ASSIGNMENTS & 1:
            assert isinstance(p, Assignments)
            self.deal_assignments(p, viewer, rng)

    def deal_pile(self, p: State, viewer: int, open_hands: int, pile: int, rng: Rng) -> None:
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

    def hides(self, p: State, viewer: int, open_hands: int, seat: int, place: int) -> int:
        """Whether the viewer does not know the card at a place of a hand."""
        if seat == viewer or open_hands or p.hand_open[place]:
            return 0
        return 1

    def deal_assignments(self, p: Assignments, viewer: int, rng: Rng) -> None:
        """The assignments of the others, and of each who has chosen one of his three (11.5)."""
        if p.due < 0 or (p.final and p.part > F_CHOICE):
            return
        used = 0
        if p.n == 2:
            used = 1 << 2 | 1 << 8 | 1 << 15
        if viewer >= 0:
            for i in range(viewer * 3, viewer * 3 + 3):
                used |= 1 << p.assignments[i]
        for seat in range(p.n):
            if seat == viewer:
                continue
            for i in range(seat * 3, seat * 3 + 3):
                number = 1 + rng.draw(15)
                while used >> number & 1:
                    number = 1 + rng.draw(15)
                used |= 1 << number
                p.assignments[i] = number
            if p.chosen[seat]:
                p.chosen[seat] = p.assignments[seat * 3 + rng.draw(3)]
