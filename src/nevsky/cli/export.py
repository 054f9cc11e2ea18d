"""nevsky export: recorded games as tables for data frames and learning."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nevsky.cli.options import Jobs, check_jobs


def export(
    sources: Annotated[list[Path], typer.Argument(help="records, directories of them, or directories of an arena")],
    *,
    out: Annotated[Path, typer.Option(help="the Parquet file of the games; their decisions get one beside it")],
    observations: Annotated[
        bool, typer.Option("--observations", help="add what the deciding seat saw, as the numbers of nevsky.encoding")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replace files that are there already")] = False,
    jobs: Jobs = 0,
) -> None:
    """Write recorded games to Parquet: a table of games, and one of all their decisions."""
    from rich.console import Console
    from rich.progress import Progress

    from nevsky.datasets import decisions_path
    from nevsky.datasets import export as run

    check_jobs(jobs)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("records", total=None)
        exported = run(
            sources,
            out,
            observations=observations,
            overwrite=overwrite,
            jobs=jobs or None,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    for file, why in exported.refused:
        typer.echo(f"{file} is left out. {why}", err=True)
    for file in exported.unfinished:
        typer.echo(f"{file} is left out: the game is not over.", err=True)
    left_out = len(exported.refused) + len(exported.unfinished)
    if left_out:
        typer.echo(
            f"{left_out:,} of {left_out + exported.games:,} files are left out, all others are written.", err=True
        )
    print(f"{out}: {exported.games:,} games")
    print(f"{decisions_path(out)}: {exported.decisions:,} decisions")
    if exported.refused:
        raise typer.Exit(1)
