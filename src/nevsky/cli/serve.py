"""nevsky serve: tables for the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def serve(
    *,
    host: Annotated[str | None, typer.Option(help="address to listen at  [default: 127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(help="port, 0 for any free one  [default: 8000]")] = None,
    database: Annotated[Path | None, typer.Option(help="the SQLite file; it is made if it is not there")] = None,
    open: Annotated[bool, typer.Option("--open", help="open the browser")] = False,
) -> None:
    """Serve the game for browsers; everything can also be set by the environment, as in NEVSKY_PORT."""
    from nevsky.server.run import serve as run
    from nevsky.server.settings import Settings

    path = None if database is None else str(database)
    run(Settings.read(host=host, port=port, database=path), say=lambda line: print(line, flush=True), open_browser=open)
