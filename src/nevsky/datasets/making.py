"""Games made for a data set: a bot against itself, the same for the same choices on any machine."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from nevsky._version import __version__
from nevsky.bots import make_bot
from nevsky.bots.driver import StrictDriver, limit_playouts, play_on
from nevsky.errors import NevskyError
from nevsky.parallel import follow_parent, make_pool, over_processes
from nevsky.record import to_json
from nevsky.rules.game import Game
from nevsky.rules.ruleset import RULES_VERSION, Ruleset

__all__ = ["Recipe", "make_games", "records_path"]

_MOST_GAMES: Final = 10_000_000
_CHUNK: Final = 10
_AHEAD: Final = 2
_UNHURRIED: Final = 60_000
"""Milliseconds for a decision, where only playouts are counted."""
_RECIPE: Final = "recipe.txt"


class Recipe(NamedTuple):
    """Everything that decides how the games go. Plain data, so that it can be sent to other processes."""

    bot: str
    playouts: int
    ruleset: Ruleset
    seed: str

    def to_dict(self) -> dict[str, Any]:
        """As it is kept beside the records."""
        return {
            "version": __version__,
            "rules": RULES_VERSION,
            "bot": self.bot,
            "playouts": self.playouts,
            "ruleset": self.ruleset.to_dict(),
            "seed": self.seed,
        }

    def game(self, number: int) -> Game:
        """A game by its number, played to its end.

        >>> recipe = Recipe("greedy", 1, Ruleset("second", 2), "neva")
        >>> recipe.game(3).moves == recipe.game(3).moves != recipe.game(4).moves
        True
        """
        make = limit_playouts(lambda seed: make_bot(self.bot, seed), self.playouts)
        name = f"{self.seed}-{number}"
        game = Game(self.ruleset, name, seats=[make_bot(self.bot).name] * self.ruleset.players)
        seats = range(self.ruleset.players)
        play_on(
            game,
            {
                seat: StrictDriver(make, f"{name}-{seat}", milliseconds=_UNHURRIED, clocked=False, patience=_UNHURRIED)
                for seat in seats
            },
        )
        return game


def records_path(out: Path) -> Path:
    """Where the records go that are made for a table of games."""
    return out.with_name(f"{out.stem}-records")


def make_games(
    recipe: Recipe,
    games: int,
    directory: Path,
    *,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Path]:
    """The records of so many games, in their order; those that lie in the directory already are not played again."""
    if isinstance(games, bool) or not 1 <= games <= _MOST_GAMES:
        raise NevskyError("games.from_one", games=repr(games))
    if recipe.playouts < 1:
        raise NevskyError("budget.playouts", playouts=recipe.playouts)
    make_bot(recipe.bot)
    _claim(recipe, directory)
    paths = [directory / f"game-{number:06}.json" for number in range(games)]
    missing = [number for number, path in enumerate(paths) if not path.exists()]
    done = games - len(missing)
    if progress:
        progress(done, games)
    chunks = [missing[start : start + _CHUNK] for start in range(0, len(missing), _CHUNK)]
    workers = min(jobs or os.cpu_count() or 1, len(chunks))
    work = partial(_play, recipe, directory)
    found: Generator[int, None, None]
    if workers <= 1:
        found = (work(chunk) for chunk in chunks)
    else:
        died = NevskyError("export.player_died")
        found = over_processes(make_pool(workers, follow_parent), work, chunks, workers * _AHEAD, died)
    with closing(found):
        for played in found:
            done += played
            if progress:
                progress(done, games)
    return paths


def _claim(recipe: Recipe, directory: Path) -> None:
    """A directory holds the games of one recipe, and never of another one."""
    text = json.dumps(recipe.to_dict(), indent=1) + "\n"
    try:
        directory.mkdir(exist_ok=True)
        kept = directory / _RECIPE
        if kept.exists():
            if kept.read_text(encoding="utf-8") != text:
                raise NevskyError("export.other_set", path=directory)
        elif any(directory.iterdir()):
            raise NevskyError("export.other_set", path=directory)
        else:
            kept.write_text(text, encoding="utf-8")
    except OSError as error:
        raise NevskyError("export.unwritable", path=directory, reason=error.strerror or str(error)) from error


def _play(recipe: Recipe, directory: Path, numbers: list[int]) -> int:
    for number in numbers:
        path = directory / f"game-{number:06}.json"
        draft = path.with_suffix(".draft")
        try:
            draft.write_text(to_json(recipe.game(number)), encoding="utf-8")
            draft.replace(path)  # whole or not at all: the same command goes on with what is missing
        except OSError as error:
            raise NevskyError("export.unwritable", path=path, reason=error.strerror or str(error)) from error
    return len(numbers)
