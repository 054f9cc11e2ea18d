"""What the cards of an area are worth in points until the end of the game."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import Final

from nevsky.bots.outlook import Outlook
from nevsky.bots.parameters import GROWTH, HAND_BONUS, HAND_BONUS_ROUNDS, LOOK_A_ROUND
from nevsky.cards import CARDS, COLOURS, GOODS, KIND
from nevsky.rules.action import LAYS
from nevsky.rules.constants import BLUE, GREEN, RED, YELLOW
from nevsky.rules.market import value_tile
from nevsky.rules.modules import OBSTACLES
from nevsky.rules.modules.obstacles.room import NEEDED, NEEDED_POSITION
from nevsky.rules.view import View

__all__ = ["TARGETS", "Worth"]

TARGETS: Final[dict[int, tuple[int, ...]]] = {
    card.kind: tuple(onto for kind, onto in LAYS if kind == card.kind) for card in CARDS if card.exchange
}
"""What each exchange card may replace (6.1)."""

_COLOUR: Final = tuple(COLOURS.index(card.colour) for card in CARDS)
_NAME: Final = tuple(KIND.get(card.name, card.kind) for card in CARDS)
_PER_RED: Final = KIND["mariinsky_theater"]
_TAX_MAN: Final = KIND["tax_man"]
_COFFEE_HOUSE: Final = KIND["coffee_house"]
_MAYOR: Final = KIND["mayor"]
_TEXTILE_FACTORY: Final = KIND["textile_factory"]
_CARPETS: Final = frozenset(card.kind for card in CARDS if card.colour == "green" and "carpet" in card.crafts)
_GOOD: Final = tuple(GOODS.index(card.good) if card.good in GOODS else -1 for card in CARDS)
_USUAL_RUBLES: Final = 12
"""Rubles that a player usually has when a pub or a trading house asks."""
_ASSIGNMENT_SHARE: Final = 0.4
"""Only the best of three assignments counts, and none of them may be the best in the end."""
_OBSTACLE: Final = 0.6
"""The part of the points beyond a real obstacle that one loses who is not ready for it."""


class Worth:
    """Values areas for one view; the same cards are worth more early in the game."""

    def __init__(self, view: View, outlook: Outlook) -> None:
        assert view.seat is not None
        self.view = view
        self.outlook = outlook
        self.seat = view.seat
        self._card: dict[int, float] = {}
        self._market = outlook.market() if view.ruleset.market else (0.0, 0.0)
        self._assignments: list[int] = (view.table.get("assignments") or {self.seat: None})[self.seat] or []
        self._others: list[list[int]] = []
        self._tiles: list[int] = [0] * 5
        if view.ruleset.market:
            goods = view.table["goods"]
            for good in GOODS:
                others = [goods[s][good] for s in range(view.ruleset.players) if s != self.seat]
                self._others.append(sorted(others, reverse=True))
            for good in view.table["tiles"]["given"][self.seat].values():
                self._tiles[GOODS.index(good)] += 1
        self._tasks: list[tuple[str, int, float]] = []

    def area(self, area: Mapping[int, int], extra_good: int = -1) -> float:
        """Points that an area will bring: incomes, different nobles, goods, assignments and obstacles."""
        outlook = self.outlook
        value = 0.0
        count = [0] * 5
        nobles = set()
        for kind, number in area.items():
            value += number * self.card(kind)
            count[_COLOUR[kind]] += number
            if _COLOUR[kind] == RED:
                nobles.add(_NAME[kind])
        growth = GROWTH * outlook.rounds
        if _PER_RED in area:
            income = outlook.rubles if self.view.ruleset.edition == "first" else outlook.points
            value += income[BLUE] * (count[RED] + growth)
        if _TAX_MAN in area:
            value += outlook.rubles[RED] * (count[GREEN] + growth)
        if _COFFEE_HOUSE in area:
            value += outlook.rubles[BLUE] * (count[RED] + growth)
        if _MAYOR in area:
            value += outlook.rubles[RED] * (count[BLUE] + growth)
        if _TEXTILE_FACTORY in area:
            value += outlook.points[BLUE] * 2 * sum(number for kind, number in area.items() if kind in _CARPETS)
        value += self._nobles(len(nobles))
        if self._others:
            value += self._goods(area, extra_good)
        if self._assignments:
            value += _ASSIGNMENT_SHARE * max(_assignment(number, area, count) for number in self._assignments)
        for tile, place, weight in self._tasks:
            value += weight * self._ready(tile, place, area, count)
        return value

    def _nobles(self, different: int) -> float:
        """The final scoring's points for different nobles, with those in mind that are still to come (8.2)."""
        to_come = min(self.outlook.parameters.nobles_to_come * self.outlook.rounds, max(10.0 - different, 0.0))
        have = min(different, 10)
        return have * (have + 1) / 2 + have * to_come

    def card(self, kind: int) -> float:
        """Points that one card will bring by itself."""
        value = self._card.get(kind)
        if value is None:
            value = self._card[kind] = self._single(kind)
        return value

    def _single(self, kind: int) -> float:
        card, outlook = CARDS[kind], self.outlook
        colour = _COLOUR[kind]
        value = card.rubles * outlook.rubles[colour] + card.points * outlook.points[colour]
        for word, argument in card.effects:
            if word == "reduce":
                value += outlook.parameters.reduction * outlook.rubles[COLOURS.index(argument)]
            elif word == "pub":
                value += sum(5 * weight * self._sale(1, 2, left) for left, weight in outlook.scorings(BLUE))
            elif word == "trade":
                value += sum(weight * self._sale(2, 3, left) for left, weight in outlook.scorings(BLUE))
            elif word == "hand":
                value += HAND_BONUS * min(outlook.rounds, HAND_BONUS_ROUNDS)
            elif word in ("observe", "search"):
                value += LOOK_A_ROUND * outlook.rounds
            elif word == "worth":
                value += 0.5 * int(argument) * outlook.ruble(outlook.time - 0.5) * min(1.0, outlook.rounds)
            elif word == "sycophant":
                value -= outlook.rubles[RED]
            elif word == "split":
                value += sum(4 * weight * max(1, outlook.ruble(left)) for left, weight in outlook.scorings(BLUE))
            elif word == "upkeep":
                value -= sum(
                    weight * value_tile(outlook.round + n)[0] * outlook.ruble(left)
                    for n, (left, weight) in enumerate(outlook.scorings(YELLOW), int(outlook.upkeep))
                )
        return value

    def _sale(self, points: int, rubles: int, left: float) -> float:
        """What buying points for rubles will bring, if it pays at all by then."""
        return max(0.0, points - rubles * self.outlook.marginal(_USUAL_RUBLES, left))

    def _goods(self, area: Mapping[int, int], extra_good: int) -> float:
        """Points of the market scorings to come: being ahead, and how safely (10.3)."""
        own = self._positions(area)
        free = sum(number for kind, number in area.items() if CARDS[kind].good == "?")
        if extra_good >= 0:
            own[extra_good] += 1
        high, low = self._market
        values = [self._good(have, others, high, low) for have, others in zip(own, self._others, strict=True)]
        value = sum(values)
        if extra_good < 0 and free > sum(self._tiles):
            value += max(
                self._good(have + 1, others, high, low) - now
                for have, others, now in zip(own, self._others, values, strict=True)
            )
        return value

    def _positions(self, area: Mapping[int, int]) -> list[int]:
        own = self._tiles[:]
        for kind, number in area.items():
            good = _GOOD[kind]
            if good >= 0:
                own[good] += number * CARDS[kind].goods
        return own

    @staticmethod
    def _good(own: int, others: list[int], high: float, low: float) -> float:
        if own == 0:
            return 0.0
        first = 1 / (1 + exp(others[0] - own - 0.5))
        second = 1.0 if len(others) == 1 else 1 / (1 + exp(others[1] - own))
        return high * first + low * (1 - first) * second

    def face_obstacles(self, expected: float) -> None:
        """Look out for real obstacles: who is not ready loses the points beyond them (11.6 c)."""
        if not OBSTACLES.in_play(self.view.ruleset) or self.outlook.over:
            return
        obstacles = self.view.table["obstacles"]
        share = _OBSTACLE
        for place, (space, tile) in enumerate(obstacles["tiles"].items()):
            if int(space) in obstacles["passed"][self.seat] or tile[0] == "B" or expected < int(space):
                continue
            self._tasks.append((tile, place, share * (expected - int(space) + 1)))
            share /= 2

    def _ready(self, tile: str, place: int, area: Mapping[int, int], count: list[int]) -> float:
        """How far an area meets the condition of a real obstacle, from 0 to 1."""
        if tile == "R1":
            names = len({_NAME[kind] for kind in area if _COLOUR[kind] == GREEN})
            part = names / NEEDED[tile][place]
        elif tile == "R2":
            own = self._positions(area)
            goods, best = NEEDED[tile][place], NEEDED_POSITION[place]
            part = (min(sum(have > 0 for have in own), goods) + min(max(own), best)) / (goods + best)
        elif tile == "R5":
            part = sum(number for kind, number in area.items() if CARDS[kind].exchange) / (NEEDED[tile][place] or 3)
        else:
            part = count[BLUE if tile == "R3" else RED] / NEEDED[tile][place]
        return 1.0 if part >= 1 else 0.7 * part


def _assignment(number: int, area: Mapping[int, int], count: list[int]) -> float:
    """What an assignment would bring, for those that depend on the number of cards (11.5)."""
    if number == 1:
        return 2 * count[RED]
    if number == 2:
        return 10 + count[GREEN]
    if number == 5:
        return 3 * sum(n for kind, n in area.items() if CARDS[kind].id in ("market", "customs_house", "firehouse"))
    if number in (7, 14):
        colour, each = (GREEN, 3) if number == 7 else (BLUE, 2)
        return each * len({_NAME[kind] for kind in area if _COLOUR[kind] == colour})
    if number == 8:
        return 2 * sum(n - 1 for n in area.values())
    if number == 9:
        return 2 * sum(n for kind, n in area.items() if CARDS[kind].exchange)
    if number in (10, 11):
        colour, each = (RED, 4) if number == 10 else (BLUE, 3)
        return each * max((CARDS[kind].points for kind in area if _COLOUR[kind] == colour), default=0)
    if number == 12:
        return 5 + sum(area.values()) / 2.5
    if number == 13:
        return 2 * count[YELLOW]
    if number == 15:
        blue = ((CARDS[kind], n) for kind, n in area.items() if _COLOUR[kind] == BLUE)
        return 2 * sum(card.points * n for card, n in blue if card.exchange)
    return 10.0
