"""The border of the rules: what other code may ask of a position, and do to it."""

from __future__ import annotations

from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS
from nevsky.rules.constants import HAND_ROOM, KINDS, NONE, OVER, PILE_ROOM, ROW_ROOM
from nevsky.rules.rng import Rng
from nevsky.rules.turns import Turns


class Position(Turns):  # c: border
    """A position of the base game. Every method here checks what it is given."""

    def new_game(self, rng: Rng, youngest: int = -1) -> None:
        """Shuffle, deal and lay out the first workers."""
        self.deal(rng, youngest)

    def begin(self) -> None:
        """Lay out the first workers of piles and tokens that were arranged."""
        self.start()

    def copy(self) -> Position:
        """An independent copy."""
        c = Position.__new__(Position)
        self.copy_into(c)
        return c

    def deal_secrets(self, viewer: int, rng: Rng) -> None:  # c
        """Hook: deal anew what modules keep from the viewer, who is a spectator with -1."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.due == OVER

    def legal(self) -> list[int]:
        """The ids of the legal actions, in their fixed order."""
        if self.due == OVER:
            return []
        n = self.list_legal()
        return [self.legal_ids[i] for i in range(n)]

    def play(self, number: int) -> None:
        """Carry out a legal action; any other raises and changes nothing."""
        n = self.list_legal() if self.due != OVER else 0
        for i in range(n):
            if self.legal_ids[i] == number:
                self.do(number)
                return
        if self.due == OVER:
            raise NevskyError("game.over")
        if not 0 <= number < len(ACTIONS):
            raise NevskyError("action.no_number", number=number)
        raise NevskyError("action.impossible", action=repr(ACTIONS[number].text))

    def forced(self) -> int:
        """The only legal action, or -1 if there is a choice or the game is over."""
        if self.due == OVER or self.list_legal() != 1:
            return -1
        return self.legal_ids[0]

    def play_random(self, rng: Rng, most: int = 1_000_000) -> int:
        """Play uniformly random legal actions to the end, or at most so many; how many decisions that took."""
        return self.random_playout(rng, most)

    def random_playout(self, rng: Rng, most: int) -> int:  # c
        decisions = 0
        while self.due != OVER and decisions < most:
            n = self.list_legal()
            self.do(self.legal_ids[rng.draw(n) if n > 1 else 0])
            decisions += 1
        return decisions

    def price_of(self, seat: int, kind: int, row: int, onto: int = -1) -> int:
        """The owner price (5.1); row 0 for a card that does not come from the display."""
        return self.owner_price(seat, kind, row, onto)

    def income(self, seat: int, colour: int) -> tuple[int, int]:
        """Rubles and points that the colour's next scoring would pay now."""
        return self.phase_rubles(seat, colour), self.phase_points(seat, colour)

    def nobles(self, seat: int) -> int:
        """How many different nobles lie in the area (8.2)."""
        return self.different_nobles(seat)

    def value(self, seat: int, kind: int) -> tuple[int, int]:
        """Rubles and points that one card of this kind would pay its owner now."""
        return self.value_rubles(seat, kind), self.value_points(seat, kind)

    def choices_open(self) -> bool:
        """Whether nothing that was chosen for the final scoring is secret any more."""
        return self.due == OVER

    def in_final_scoring(self) -> bool:
        """Whether the final scoring has begun: the track stands still from then on."""
        return self.due == OVER

    def seats_changed(self, before: Position) -> int:
        """A bit for each seat with which something lies otherwise than in an earlier position of the same game."""
        changed = 0
        for seat in range(self.n):
            if self.seat_differs(before, seat):
                changed |= 1 << seat
        return changed

    def put_in_area(self, seat: int, kind: int) -> None:
        """Arrange a card into an area."""
        self.lay_down(seat, kind)

    def add_to_hand(self, seat: int, kind: int, seen: bool) -> None:
        """Arrange a card into a hand."""
        self.put_in_hand(seat, kind, 1 if seen else 0)

    def put_on_top(self, p: int, kinds: list[int]) -> None:
        """Arrange cards of a pile on its top, the first one uppermost; one that is not there raises."""
        top = p * PILE_ROOM + self.pile_n[p] - 1
        for kind in kinds:
            place = top
            while place >= p * PILE_ROOM and self.pile[place] != kind:
                place -= 1
            if place < p * PILE_ROOM:
                raise NevskyError("env.chance", outcome=kind)
            while place < top:
                self.pile[place] = self.pile[place + 1]
                place += 1
            self.pile[top] = kind
            top -= 1

    def turn_down(self, seat: int, kind: int, count: int) -> None:
        """Arrange cards of an area face down."""
        self.down[seat] = count
        self.turned(seat, kind)

    def area_of(self, seat: int) -> dict[int, int]:
        """The cards in front of a seat: kind to number."""
        base = seat * KINDS
        return {kind: self.area[base + kind] for kind in range(KINDS) if self.area[base + kind]}

    def row_of(self, row: int) -> list[int]:
        """The cards of row 1 or 2, left to right."""
        return [self.row[row * ROW_ROOM + i] for i in range(self.row_n[row])]

    def hand_of(self, seat: int) -> list[int]:
        """The cards on a hand, in the order in which they came."""
        return [self.hand[seat * HAND_ROOM + i] for i in range(self.hand_n[seat])]

    def seen_of(self, seat: int) -> list[bool]:
        """For each card on a hand whether everybody has seen it (12.2)."""
        return [self.hand_open[seat * HAND_ROOM + i] != 0 for i in range(self.hand_n[seat])]

    def discard_list(self) -> list[int]:
        """The discard pile, bottom to top."""
        return [self.discard[i] for i in range(self.discard_n)]

    def out_list(self) -> list[int]:
        """Cards out of the game, in order."""
        return [self.out[i] for i in range(self.out_n)]

    def pile_of(self, p: int) -> list[int]:
        """The cards of a pile, top first."""
        return [self.pile[p * PILE_ROOM + i] for i in range(self.pile_n[p] - 1, -1, -1)]

    def pile_counts(self, p: int) -> dict[int, int]:
        """How many cards of each kind are in a pile, by kind."""
        counts = {}
        last = NONE
        for i in range(p * PILE_ROOM, p * PILE_ROOM + self.t.deck_size[p]):
            kind = self.t.deck[i]
            if kind == last:
                continue
            last = kind
            count = 0
            for j in range(p * PILE_ROOM, p * PILE_ROOM + self.pile_n[p]):
                if self.pile[j] == kind:
                    count += 1
            if count:
                counts[kind] = count
        return counts

    def total(self, seat: int) -> tuple[int, int]:
        """The score after the final scoring and the rubles that break a tie (8.2, 8.4)."""
        return self.final_points(seat), self.tie_rubles(seat)

    def final_parts(self, seat: int) -> tuple[int, int, int]:
        """Points of the final scoring: for nobles, for rubles, and minus points for the hand."""
        return self.noble_points(seat), self.rubles[seat] // 10, -5 * self.penalised_cards(seat)
