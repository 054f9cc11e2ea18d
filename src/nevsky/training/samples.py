"""Positions from games that bots play against themselves, each with what may be expected of it."""

from __future__ import annotations

from array import array
from typing import Final, NamedTuple

from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.core.net import Net
from nevsky.bots.core.tree import Tree
from nevsky.bots.parameters import Parameters
from nevsky.encoding import Encoder
from nevsky.rules.position import Position
from nevsky.rules.redealer import Redealer
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import blank

__all__ = ["Samples", "play_games"]

_SEATS: Final = 5
_CHANCE: Final = 15
"""Decisions in a hundred that are left to chance, so that games differ."""
_MOST_DECISIONS: Final = 4000


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

    def judge(self, p: Position, wins: list[float], scores: list[float]) -> None:
        """Fill in the targets of the position noted last."""
        for i in range(_SEATS):
            seat = (p.seat + i) % p.n
            self.wins.append(wins[seat] if i < p.n else -1.0)
            self.scores.append(scores[seat] if i < p.n else 0.0)

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
    network: array[float] | None = None,
    descents: int = 0,
    playouts: int = 24,
    each: float = 0.15,
    weights: array[float] | None = None,
) -> Samples:
    """Play games and note a share of their positions, each with what playouts from there led to.

    Without descents the heuristic policy plays; with them a small search, by the network if there is one. Playing out
    the same position several times tells far more about it than the one end of the game that it came from. The policy
    has the weights that are given, if any, wherever it plays.
    """
    rng = Rng.of("samples", seed)
    encoder, log = Encoder(), _Log(max(1, games * 4) * 180)
    tree = Tree(HeuristicPolicy(Parameters(), weights), None if network is None else Net(network))
    judge = _Judge(playouts, weights)
    for _ in range(games):
        p = blank(ruleset)
        p.new_game(rng, -1)
        bold = HeuristicPolicy(Parameters(noise=0.2 + rng.below(40) / 10), weights)
        while not p.over:
            if (only := p.forced()) >= 0:
                p.play(only)
                continue
            if rng.below(1000) < 1000 * each:
                noted = p.copy()
                if rng.below(2):
                    _stray(noted, bold, rng)
                if not noted.over:
                    log.note(encoder, noted)
                    log.judge(noted, *judge(noted, rng))
            if descents and rng.below(100) >= _CHANCE:
                p.play(_search(tree, p, descents, rng))
            else:
                bold.key = -1000
                p.play(bold.pick(p, rng))
    return log.samples()


def _stray(p: Position, policy: HeuristicPolicy, rng: Rng) -> None:
    """A few actions that may be bad ones: a search looks at those, too."""
    for _ in range(1 + rng.below(3)):
        if not p.over:
            legal = p.legal()
            policy.key = -1000
            p.play(legal[rng.below(len(legal))] if rng.below(2) else policy.pick(p, rng))


class _Judge:
    """Plays positions out and tells what the seats got on average: shares of the win, and scores."""

    def __init__(self, playouts: int, weights: array[float] | None) -> None:
        self._playouts = playouts
        self._policy = HeuristicPolicy(Parameters(), weights)
        self._redealer = Redealer()

    def __call__(self, p: Position, rng: Rng) -> tuple[list[float], list[float]]:
        wins, scores = [0.0] * p.n, [0.0] * p.n
        for _ in range(self._playouts):
            rest = p.copy()
            self._redealer.deal(rest, p.seat, 1, rng)
            self._policy.playout(rest, rng, _MOST_DECISIONS)
            order = [rest.total(seat) for seat in range(p.n)]
            best = max(order)
            share = 1 / order.count(best) / self._playouts
            for seat in range(p.n):
                scores[seat] += order[seat][0] / self._playouts
                if order[seat] == best:
                    wins[seat] += share
        return wins, scores


def _search(tree: Tree, p: Position, descents: int, rng: Rng) -> int:
    tree.clear()
    tree.grow(p.copy(), p.copy(), p.seat, 0, rng, descents)
    return max(tree.actions(), key=lambda entry: (entry[1], entry[2]))[0]
