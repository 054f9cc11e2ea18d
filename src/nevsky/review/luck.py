"""How good a deal was for a seat, whoever played it.

The deal is played many times by quick bots on all seats, and so are other deals of the same game. They play like master
without looking ahead: its policy alone, which knows no more than a seat does, and where several actions are nearly as
good any of them, so that not a single course of the game decides. What a seat makes of this deal beside what it makes
of others is the luck of the deal: the order of the piles and the starting tokens. How well people played has no part
in it.

Everything is counted and all chance is seeded, so the same game has the same figures everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from nevsky.rules.game import Game
from nevsky.rules.position import Position
from nevsky.rules.redeal import redeal_position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import blank

if TYPE_CHECKING:
    from nevsky.bots.core.heuristic import HeuristicPolicy

__all__ = ["Luck", "Sample", "Trials", "luck_of", "luck_of_seats", "samples"]

VERSION: Final = 1
"""Figures of another one are not the same."""
_SURE: Final = 1.96
_MOST_DECISIONS: Final = 4000


class Trials(NamedTuple):
    """How many games are played: in batches, each from one deal."""

    own: int = 15
    """Batches from the deal that is looked at."""
    others: int = 200
    """Other deals, a batch of each."""
    games: int = 40
    """In a batch."""

    @property
    def batches(self) -> int:
        """All of them."""
        return self.own + self.others


class Sample(NamedTuple):
    """What came of a batch, with a number for every seat."""

    points: tuple[int, ...]
    squares: tuple[int, ...]
    wins: tuple[float, ...]
    """A shared victory counts in parts."""


class Luck(NamedTuple):
    """What a deal was worth to a seat beside other deals, with how far that may be wrong (95 %)."""

    points: float
    """What the bots make of this deal on this seat."""
    average: float
    """What they make of others."""
    luck: float
    """The difference of the two."""
    doubt: float
    chance: float
    """To win with this deal, from 0 to 1."""
    chance_luck: float
    """By how much it is higher than with others."""
    chance_doubt: float
    better: float
    """The share of other deals that give the seat fewer points."""
    games: int
    """Of this deal."""
    deals: int
    """Others."""
    version: int = VERSION

    @property
    def sure(self) -> bool:
        """Whether the difference is more than noise."""
        return abs(self.luck) > self.doubt

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return self._asdict()

    @classmethod
    def from_dict(cls, data: Mapping[str, Any] | None) -> Luck | None:
        """What `to_dict` made; None if it was not there, or by other means."""
        return None if data is None or data.get("version") != VERSION else cls(**data)


def samples(game: Game, seat: int, trials: Trials = Trials(), first: int = 0) -> Iterator[Sample]:  # noqa: B008
    """All batches in their order, from one of them on: first those of the deal itself, then other deals.

    A game that began in the middle is dealt anew as far as the seat did not know how it goes on.
    """
    start = game.start_position
    view = None if game.arranged is None else Game.from_position(start, game.ruleset).view(seat, memory=True)
    for number in range(first, trials.batches):
        if number < trials.own:
            yield _play(game.ruleset, start, f"own-{number}", trials.games)
        elif view is None:
            yield _other_deal(game.ruleset, number - trials.own, trials.games)
        else:
            other = redeal_position(view, _rng("middle", number))
            yield _play(game.ruleset, other, f"other-{number}", trials.games)


def luck_of(found: Sequence[Sample], seat: int, trials: Trials = Trials()) -> Luck:  # noqa: B008
    """What all batches say about a seat."""
    own, others = found[: trials.own], found[trials.own :]
    size, number = trials.games, trials.own * trials.games
    points = sum(each.points[seat] for each in own) / number
    spread = max(0.0, sum(each.squares[seat] for each in own) / number - points**2)
    means = [each.points[seat] / size for each in others]
    within = [max(0.0, each.squares[seat] / size - mean**2) for each, mean in zip(others, means, strict=True)]
    average, between = _mean_and_variance(means)
    chance = sum(each.wins[seat] for each in own) / number
    usual, chance_between = _mean_and_variance([each.wins[seat] / size for each in others])
    return Luck(
        points=round(points, 2),
        average=round(average, 2),
        luck=round(points - average, 2),
        doubt=round(_SURE * sqrt(spread / number + between / len(others)), 2),
        chance=round(chance, 4),
        chance_luck=round(chance - usual, 4),
        chance_doubt=round(_SURE * sqrt(chance * (1 - chance) / number + chance_between / len(others)), 4),
        better=round(_share_below(points, means, sum(within) / len(within) / (size - 1)), 3),
        games=number,
        deals=len(others),
    )


def luck_of_seats(
    game: Game,
    seats: Sequence[int],
    trials: Trials = Trials(),  # noqa: B008
    progress: Callable[[int, int], None] = lambda done, total: None,  # noqa: ARG005
) -> dict[int, Luck]:
    """The luck of some seats. ``progress`` is told how many batches are done, of how many."""
    lucks: dict[int, Luck] = {}
    found: list[Sample] = []
    for seat in seats:
        if not found or game.arranged is not None:
            found = []
            for each in samples(game, seat, trials):
                progress(len(found), trials.batches)
                found.append(each)
        lucks[seat] = luck_of(found, seat, trials)
    return lucks


def _mean_and_variance(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return mean, sum((each - mean) ** 2 for each in values) / max(1, len(values) - 1)


def _share_below(value: float, means: Sequence[float], noise: float) -> float:
    """The share of deals that are worse.

    The means of small batches differ more than the deals do: they are drawn together until only what the deals differ
    by is left.
    """
    mean, variance = _mean_and_variance(means)
    shrink = sqrt(max(0.0, variance - noise) / variance) if variance else 0.0
    drawn = [mean + shrink * (each - mean) for each in means]
    below = sum(1.0 if each < value else 0.5 if each == value else 0.0 for each in drawn)
    return below / len(means)


@lru_cache(2048)
def _other_deal(ruleset: Ruleset, number: int, games: int) -> Sample:
    """The same for all games of a ruleset, so a process that was asked once remembers."""
    position = blank(ruleset)
    position.new_game(_rng("deal", number), -1 if ruleset.youngest is None else ruleset.youngest)
    return _play(ruleset, position, f"other-{number}", games)


def _play(ruleset: Ruleset, start: Position, name: str, games: int) -> Sample:
    policy, rng = _policy(ruleset), _rng("play", name)
    seats = range(start.n)
    points, squares, wins = [0] * start.n, [0] * start.n, [0.0] * start.n
    for _ in range(games):
        position = start.copy()
        policy.playout(position, rng, _MOST_DECISIONS)
        order = [position.total(seat) for seat in seats]
        best = max(order)
        for seat in seats:
            points[seat] += order[seat][0]
            squares[seat] += order[seat][0] ** 2
            if order[seat] == best:
                wins[seat] += 1 / order.count(best)
    return Sample(tuple(points), tuple(squares), tuple(wins))


def _rng(*parts: object) -> Rng:
    return Rng.of("luck", VERSION, *parts)


@lru_cache(4)
def _policy(ruleset: Ruleset) -> HeuristicPolicy:
    from nevsky.bots.master import calm_policy

    return calm_policy(ruleset)
