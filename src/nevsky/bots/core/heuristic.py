"""The heuristic policy: a value in points for every legal action, in well under a microsecond.

It is the greedy bot's way of seeing things, boiled down to tables that change once a phase. Playouts and the order
in which a search looks at actions come from here.
"""

from __future__ import annotations

from collections.abc import Sequence

from nevsky.bots.core.features import FeatureWeights
from nevsky.bots.parameters import (
    GROWTH,
    HAND_BONUS,
    HAND_BONUS_ROUNDS,
    HOPE,
    HOPE_ROUNDS,
    HOPELESS,
    LAST_ROUND,
    LOOK_A_ROUND,
    LOST_CARD,
    MARKET_PACE,
    PACE_ROUNDS,
    SAVED,
    USUAL_PACE,
    Parameters,
)
from nevsky.rules.actions import VERBS
from nevsky.rules.constants import (
    BLUE,
    EXCHANGE,
    FIRST,
    GREEN,
    KINDS,
    LAST_VALUE,
    LAY_ROOM,
    MARIINSKY,
    NONE,
    OVER,
    PUB,
    PURPLE,
    RED,
    TAX_MAN,
    V_BUY,
    V_BUY_DRAWN,
    V_DISCARD_DRAWN,
    V_OBSERVE,
    V_PASS,
    V_PLAY,
    V_PUB,
    V_SEARCH,
    V_TAKE,
    V_TAKE_DRAWN,
    V_UPKEEP_PAY,
    YELLOW,
)
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng

V_BONUS = VERBS["bonus"]
V_BONUS_CARD = VERBS["bonus_card"]
V_DISCARD = VERBS["discard"]
V_GUILD_HALL = VERBS["guild_hall"]
V_MOOCH = VERBS["mooch"]
V_SYCOPHANT = VERBS["sycophant"]
V_THROW = VERBS["throw"]
V_TRADING_HOUSE = VERBS["trading_house"]
V_USE = VERBS["use"]

LONG_AGO = -1000
MOST_RUBLES = 128
NEVER = -1e9


class HeuristicPolicy:
    """Values actions. It keeps tables for the phase it was asked about last, so each search needs its own.

    With policy weights it adds to each value what was learned for the features of the action.
    """

    last_ruble: float
    round_ruble: float
    early_ruble: float
    spare_ruble: float
    needed_rubles: float
    nobles_to_come: float
    kept: float
    hand_space: float
    reduction: float
    observation: float
    goods_share: float
    passing: float
    noise: float
    worth: list[float]
    cash: list[float]
    scored: list[float]
    paid: list[float]
    values: list[float]
    per_round: list[float]
    key: int
    rounds: float
    time: float
    pub_sale: float
    goods: float
    learned: FeatureWeights | None

    def __init__(self, parameters: Parameters | None = None, weights: Sequence[float] | None = None) -> None:
        chosen = Parameters() if parameters is None else parameters
        self.last_ruble = chosen.last_ruble
        self.round_ruble = chosen.round_ruble
        self.early_ruble = chosen.early_ruble
        self.spare_ruble = chosen.spare_ruble
        self.needed_rubles = chosen.needed_rubles
        self.nobles_to_come = chosen.nobles_to_come
        self.kept = chosen.kept
        self.hand_space = chosen.hand_space
        self.reduction = chosen.reduction
        self.observation = chosen.observation
        self.goods_share = chosen.goods
        self.passing = chosen.passing
        self.noise = chosen.noise
        self.learned = None if weights is None else FeatureWeights(weights)
        self.worth = [0.0] * 112
        self.cash = [0.0] * 128
        self.scored = [0.0] * 5
        self.paid = [0.0] * 5
        self.values = [0.0] * 1024
        self.per_round = [0.0] * 112
        self.key = LONG_AGO
        self.rounds = 0.0
        self.time = 0.0
        self.pub_sale = 0.0
        self.goods = 0.0
        from nevsky.cards import CARDS

        for card in CARDS:
            words = {word for word, _ in card.effects}
            if words & {"observe", "search"}:
                self.per_round[card.kind] = LOOK_A_ROUND

    def fading(self, x: float) -> float:
        """Nearly ``exp(-x)`` for what is not negative, without a call to the library."""
        return 1 / (1 + x + x * x * (0.48 + 0.235 * x))

    def look(self, p: Position) -> None:
        """Bring the tables up to the phase of a position."""
        key = p.round * 64 + p.phase * 8 + (2 if p.last_round else 0) + (1 if p.due == PUB else 0)
        if key == self.key:
            return
        self.key = key
        acting = 0 if p.due == PUB else 1
        places = 5 if p.t.market else 4
        at = p.phase if p.t.market or p.phase == 0 else p.phase - 1
        self.rounds = 0.0 if p.last_round else self.rounds_left(p)
        self.time = self.rounds + float(places - at - 1 + acting) / places
        for colour in range(4):
            self.scored[colour] = 0.0
            self.paid[colour] = 0.0
            if p.t.deck_size[colour]:
                place = colour if p.t.market or colour == 0 else colour - 1
                self.count_scorings(colour, place, at, places, acting)
        self.pub_sale = 0.0
        if self.scored[BLUE] > 0:
            self.pub_sale = 5 * self.sale(1.0, 2.0, 0.0)
        self.goods = self.goods_share * self.scored[YELLOW] * (p.round + GROWTH * self.rounds)
        self.fill_cash()
        for kind in range(KINDS):
            self.worth[kind] = self.single(p, kind)

    def rounds_left(self, p: Position) -> float:
        """Rounds after this one: when the first pile runs out."""
        usual = MARKET_PACE if p.t.market else USUAL_PACE
        least = 99.0
        for pile in range(5):
            size = p.t.deck_size[pile]
            if size == 0:
                continue
            left = p.pile_n[pile]
            laid = p.round if pile <= p.phase else p.round - 1
            rounds = left * (laid + PACE_ROUNDS) / (size - left + PACE_ROUNDS * usual)
            if pile > p.phase:
                rounds -= 1
            least = min(least, rounds)
        return least + LAST_ROUND if least > 0 else LAST_ROUND

    def rounds_after(self, p: Position) -> float:
        """The same for other code."""
        return self.rounds_left(p)

    def count_scorings(self, colour: int, place: int, at: int, places: int, acting: int) -> None:
        """How often a colour is still scored, and what a ruble of its income is worth."""
        after = float(places - 1 - place) / places
        if place > at or (place == at and acting):
            self.scored[colour] += 1
            self.paid[colour] += self.ruble(self.rounds + after)
        left = self.rounds
        while left > 0:
            weight = left if left < 1 else 1.0
            rest = left - 1 if left > 1 else 0.0
            self.scored[colour] += weight
            self.paid[colour] += weight * self.ruble(rest + after)
            left -= 1

    def ruble(self, time: float) -> float:
        """The value of a ruble that is needed, so many rounds before the end."""
        if time < 0:
            time = 0.0
        return self.last_ruble + self.round_ruble * (1 - self.fading(2 * time)) + self.early_ruble * time

    def sale(self, points: float, rubles: float, left: float) -> float:
        """What buying points brings in the scorings to come."""
        gain = points - rubles * (self.last_ruble + self.spare_ruble * left) * 1.5
        return gain * self.scored[BLUE] * 0.6 if gain > 0 else 0.0

    def fill_cash(self) -> None:
        """The value of rubles now: the first ones are worth most."""
        time = self.time if self.time > 0 else 0.0
        spare = self.last_ruble + self.spare_ruble * time
        needed = self.needed_rubles
        more = (self.ruble(time) - spare) * needed
        for rubles in range(MOST_RUBLES):
            self.cash[rubles] = spare * rubles + more * (1 - self.fading(rubles / needed))

    def single(self, p: Position, kind: int) -> float:
        """Points that one card brings by itself until the end."""
        colour = p.t.colour[kind]
        if colour == PURPLE:
            return 0.0
        value = p.t.rubles[kind] * self.paid[colour] + p.t.points[kind] * self.scored[colour]
        if p.t.reduces[kind]:
            for other in range(4):
                if p.t.reduces[kind] >> other & 1:
                    value += self.reduction * self.paid[other]
        if p.t.pub[kind]:
            value += self.pub_sale
        if p.t.hand_bonus[kind]:
            value += HAND_BONUS * (self.rounds if self.rounds < HAND_BONUS_ROUNDS else HAND_BONUS_ROUNDS)
        value += self.per_round[kind] * self.rounds
        if p.t.good[kind] >= 0:
            value += self.goods * p.t.goods[kind]
        return value

    def noble_step(self, different: int) -> float:
        """What one more different noble adds at the end (8.2)."""
        if different >= 10:
            return 0.0
        to_come = self.nobles_to_come * self.rounds
        if to_come > 9 - different:
            to_come = 9.0 - different
        return different + 1 + to_come

    def gain(self, p: Position, seat: int, kind: int, onto: int, different: int) -> float:
        """What a card in the area would bring, the price aside."""
        colour = p.t.colour[kind]
        value = self.worth[kind]
        if onto != NONE:
            value -= self.worth[onto]
        if colour == RED:
            if p.named[seat * KINDS + p.t.name[kind]] == 0:
                value += self.noble_step(different)
            if onto != NONE and p.named[seat * KINDS + p.t.name[onto]] == 1:
                value -= self.noble_step(different if p.named[seat * KINDS + p.t.name[kind]] == 0 else different - 1)
            if onto == NONE and p.area[seat * KINDS + MARIINSKY]:
                value += self.paid[BLUE] if p.t.edition == FIRST else self.scored[BLUE]
            if kind == TAX_MAN:
                value += self.paid[RED] * (p.count[seat * 5 + GREEN] + GROWTH * self.rounds)
        elif colour == GREEN:
            if onto == NONE and p.area[seat * KINDS + TAX_MAN]:
                value += self.paid[RED]
        elif kind == MARIINSKY:
            income = self.paid[BLUE] if p.t.edition == FIRST else self.scored[BLUE]
            value += income * (p.count[seat * 5 + RED] + GROWTH * self.rounds)
        return value

    def rubles(self, p: Position, seat: int, more: int) -> float:
        """What gaining or paying rubles changes."""
        now = p.rubles[seat]
        after = now + more
        after = max(after, 0)
        if now >= MOST_RUBLES:
            now = MOST_RUBLES - 1
        if after >= MOST_RUBLES:
            after = MOST_RUBLES - 1
        return self.cash[after] - self.cash[now]

    def lay(self, p: Position, seat: int, kind: int, row: int, onto: int, different: int) -> float:
        """What paying for a card and laying it changes."""
        price = p.owner_price(seat, kind, row, onto)
        return self.gain(p, seat, kind, onto, different) + self.rubles(p, seat, -price)

    def keep(self, p: Position, seat: int, kind: int, different: int) -> float:
        """What a card on the hand is worth."""
        colour = p.t.colour[kind]
        if colour == PURPLE:
            return 1.0 if self.rounds > 0 or p.phase != EXCHANGE else -1.0
        if not p.t.exchange[kind]:
            return self.later(p, seat, kind, NONE, different)
        best = LOST_CARD
        bits = p.owned[seat * 5 + colour] & p.t.replace_bits[kind]
        if bits == 0:
            hope = HOPE * (self.rounds / HOPE_ROUNDS if self.rounds < HOPE_ROUNDS else 1.0)
            value = hope * (self.worth[kind] * 0.6) + (1 - hope) * LOST_CARD * HOPELESS
            return value if value > LOST_CARD else LOST_CARD
        while bits:
            low = bits & -bits
            bits ^= low
            value = self.later(p, seat, kind, p.t.base_card[colour * LAY_ROOM + p.t.place[low % 37]], different)
            best = max(best, value)
        return best

    def later(self, p: Position, seat: int, kind: int, onto: int, different: int) -> float:
        """Laying a card as soon as the rubles suffice: scorings until then are missed."""
        price = p.owner_price(seat, kind, 0, onto)
        income = 0.0
        for colour in range(4):
            income += p.income_rubles[seat * 5 + colour]
        wait = 0.25
        if price > p.rubles[seat]:
            wait += (price - p.rubles[seat]) / (SAVED * income + 0.5)
        if wait >= self.time:
            return LOST_CARD
        colour = p.t.colour[kind]
        each = p.t.rubles[kind] * self.ruble(self.time) + p.t.points[kind]
        if onto != NONE:
            each -= p.t.rubles[onto] * self.ruble(self.time) + p.t.points[onto]
        if p.phase != colour and wait < 0.5:
            each = 0.0
        value = self.gain(p, seat, kind, onto, different) - wait * each - price * self.ruble(self.time - wait) * 0.8
        if value > 0:
            value *= self.kept
        return value if value > LOST_CARD else LOST_CARD

    def take(self, p: Position, seat: int, kind: int, different: int) -> float:
        """What taking a card into the hand changes; the last space of the hand is worth most."""
        rest = self.time if self.time < 1 else 1.0
        limit = p.hand_limit[seat] - 1 if p.hand_limit[seat] > 1 else 1
        space = self.hand_space * (p.hand_n[seat] + 1) / limit
        return self.keep(p, seat, kind, different) - space * rest

    def value(self, p: Position, number: int, different: int) -> float:
        """What a legal action changes, in points."""
        seat = p.seat
        verb = p.t.verb[number]
        kind = p.t.card[number]
        if verb == V_PASS:
            return self.passing
        if verb == V_BUY:
            return self.lay(p, seat, kind, p.t.arg[number], p.t.onto[number], different)
        if verb in (V_TAKE, V_TAKE_DRAWN):
            return self.take(p, seat, kind, different)
        if verb == V_PLAY:
            if p.t.colour[kind] == PURPLE:
                return 1.5
            return self.lay(p, seat, kind, 0, p.t.onto[number], different) - self.keep(p, seat, kind, different)
        if verb == V_BUY_DRAWN:
            return self.lay(p, seat, kind, 0, p.t.onto[number], different)
        if verb == V_DISCARD_DRAWN:
            return 0.0
        if verb == V_OBSERVE:
            return self.observation
        if verb == V_PUB:
            points = p.t.arg[number]
            return points + self.rubles(p, seat, -2 * points)
        return self.other_value(p, number, verb, kind, different)

    def other_value(self, p: Position, number: int, verb: int, kind: int, different: int) -> float:
        """Actions that only the Market and the modules know."""
        seat = p.seat
        if verb == V_UPKEEP_PAY:
            return self.worth[kind] + self.rubles(p, seat, -(p.round if p.round < LAST_VALUE else LAST_VALUE))
        if verb == V_SEARCH:
            value = self.keep(p, seat, kind, different)
            return value if value > 0 else 0.0
        if verb == V_USE:
            return 0.3
        if verb in (V_THROW, V_DISCARD):
            return -self.worth[kind] if kind != NONE else 0.0
        if verb == V_GUILD_HALL:
            rubles = p.t.arg[number]
            return 4 - rubles + self.rubles(p, seat, rubles)
        if verb == V_TRADING_HOUSE:
            return 0.0 if p.t.arg[number] else 2 + self.rubles(p, seat, -3)
        if verb == V_SYCOPHANT:
            return 0.0 if p.t.arg[number] else 1.0
        if verb in (V_MOOCH, V_BONUS, V_BONUS_CARD):
            return 1.0 if p.t.points_wanted[number] else self.ruble(self.time)
        return 0.1

    def appraise(self, p: Position) -> int:
        """Fill ``values`` for the legal actions in their order; how many there are."""
        n = p.list_legal()
        if n == 1:
            self.values[0] = 0.0
            return n
        self.look(p)
        if self.learned is not None:
            self.learned.set_context(p, self.time)
        different = p.different_nobles(p.seat)
        for i in range(n):
            self.values[i] = self.value(p, p.legal_ids[i], different)
            if self.learned is not None:
                self.values[i] += self.learned.score(p, p.legal_ids[i], different)
        return n

    def choose(self, p: Position, rng: Rng) -> int:
        """A good action, with a little chance in it."""
        n = p.list_legal()
        if n == 1:
            return p.legal_ids[0]
        self.look(p)
        if self.learned is not None:
            self.learned.set_context(p, self.time)
        different = p.different_nobles(p.seat)
        best = NEVER
        found = 0
        noise = self.noise
        for i in range(n):
            value = self.value(p, p.legal_ids[i], different)
            if self.learned is not None:
                value += self.learned.score(p, p.legal_ids[i], different)
            if noise > 0:
                value += noise * (rng.draw(1024) + rng.draw(1024)) / 1024.0
            if value > best:
                best = value
                found = i
        return p.legal_ids[found]

    def pick(self, p: Position, rng: Rng) -> int:
        """The same for other code."""
        return self.choose(p, rng)

    def playout(self, p: Position, rng: Rng, most: int) -> int:
        """Play to the end, or at most so many decisions; how many it took."""
        self.key = LONG_AGO
        decisions = 0
        while p.due != OVER and decisions < most:
            p.do(self.choose(p, rng))
            decisions += 1
        return decisions
