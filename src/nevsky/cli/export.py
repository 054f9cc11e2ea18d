"""nevsky export: recorded games as tables for data frames and learning."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nevsky.cli.options import Jobs, check_jobs
from nevsky.cli.reading import reading_records
from nevsky.cli.saying import say


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
    from nevsky.datasets import decisions_path
    from nevsky.datasets import export as run

    check_jobs(jobs)
    with reading_records() as progress:
        exported = run(
            sources,
            out,
            observations=observations,
            overwrite=overwrite,
            jobs=jobs or None,
            progress=progress,
        )
    for file, why in exported.refused:
        say(f"{file} is left out. {why}", err=True)
    for file in exported.unfinished:
        say(f"{file} is left out: the game is not over.", err=True)
    left_out = len(exported.refused) + len(exported.unfinished)
    if left_out:
        typer.echo(
            f"{left_out:,} of {left_out + exported.games:,} files are left out, all others are written.", err=True
        )
    say(f"{out}: {exported.games:,} games")
    say(f"{decisions_path(out)}: {exported.decisions:,} decisions")
    if exported.refused:
        raise typer.Exit(1)
