"""A small network that sees a position and tells what each seat may expect of it.

Three layers of plain numbers. Only few of the inputs differ from zero, so the first layer adds up a row for each of
those.
"""

from __future__ import annotations

from array import array

from nevsky.encoding import Encoder
from nevsky.rules.position import Position

INPUTS = 2079
FIRST_LAYER = 64
SECOND_LAYER = 32
OUTPUTS = 10
SCORE_SCALE = 50.0  # c: float
LARGE = -1e9  # c: float
SHAPE = (INPUTS, FIRST_LAYER, SECOND_LAYER, OUTPUTS)
"""The sizes of the layers, for whoever makes the weights."""
POINTS = SCORE_SCALE
"""Final scores come out of the network divided by this."""


class Net:
    """Weights and room to work."""

    encoder: Encoder
    w1: array[float]
    b1: array[float]
    w2: array[float]
    b2: array[float]
    w3: array[float]
    b3: array[float]
    h1: list[float]
    h2: list[float]
    out: list[float]
    win: list[float]
    score: list[float]

    def __init__(self, weights: array[float]) -> None:
        self.encoder = Encoder()
        at = 0
        sizes = [INPUTS * FIRST_LAYER, FIRST_LAYER, FIRST_LAYER * SECOND_LAYER, SECOND_LAYER, SECOND_LAYER * OUTPUTS]
        parts = []
        for size in [*sizes, OUTPUTS]:
            parts.append(weights[at : at + size])
            at += size
        if at != len(weights):
            raise ValueError(f"The network has {at} weights, not {len(weights)}.")
        self.w1, self.b1, self.w2, self.b2, self.w3, self.b3 = parts
        self.h1 = [0.0] * 64
        self.h2 = [0.0] * 32
        self.out = [0.0] * 10
        self.win = [0.0] * 5
        self.score = [0.0] * 5

    def look(self, p: Position) -> None:
        """Fill ``win`` and ``score`` for each seat of a game that is not over."""
        self.encoder.encode(p, p.seat, 1, 1)
        self.forward()
        highest = LARGE
        for i in range(p.n):
            highest = max(highest, self.out[i])
        norm = 0.0
        for i in range(p.n):
            self.win[(p.seat + i) % p.n] = self.fading(highest - self.out[i])
            norm += self.win[(p.seat + i) % p.n]
        for i in range(p.n):
            seat = (p.seat + i) % p.n
            self.win[seat] /= norm
            self.score[seat] = self.out[5 + i] * SCORE_SCALE

    def fading(self, x: float) -> float:
        """Nearly ``exp(-x)``: its inverse is the square of the square of a short series."""
        x /= 4
        y = 1 + x + x * x * (0.5 + x * (0.1666667 + 0.0416667 * x))
        y *= y
        return 1 / (y * y)

    def forward(self) -> None:
        """From the encoder's numbers to ``out``."""
        for j in range(FIRST_LAYER):
            self.h1[j] = self.b1[j]
        for i in range(self.encoder.n):
            row = self.encoder.place[i] * FIRST_LAYER
            value = self.encoder.value[i]
            for j in range(FIRST_LAYER):
                self.h1[j] += value * self.w1[row + j]
        for j in range(SECOND_LAYER):
            self.h2[j] = self.b2[j]
        for i in range(FIRST_LAYER):
            value = self.h1[i]
            if value > 0:
                for j in range(SECOND_LAYER):
                    self.h2[j] += value * self.w2[i * SECOND_LAYER + j]
        for j in range(OUTPUTS):
            self.out[j] = self.b3[j]
        for i in range(SECOND_LAYER):
            value = self.h2[i]
            if value > 0:
                for j in range(OUTPUTS):
                    self.out[j] += value * self.w3[i * OUTPUTS + j]

    def wins(self) -> list[float]:
        """The chances to win that `look` found, by seat."""
        return list(self.win)

    def scores(self) -> list[float]:
        """The final scores that `look` expects, by seat."""
        return list(self.score)
