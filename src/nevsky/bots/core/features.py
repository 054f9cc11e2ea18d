"""Policy weights: points that training has added to the heuristic value of an action, one for each of its features.

All features are binary, and a feature is known by the place of its weight in one table. Each action has a handful that
belong to its card, and some that it shares with all actions of the same way (to lay, to take, to play from the hand,
to pass) and colour.
"""

from __future__ import annotations

from collections.abc import Sequence

from nevsky.rules.constants import (
    EXCHANGE,
    KINDS,
    NONE,
    PURPLE,
    RED,
    ROW_ROOM,
    V_BUY,
    V_BUY_DRAWN,
    V_OBSERVE,
    V_PASS,
    V_PLAY,
    V_PUB,
    V_TAKE,
    V_TAKE_DRAWN,
)
from nevsky.rules.position import Position

STAGES = 6
PARTS = 1024.0
"""Of a point: whole numbers are added faster than others, and in any order."""
WAY_LAY = 0
WAY_TAKE = 1
WAY_PLAY = 2
WAY_PASS = 3
NO_WAY = -1

# What is different in every stage of the game; each stage has all of these together.
F_LAY = 0
F_TAKE = 112
F_PLAY = 224
F_ONTO = 336
F_CASH = 448
F_NOBLES = 528
F_HAND = 539
F_PASS = 545
F_OBSERVE = 555
F_PUB = 556
F_ROW = 562
F_DENY = 578
F_SCARCE = 594
F_PRICE = 610
F_COPIES = 670
F_COUNT = 700
F_INCOME = 860
F_LEAD = 1020
F_BEFORE = 1048
F_RIVAL = 1368
F_FULL = 1688
F_START = 1788
SPAN = 1828
# What is the same throughout.
F_LAY_PHASE = 10968
F_TAKE_PHASE = 11528
F_KIND_DENY = 12088
F_KIND_INCOME = 12984
F_KIND_CASH = 13880
F_TEMPO = 14552
SIZE = 15452
NUMBER_OF_WEIGHTS = SIZE
"""How many numbers training can change."""
NUMBER_OF_STAGED = SPAN * STAGES
"""How many of them, from the first, belong to a stage of the game."""


class FeatureWeights:
    """A table of weights, and the features of the action it was asked about last."""

    table: list[int]
    feature: list[int]
    shared: list[int]
    shared_at: list[int]
    copies: list[int]
    now: int
    way: int
    colour: int
    stage: int
    phase: int
    income: int
    lead: int
    tempo: int
    before: int
    rival: int
    rival_rubles: int
    starts: int

    def __init__(self, table: Sequence[float]) -> None:
        if len(table) != SIZE:
            raise ValueError(f"There are {SIZE} policy weights, not {len(table)}.")
        self.table = [0] * 15452
        for i in range(SIZE):
            self.table[i] = round(table[i] * PARTS)
        self.feature = [0] * 32
        self.shared = [0] * 20
        self.shared_at = [0] * 20
        self.copies = [0] * 112
        self.now = 0
        self.way = NO_WAY
        self.colour = 0
        self.stage = 0
        self.phase = 0
        self.income = 0
        self.lead = 0
        self.tempo = 0
        self.before = 0
        self.rival = 0
        self.rival_rubles = 0
        self.starts = 0

    def set_context(self, p: Position, time: float) -> None:
        """Note what bears on all actions of a decision, so many rounds before the end."""
        seat = p.seat
        self.now += 1
        stage = int(time * 1.25)
        self.stage = SPAN * (stage if stage < STAGES else STAGES - 1)
        self.phase = p.phase
        income = 0
        for colour in range(4):
            income += p.income_rubles[seat * 5 + colour]
        self.income = income // 3 if income < 21 else 7
        best = -1000
        for other in range(p.n):
            if other != seat and p.points[other] > best:
                best = p.points[other]
        lead = p.points[seat] - best
        self.lead = 0
        if lead >= -12:
            self.lead = 6 if lead > 12 else (lead + 17) // 5
        left = p.row_n[1] + p.row_n[2]
        self.tempo = (left if left < 8 else 8) * 5 + (p.passes if p.passes < 4 else 4)
        self.before = self.bucket(p.rubles[seat])
        self.rival = seat + 1 if seat + 1 < p.n else 0
        self.rival_rubles = self.bucket(p.rubles[self.rival])
        self.starts = 0
        if p.phase == EXCHANGE:  # the token moves on to the left before it counts
            first = p.token[0] + 1
            if first == p.n:
                first = 0
        else:
            first = p.token[p.phase + 1 if p.t.market or p.phase else 2]
        if first == seat:
            self.starts = 1
        for row in range(1, 3):
            for i in range(row * ROW_ROOM, row * ROW_ROOM + p.row_n[row]):
                self.copies[p.row[i]] = 0
        for row in range(1, 3):
            for i in range(row * ROW_ROOM, row * ROW_ROOM + p.row_n[row]):
                self.copies[p.row[i]] += 1

    def bucket(self, rubles: int) -> int:
        """Rubles, roughly, in sixteen steps."""
        if rubles < 10:
            return rubles if rubles > 0 else 0
        if rubles < 15:
            return 10 if rubles < 12 else 11
        if rubles < 25:
            return 12 if rubles < 19 else 13
        return 14 if rubles < 35 else 15

    def purse(self, rubles: int) -> int:
        """Rubles, more roughly, in six steps."""
        if rubles < 6:
            return 0 if rubles < 1 else (1 if rubles < 3 else 2)
        if rubles < 16:
            return 3 if rubles < 10 else 4
        return 5

    def own_features(self, p: Position, number: int, different: int) -> int:
        """Fill ``feature`` with what belongs to one action alone, note its way and colour; how many there are."""
        seat = p.seat
        verb = p.t.verb[number]
        kind = p.t.card[number]
        stage = self.stage
        rubles = p.rubles[seat]
        hand = p.hand_n[seat]
        n = 0
        self.way = NO_WAY
        if verb == V_PASS:
            self.way = WAY_PASS
            self.colour = self.phase
            self.feature[0] = stage + F_PASS + self.phase * 2 + (1 if p.passes == p.n - 1 else 0)
            n = 1
        elif verb in (V_TAKE, V_TAKE_DRAWN):
            hand += 1
            self.way = WAY_TAKE
            self.feature[0] = stage + F_TAKE + kind
            self.feature[1] = F_TAKE_PHASE + kind * 5 + self.phase
            n = 2
        elif verb in (V_BUY, V_BUY_DRAWN, V_PLAY):
            onto = p.t.onto[number]
            if verb == V_PLAY:
                self.way = WAY_PLAY
                hand -= 1
                self.feature[0] = stage + F_PLAY + kind
            else:
                self.way = WAY_LAY
                self.feature[0] = stage + F_LAY + kind
            n = 1
            if p.t.colour[kind] != PURPLE:
                price = p.owner_price(seat, kind, p.t.arg[number] if verb == V_BUY else 0, onto)
                rubles -= price
                if onto != NONE:
                    self.feature[n] = stage + F_ONTO + onto
                    n += 1
                if p.t.colour[kind] == RED:
                    if p.named[seat * KINDS + p.t.name[kind]] == 0:
                        different += 1
                    if onto != NONE and p.named[seat * KINDS + p.t.name[onto]] == 1:
                        different -= 1
                self.feature[n] = F_LAY_PHASE + kind * 5 + self.phase
                self.feature[n + 1] = stage + F_PRICE + (p.t.colour[kind] * 12 + (price if price < 11 else 11))
                self.feature[n + 2] = F_KIND_CASH + kind * 6 + self.purse(rubles)
                n += 3
        elif verb == V_PUB:
            self.feature[0] = stage + F_PUB + (p.t.arg[number] if p.t.arg[number] < 5 else 5)
            rubles -= 2 * p.t.arg[number]
            n = 1
        elif verb == V_OBSERVE:
            self.feature[0] = stage + F_OBSERVE
            n = 1
        if self.way != NO_WAY and self.way != WAY_PASS:
            self.colour = p.t.colour[kind]
            way = 1 if self.way == WAY_TAKE else 0
            self.feature[n] = F_KIND_INCOME + (kind * 2 + way) * 4 + self.income // 2
            n += 1
            if self.colour == PURPLE:
                self.way = NO_WAY
            elif verb in (V_BUY, V_TAKE):
                n = self.row_features(p, kind, p.t.arg[number], way, n)
        different = min(different, 10)
        hand = min(hand, 5)
        self.feature[n] = stage + F_CASH + (self.bucket(rubles) * 5 + self.phase)
        self.feature[n + 1] = stage + F_NOBLES + different
        self.feature[n + 2] = stage + F_HAND + hand
        return n + 3

    def row_features(self, p: Position, kind: int, row: int, way: int, n: int) -> int:
        """What belongs to a card that lies in a row: who else could want it."""
        colour = self.colour
        stage = self.stage
        rival = self.rival
        self.feature[n] = stage + F_ROW + (((row - 1) * 2 + way) * 4 + colour)
        wanted = 1 if p.rubles[rival] >= p.owner_price(rival, kind, row, NONE) else 0
        self.feature[n + 1] = stage + F_DENY + ((wanted * 2 + way) * 4 + colour)
        lacks = 1
        if p.t.exchange[kind]:
            lacks = 1 if p.owned[rival * 5 + colour] & p.t.replace_bits[kind] else 0
        if colour == RED and p.named[rival * KINDS + p.t.name[kind]]:
            lacks = 0
        self.feature[n + 2] = stage + F_SCARCE + ((lacks * 2 + way) * 4 + colour)
        self.feature[n + 3] = F_KIND_DENY + (kind * 2 + way) * 4 + wanted * 2 + lacks
        copies = self.copies[kind]
        copies = 0 if copies < 2 else (1 if copies == 2 else 2)
        self.feature[n + 4] = stage + F_COPIES + ((way * 5 + colour) * 3 + copies)
        return n + 5

    def shared_features(self, p: Position, n: int) -> int:
        """Add what belongs to the way and colour that were noted; how many features there are then."""
        seat = p.seat
        stage = self.stage
        place = self.way * 5 + self.colour
        count = p.count[seat * 5 + self.colour] if self.way != WAY_PASS else 0
        hand = p.hand_n[seat]
        self.feature[n] = stage + F_COUNT + (place * 8 + (count if count < 7 else 7))
        self.feature[n + 1] = stage + F_INCOME + (place * 8 + self.income)
        self.feature[n + 2] = stage + F_LEAD + (self.way * 7 + self.lead)
        self.feature[n + 3] = F_TEMPO + (self.way * 5 + self.phase) * 45 + self.tempo
        self.feature[n + 4] = stage + F_BEFORE + (place * 16 + self.before)
        self.feature[n + 5] = stage + F_RIVAL + (place * 16 + self.rival_rubles)
        self.feature[n + 6] = stage + F_FULL + (place * 5 + (hand if hand < 4 else 4))
        self.feature[n + 7] = stage + F_START + ((self.way * 5 + self.phase) * 2 + self.starts)
        return n + 8

    def list_features(self, p: Position, number: int, different: int) -> int:
        """Fill ``feature`` with all features of an action; how many there are."""
        n = self.own_features(p, number, different)
        return n if self.way == NO_WAY else self.shared_features(p, n)

    def score(self, p: Position, number: int, different: int) -> float:
        """The sum of the weights of an action's features, in points."""
        n = self.own_features(p, number, different)
        value = 0
        for i in range(n):
            value += self.table[self.feature[i]]
        if self.way == NO_WAY:
            return value / PARTS
        place = self.way * 5 + self.colour
        if self.shared_at[place] != self.now:
            self.shared_at[place] = self.now
            total = 0
            for i in range(n, self.shared_features(p, n)):
                total += self.table[self.feature[i]]
            self.shared[place] = total
        return (value + self.shared[place]) / PARTS
