"""The report of an arena: reads results and records, writes one page."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from nevsky.arena.facts import Facts, read_facts
from nevsky.arena.figures import Figures, sum_up
from nevsky.arena.lines import read_results, read_timings
from nevsky.arena.page import page
from nevsky.arena.store import RECORDS, RESULTS, TIMINGS
from nevsky.arena.tally import tally
from nevsky.errors import NevskyError

__all__ = ["Report", "write_report"]

_CHUNK = 20


class Report(NamedTuple):
    """A page that was written, and whose games it is about."""

    path: Path
    title: str
    """Who played, and what."""
    games: int
    records: Path
    """Where the records lie that were read."""


def write_report(
    directory: Path, out: Path | None, jobs: int | None, progress: Callable[[int, int], None] | None = None
) -> Report:
    """Write the report; a directory without finished games is refused."""
    if jobs is not None and jobs < 1:
        raise NevskyError("jobs.from_one", jobs=jobs)
    if not directory.is_dir():
        raise NevskyError("file.no_directory", path=directory)
    target = out if out is not None else directory / "report.html"
    of_arena = (directory / RESULTS).exists()
    figures = _figures(directory) if of_arena else None
    where = directory / RECORDS if of_arena or (directory / RECORDS).is_dir() else directory
    files = sorted(where.glob("*.json"))
    if not files:
        raise NevskyError("arena.no_records", path=directory)
    games = _read(files, jobs, progress)
    if not games:
        raise NevskyError("arena.unfinished", path=where)
    if len({game.ruleset for game in games}) > 1:
        raise NevskyError("arena.different_games", path=where)
    facts = tally(games)
    least = max(2, min(30, facts.games * facts.players // 50))
    title = _title(games[0], facts.names)
    text = page(title, facts, figures, least)
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise NevskyError("arena.report_unwritable", path=target, reason=error.strerror or str(error)) from error
    return Report(target, title, facts.games, where)


def _figures(directory: Path) -> Figures | None:
    _, results, frame = read_results(directory / RESULTS)
    timings = read_timings(directory / TIMINGS, frame.players) if (directory / TIMINGS).exists() else {}
    return sum_up(frame.labels, frame.sizes, results, timings)


def _read(files: Sequence[Path], jobs: int | None, progress: Callable[[int, int], None] | None) -> list[Facts]:
    chunks = [files[first : first + _CHUNK] for first in range(0, len(files), _CHUNK)]
    workers = min(jobs or os.cpu_count() or 1, len(chunks))
    found: list[Facts] = []
    if workers == 1:
        for done, chunk in enumerate(chunks, 1):
            found += _chunk(chunk)
            if progress:
                progress(min(done * _CHUNK, len(files)), len(files))
        return found
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        tasks = [pool.submit(_chunk, chunk) for chunk in chunks]
        try:
            for done, task in enumerate(tasks, 1):
                found += task.result()
                if progress:
                    progress(min(done * _CHUNK, len(files)), len(files))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return found


def _chunk(files: Sequence[Path]) -> list[Facts]:
    return [found for path in files if (found := read_facts(path)) is not None]


def _title(game: Facts, names: Sequence[str]) -> str:
    ruleset = game.ruleset
    words = [f"{ruleset.edition} edition"]
    words += ["Market"] if ruleset.market else []
    words += [f"modules {', '.join(map(str, ruleset.modules))}"] if ruleset.modules else []
    return f"{', '.join(names)}: {', '.join(words)}"
