"""nevsky report: what wins, from the records of an arena."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nevsky.cli.options import Jobs, check_jobs


def report(
    directory: Annotated[Path, typer.Argument(help="the directory of an arena with records, or one of records")],
    out: Annotated[
        Path | None, typer.Option(help="the page to write", show_default="report.html in the directory")
    ] = None,
    jobs: Jobs = 0,
) -> None:
    """Write a page about what wins: cards, nobles, openings, seats, and where the points come from."""
    from rich.console import Console
    from rich.progress import Progress

    from nevsky.arena.report import write_report

    check_jobs(jobs)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("records", total=None)
        path = write_report(
            directory, out, jobs or None, lambda done, total: bar.update(task, completed=done, total=total)
        )
    print(path)
