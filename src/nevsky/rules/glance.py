"""What a seat sees of a turn of the base game, as numbers: the quick way for whoever shows it after every move.

It holds nothing that the seat's view does not tell, and what it tells is asked of the same rules.
"""

from __future__ import annotations

from typing import Annotated

from nevsky.rules.constants import HAND_ROOM, KINDS, LAY_ROOM, NONE, PILE_ROOM, ROW_ROOM, TURN, V_BUY, V_PLAY, V_TAKE
from nevsky.rules.fields import SCRATCH, Fields
from nevsky.rules.position import Position

CHOICE_ROOM = 256
"""A turn of a random game has some 40 choices at most. There is no need for the room that a position has: everybody who
looks has two glances, and keeps them."""


class Glance(Fields):
    """The display, the own hand and the own choices, with prices; filled anew for each look."""

    seat: int
    """The viewer, NONE for a spectator."""
    to_move: int
    must_buy: int
    rubles: int
    points: int
    """What the viewer would have in the end if the game ended now."""
    hand_limit: int
    row1: int
    """How many cards of the display lie in row 1; those of row 2 follow."""
    cards: int
    kind: Annotated[list[int], 2 * ROW_ROOM]
    price: Annotated[list[int], 2 * ROW_ROOM]
    """The cheapest, paid or not; NONE for spectators and for a card that finds nothing to replace."""
    place: Annotated[list[int], 2 * ROW_ROOM]
    """Where the choices about the card begin."""
    ways: Annotated[list[int], 2 * ROW_ROOM]
    """In how many ways it can be bought."""
    takes: Annotated[list[int], 2 * ROW_ROOM]
    hand: int
    held: Annotated[list[int], HAND_ROOM]
    held_price: Annotated[list[int], HAND_ROOM]
    held_place: Annotated[list[int], HAND_ROOM]
    held_ways: Annotated[list[int], HAND_ROOM]
    choices: int
    """None while somebody else decides."""
    choice: Annotated[list[int], CHOICE_ROOM]
    paid: Annotated[list[int], CHOICE_ROOM]
    """The price of each choice that lays a card."""
    same: Annotated[list[int], CHOICE_ROOM]
    """How many cards of the same name make it cheaper."""
    reduced: Annotated[list[int], CHOICE_ROOM]
    """By which other cards it is made cheaper: a number for each set of them."""
    unknown: Annotated[list[int], KINDS]
    """How many cards of each kind lie where the viewer does not know."""
    _reducing: Annotated[list[int], 5, SCRATCH]

    def __init__(self) -> None:
        self.clear_fields()

    def look(self, p: Position, viewer: int, show_seen: int, open_hands: int) -> int:  # c: both; gil
        """Look at a position with the eyes of a seat, or of a spectator with -1; 0 if it is no turn of the base game.

        Where the table does not show which cards were taken openly, or lies with open hands, unknown cards differ. A
        turn with more choices than there is room for is none of ours, either.
        """
        if p.due != TURN or p.drawn != NONE or p.t.market or p.t.modules:
            return 0
        self.seat = viewer
        self.to_move = p.seat
        self.must_buy = p.must_buy
        self.look_at_cards(p, viewer)
        self.count_unknown(p, viewer, show_seen, open_hands)
        self.hand = 0
        self.choices = 0
        if viewer == NONE:
            return 1
        self.rubles = p.rubles[viewer]
        self.points = p.final_points(viewer)
        self.hand_limit = p.hand_limit[viewer]
        self.look_at_hand(p, viewer)
        if viewer != p.seat:
            return 1
        self.choices = p.list_legal()
        if self.choices > CHOICE_ROOM:
            return 0
        self.list_choices(p, viewer)
        return 1

    def look_at_cards(self, p: Position, viewer: int) -> None:
        self.row1 = p.row_n[1]
        self.cards = p.row_n[1] + p.row_n[2]
        for i in range(self.cards):
            row = 1 if i < self.row1 else 2
            kind = p.row[ROW_ROOM + i] if row == 1 else p.row[2 * ROW_ROOM + i - self.row1]
            self.kind[i] = kind
            self.price[i] = NONE if viewer == NONE else self.cheapest(p, viewer, kind, row)
            self.place[i] = 0
            self.ways[i] = 0
            self.takes[i] = 0

    def look_at_hand(self, p: Position, viewer: int) -> None:
        self.hand = p.hand_n[viewer]
        for i in range(self.hand):
            kind = p.hand[viewer * HAND_ROOM + i]
            self.held[i] = kind
            self.held_price[i] = self.cheapest(p, viewer, kind, 0)
            self.held_place[i] = 0
            self.held_ways[i] = 0

    def cheapest(self, p: Position, seat: int, kind: int, row: int) -> int:  # c: bits, low: uint
        """The lowest price at which a card could be laid with enough rubles."""
        if not p.t.exchange[kind]:
            return p.owner_price(seat, kind, row, NONE)
        colour = p.t.colour[kind]
        bits = p.owned[seat * 5 + colour] & p.t.replace_bits[kind]
        best = NONE
        while bits:
            low = bits & -bits
            bits ^= low
            onto = p.t.base_card[colour * LAY_ROOM + p.t.place[low % 37]]
            price = p.owner_price(seat, kind, row, onto)
            if best == NONE or price < best:
                best = price
        return best

    def list_choices(self, p: Position, seat: int) -> None:
        """The legal actions, and which card of the display or hand each of them is about."""
        for colour in range(5):
            self._reducing[colour] = 0
        for kind in range(KINDS):
            if p.t.reduces[kind] and p.area[seat * KINDS + kind]:
                for colour in range(5):
                    if p.t.reduces[kind] >> colour & 1:
                        self._reducing[colour] = 8 * self._reducing[colour] + p.area[seat * KINDS + kind]
        for n in range(self.choices):
            number = p.legal_ids[n]
            verb = p.t.verb[number]
            kind = p.t.card[number]
            self.choice[n] = number
            self.paid[n] = NONE
            self.same[n] = 0
            self.reduced[n] = 0
            if verb == V_BUY or verb == V_PLAY:
                row = p.t.arg[number] if verb == V_BUY else 0
                self.paid[n] = p.owner_price(seat, kind, row, p.t.onto[number])
                self.same[n] = p.named[seat * KINDS + p.t.name[kind]]
                self.reduced[n] = self._reducing[p.t.colour[kind]]
            if verb == V_PLAY:
                self.about_hand(p, kind, n)
            elif verb == V_BUY or verb == V_TAKE:
                self.about_display(p, kind, p.t.arg[number], n, 1 if verb == V_TAKE else 0)

    def about_display(self, p: Position, kind: int, row: int, n: int, takes: int) -> None:
        """A choice is about all equal cards of its row."""
        for i in range(self.cards):
            if (1 if i < self.row1 else 2) == row and p.t.index[self.kind[i]] == p.t.index[kind]:
                if not self.ways[i] and not self.takes[i]:
                    self.place[i] = n
                if takes:
                    self.takes[i] = 1
                else:
                    self.ways[i] += 1

    def about_hand(self, p: Position, kind: int, n: int) -> None:
        for i in range(self.hand):
            if p.t.index[self.held[i]] == p.t.index[kind]:
                if not self.held_ways[i]:
                    self.held_place[i] = n
                self.held_ways[i] += 1

    def count_unknown(self, p: Position, viewer: int, show_seen: int, open_hands: int) -> None:
        for kind in range(KINDS):
            self.unknown[kind] = 0
        for pile in range(5):
            for i in range(pile * PILE_ROOM, pile * PILE_ROOM + p.pile_n[pile]):
                self.unknown[p.pile[i]] += 1
        if open_hands:
            return
        for seat in range(p.n):
            if seat != viewer:
                for i in range(seat * HAND_ROOM, seat * HAND_ROOM + p.hand_n[seat]):
                    if not (p.hand_open[i] and show_seen):
                        self.unknown[p.hand[i]] += 1

    def knows_as_much(self, other: Glance) -> int:  # c: both; gil
        """Whether the same cards are unknown as in another glance."""
        for kind in range(KINDS):
            if self.unknown[kind] != other.unknown[kind]:
                return 0
        return 1
