"""Policy gradient for the weights of the heuristic policy.

A phase at a time is played by a softmax over the values of actions. For every decision the gradient of the logarithm of
the chosen action's probability is added to a trace of its seat; when it is known how things went, the advantage times
the trace is the gradient.
"""

from __future__ import annotations

from collections.abc import Sequence

from nevsky.bots.core.features import NUMBER_OF_WEIGHTS, FeatureWeights
from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.parameters import Parameters
from nevsky.rules.constants import OVER
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng

SIZE = NUMBER_OF_WEIGHTS
SEATS = 5
LOWEST = -1e9


class PolicyGradient:
    """Collects the gradient of policy weights over games."""

    policy: HeuristicPolicy
    learned: FeatureWeights
    trace: list[float]
    gradient: list[float]
    probability: list[float]

    def __init__(self, parameters: Parameters, weights: Sequence[float]) -> None:
        self.policy = HeuristicPolicy(parameters, weights)
        assert self.policy.learned is not None
        self.learned = self.policy.learned
        self.trace = [0.0] * 77260
        self.gradient = [0.0] * 15452
        self.probability = [0.0] * 1024

    def play_phase(self, p: Position, rng: Rng, temperature: float) -> None:
        """Play until another phase begins, the better actions the likelier, and note what would make them likelier."""
        self.policy.key = -1000
        now = p.round * 5 + p.phase
        while p.due != OVER and p.round * 5 + p.phase == now:
            n = self.policy.appraise(p)
            if n == 1:
                p.do(p.legal_ids[0])
                continue
            highest = LOWEST
            for i in range(n):
                highest = max(highest, self.policy.values[i])
            norm = 0.0
            for i in range(n):
                self.probability[i] = self.policy.fading((highest - self.policy.values[i]) / temperature)
                norm += self.probability[i]
            at = rng.draw(1 << 20) / 1048576.0 * norm
            found = 0
            for i in range(n):
                at -= self.probability[i]
                if at < 0:
                    found = i
                    break
            different = p.different_nobles(p.seat)
            base = p.seat * SIZE
            for i in range(n):
                push = (1.0 if i == found else 0.0) - self.probability[i] / norm
                m = self.learned.list_features(p, p.legal_ids[i], different)
                for j in range(m):
                    self.trace[base + self.learned.feature[j]] += push
            p.do(p.legal_ids[found])

    def credit(self, seat: int, advantage: float) -> None:
        """What a seat did turned out so much better than expected: for or against the weights that led to it."""
        for i in range(SIZE):
            self.gradient[i] += advantage * self.trace[seat * SIZE + i]

    def decay(self, factor: float) -> None:
        """What was done up to now has only this share in what comes; with 0 a new game begins."""
        for i in range(SEATS * SIZE):
            self.trace[i] *= factor

    def take_gradient(self) -> list[float]:
        """The sum of what was credited, for each weight; it starts again from zero."""
        found = [self.gradient[i] for i in range(SIZE)]
        for i in range(SIZE):
            self.gradient[i] = 0.0
        return found
