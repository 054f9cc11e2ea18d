"""The Market (section 10): goods, "?" tiles, special offers and the scoring of the market phase."""

from __future__ import annotations

from nevsky.rules.actions import GOOD_0, UPKEEP_DROP, UPKEEP_PAY
from nevsky.rules.constants import (
    CZAR_AND_CARPENTER,
    GOOD,
    KINDS,
    MARKET,
    NONE,
    SACK_SPECIAL,
    SHIP_BUILDER_ANY,
    SPECIAL_STEP,
    UPKEEP,
    V_GOOD,
    V_UPKEEP_DROP,
    V_UPKEEP_PAY,
)
from nevsky.rules.flow import Flow
from nevsky.rules.rng import Rng
from nevsky.rules.state import State
from nevsky.rules.tables import Tables


class Market(Flow):
    """A game that may have a Market."""

    goods: list[int]
    tile: list[int]
    tile_seat: list[int]
    open_tile: int

    def __init__(self, t: Tables, players: int, display: int) -> None:
        Flow.__init__(self, t, players, display)
        self.goods = [0] * 25
        self.tile = [-1] * 2
        self.tile_seat = [-1] * 2
        self.open_tile = NONE

    def copy_into(self, c: State) -> None:
        Flow.copy_into(self, c)
        assert isinstance(c, Market)
        o = c
        o.goods = self.goods[:]
        o.tile = self.tile[:]
        o.tile_seat = self.tile_seat[:]
        o.open_tile = self.open_tile

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
        return self.round if self.round < 6 else 6

    def lower_value(self) -> int:
        return self.higher_value() // 2

    def any_card(self, kind: int) -> int:
        """Which of the two "?" cards this is, or NONE."""
        if not self.t.market:
            return NONE
        if kind == SHIP_BUILDER_ANY:
            return 0
        if kind == CZAR_AND_CARPENTER:
            return 1
        return NONE

    def change_area(self, seat: int, kind: int, by: int) -> None:
        Flow.change_area(self, seat, kind, by)
        if self.t.good[kind] >= 0:
            self.goods[seat * 5 + self.t.good[kind]] += by * self.t.goods[kind]
        card = self.any_card(kind)
        if card >= 0 and by < 0 and self.tile[card] >= 0:
            self.goods[seat * 5 + self.tile[card]] -= 1
            self.tile[card] = NONE
            self.tile_seat[card] = NONE

    def lay_card(self, seat: int, kind: int, onto: int) -> None:
        Flow.lay_card(self, seat, kind, onto)
        card = self.any_card(kind)
        if card >= 0:
            self.tile_seat[card] = seat
            self.open_tile = card

    def give_tile(self, card: int, seat: int, good: int) -> None:
        """Lay a good tile on a "?" card (10.2)."""
        self.tile[card] = good
        self.tile_seat[card] = seat
        self.goods[seat * 5 + good] += 1

    def is_orange(self, kind: int) -> int:
        return (
            1
            if self.t.market
            and kind >= SACK_SPECIAL
            and (kind - SACK_SPECIAL) % SPECIAL_STEP == 0
            and (kind <= SACK_SPECIAL + 4 * SPECIAL_STEP)
            else 0
        )

    def throw_away(self, kind: int) -> None:
        """Special offers never lie on the discard pile (10.5)."""
        if self.is_orange(kind):
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
                if self.area[seat * KINDS + SACK_SPECIAL + (self.sub - 1) * SPECIAL_STEP]:
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
