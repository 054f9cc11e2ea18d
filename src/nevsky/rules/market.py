"""The Market (section 10): goods, "?" tiles, special offers and the scoring of the market phase."""

from __future__ import annotations

from typing import Annotated

from nevsky.rules.actions import GOOD_0, UPKEEP_DROP, UPKEEP_PAY
from nevsky.rules.constants import (
    GOOD,
    KINDS,
    LAST_VALUE,
    MARKET,
    NONE,
    SEATS,
    UPKEEP,
    V_GOOD,
    V_UPKEEP_DROP,
    V_UPKEEP_PAY,
)
from nevsky.rules.flow import Flow
from nevsky.rules.rng import Rng
from nevsky.rules.state import State
from nevsky.rules.tables import Tables


def value_tile(number: int) -> tuple[int, int]:
    """The numbers of the value tile of a round (10.4).

    >>> [value_tile(number) for number in (1, 3, 6, 9)]
    [(1, 0), (3, 1), (6, 3), (6, 3)]
    """
    higher = min(number, LAST_VALUE)
    return higher, higher // 2


class Market(Flow):
    """A game that may have a Market: everything but the modules.

    ``goods`` are the positions of each seat, ``tile`` and ``tile_seat`` the good that each "?" card got and its owner,
    ``open_tile`` the "?" card whose good is still to be chosen.
    """

    goods: Annotated[list[int], SEATS * 5]
    tile: Annotated[list[int], 2]
    tile_seat: Annotated[list[int], 2]
    open_tile: int

    def __init__(self, t: Tables, players: int, display: int) -> None:
        Flow.__init__(self, t, players, display)
        for card in range(2):
            self.tile[card] = NONE
            self.tile_seat[card] = NONE
        self.open_tile = NONE

    def copy_into(self, c: State) -> None:
        c.t = self.t
        self.copy_fields(c, Market)

    def deal_tokens(self, rng: Rng, youngest: int) -> None:
        """Five tokens (2.3): one each, the others to different players at random; two players have at least two."""
        if not self.t.market:
            Flow.deal_tokens(self, rng, youngest)
            return
        for p in range(5):
            if p < self.n:
                self.token[p] = p
            elif self.n == 2 and p < 4:
                self.token[p] = p - 2
            else:
                self.token[p] = rng.draw(self.n)
        while self.n == 3 and self.token[3] == self.token[4]:
            self.token[4] = rng.draw(self.n)
        for i in range(4, 0, -1):
            j = rng.draw(i + 1)
            seat = self.token[i]
            self.token[i] = self.token[j]
            self.token[j] = seat

    def higher_value(self) -> int:
        """The higher number of the value tile in force (10.4)."""
        return self.round if self.round < LAST_VALUE else LAST_VALUE

    def lower_value(self) -> int:
        return self.higher_value() // 2

    def markers(self, seat: int) -> int:
        """Goods in which the seat has a marker, that is a position of 1 or more."""
        found = 0
        for good in range(5):
            if self.goods[seat * 5 + good]:
                found += 1
        return found

    def best_marker(self, seat: int, without: int) -> int:
        """The good of the best position, other than one; NONE if there is no marker."""
        best = NONE
        for good in range(5):
            if good == without or self.goods[seat * 5 + good] == 0:
                continue
            if best == NONE or self.goods[seat * 5 + good] > self.goods[seat * 5 + best]:
                best = good
        return best

    def marker_position(self, seat: int, good: int) -> int:
        return 0 if good == NONE else self.goods[seat * 5 + good]

    def exchange_cards(self, seat: int, colour: int) -> int:
        """Exchange cards of a colour in the area, or of all colours with NONE."""
        found = 0
        for kind in range(KINDS):
            if self.t.exchange[kind] and (colour == NONE or self.t.colour[kind] == colour):
                found += self.area[seat * KINDS + kind]
        return found

    def counted_points(self, seat: int, kind: int) -> int:
        """Hook: what a scoring counts for one open card of this kind."""
        return self.open_points(seat, kind)

    def change_area(self, seat: int, kind: int, by: int) -> None:
        Flow.change_area(self, seat, kind, by)
        if self.t.good[kind] >= 0:
            self.goods[seat * 5 + self.t.good[kind]] += by * self.t.goods[kind]
        card = self.t.any_card[kind]
        if card >= 0 and by < 0 and self.tile[card] >= 0:
            self.goods[seat * 5 + self.tile[card]] -= 1
            self.tile[card] = NONE
            self.tile_seat[card] = NONE

    def lay_card(self, seat: int, kind: int, onto: int) -> None:
        Flow.lay_card(self, seat, kind, onto)
        card = self.t.any_card[kind]
        if card >= 0:
            self.tile_seat[card] = seat
            self.open_tile = card

    def give_tile(self, card: int, seat: int, good: int) -> None:
        """Lay a good tile on a "?" card (10.2)."""
        self.tile[card] = good
        self.tile_seat[card] = seat
        self.goods[seat * 5 + good] += 1

    def throw_away(self, kind: int) -> None:
        """Special offers never lie on the discard pile (10.5)."""
        if self.t.orange[kind]:
            self.put_out(kind)
        else:
            self.put_on_discard(kind)

    def ask_pending(self) -> int:
        if self.open_tile >= 0:
            return self.ask(self.tile_seat[self.open_tile], GOOD)
        return Flow.ask_pending(self)

    def ask_after_scoring(self, seat: int) -> int:
        """Upkeep of special offers in the order of the goods (10.3 b)."""
        if self.phase == MARKET:
            while self.sub < 5:
                self.sub += 1
                if self.area[seat * KINDS + self.t.special[self.sub - 1]]:
                    return self.ask(seat, UPKEEP)
        return Flow.ask_after_scoring(self, seat)

    def score_more(self, seat: int) -> int:
        """Each good is scored on its own (10.3 c); ``sub`` is the good of this seat."""
        if self.phase != MARKET or self.sub == 5:
            return Flow.score_more(self, seat)
        good = self.sub
        self.sub += 1
        self.gain_points(seat, self.good_points(seat, good))
        return 1

    def good_points(self, seat: int, good: int) -> int:
        """Most symbols: the higher number; second: the lower one, unless several share the first place."""
        own = self.goods[seat * 5 + good]
        if own == 0:
            return 0
        better = 0
        best = own
        for other in range(self.n):
            symbols = self.goods[other * 5 + good]
            if symbols > own:
                better += 1
                if symbols > best:
                    best = symbols
        if better == 0:
            return self.higher_value()
        leaders = 0
        between = 0
        for other in range(self.n):
            symbols = self.goods[other * 5 + good]
            if symbols == best:
                leaders += 1
            elif symbols > own:
                between += 1
        return self.lower_value() if leaders == 1 and between == 0 else 0

    def list_other(self) -> int:
        n = 0
        if self.due == GOOD:
            for good in range(5):
                if self.tile[0] != good and self.tile[1] != good:
                    self.legal_ids[n] = GOOD_0 + good
                    n += 1
            return n
        if self.due == UPKEEP:
            if self.rubles[self.seat] >= self.higher_value():
                self.legal_ids[n] = UPKEEP_PAY + self.sub - 1
                n += 1
            self.legal_ids[n] = UPKEEP_DROP + self.sub - 1
            return n + 1
        return Flow.list_other(self)

    def do_other(self, number: int) -> None:
        verb = self.t.verb[number]
        if verb == V_GOOD:
            self.give_tile(self.open_tile, self.seat, self.t.arg[number])
            self.open_tile = NONE
            self.proceed()
        elif verb == V_UPKEEP_PAY:
            self.pay(self.seat, self.higher_value())
            self.proceed()
        elif verb == V_UPKEEP_DROP:
            self.lift(self.seat, self.t.card[number])
            self.throw_away(self.t.card[number])
            self.proceed()
        else:
            Flow.do_other(self, number)
