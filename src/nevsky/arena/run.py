"""An arena from its setup to its figures."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path

from nevsky.arena.alarms import Alarms
from nevsky.arena.figures import Figures, sum_up
from nevsky.arena.playing import Played
from nevsky.arena.setup import Setup
from nevsky.arena.store import Store
from nevsky.arena.svg import Bar, bars, standalone
from nevsky.arena.tables import markdown
from nevsky.arena.workers import in_processes, on_ray, one_by_one
from nevsky.errors import NevskyError
from nevsky.parallel import import_ray

__all__ = ["Progress", "figures_of", "league_plot", "run_arena", "write_tables"]

Progress = Callable[[int, int], None]
"""Is told how many games are done, and of how many."""


def run_arena(
    setup: Setup,
    *,
    directory: Path | None = None,
    jobs: int | None = None,
    ray: str | None = None,
    progress: Progress | None = None,
    warn: Callable[[str], None] | None = None,
) -> tuple[Store, bool]:
    """Play what is still to be played; the results, and whether Ctrl-C came before the end.

    ``warn`` hears early of bots that fail often.
    """
    if jobs is not None and jobs < 1:
        raise NevskyError("jobs.from_one", jobs=jobs)
    if ray is not None:
        import_ray()  # before anything is written
    store = Store(setup, directory)
    try:
        todo = store.missing()
        total = setup.schedule.games
        if progress:
            progress(total - len(todo), total)
        if not todo:
            return store, False
        alarms = None if warn is None else Alarms(setup, warn)
        with closing(_games(setup, todo, jobs, ray)) as games:
            try:
                for done, played in enumerate(games, total - len(todo) + 1):
                    store.add(played)
                    if alarms:
                        alarms.add(played)
                    if progress:
                        progress(done, total)
            except KeyboardInterrupt:
                return store, True
    finally:
        store.close()
    return store, False


def _games(setup: Setup, todo: Sequence[int], jobs: int | None, ray: str | None) -> Generator[Played, None, None]:
    if ray is not None:
        return on_ray(setup, todo, ray, jobs)
    workers = min(jobs or os.cpu_count() or 1, len(todo))
    return one_by_one(setup, todo) if workers == 1 else in_processes(setup, todo, workers)


def figures_of(store: Store) -> Figures | None:
    """The figures of what has been played, None before the first pairing is complete."""
    setup = store.setup
    wanted = {n: line for n, line in store.results.items() if n < setup.schedule.games}
    return sum_up(setup.labels, setup.schedule.sizes, wanted, store.timings)


def league_plot(figures: Figures) -> str:
    """Win rates with their intervals; the broken line is what equally strong bots would win."""
    rows = [Bar(bot.label, *bot.wins, bot.fair) for bot in figures.standings]
    return bars(rows, "Share of games won")


def write_tables(figures: Figures, directory: Path, title: str) -> None:
    """Write ``table.md`` and ``league.svg``."""
    try:
        (directory / "table.md").write_text(markdown(figures, title), encoding="utf-8")
        (directory / "league.svg").write_text(standalone(league_plot(figures)), encoding="utf-8")
    except OSError as error:
        raise NevskyError("arena.tables_unwritable", path=directory, reason=error.strerror or str(error)) from error
