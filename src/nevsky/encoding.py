"""A position as a row of numbers, the way one seat sees it: for networks, environments and data sets.

The layout is the same for every ruleset and number of players. First come five blocks, one for each seat, the viewer's
own first and then clockwise; after them what belongs to the whole table. `layout` names every number.
"""

from __future__ import annotations

from array import array

from nevsky.rules.constants import HAND_ROOM, KINDS, MODULE_ROOM, NONE, PILE_ROOM, RED, ROW_ROOM
from nevsky.rules.course import FullPosition
from nevsky.rules.modules.banquet.room import BANQUET, CHIP, JESTER
from nevsky.rules.position import Position

__all__ = ["SIZE", "Encoder"]

S_PRESENT = 0
S_RUBLES = 1
S_RUBLES_KNOWN = 2
S_POINTS = 3
S_HAND = 4
S_HAND_LIMIT = 5
S_NOBLES = 6
S_NOBLE_POINTS = 7
S_TO_MOVE = 8
S_INCOME_RUBLES = 9
S_INCOME_POINTS = 13
S_TOKEN = 17
S_GOODS = 22
S_ASSISTANT = 27
S_PASSED = 32
S_EVENT_USED = 37
S_STOREROOM = 38
S_DOWN = 39
S_PUB = 40
S_UNKNOWN = 41
S_BANQUET = 46
S_JESTER = 47
S_COVERED = 48
S_PRISON_DOWN = 49
S_AREA = 50
S_HELD = 162
SEAT_SIZE = 274

G_ROW_1 = 1370
G_ROW_2 = 1482
G_DISCARD = 1594
G_UNSEEN = 1706
G_DRAWN = 1818
G_PILE = 1930
G_PHASE = 1935
G_DUE = 1940
G_ROUND = 1972
G_PASSES = 1973
G_MUST_BUY = 1974
G_LAST_ROUND = 1975
G_PLAYERS = 1976
G_FIRST_EDITION = 1980
G_MARKET = 1981
G_MODULES = 1982
G_EVENTS = 1990
G_OBSTACLES = 1996
G_ASSIGNMENTS = 2046
G_CHOSEN = 2061
G_HALVED = 2076
G_EXTRA = 2077
G_FINAL = 2078
SIZE = 2079
"""How many numbers an observation has."""
FIRST_EDITION = 1
ALL_CARDS = 112


class Encoder:
    """Writes positions down as the places and values of the numbers that are not zero."""

    place: list[int]
    value: list[float]
    n: int
    unseen: list[int]
    noble_points: list[int]

    def __init__(self) -> None:
        self.place = [0] * 2112
        self.value = [0.0] * 2112
        self.n = 0
        self.unseen = [0] * 112
        self.noble_points = [0] * 112

    def put(self, place: int, value: float) -> None:
        """One number."""
        if value != 0:
            self.place[self.n] = place
            self.value[self.n] = value
            self.n += 1

    def encode(self, p: Position, viewer: int, open_rubles: int, open_hands: int) -> int:
        """Write down a position as a seat sees it; how many numbers are not zero."""
        full = p if isinstance(p, FullPosition) else None
        return self.encode_known(p, full, viewer, open_rubles, open_hands)

    def encode_known(
        self, p: Position, full: FullPosition | None, viewer: int, open_rubles: int, open_hands: int
    ) -> int:
        """The same for whoever knows already whether it is a full position, and may not ask Python."""
        self.n = 0
        over = 1 if p.due < 0 else 0
        for kind in range(ALL_CARDS):
            self.unseen[kind] = 0
        for pile in range(5):
            for i in range(p.pile_n[pile]):
                self.unseen[p.pile[pile * PILE_ROOM + i]] += 1
        for i in range(p.n):
            seat = (viewer + i) % p.n
            own = 1 if i == 0 else 0
            self.encode_seat(p, seat, i * SEAT_SIZE, own or open_rubles or over, own or open_hands or over)
        self.encode_table(p, viewer)
        if full is not None:
            self.encode_extras(full, viewer)
        return self.n

    def encode_seat(self, p: Position, seat: int, base: int, rubles_known: int, hand_known: int) -> None:
        """What lies before a seat, and what is known of its hand."""
        self.put(base + S_PRESENT, 1)
        if rubles_known:
            self.put(base + S_RUBLES, p.rubles[seat] / 25.0)
            self.put(base + S_RUBLES_KNOWN, 1)
        self.put(base + S_POINTS, p.points[seat] / 50.0)
        self.put(base + S_HAND, p.hand_n[seat] / 4.0)
        self.put(base + S_HAND_LIMIT, p.hand_limit[seat] / 4.0)
        area = seat * KINDS
        if p.count[seat * 5 + RED]:
            nobles = p.different_nobles(seat)
            if self.noble_points[nobles] == 0:
                self.noble_points[nobles] = p.noble_points(seat)
            self.put(base + S_NOBLES, nobles / 10.0)
            self.put(base + S_NOBLE_POINTS, self.noble_points[nobles] / 50.0)
        if p.due >= 0 and p.seat == seat:
            self.put(base + S_TO_MOVE, 1)
        for colour in range(4):
            self.put(base + S_INCOME_RUBLES + colour, p.phase_rubles(seat, colour) / 10.0)
            self.put(base + S_INCOME_POINTS + colour, p.phase_points(seat, colour) / 10.0)
        for pile in range(5):
            if p.token[pile] == seat and p.t.deck_size[pile]:
                self.put(base + S_TOKEN + pile, 1)
        self.put(base + S_DOWN, p.down[seat])
        self.put(base + S_PUB, p.pub[seat] / 5.0)
        for start in range(area, area + KINDS, 8):  # areas are mostly empty
            if (
                p.area[start]
                | p.area[start + 1]
                | p.area[start + 2]
                | p.area[start + 3]
                | p.area[start + 4]
                | p.area[start + 5]
                | p.area[start + 6]
                | p.area[start + 7]
            ):
                for at in range(start, start + 8):
                    if p.area[at]:
                        self.put(base + S_AREA + at - area, p.area[at])
        for i in range(seat * HAND_ROOM, seat * HAND_ROOM + p.hand_n[seat]):
            kind = p.hand[i]
            if hand_known or p.hand_open[i]:
                self.add(base + S_HELD + kind)
            else:
                self.add(base + S_UNKNOWN + p.t.pile[kind])
                self.unseen[kind] += 1

    def add(self, place: int) -> None:
        """Count one more at a place that was written a short while ago, or not yet."""
        for i in range(self.n - 1, -1, -1):
            if self.place[i] == place:
                self.value[i] += 1
                return
            if i < self.n - 12:
                break
        self.put(place, 1)

    def encode_row(self, p: Position, row: int, base: int) -> None:
        """The cards of a row, however they lie."""
        start = self.n
        for i in range(row * ROW_ROOM, row * ROW_ROOM + p.row_n[row]):
            place = base + p.row[i]
            found = 0
            for k in range(start, self.n):
                if self.place[k] == place:
                    self.value[k] += 1
                    found = 1
                    break
            if not found:
                self.put(place, 1)

    def encode_table(self, p: Position, viewer: int) -> None:
        """Display, piles and what is due."""
        self.encode_row(p, 1, G_ROW_1)
        self.encode_row(p, 2, G_ROW_2)
        if p.drawn != NONE:
            if p.drawn_pile == NONE or p.seat == viewer:
                self.put(G_DRAWN + p.drawn, 1)
            else:
                self.unseen[p.drawn] += 1
        for kind in range(KINDS):
            if self.unseen[kind]:
                self.put(G_UNSEEN + kind, self.unseen[kind] / 4.0)
        for i in range(p.discard_n):
            self.unseen[p.discard[i]] = 0
        for i in range(p.discard_n):
            self.unseen[p.discard[i]] += 1
        for i in range(p.discard_n):
            kind = p.discard[i]
            if self.unseen[kind]:
                self.put(G_DISCARD + kind, self.unseen[kind] / 4.0)
                self.unseen[kind] = 0
        for pile in range(5):
            self.put(G_PILE + pile, p.pile_n[pile] / 10.0)
        self.put(G_PHASE + p.phase, 1)
        if p.due >= 0:
            self.put(G_DUE + p.due, 1)
        self.put(G_ROUND, p.round / 8.0)
        self.put(G_PASSES, float(p.passes) / p.n)
        self.put(G_MUST_BUY, p.must_buy)
        self.put(G_LAST_ROUND, p.last_round)
        self.put(G_PLAYERS + p.n - 2, 1)
        if p.t.edition == FIRST_EDITION:
            self.put(G_FIRST_EDITION, 1)

    def encode_extras(self, p: FullPosition, viewer: int) -> None:
        """What the Market and the modules add."""
        self.put(G_MARKET, p.t.market)
        for module in range(MODULE_ROOM):
            self.put(G_MODULES + module, p.t.modules >> (module + 1) & 1)
        for i in range(p.n):
            self.encode_extras_of(p, (viewer + i) % p.n, i * SEAT_SIZE)
        if p.events is not None:
            for event in range(6):
                self.put(G_EVENTS + event, p.events.left >> event & 1)
        if p.obstacles is not None:
            for space in range(5):
                self.put(G_OBSTACLES + space * 10 + p.obstacles.tile[space], 1)
        if p.assignments is not None and viewer >= 0:
            for i in range(viewer * 3, viewer * 3 + 3):
                self.put(G_ASSIGNMENTS + p.assignments.dealt[i] - 1, 1)
            if p.assignments.chosen[viewer]:
                self.put(G_CHOSEN + p.assignments.chosen[viewer] - 1, 1)
        if p.banquet is not None:
            self.put(G_HALVED, p.banquet.halved)
        self.put(G_EXTRA, p.extra)
        self.put(G_FINAL, p.final)

    def encode_extras_of(self, p: FullPosition, seat: int, base: int) -> None:
        """What the Market and the modules add to a seat."""
        for good in range(5):
            self.put(base + S_GOODS + good, p.goods[seat * 5 + good] / 5.0)
        if p.assistants is not None:
            for which in range(5):
                if p.assistants.seat[which] == seat:
                    self.put(base + S_ASSISTANT + which, 1)
        if p.obstacles is not None:
            for space in range(5):
                self.put(base + S_PASSED + space, p.obstacles.passed[seat] >> space & 1)
        if p.events is not None:
            self.put(base + S_EVENT_USED, p.events.used >> seat & 1)
            if p.events.storeroom_seat == seat:
                self.put(base + S_STOREROOM, 1)
        if p.banquet is not None:
            if p.banquet.mark_seat[BANQUET] == seat:
                self.put(base + S_BANQUET, 1)
            if p.banquet.mark_seat[JESTER] == seat:
                self.put(base + S_JESTER, 1)
            if p.banquet.mark_seat[CHIP] == seat:
                self.put(base + S_COVERED, 1)
        if p.good_company is not None:
            self.put(base + S_PRISON_DOWN, p.good_company.prison_down[seat])

    def write(self, places: array[int], values: array[float], at: int) -> int:
        """Append the numbers to two long arrays; where the next ones go."""
        for i in range(self.n):
            places[at + i] = self.place[i]
            values[at + i] = self.value[i]
        return at + self.n

    def put_into(self, row: memoryview[float]) -> None:
        """Write the numbers into a row of zeros."""
        for i in range(self.n):
            row[self.place[i]] = self.value[i]

    def row(self) -> list[float]:
        """All numbers in a new list, zeros too."""
        row = [0.0] * SIZE
        for i in range(self.n):
            row[self.place[i]] = self.value[i]
        return row

    def numbers(self) -> dict[int, float]:
        """The numbers that are not zero, by place."""
        return {self.place[i]: self.value[i] for i in range(self.n)}
