"""Owner prices, what an exchange card may replace, and all ways to lay or take a card (sections 4 to 6)."""

from __future__ import annotations

from nevsky.rules.actions import BUY_1, BUY_2, PLAY, TAKE_1, TAKE_2
from nevsky.rules.constants import HAND_ROOM, KINDS, LAY_ROOM, NONE, PURPLE, ROW_ROOM
from nevsky.rules.scoring import Scoring

MOST_WORTH = 31
NO_BITS = 0  # c: ulonglong
ONE_BIT = 1  # c: ulonglong


class Prices(Scoring):
    """Scoring that knows what a card costs its owner."""

    def full_price(self, seat: int, kind: int, onto: int) -> int:  # c: final
        """Cost without the row-2 reduction and without the floor of one ruble (5.1, 5.2, 6.4)."""
        price = self.price[seat * KINDS + kind]
        if onto != NONE:
            price -= self.t.worth[onto]
        return price

    def owner_price(self, seat: int, kind: int, row: int, onto: int) -> int:
        """What the seat pays for a card of row 1 or 2, or with row 0 for one that does not come from the display."""
        price = self.full_price(seat, kind, onto)
        if row == 2:
            price -= 1
        return price if price > 1 else 1

    def replaceable(self, seat: int, kind: int) -> int:
        """How many of a seat's cards of this kind an exchange card could be laid on (6.2)."""
        return self.area[seat * KINDS + kind] - self.face_down(seat, kind)

    def mark_replaceable(self, seat: int, kind: int) -> None:
        """Keep ``owned`` true: a bit for each base card of a colour that could be replaced."""
        c = seat * 5 + self.t.colour[kind]
        bit = 1 << self.t.below[kind]
        if self.replaceable(seat, kind) > 0:
            self.owned[c] |= bit
        else:
            self.owned[c] &= ~bit

    def change_area(self, seat: int, kind: int, by: int) -> None:
        Scoring.change_area(self, seat, kind, by)
        if self.t.lies_below[kind]:
            self.mark_replaceable(seat, kind)

    def list_row(self, n: int, seat: int, row: int, room: int) -> int:  # c: low, high, bit: ulonglong
        """Buying and, with room on the hand, taking the cards of a row."""
        base = row * ROW_ROOM
        buy = BUY_1 if row == 1 else BUY_2
        take = TAKE_1 if row == 1 else TAKE_2
        low = high = NO_BITS
        for i in range(self.row_n[row]):
            kind = self.row[base + i]
            index = self.t.index[kind]
            if index < 64:
                bit = ONE_BIT << index
                if low & bit:
                    continue
                low |= bit
            else:
                bit = ONE_BIT << (index - 64)
                if high & bit:
                    continue
                high |= bit
            n = self.lays(n, buy, seat, kind, row)
            if room:
                self.legal_ids[n] = take + index
                n += 1
        return n

    def list_hand(self, n: int, seat: int) -> int:
        base = seat * HAND_ROOM
        for i in range(self.hand_n[seat]):
            if not self.first_in_hand(seat, i):
                continue
            kind = self.hand[base + i]
            if self.t.colour[kind] == PURPLE:
                n = self.list_purple(n, seat, kind)
            else:
                n = self.lays(n, PLAY, seat, kind, 0)
        return n

    def row_card(self, row: int, i: int) -> int:
        return self.row[row * ROW_ROOM + i]

    def first_in_row(self, row: int, i: int) -> int:
        """Whether no equal card lies further left in the row."""
        kind = self.row[row * ROW_ROOM + i]
        for j in range(i):
            other = self.row[row * ROW_ROOM + j]
            if other == kind or other == self.t.twin[kind]:
                return 0
        return 1

    def first_in_hand(self, seat: int, i: int) -> int:  # c: final
        """Whether no equal card came to the hand before."""
        kind = self.hand[seat * HAND_ROOM + i]
        for j in range(i):
            other = self.hand[seat * HAND_ROOM + j]
            if other == kind or other == self.t.twin[kind]:
                return 0
        return 1

    def list_lays(self, n: int, block: int, seat: int, kind: int, row: int) -> int:
        return self.lays(n, block, seat, kind, row)

    def lays(self, n: int, block: int, seat: int, kind: int, row: int) -> int:  # c: final; bits, low: uint
        """Every way to lay this card that the seat can pay (4.6, 4.7); the floor of one ruble is the first test."""
        rubles = self.rubles[seat]
        colour = self.t.colour[kind]
        if rubles < 1 or colour == PURPLE:
            return n
        missing = self.price[seat * KINDS + kind] - rubles
        if row == 2:
            missing -= 1
        if not self.t.exchange[kind]:
            if missing <= 0:
                self.legal_ids[n] = block + self.t.lay[kind]
                n += 1
            return n
        if missing > MOST_WORTH:
            return n
        bits = self.owned[seat * 5 + colour] & self.t.replace_bits[kind]
        if missing > 0:
            bits &= self.t.worth_at_least[colour * LAY_ROOM + missing]
        while bits:
            low = bits & -bits
            bits ^= low
            self.legal_ids[n] = block + self.t.replaces[kind * LAY_ROOM + self.t.place[low % 37]]
            n += 1
        return n

    def list_purple(self, n: int, seat: int, kind: int) -> int:
        """Playing a purple card from the hand (11.1)."""
        return n
