"""nevsky report: what wins, from the records of an arena."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nevsky.cli.options import Jobs, check_jobs
from nevsky.cli.reading import reading_records
from nevsky.cli.saying import say


def report(
    directory: Annotated[Path, typer.Argument(help="the directory of an arena with records, or one of records")],
    out: Annotated[
        Path | None, typer.Option(help="the page to write", show_default="report.html in the directory")
    ] = None,
    jobs: Jobs = 0,
) -> None:
    """Write a page about what wins: cards, nobles, openings, seats, and where the points come from."""
    from nevsky.arena.report import write_report

    check_jobs(jobs)
    with reading_records() as progress:
        written = write_report(directory, out, jobs or None, progress)
    say(f"{written.games:,} games in {written.records}: {written.title}", err=True)
    say(written.path)
