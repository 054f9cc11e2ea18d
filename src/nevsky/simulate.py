"""Many random games at once, on all cores, the same for the same seed on any machine."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from nevsky.cards import PILES
from nevsky.errors import NevskyError
from nevsky.rules.game import Game, seed_text
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import blank

__all__ = ["Summary", "play_random_game", "simulate"]

_CHUNK = 250


class Outcome(NamedTuple):
    """What is kept of one game."""

    rounds: int
    decisions: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    trigger: str


def play_random_game(ruleset: Ruleset, seed: str) -> Game:
    """A whole game of uniformly random legal actions, with its history."""
    game = Game(ruleset, seed, auto=True)
    rng = Rng.of(seed, "play")
    while not game.over:
        choices = game.legal_ids
        game.push(choices[rng.below(len(choices))])
    return game


def _random_position(ruleset: Ruleset, seed: str) -> tuple[Position, int]:
    """The end of the same game, without history and many times faster."""
    position = blank(ruleset)
    position.new_game(Rng.of(seed), -1 if ruleset.youngest is None else ruleset.youngest)
    return position, position.play_random(Rng.of(seed, "play"))


def _outcome(position: Position, decisions: int) -> Outcome:
    totals = [position.total(seat) for seat in range(position.n)]
    best = max(totals)
    empty = [p for p in range(5) if position.t.deck_size[p] and not position.pile_n[p]]
    return Outcome(
        position.round,
        decisions,
        tuple(points for points, _ in totals),
        tuple(seat for seat, total in enumerate(totals) if total == best),
        PILES[empty[0]],  # piles run out in the order of the phases
    )


def _chunk(ruleset: Ruleset, seed: str, first: int, last: int, records: str | None) -> list[Outcome]:
    outcomes = []
    for number in range(first, last):
        game_seed = f"{seed}-{number}"
        if records is None:
            position, decisions = _random_position(ruleset, game_seed)
        else:
            from nevsky.record import save

            game = play_random_game(ruleset, game_seed)
            path = Path(records) / f"game-{number:06}.json"
            try:
                save(game, path)
            except OSError as error:
                raise NevskyError("record.path_unwritable", path=path, reason=error.strerror or str(error)) from error
            position, decisions = game.position, len(game.moves)
        outcomes.append(_outcome(position, decisions))
    return outcomes


class Summary(NamedTuple):
    """Figures over many games."""

    games: int
    rounds: dict[int, int]
    decisions_mean: float
    scores: dict[str, float]
    winning_score_mean: float
    end_trigger: dict[str, int]
    wins_by_seat: list[float]
    """A shared victory counts in parts."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return self._asdict()


def summarise(outcomes: Iterable[Outcome], players: int) -> Summary:
    """The figures of some games."""
    games = list(outcomes)
    scores = sorted(score for game in games for score in game.scores)
    wins = [0.0] * players
    for game in games:
        for seat in game.winners:
            wins[seat] += 1 / len(game.winners)

    def quantile(q: float) -> float:
        return scores[min(len(scores) - 1, int(q * len(scores)))]

    triggers = Counter(game.trigger for game in games)
    return Summary(
        games=len(games),
        rounds=dict(sorted(Counter(game.rounds for game in games).items())),
        decisions_mean=round(sum(game.decisions for game in games) / len(games), 3),
        scores={
            "mean": round(sum(scores) / len(scores), 3),
            "min": scores[0],
            "q05": quantile(0.05),
            "q25": quantile(0.25),
            "median": quantile(0.5),
            "q75": quantile(0.75),
            "q95": quantile(0.95),
            "max": scores[-1],
        },
        winning_score_mean=round(sum(max(game.scores) for game in games) / len(games), 3),
        end_trigger={pile: triggers[pile] for pile in PILES if triggers[pile]},
        wins_by_seat=[round(share, 3) for share in wins],
    )


def simulate(
    ruleset: Ruleset,
    games: int,
    seed: int | str = 0,
    *,
    records: str | Path | None = None,
    cores: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Summary:
    """Play random games and sum them up; ``progress`` is told how many more games are done."""
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        raise NevskyError("games.from_one", games=repr(games))
    if cores is not None and (isinstance(cores, bool) or not isinstance(cores, int) or cores < 1):
        raise NevskyError("jobs.from_one", jobs=repr(cores))
    known_seed = seed_text(seed)
    directory = None if records is None else str(records)
    if directory is not None:
        try:
            Path(directory).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise NevskyError("file.directory_unmade", path=directory, reason=error.strerror) from error
    spans = [(first, min(first + _CHUNK, games)) for first in range(0, games, _CHUNK)]
    workers = min(cores or os.cpu_count() or 1, len(spans))
    outcomes: list[Outcome] = []
    if workers == 1:
        for first, last in spans:
            outcomes += _chunk(ruleset, known_seed, first, last, directory)
            if progress:
                progress(last - first)
        return summarise(outcomes, ruleset.players)
    with ProcessPoolExecutor(workers) as pool:
        tasks = [pool.submit(_chunk, ruleset, known_seed, first, last, directory) for first, last in spans]
        try:
            for task, (first, last) in zip(tasks, spans, strict=True):
                outcomes += task.result()
                if progress:
                    progress(last - first)
        except NevskyError:
            pool.shutdown(cancel_futures=True)
            raise
    return summarise(outcomes, ruleset.players)
