"""How much of a game is left, and what rubles and points to come are worth until then."""

from __future__ import annotations

from math import exp
from typing import Final, NamedTuple

from nevsky.cards import PILES
from nevsky.rules.snapshot import phases
from nevsky.rules.tables import tables_for
from nevsky.rules.view import View

__all__ = ["Outlook", "Weights"]

_GAMES_IN_GENERAL: Final = 8
"""Rounds of this game that weigh as much as the usual pace."""


class Weights(NamedTuple):
    """The numbers that were tuned in games of greedy bots against each other."""

    last_ruble: float = 0.1
    """A ruble when nothing can be bought any more: a tenth of a point."""
    round_ruble: float = 0.1
    """What the chance to buy something within the round adds to it."""
    early_ruble: float = 0.5
    """What each further round adds."""
    spare_ruble: float = 0.1
    """The same for rubles that are hardly needed."""
    needed_rubles: float = 20.0
    """How many rubles are soon put to use."""
    nobles_to_come: float = 0.25
    """Different nobles that each further round brings."""
    kept: float = 0.75
    """How much of a card's value is left when it goes by way of the hand."""
    hand_space: float = 0.4
    """What the last free space of the hand is worth, more or less."""


class Outlook:
    """The rest of the game as one seat expects it, in rounds and scorings."""

    def __init__(self, view: View, weights: Weights) -> None:
        self.weights = weights
        self.order = [PILES.index(name) for name in phases(view.ruleset)]
        self.at = self.order.index(PILES.index(view.phase))
        self.round = view.round
        self.acting = view.due not in ("pub", "trading_house", "guild_hall", "sycophant", "upkeep", "assignment")
        self.upkeep = view.due == "upkeep"
        self.over = view.due == "assignment" or bool(view.table.get("flow", {}).get("final"))
        self.rounds = 0.0 if view.last_round or self.over else _rounds_left(view, self.order, self.at)
        """Rounds after this one."""
        self.time = 0.0 if self.over else self.rounds + self.phases_left / len(self.order)
        self.points = [0.0] * 5
        """What one point of income is worth for each colour: how often it will be scored."""
        self.rubles = [0.0] * 5
        """What one ruble of income is worth for each colour."""
        for colour in self.order[:-1]:
            for left, weight in self.scorings(colour):
                self.points[colour] += weight
                self.rubles[colour] += weight * self.ruble(left)

    @property
    def phases_left(self) -> int:
        """Phases of this round in which something can still be bought."""
        return len(self.order) - self.at - (0 if self.acting else 1)

    def scorings(self, colour: int) -> list[tuple[float, float]]:
        """The scorings of a colour to come: the rounds left after each, and how likely it is."""
        if self.over:
            return []
        place = self.order.index(colour)
        after = (len(self.order) - 1 - place) / len(self.order)
        found = []
        if place > self.at or (place == self.at and self.acting):
            found.append((self.rounds + after, 1.0))
        left = self.rounds
        while left > 0:
            found.append((max(left - 1, 0) + after, min(left, 1.0)))
            left -= 1
        return found

    def ruble(self, time: float) -> float:
        """The value of a ruble that is needed, so many rounds before the end."""
        w = self.weights
        return w.last_ruble + w.round_ruble * (1 - exp(-2 * max(time, 0))) + w.early_ruble * max(time, 0)

    def spare(self, time: float) -> float:
        """The value of a ruble that is hardly needed."""
        return self.weights.last_ruble + self.weights.spare_ruble * max(time, 0)

    def marginal(self, rubles: float, time: float) -> float:
        """The value of one more ruble beside so many."""
        spare = self.spare(time)
        return spare + (self.ruble(time) - spare) * exp(-rubles / self.weights.needed_rubles)

    def cash(self, rubles: float) -> float:
        """The value of rubles now: the first ones are worth most."""
        spare, needed = self.spare(self.time), self.weights.needed_rubles
        return spare * rubles + (self.ruble(self.time) - spare) * needed * (1 - exp(-rubles / needed))

    def market(self) -> tuple[float, float]:
        """Sums of the higher and the lower numbers of the value tiles to come (10.4)."""
        high = low = 0.0
        place = self.order.index(1)
        number = min(self.round, 6)
        if not self.over and (place > self.at or (place == self.at and (self.acting or self.upkeep))):
            high, low = number, number // 2
        left, later = self.rounds, self.round + 1
        while left > 0:
            number, weight = min(later, 6), min(left, 1.0)
            high += weight * number
            low += weight * (number // 2)
            left -= 1
            later += 1
        return high, low


def _rounds_left(view: View, order: list[int], at: int) -> float:
    """When the first pile runs out, at the pace of games in general and of this one."""
    sizes = tables_for(view.ruleset).deck_size
    usual = 4.0 if view.ruleset.market else 3.5
    least = 99.0
    for place, pile in enumerate(order):
        left = view.piles[PILES[pile]]
        laid = view.round if place <= at else view.round - 1
        rounds = left * (laid + _GAMES_IN_GENERAL) / (sizes[pile] - left + _GAMES_IN_GENERAL * usual)
        # a pile that is still to be laid out in this round has one round less
        least = min(least, rounds if place <= at else rounds - 1)
    return max(least + 0.3, 0.3)
