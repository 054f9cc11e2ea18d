"""The Banquet in play (11.1): its purple cards, and the chip and cards that lie on one copy of a card (D32, D33)."""

from __future__ import annotations

from typing import Annotated

from nevsky.cards import KIND
from nevsky.rules.actions import BUY_1, BUY_2, PASS, PLAY, STARTS, VERBS
from nevsky.rules.constants import DUES, HAND_ROOM, KINDS, NONE, PURPLE, SEARCH, TURN
from nevsky.rules.fields import Fields
from nevsky.rules.market import Market
from nevsky.rules.modules.banquet.room import BANQUET, CHIP, JESTER

AWAY_WITH_IT = KIND["away_with_it"]
BLACK_MARKET = KIND["black_market"]
MONEY_COLLECTOR = KIND["money_collector"]
MOOCHER = KIND["moocher"]
GOLDEN_DONKEY = KIND["golden_donkey"]
DOUBLE_TURN = KIND["double_turn"]
PICK_POCKET_CARD = KIND["pick_pocket"]
BANQUET_CARD = KIND["banquet"]
JESTER_CARD = KIND["jester"]

THROW = DUES.index("throw")
HALF = DUES.index("half")
MOOCH = DUES.index("mooch")
PICK_POCKET = DUES.index("pick_pocket")
PICK = DUES.index("pick")

THROW_0 = STARTS["THROW"]
MOOCH_0 = STARTS["MOOCH"]
ATTACH_BANQUET = STARTS["ATTACH_BANQUET"]
ATTACH_JESTER = STARTS["ATTACH_JESTER"]
V_THROW = VERBS["throw"]
V_MOOCH = VERBS["mooch"]
V_ATTACH = VERBS["attach"]

MARK_ROOM = 3
GIFT = 5
"""The rubles of the Golden Donkey (11.1 f)."""


class Banquet(Fields):
    """Chip, Banquet and Jester each lie on one copy of a card (D32).

    ``mark_seat`` and ``mark_kind`` say on whose card, ``copy`` tells copies apart: what lies on the same copy has the
    same number there, that of the first of them. ``chip_down``: the covered card lies face down, too. ``halved``: the
    next card is laid for half its price; ``picking``: the Pick Pocket acts before the phase begins.
    """

    mark_seat: Annotated[list[int], MARK_ROOM]
    mark_kind: Annotated[list[int], MARK_ROOM]
    copy: Annotated[list[int], MARK_ROOM]
    chip_down: int
    halved: int
    picking: int

    def __init__(self) -> None:
        self.clear_fields()
        for i in range(MARK_ROOM):
            self.mark_seat[i] = NONE
            self.mark_kind[i] = NONE
            self.copy[i] = i

    def copied(self, c: Banquet | None) -> Banquet:  # c: gil
        """This state, in ``c`` if there is one."""
        if c is None:
            c = Banquet.__new__(Banquet)
        self.copy_fields(c, Banquet)
        return c

    def lies_on(self, i: int, seat: int, kind: int) -> int:
        """Whether chip, Banquet or Jester lies on one of these cards."""
        return 1 if self.mark_kind[i] == kind and self.mark_seat[i] == seat else 0

    def covered(self, seat: int, kind: int) -> int:
        """Whether the chip of the Money Collector covers one of these cards (11.1 d)."""
        return self.lies_on(CHIP, seat, kind)

    def covered_open(self, seat: int, kind: int) -> int:
        """The same, unless that card lies face down as well."""
        return 1 if self.covered(seat, kind) and not self.chip_down else 0

    def on_covered(self, i: int) -> int:
        """Whether Banquet or Jester lies on the covered card."""
        return 1 if self.covered(self.mark_seat[i], self.mark_kind[i]) and self.copy[i] == self.copy[CHIP] else 0

    def marked(self, seat: int, kind: int) -> int:
        """How many of these cards have something on them."""
        found = 0
        for i in range(MARK_ROOM):
            if self.lies_on(i, seat, kind):
                found += 1
                for j in range(i):
                    if self.lies_on(j, seat, kind) and self.copy[j] == self.copy[i]:
                        found -= 1
                        break
        return found

    def cover(self, p: Market, seat: int, kind: int, down: int) -> None:  # c: both
        """Lay the chip of the Money Collector on a card, which may lie face down."""
        self.mark_seat[CHIP] = seat
        self.mark_kind[CHIP] = kind
        self.chip_down = down
        if p.t.lies_below[kind]:
            p.mark_replaceable(seat, kind)

    def attach(self, p: Market, i: int, seat: int, kind: int) -> None:  # c: both
        """Lay Banquet or Jester on a card: an uncovered one without another purple card first (D32)."""
        other = BANQUET + JESTER - i
        self.copy[i] = i
        if p.area[seat * KINDS + kind] == self.marked(seat, kind):
            if self.lies_on(other, seat, kind) and not self.on_covered(other):
                self.copy[i] = self.copy[other]
            else:
                self.copy[i] = self.copy[CHIP]
        self.mark_seat[i] = seat
        self.mark_kind[i] = kind
        self.number_copy(seat, kind, self.copy[i])

    def number_copy(self, seat: int, kind: int, number: int) -> None:
        """Number a copy after the first of what lies on it, now that something came or went."""
        first = NONE
        for i in range(MARK_ROOM):
            if self.lies_on(i, seat, kind) and self.copy[i] == number:
                if first == NONE:
                    first = i
                self.copy[i] = first

    def leave(self, p: Market, seat: int, kind: int) -> None:
        """One of these cards goes: one with nothing on it first, then one with the Jester, then one with the Banquet.

        What lies on it goes with it (D32). A covered one goes only if nothing else is left.
        """
        if self.marked(seat, kind) == 0 or p.area[seat * KINDS + kind] - p.face_down(seat, kind) > self.upright(
            seat, kind
        ):
            return
        gone = self.copy[CHIP]
        if self.lies_on(JESTER, seat, kind) and not self.on_covered(JESTER):
            gone = self.copy[JESTER]
        elif self.lies_on(BANQUET, seat, kind) and not self.on_covered(BANQUET):
            gone = self.copy[BANQUET]
        going = 0
        for i in range(MARK_ROOM):
            if self.lies_on(i, seat, kind) and self.copy[i] == gone:
                going |= 1 << i
        for i in range(MARK_ROOM):
            if going >> i & 1:
                self.remove(p, i)

    def upright(self, seat: int, kind: int) -> int:
        """Cards with something on them that do not lie face down."""
        return self.marked(seat, kind) - (1 if self.covered(seat, kind) and self.chip_down else 0)

    def remove(self, p: Market, i: int) -> None:
        """Take the chip off, or Banquet or Jester out of the game."""
        seat, kind, number = self.mark_seat[i], self.mark_kind[i], self.copy[i]
        self.mark_seat[i] = NONE
        self.mark_kind[i] = NONE
        self.copy[i] = i
        self.number_copy(seat, kind, number)
        if i == CHIP:
            self.chip_down = 0
        else:
            p.put_out(BANQUET_CARD if i == BANQUET else JESTER_CARD)

    def turned(self, p: Market, seat: int, kind: int) -> None:
        """A card was turned face down, the covered one first; or all of them were turned up (D32)."""
        if self.covered(seat, kind):
            self.chip_down = 1 if p.face_down(seat, kind) else 0

    def covered_points(self, p: Market, seat: int, colour: int) -> int:
        """Points that a scoring must not count, since the chip covers them (11.1 d)."""
        kind = self.mark_kind[CHIP]
        if self.mark_seat[CHIP] != seat or p.t.colour[kind] != colour or self.chip_down:
            return 0
        return p.counted_points(seat, kind)

    def attached_gain(self, p: Market, seat: int, colour: int, points: int) -> int:
        """What Banquet and Jester add to the next scoring of their cards: the difference to plain income (11.1 h).

        A covered card never brings points: the Banquet doubles its rubles only, the Jester gives nothing (D33).
        """
        gain = 0
        if self.mark_seat[BANQUET] != seat and self.mark_seat[JESTER] != seat:
            return 0
        for i in range(BANQUET, MARK_ROOM):
            kind = self.mark_kind[i]
            if self.mark_seat[i] != seat or p.t.colour[kind] != colour:
                continue
            rubles = p.value_rubles(seat, kind)
            own_points = 0 if self.on_covered(i) else p.open_points(seat, kind)
            own = own_points if points else rubles
            swapped = rubles if points and not self.on_covered(i) else (0 if points else own_points)
            if i == BANQUET:
                gain += own
            else:
                gain += swapped - own
                if self.lies_on(BANQUET, seat, kind) and self.copy[BANQUET] == self.copy[JESTER]:
                    gain += swapped - own  # both lie on the same card: what was doubled is swapped, too
        return gain

    def scored(self, p: Market, seat: int, colour: int) -> None:
        """After the scoring of their card Banquet and Jester are out of the game."""
        for i in range(BANQUET, MARK_ROOM):
            if self.mark_seat[i] == seat and p.t.colour[self.mark_kind[i]] == colour:
                self.remove(p, i)

    def half(self, price: int) -> int:
        """Half an owner price, rounded down, at least 1 (11.1 d)."""
        if not self.halved:
            return price
        price = price // 2
        return price if price > 1 else 1

    def laid(self, p: Market, seat: int, kind: int) -> None:
        """A card that was laid for half its price is covered."""
        if self.halved:
            self.halved = 0
            self.cover(p, seat, kind, 0)

    def purple_in_hand(self, p: Market, seat: int) -> int:
        cards = 0
        for i in range(p.hand_n[seat]):
            if p.t.colour[p.hand[seat * HAND_ROOM + i]] == PURPLE:
                cards += 1
        return cards

    def list_purple(self, p: Market, n: int, seat: int, kind: int) -> int:
        """Only a purple card whose effect can be used can be played (11.1 a)."""
        if kind == BANQUET_CARD or kind == JESTER_CARD:
            block = ATTACH_BANQUET if kind == BANQUET_CARD else ATTACH_JESTER
            for onto in range(KINDS):
                if p.area[seat * KINDS + onto] and p.t.rubles[onto] > 0 and p.t.points[onto] > 0:
                    p.legal_ids[n] = block + onto
                    n += 1
            return n
        usable = 1
        if kind == AWAY_WITH_IT or kind == p.t.twin[AWAY_WITH_IT]:
            usable = 1 if p.hand_n[seat] > 1 else 0
        elif kind == BLACK_MARKET or kind == p.t.twin[BLACK_MARKET]:
            usable = 1 if p.discard_n else 0
        elif kind == MONEY_COLLECTOR:
            usable = 1 if self.list_half(p, n, seat) > n else 0
        elif kind == MOOCHER:
            usable = 1 if self.list_mooch(p, n, seat) > n else 0
        elif kind == PICK_POCKET_CARD:
            usable = 0
        if usable:
            p.legal_ids[n] = PLAY + p.t.lay[kind]
            n += 1
        return n

    def list_half(self, p: Market, n: int, seat: int) -> int:
        """Laying a card of the display or the hand for half its owner price (11.1 d)."""
        for row in range(1, 3):
            for i in range(p.row_n[row]):
                if p.first_in_row(row, i):
                    n = self.list_half_lays(p, n, BUY_1 if row == 1 else BUY_2, seat, p.row_card(row, i), row)
        for i in range(p.hand_n[seat]):
            if p.first_in_hand(seat, i):
                n = self.list_half_lays(p, n, PLAY, seat, p.hand[seat * HAND_ROOM + i], 0)
        return n

    def list_half_lays(self, p: Market, n: int, block: int, seat: int, kind: int, row: int) -> int:
        """All ways to lay a card, then without those that are too dear even at half price."""
        if p.t.colour[kind] == PURPLE:
            return n
        rubles = p.rubles[seat]
        p.rubles[seat] = 999
        end = p.list_lays(n, block, seat, kind, row)
        p.rubles[seat] = rubles
        kept = n
        was = self.halved
        self.halved = 1
        for i in range(n, end):
            number = p.legal_ids[i]
            if p.owner_price(seat, kind, row, p.t.onto[number]) <= rubles:
                p.legal_ids[kept] = number
                kept += 1
        self.halved = was
        return kept

    def list_mooch(self, p: Market, n: int, seat: int) -> int:
        """The rubles or the points of a card in another player's area (11.1 e)."""
        for other in range(p.n):
            if other == seat:
                continue
            for kind in range(KINDS):
                if p.area[other * KINDS + kind] == 0:
                    continue
                if p.value_rubles(other, kind) > 0:
                    p.legal_ids[n] = MOOCH_0 + (kind * 5 + other) * 2
                    n += 1
                if p.value_points(other, kind) > 0:
                    p.legal_ids[n] = MOOCH_0 + (kind * 5 + other) * 2 + 1
                    n += 1
        return n

    def list_choices(self, p: Market) -> int:
        """The legal actions of this module's decisions."""
        if p.due == HALF:
            return self.list_half(p, 0, p.seat)
        if p.due == MOOCH:
            return self.list_mooch(p, 0, p.seat)
        n = 0
        if p.due == THROW:
            for i in range(p.hand_n[p.seat]):
                if p.first_in_hand(p.seat, i):
                    p.legal_ids[n] = THROW_0 + p.t.index[p.hand[p.seat * HAND_ROOM + i]]
                    n += 1
            return n
        if p.due == PICK_POCKET:
            p.legal_ids[0] = PLAY + p.t.lay[PICK_POCKET_CARD]
            p.legal_ids[1] = PASS
            return 2
        room = 1 if p.hand_n[p.seat] < p.hand_limit[p.seat] else 0
        n = p.list_row(0, p.seat, 1, room)
        return p.list_row(n, p.seat, 2, room)

    def play_purple(self, p: Market, seat: int, kind: int) -> None:
        p.put_out(p.remove_from_hand(seat, kind))
        p.passes = 0
        if kind == GOLDEN_DONKEY:
            p.gain_rubles(seat, GIFT)
            p.turn_over()
        elif kind == DOUBLE_TURN:
            p.extra = 2
            p.ask(seat, TURN)
        elif kind == PICK_POCKET_CARD:
            self.picking = 1
            p.ask(seat, PICK)
        elif kind == MONEY_COLLECTOR:
            self.halved = 1
            p.ask(seat, HALF)
        elif kind == MOOCHER:
            p.ask(seat, MOOCH)
        elif kind == AWAY_WITH_IT or kind == p.t.twin[AWAY_WITH_IT]:
            p.ask(seat, THROW)
        else:
            p.ask(seat, SEARCH)

    def keeps_pick_pocket(self, p: Market) -> int:
        """A pass that keeps the Pick Pocket on the hand is not a pass of the phase; 1 if this was one."""
        if p.due != PICK_POCKET:
            return 0
        p.ask(p.token[p.phase], TURN)
        return 1

    def picked(self, p: Market) -> int:
        """After the Pick Pocket the phase begins as usual; 1 if it does now."""
        if not self.picking:
            return 0
        self.picking = 0
        p.ask(p.token[p.phase], TURN)
        return 1

    def start_turns(self, p: Market) -> None:
        """The holder of the Pick Pocket may act before the start player (11.1 i)."""
        if p.row_n[1] + p.row_n[2] == 0:
            return
        for seat in range(p.n):
            for i in range(p.hand_n[seat]):
                if p.hand[seat * HAND_ROOM + i] == PICK_POCKET_CARD and self.can_pick(p, seat):
                    p.ask(seat, PICK_POCKET)

    def can_pick(self, p: Market, seat: int) -> int:
        """Whether the Pick Pocket, itself off the hand, could buy or take a card of the display."""
        room = 1 if p.hand_n[seat] <= p.hand_limit[seat] else 0
        return 1 if p.list_row(p.list_row(0, seat, 1, room), seat, 2, room) else 0

    def do(self, p: Market, number: int) -> None:
        """Carry out an action of this module."""
        verb = p.t.verb[number]
        seat = p.seat
        if verb == V_THROW:
            p.throw_away(p.remove_from_hand(seat, p.t.card[number]))
        elif verb == V_MOOCH:
            if p.t.points_wanted[number]:
                p.gain_points(seat, p.value_points(p.t.arg[number], p.t.card[number]))
            else:
                p.gain_rubles(seat, p.value_rubles(p.t.arg[number], p.t.card[number]))
        else:
            p.remove_from_hand(seat, p.t.card[number])
            self.attach(p, p.t.arg[number], seat, p.t.onto[number])
            p.passes = 0
        p.turn_over()
