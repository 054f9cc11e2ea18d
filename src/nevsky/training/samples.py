"""Positions from games that bots play against themselves, each with how its game ended."""

from __future__ import annotations

from array import array
from typing import Final, NamedTuple

from nevsky.bots.core.instinct import WEIGHTS, Instinct
from nevsky.bots.core.net import Net
from nevsky.bots.core.tree import Tree
from nevsky.encoding import Encoder
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import blank

__all__ = ["Samples", "play_games"]

_ROOM: Final = 2112
_SEATS: Final = 5
_EARLY: Final = 30
"""Decisions at the start of a game that are made with more chance, so that games differ."""


class Samples(NamedTuple):
    """Many positions: the numbers of all that are not zero, one position after the other, and the targets."""

    places: bytes
    values: bytes
    sizes: bytes
    """How many numbers each position has."""
    wins: bytes
    """For each position five shares of the win, its mover's first; -1 for empty seats."""
    scores: bytes
    """The same for final scores."""


class _Log:
    def __init__(self, room: int) -> None:
        self.places = array("h", bytes(2 * room))
        self.values = array("f", bytes(4 * room))
        self.at = 0
        self.sizes = array("h")
        self.wins = array("f")
        self.scores = array("f")

    def note(self, encoder: Encoder, p: Position) -> None:
        """Write down a position."""
        size = encoder.encode(p, p.seat, 1, 1)
        while self.at + size > len(self.places):
            self.places.extend(array("h", bytes(2 * len(self.places))))
            self.values.extend(array("f", bytes(4 * len(self.values))))
        self.at = encoder.write(self.places, self.values, self.at)
        self.sizes.append(size)

    def finish(self, p: Position, movers: list[int]) -> None:
        """The game is over: fill in the targets of the positions noted from it."""
        order = [p.total(seat) for seat in range(p.n)]
        best = max(order)
        share = 1 / order.count(best)
        for mover in movers:
            for i in range(_SEATS):
                seat = (mover + i) % p.n
                self.wins.append((share if order[seat] == best else 0.0) if i < p.n else -1.0)
                self.scores.append(order[seat][0] if i < p.n else 0.0)

    def samples(self) -> Samples:
        return Samples(
            self.places[: self.at].tobytes(),
            self.values[: self.at].tobytes(),
            self.sizes.tobytes(),
            self.wins.tobytes(),
            self.scores.tobytes(),
        )


def play_games(
    ruleset: Ruleset,
    games: int,
    seed: str,
    weights: array[float] | None = None,
    descents: int = 0,
    each: float = 0.15,
) -> Samples:
    """Play games and note a share of their positions.

    Without descents the instinct plays; with them a small search, by the network if weights are given.
    """
    rng = Rng.of("samples", seed)
    instinct, encoder, log = Instinct(WEIGHTS), Encoder(), _Log(games * 16 * 180)
    tree = Tree(Instinct(WEIGHTS), None if weights is None else Net(weights))
    for _ in range(games):
        p = blank(ruleset)
        p.new_game(rng, -1)
        movers: list[int] = []
        decisions = 0
        while not p.over:
            if p.forced() >= 0:
                p.play(p.forced())
                continue
            if rng.below(1000) < 1000 * each:
                log.note(encoder, p)
                movers.append(p.seat)
            if descents and rng.below(100) >= (25 if decisions < _EARLY else 5):
                number = _search(tree, p, descents, rng)
            else:
                number = instinct.pick(p, rng)
            p.play(number)
            instinct.key = -1000 if decisions % 8 == 0 else instinct.key
            decisions += 1
        instinct.key = -1000
        log.finish(p, movers)
    return log.samples()


def _search(tree: Tree, p: Position, descents: int, rng: Rng) -> int:
    tree.clear()
    tree.grow(p.copy(), p.copy(), p.seat, 0, rng, descents)
    return max(tree.actions(), key=lambda entry: (entry[1], entry[2]))[0]
