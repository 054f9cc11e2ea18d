"""nevsky migrate-database: from a SQLite file into PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from nevsky.cli.saying import say


def migrate_database(
    source: Annotated[Path, typer.Argument(metavar="FROM", help="the SQLite file")],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="an empty PostgreSQL database, postgresql://user:password@host/name")
    ],
) -> None:
    """Move everything from a SQLite file into PostgreSQL; no server may run on either.

    If it is interrupted, start it again: it goes on where it was. In the end everything is read and compared, and every
    game is replayed. The file stays as it is.
    """
    from nevsky.server.moving import move
    from nevsky.server.secret_file import secret_path

    moved = asyncio.run(move(source, target, say))
    say(f"All {sum(moved.rows.values())} rows are there, and {moved.games} games were replayed with the same end.")
    if moved.broken:
        say(f"{moved.broken} games are broken in the file already; they are there as they were.")
    if secret_path(source).exists():
        say(f"Set NEVSKY_SECRET to what stands in {secret_path(source)}: then everybody keeps their seats.")
