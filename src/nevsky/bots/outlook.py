"""How much of a game is left, and what rubles and points to come are worth until then."""

from __future__ import annotations

from math import exp
from typing import Final

from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.parameters import Parameters
from nevsky.cards import PILES
from nevsky.rules.market import value_tile
from nevsky.rules.position import Position
from nevsky.rules.snapshot import phases
from nevsky.rules.view import View

__all__ = ["Outlook"]

_POLICY: Final = HeuristicPolicy()


class Outlook:
    """The rest of the game as one seat expects it, in rounds and scorings."""

    def __init__(self, view: View, position: Position, parameters: Parameters) -> None:
        self.parameters = parameters
        self.order = [PILES.index(name) for name in phases(view.ruleset)]
        self.at = self.order.index(PILES.index(view.phase))
        self.round = view.round
        self.acting = view.due not in ("pub", "trading_house", "guild_hall", "sycophant", "upkeep", "assignment")
        self.upkeep = view.due == "upkeep"
        self.over = view.due == "assignment" or bool(view.table.get("flow", {}).get("final"))
        self.rounds = 0.0 if view.last_round or self.over else _POLICY.rounds_after(position)
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
        w = self.parameters
        return w.last_ruble + w.round_ruble * (1 - exp(-2 * max(time, 0))) + w.early_ruble * max(time, 0)

    def spare(self, time: float) -> float:
        """The value of a ruble that is hardly needed."""
        return self.parameters.last_ruble + self.parameters.spare_ruble * max(time, 0)

    def marginal(self, rubles: float, time: float) -> float:
        """The value of one more ruble beside so many."""
        spare = self.spare(time)
        return spare + (self.ruble(time) - spare) * exp(-rubles / self.parameters.needed_rubles)

    def cash(self, rubles: float) -> float:
        """The value of rubles now: the first ones are worth most."""
        spare, needed = self.spare(self.time), self.parameters.needed_rubles
        return spare * rubles + (self.ruble(self.time) - spare) * needed * (1 - exp(-rubles / needed))

    def market(self) -> tuple[float, float]:
        """Sums of the higher and the lower numbers of the value tiles to come (10.4)."""
        high = low = 0.0
        place = self.order.index(1)
        number = value_tile(self.round)[0]
        if not self.over and (place > self.at or (place == self.at and (self.acting or self.upkeep))):
            high, low = number, number // 2
        left, later = self.rounds, self.round + 1
        while left > 0:
            number, weight = value_tile(later)[0], min(left, 1.0)
            high += weight * number
            low += weight * (number // 2)
            left -= 1
            later += 1
        return high, low
