"""Games in which the instinct tries things out, and what they teach it (policy gradient).

A phase at a time is played by chance, the better actions the likelier. For every decision it is noted which habits
would have made the action that was taken likelier; when it is known how things went, that counts for or against them.
"""

from __future__ import annotations

from collections.abc import Sequence

from nevsky.bots.core.habit import NUMBER_OF_HABITS, Habit
from nevsky.bots.core.instinct import Instinct
from nevsky.rules.constants import OVER
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng

HABITS = NUMBER_OF_HABITS
SEATS = 5
LOWEST = -1e9


class Practice:
    """Lets an instinct with habits learn."""

    instinct: Instinct
    habit: Habit
    slope: list[float]
    gains: list[float]
    odds: list[float]

    def __init__(self, weights: tuple[float, ...], habits: Sequence[float]) -> None:
        self.instinct = Instinct(weights, habits)
        assert self.instinct.habit is not None
        self.habit = self.instinct.habit
        self.slope = [0.0] * 77260
        self.gains = [0.0] * 15452
        self.odds = [0.0] * 1024

    def practise(self, p: Position, rng: Rng, heat: float) -> None:
        """Play until another phase begins, the better actions the likelier, and note what would make them likelier."""
        self.instinct.key = -1000
        now = p.round * 5 + p.phase
        while p.due != OVER and p.round * 5 + p.phase == now:
            n = self.instinct.appraise(p)
            if n == 1:
                p.do(p.legal_ids[0])
                continue
            highest = LOWEST
            for i in range(n):
                highest = max(highest, self.instinct.values[i])
            norm = 0.0
            for i in range(n):
                self.odds[i] = self.instinct.fading((highest - self.instinct.values[i]) / heat)
                norm += self.odds[i]
            at = rng.draw(1 << 20) / 1048576.0 * norm
            found = 0
            for i in range(n):
                at -= self.odds[i]
                if at < 0:
                    found = i
                    break
            different = p.different_nobles(p.seat)
            base = p.seat * HABITS
            for i in range(n):
                push = (1.0 if i == found else 0.0) - self.odds[i] / norm
                m = self.habit.marks(p, p.legal_ids[i], different)
                for j in range(m):
                    self.slope[base + self.habit.mark[j]] += push
            p.do(p.legal_ids[found])

    def credit(self, seat: int, worth: float) -> None:
        """What a seat did was worth so much: for or against the habits that led to it."""
        for i in range(HABITS):
            self.gains[i] += worth * self.slope[seat * HABITS + i]

    def fade(self, part: float) -> None:
        """What was done up to now has only this part in what comes; with 0 a new game begins."""
        for i in range(SEATS * HABITS):
            self.slope[i] *= part

    def lessons(self) -> list[float]:
        """The sum of what was credited, for each habit; it starts again from nothing."""
        found = [self.gains[i] for i in range(HABITS)]
        for i in range(HABITS):
            self.gains[i] = 0.0
        return found
