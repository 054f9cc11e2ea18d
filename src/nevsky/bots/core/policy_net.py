"""A network of any size that tells for an observation how good each legal action looks.

Plain layers with a bend after each but the last. Only few of the inputs differ from zero, so the first layer adds up a
row for each of those; of the last one only the legal actions are looked at.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from nevsky.encoding import SIZE, Encoder
from nevsky.rules.course import FullPosition
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng

__all__ = ["PolicyNet"]

MOST_LAYERS = 16
LOWEST = -1e30
LOG_2 = 0.6931471805599453
FARTHEST = 60.0
CHANCES = 1048576


class PolicyNet:
    """Weights and room to work.

    The weights of all layers stand behind each other: a row for each input, except in the last layer, which has a row
    for each action. ``sizes`` are those of the inputs, of every layer in between and of the outputs.
    """

    encoder: Encoder
    w: array[float]
    b: array[float]
    now: array[float]
    then: array[float]
    layers: int
    size: list[int]
    half: list[float]
    logits: list[float]
    tanh: int
    sample: int
    open_rubles: int
    open_hands: int
    last_w: int
    last_b: int
    width: int

    def __init__(
        self,
        sizes: Sequence[int],
        weights: array[float],
        biases: array[float],
        *,
        tanh: bool,
        sample: bool,
        open_rubles: bool,
        open_hands: bool,
    ) -> None:
        layers = len(sizes) - 1
        if not 1 <= layers <= MOST_LAYERS or sizes[0] != SIZE:
            raise ValueError(f"A network has 1 to {MOST_LAYERS} layers and {SIZE} inputs.")
        before = list(sizes[:layers])
        wanted = sum(size * sizes[k + 1] for k, size in enumerate(before))
        biases_wanted = sum(sizes) - SIZE
        if len(weights) != wanted or len(biases) != biases_wanted:
            raise ValueError(f"The network has {wanted} weights and {biases_wanted} biases.")
        self.layers = layers
        self.size = [*sizes, *[0] * (17 - len(sizes))]
        self.encoder = Encoder()
        self.w = weights
        self.b = biases
        self.now = array("f", bytes(4 * max(before)))
        self.then = array("f", bytes(4 * max(before)))
        self.half = [0.5**k for k in range(96)]
        self.logits = [0.0] * 1024
        self.tanh = int(tanh)
        self.sample = int(sample)
        self.open_rubles = int(open_rubles)
        self.open_hands = int(open_hands)
        self.width = sizes[layers - 1]
        self.last_w = wanted - sizes[layers - 1] * sizes[layers]
        self.last_b = biases_wanted - sizes[layers]

    def fading(self, x: float) -> float:
        """``exp(-x)`` for what is not negative, the same on every machine; 0 for what is no number."""
        if not x < FARTHEST:  # weights that are finite can still add up to what is not
            return 0.0
        halvings = int(x / LOG_2)
        x -= halvings * LOG_2
        y = 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5 * (1 + x / 6 * (1 + x / 7 * (1 + x / 8)))))))
        return self.half[halvings] / y

    def bend(self, width: int) -> None:
        """What comes between two layers."""
        for j in range(width):
            x = self.now[j]
            if not self.tanh:
                self.now[j] = max(x, 0.0)
            elif x < 0:
                y = self.fading(-2 * x)
                self.now[j] = (y - 1) / (1 + y)
            else:
                y = self.fading(2 * x)
                self.now[j] = (1 - y) / (1 + y)

    def forward(self, n: int) -> None:
        """From the encoder's numbers to what the last layer is given."""
        if self.layers == 1:
            for j in range(SIZE):
                self.now[j] = 0.0
            for i in range(n):
                self.now[self.encoder.place[i]] = self.encoder.value[i]
            return
        width = self.size[1]
        for j in range(width):
            self.now[j] = self.b[j]
        for i in range(n):
            row = self.encoder.place[i] * width
            x = self.encoder.value[i]
            for j in range(width):
                self.now[j] += x * self.w[row + j]
        self.bend(width)
        at = SIZE * width
        at_b = width
        for layer in range(1, self.layers - 1):
            wide = self.size[layer + 1]
            for j in range(wide):
                self.then[j] = self.b[at_b + j]
            for i in range(width):
                x = self.now[i]
                if x != 0:
                    row = at + i * wide
                    for j in range(wide):
                        self.then[j] += x * self.w[row + j]
            for j in range(wide):
                self.now[j] = self.then[j]
            self.bend(wide)
            at += width * wide
            at_b += wide
            width = wide

    def appraise(self, p: Position, full: FullPosition | None) -> int:
        """Fill ``logits`` for the legal actions in their order; how many there are."""
        n = self.encoder.encode_known(p, full, p.seat, self.open_rubles, self.open_hands)
        self.forward(n)
        n = p.list_legal()
        for i in range(n):
            row = self.last_w + p.legal_ids[i] * self.width
            x = self.b[self.last_b + p.legal_ids[i]]
            for j in range(self.width):
                x += self.now[j] * self.w[row + j]
            self.logits[i] = x
        return n

    def choose(self, p: Position, full: FullPosition | None, rng: Rng) -> int:
        """The legal action that looks best; or a drawn one, the better the likelier."""
        n = p.list_legal()
        if n == 1:
            return p.legal_ids[0]
        n = self.appraise(p, full)
        best = LOWEST
        found = 0
        for i in range(n):
            if self.logits[i] > best:
                best = self.logits[i]
                found = i
        if not self.sample:
            return p.legal_ids[found]
        norm = 0.0
        for i in range(n):
            self.logits[i] = self.fading(best - self.logits[i])
            norm += self.logits[i]
        at = rng.draw(CHANCES) * norm / CHANCES
        for i in range(n):
            at -= self.logits[i]
            if at < 0:
                return p.legal_ids[i]
        return p.legal_ids[found]

    def pick(self, p: Position, rng: Rng) -> int:
        """The same for other code."""
        return self.choose(p, p if isinstance(p, FullPosition) else None, rng)

    def values(self, p: Position) -> list[float]:
        """How good the legal actions look, in their order."""
        n = self.appraise(p, p if isinstance(p, FullPosition) else None)
        return [self.logits[i] for i in range(n)]
