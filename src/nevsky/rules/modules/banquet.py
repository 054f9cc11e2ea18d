"""Module 1, the Banquet (11.1): purple cards that are taken first and played later."""

from __future__ import annotations

from nevsky.rules.actions import (
    ATTACH_BANQUET,
    ATTACH_JESTER,
    BUY_1,
    BUY_2,
    BUY_DRAWN,
    MOOCH_0,
    PASS,
    PLAY,
    RETURN_DRAWN,
    SEARCH_0,
    TAKE_DRAWN,
    THROW_0,
)
from nevsky.rules.constants import (
    AWAY_WITH_IT,
    BANQUET_CARD,
    BLACK_MARKET,
    DOUBLE_TURN,
    FOUND,
    GOLDEN_DONKEY,
    HALF,
    HAND_ROOM,
    JESTER,
    KINDS,
    MARIINSKY,
    MONEY_COLLECTOR,
    MOOCH,
    MOOCHER,
    NONE,
    OBSERVATORY,
    PICK,
    PICK_POCKET,
    PICK_POCKET_CARD,
    PURPLE,
    SEARCH,
    THROW,
    TURN,
    V_ATTACH,
    V_MOOCH,
    V_RETURN_DRAWN,
    V_SEARCH,
    V_THROW,
)
from nevsky.rules.market import Market
from nevsky.rules.state import State
from nevsky.rules.tables import Tables


class Banquet(Market):
    """A game that may have purple cards."""

    covered_seat: int
    covered_kind: int
    attached_seat: list[int]
    attached_kind: list[int]
    halved: int
    extra: int
    picking: int

    def __init__(self, t: Tables, players: int, display: int) -> None:
        Market.__init__(self, t, players, display)
        self.covered_seat = NONE
        self.covered_kind = NONE
        self.attached_seat = [-1] * 2
        self.attached_kind = [-1] * 2
        self.halved = 0
        self.extra = 0
        self.picking = 0

    def copy_into(self, c: State) -> None:
        Market.copy_into(self, c)
        assert isinstance(c, Banquet)
        o = c
        o.covered_seat = self.covered_seat
        o.covered_kind = self.covered_kind
        o.attached_seat = self.attached_seat[:]
        o.attached_kind = self.attached_kind[:]
        o.halved = self.halved
        o.extra = self.extra
        o.picking = self.picking

    # What the chip of the Money Collector covers never brings points and cannot be replaced (11.1 d).

    def covered(self, seat: int, kind: int) -> int:
        return 1 if kind == self.covered_kind and seat == self.covered_seat else 0

    def replaceable(self, seat: int, kind: int) -> int:
        if kind == OBSERVATORY and self.down[seat]:
            return Market.replaceable(self, seat, kind)  # the covered one was the one to be used
        return Market.replaceable(self, seat, kind) - self.covered(seat, kind)

    def value_points(self, seat: int, kind: int) -> int:
        if self.covered(seat, kind) and self.area[seat * KINDS + kind] == 1:
            return 0
        return Market.value_points(self, seat, kind)

    def variable_points(self, seat: int, colour: int) -> int:
        points = Market.variable_points(self, seat, colour)
        if self.covered_seat == seat and self.t.colour[self.covered_kind] == colour:
            if self.covered_kind != OBSERVATORY or self.down[seat] == 0:
                points -= self.t.points[self.covered_kind]
            if self.covered_kind == MARIINSKY:
                points -= Market.value_points(self, seat, MARIINSKY)
        return points + self.attached_gain(seat, colour, 1)

    def variable_rubles(self, seat: int, colour: int) -> int:
        return Market.variable_rubles(self, seat, colour) + self.attached_gain(seat, colour, 0)

    def attached_gain(self, seat: int, colour: int, points: int) -> int:
        """What Banquet and Jester add to the next scoring of their cards: the difference to plain income (11.1 h)."""
        gain = 0
        banquet = 1 if self.attached_seat[0] == seat and self.t.colour[self.attached_kind[0]] == colour else 0
        jester = 1 if self.attached_seat[1] == seat and self.t.colour[self.attached_kind[1]] == colour else 0
        for i in range(2):
            if (i == 0 and not banquet) or (i == 1 and not jester):
                continue
            kind = self.attached_kind[i]
            own = self.value_points(seat, kind) if points else self.value_rubles(seat, kind)
            other = self.value_rubles(seat, kind) if points else self.value_points(seat, kind)
            if points and self.covered(seat, kind) and self.area[seat * KINDS + kind] == 1:
                other = 0  # swapped or not, a covered card brings no points
            if i == 0:
                gain += own
            else:
                gain += other - own
                if banquet and self.attached_kind[0] == kind and self.area[seat * KINDS + kind] == 1:
                    gain += other - own  # both lie on the same card: what was doubled is swapped too
        return gain

    def score_colour(self, seat: int, colour: int) -> None:
        Market.score_colour(self, seat, colour)
        for i in range(2):
            if self.attached_seat[i] == seat and self.t.colour[self.attached_kind[i]] == colour:
                self.detach(i)

    def detach(self, i: int) -> None:
        """Banquet (0) or Jester (1) goes out of the game."""
        self.attached_seat[i] = NONE
        self.attached_kind[i] = NONE
        self.put_out(BANQUET_CARD if i == 0 else JESTER)

    def change_area(self, seat: int, kind: int, by: int) -> None:
        Market.change_area(self, seat, kind, by)
        if by > 0:
            return
        left = self.area[seat * KINDS + kind]
        if left == 0 and self.covered(seat, kind):
            self.covered_seat = self.covered_kind = NONE
        for i in range(2):
            if left == 0 and self.attached_seat[i] == seat and self.attached_kind[i] == kind:
                self.detach(i)

    def cover(self, seat: int, kind: int) -> None:
        """Lay the chip of the Money Collector on a card."""
        self.covered_seat = seat
        self.covered_kind = kind
        if self.t.lies_below[kind]:
            self.mark_replaceable(seat, kind)

    def lay_card(self, seat: int, kind: int, onto: int) -> None:
        Market.lay_card(self, seat, kind, onto)
        if self.halved:
            self.halved = 0
            self.cover(seat, kind)

    def owner_price(self, seat: int, kind: int, row: int, onto: int) -> int:
        price = Market.owner_price(self, seat, kind, row, onto)
        if self.halved:
            price = price // 2
            return price if price > 1 else 1
        return price

    def penalised_cards(self, seat: int) -> int:
        """Purple cards on the hand cost nothing at the end (8.2)."""
        cards = 0
        for i in range(self.hand_n[seat]):
            if self.t.colour[self.hand[seat * HAND_ROOM + i]] != PURPLE:
                cards += 1
        return cards

    def list_purple(self, n: int, seat: int, kind: int) -> int:
        """Only a purple card whose effect can be used can be played (11.1 a)."""
        if kind == BANQUET_CARD or kind == JESTER:
            block = ATTACH_BANQUET if kind == BANQUET_CARD else ATTACH_JESTER
            for onto in range(KINDS):
                if self.area[seat * KINDS + onto] and self.t.rubles[onto] > 0 and self.t.points[onto] > 0:
                    self.legal_ids[n] = block + onto
                    n += 1
            return n
        usable = 1
        if kind == AWAY_WITH_IT or kind == self.t.twin[AWAY_WITH_IT]:
            usable = 1 if self.hand_n[seat] > 1 else 0
        elif kind == BLACK_MARKET or kind == self.t.twin[BLACK_MARKET]:
            usable = 1 if self.discard_n else 0
        elif kind == MONEY_COLLECTOR:
            usable = 1 if self.list_half(n, seat) > n else 0
        elif kind == MOOCHER:
            usable = 1 if self.list_mooch(n, seat) > n else 0
        elif kind == PICK_POCKET_CARD:
            usable = 0
        if usable:
            self.legal_ids[n] = PLAY + self.t.lay[kind]
            n += 1
        return n

    def list_half(self, n: int, seat: int) -> int:
        """Laying a card of the display or the hand for half its owner price (11.1 d)."""
        for row in range(1, 3):
            for i in range(self.row_n[row]):
                if self.first_in_row(row, i):
                    n = self.list_half_lays(n, BUY_1 if row == 1 else BUY_2, seat, self.row_card(row, i), row)
        for i in range(self.hand_n[seat]):
            if self.first_in_hand(seat, i):
                n = self.list_half_lays(n, PLAY, seat, self.hand[seat * HAND_ROOM + i], 0)
        return n

    def list_half_lays(self, n: int, block: int, seat: int, kind: int, row: int) -> int:
        """All ways to lay a card, then without those that are too dear even at half price."""
        if self.t.colour[kind] == PURPLE:
            return n
        rubles = self.rubles[seat]
        self.rubles[seat] = 999
        end = self.list_lays(n, block, seat, kind, row)
        self.rubles[seat] = rubles
        kept = n
        was = self.halved
        self.halved = 1
        for i in range(n, end):
            number = self.legal_ids[i]
            if self.owner_price(seat, kind, row, self.t.onto[number]) <= rubles:
                self.legal_ids[kept] = number
                kept += 1
        self.halved = was
        return kept

    def list_mooch(self, n: int, seat: int) -> int:
        """The rubles or the points of a card in another player's area (11.1 e)."""
        for other in range(self.n):
            if other == seat:
                continue
            for kind in range(KINDS):
                if self.area[other * KINDS + kind] == 0:
                    continue
                if self.value_rubles(other, kind) > 0:
                    self.legal_ids[n] = MOOCH_0 + (kind * 5 + other) * 2
                    n += 1
                if self.value_points(other, kind) > 0:
                    self.legal_ids[n] = MOOCH_0 + (kind * 5 + other) * 2 + 1
                    n += 1
        return n

    def list_search(self) -> int:
        """Each card of the discard pile, from the top, each kind once (11.1 c)."""
        n = 0
        for i in range(self.discard_n - 1, -1, -1):
            kind = self.discard[i]
            before = 0
            for j in range(i + 1, self.discard_n):
                if self.discard[j] == kind or self.discard[j] == self.t.twin[kind]:
                    before = 1
                    break
            if not before:
                self.legal_ids[n] = SEARCH_0 + self.t.index[kind]
                n += 1
        return n

    def list_found(self) -> int:
        n = self.list_lays(0, BUY_DRAWN, self.seat, self.drawn, 0)
        if self.hand_n[self.seat] < self.hand_limit[self.seat]:
            self.legal_ids[n] = TAKE_DRAWN + self.t.index[self.drawn]
            n += 1
        self.legal_ids[n] = RETURN_DRAWN + self.t.index[self.drawn]
        return n + 1

    def list_other(self) -> int:
        n = 0
        if self.due == SEARCH:
            return self.list_search()
        if self.due == FOUND:
            return self.list_found()
        if self.due == HALF:
            return self.list_half(0, self.seat)
        if self.due == MOOCH:
            return self.list_mooch(0, self.seat)
        if self.due == THROW:
            for i in range(self.hand_n[self.seat]):
                if self.first_in_hand(self.seat, i):
                    self.legal_ids[n] = THROW_0 + self.t.index[self.hand[self.seat * HAND_ROOM + i]]
                    n += 1
            return n
        if self.due == PICK_POCKET:
            self.legal_ids[0] = PLAY + self.t.lay[PICK_POCKET_CARD]
            self.legal_ids[1] = PASS
            return 2
        if self.due == PICK:
            room = 1 if self.hand_n[self.seat] < self.hand_limit[self.seat] else 0
            n = self.list_row(0, self.seat, 1, room)
            return self.list_row(n, self.seat, 2, room)
        return Market.list_other(self)

    def play_purple(self, seat: int, kind: int) -> None:
        self.put_out(self.remove_from_hand(seat, kind))
        self.passes = 0
        if kind == GOLDEN_DONKEY:
            self.gain_rubles(seat, 5)
            self.turn_over()
        elif kind == DOUBLE_TURN:
            self.extra = 2
            self.ask(seat, TURN)
        elif kind == PICK_POCKET_CARD:
            self.picking = 1
            self.ask(seat, PICK)
        elif kind == MONEY_COLLECTOR:
            self.halved = 1
            self.ask(seat, HALF)
        elif kind == MOOCHER:
            self.ask(seat, MOOCH)
        elif kind == AWAY_WITH_IT or kind == self.t.twin[AWAY_WITH_IT]:
            self.ask(seat, THROW)
        else:
            self.ask(seat, SEARCH)

    def pass_turn(self) -> None:
        """A pass keeps the Pick Pocket on the hand; two passes of a Double Turn are one player passing (3.4)."""
        if self.due == PICK_POCKET:
            self.ask(self.token[self.phase], TURN)
            return
        if self.extra == 1 and self.passes:
            self.passes -= 1
        Market.pass_turn(self)

    def turn_done(self) -> None:
        if self.picking:
            self.picking = 0
            self.ask(self.token[self.phase], TURN)
            return
        if self.extra and not self.again:
            self.extra -= 1
            if self.extra:
                self.ask(self.turn_seat, TURN)
                return
        Market.turn_done(self)

    def start_turns(self) -> None:
        """The holder of the Pick Pocket may act before the start player (11.1 i)."""
        Market.start_turns(self)
        self.extra = 0
        if self.row_n[1] + self.row_n[2] == 0:
            return
        for seat in range(self.n):
            for i in range(self.hand_n[seat]):
                if self.hand[seat * HAND_ROOM + i] == PICK_POCKET_CARD and self.can_pick(seat):
                    self.ask(seat, PICK_POCKET)

    def can_pick(self, seat: int) -> int:
        """Whether the Pick Pocket, itself off the hand, could buy or take a card of the display."""
        room = 1 if self.hand_n[seat] <= self.hand_limit[seat] else 0
        return 1 if self.list_row(self.list_row(0, seat, 1, room), seat, 2, room) else 0

    def look_at_found(self, kind: int) -> None:
        """Take a card out of the discard pile to decide about it."""
        self.drawn = self.take_from_discard(kind)
        self.drawn_pile = NONE
        self.ask(self.seat, FOUND)

    def do_other(self, number: int) -> None:
        verb = self.t.verb[number]
        seat = self.seat
        if verb == V_SEARCH:
            self.look_at_found(self.t.card[number])
        elif verb == V_RETURN_DRAWN:
            self.put_on_discard(self.drawn)
            self.drawn = NONE
            self.turn_over()
        elif verb == V_THROW:
            kind = self.remove_from_hand(seat, self.t.card[number])
            if self.t.colour[kind] == PURPLE:
                self.put_out(kind)
            else:
                self.throw_away(kind)
            self.turn_over()
        elif verb == V_MOOCH:
            if self.t.points_wanted[number]:
                self.gain_points(seat, self.value_points(self.t.arg[number], self.t.card[number]))
            else:
                self.gain_rubles(seat, self.value_rubles(self.t.arg[number], self.t.card[number]))
            self.turn_over()
        elif verb == V_ATTACH:
            i = 0 if number < ATTACH_JESTER else 1
            self.remove_from_hand(seat, BANQUET_CARD if i == 0 else JESTER)
            self.attached_seat[i] = seat
            self.attached_kind[i] = self.t.onto[number]
            self.passes = 0
            self.turn_over()
        else:
            Market.do_other(self, number)
