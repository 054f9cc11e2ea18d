"""Matches between bots, with every bot on every seat equally often."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import NamedTuple

from nevsky.bots.driver import StrictDriver, play_on
from nevsky.bots.protocol import Bot
from nevsky.errors import NevskyError
from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset

__all__ = ["MatchResult", "Share", "play_game", "play_match"]

_MILLISECONDS = 50


class Share(NamedTuple):
    """How often one bot of a match won; a shared victory counts in parts."""

    name: str
    wins: float
    """Share of the games, from 0 to 1."""
    low: float
    """The 95 % confidence interval."""
    high: float
    score: float
    """Final score on average."""

    def __str__(self) -> str:
        return f"{self.name}: {self.wins:.1%} [{self.low:.1%}, {self.high:.1%}], {self.score:.1f} points"


class MatchResult(NamedTuple):
    """The figures of a match."""

    games: int
    shares: tuple[Share, ...]
    """One for each bot, in the order in which they were given."""
    rounds: float
    """Rounds on average."""


def play_game(
    bots: Sequence[Bot],
    ruleset: Ruleset,
    seed: int | str,
    *,
    seats: Sequence[str] | None = None,
    milliseconds: int = _MILLISECONDS,
) -> Game:
    """One game; the bots sit in the order in which they are given. One that fails raises `BotFailureError`."""
    drivers = {
        seat: StrictDriver(lambda _, bot=bot: bot, seat, milliseconds=milliseconds)  # type: ignore[misc]
        for seat, bot in enumerate(bots)
    }
    game = Game(ruleset, seed, seats=seats)
    play_on(game, drivers)
    return game


def play_match(
    bots: Sequence[Callable[[int | str], Bot]], ruleset: Ruleset, games: int, seed: int | str = 0
) -> MatchResult:
    """Play games in which the bots, given as what makes them from a seed, go round the seats.

    Each deal is played once with every rotation of the seats, so nobody owes a win to a lucky deal.
    """
    n = ruleset.players
    if len(bots) != n:
        raise NevskyError("match.bots", players=n, given=len(bots))
    if games < 1:
        raise NevskyError("match.games")
    wins, scores, rounds = [0.0] * n, [0] * n, 0
    for number in range(games):
        players = [make(f"{seed}-{number}-{i}") for i, make in enumerate(bots)]
        shift = number % n
        seated = [(seat + shift) % n for seat in range(n)]
        game = play_game([players[i] for i in seated], ruleset, f"{seed}-{number // n}")
        result = game.result
        assert result is not None
        rounds += game.round
        for seat, i in enumerate(seated):
            scores[i] += result.final[seat].total
            if seat in result.winners:
                wins[i] += 1 / len(result.winners)
    names = [make("name").name for make in bots]
    shares = tuple(
        Share(name, won / games, *_interval(won, games), total / games)
        for name, won, total in zip(names, wins, scores, strict=True)
    )
    return MatchResult(games, shares, rounds / games)


def _interval(wins: float, games: int) -> tuple[float, float]:
    """Wilson's interval: it stays within 0 and 1 and is good for shares near them."""
    z = 1.96
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, middle - half), min(1.0, middle + half)
