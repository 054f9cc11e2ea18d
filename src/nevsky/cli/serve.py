"""nevsky serve: tables for the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def serve(
    *,
    host: Annotated[str | None, typer.Option(help="address to listen at", show_default="127.0.0.1")] = None,
    port: Annotated[int | None, typer.Option(help="port, 0 for any free one", show_default="8000")] = None,
    database: Annotated[
        Path | None,
        typer.Option(help="the SQLite file, made if it is not there", show_default="nevsky.db in your data directory"),
    ] = None,
    open: Annotated[bool, typer.Option("--open", help="open the browser")] = False,
) -> None:
    """Serve the game for browsers.

    Everything can be set by the environment, and flags win over it:
    NEVSKY_HOST, NEVSKY_PORT, NEVSKY_DATABASE, NEVSKY_SECRET,
    NEVSKY_ORIGINS, NEVSKY_SECURE_COOKIES, NEVSKY_BOT_WORKERS,
    NEVSKY_BOT_MILLISECONDS, NEVSKY_BOT_PAUSE, NEVSKY_AWAY_LEVEL,
    NEVSKY_AWAY_SECONDS, NEVSKY_LIVE_SECONDS, NEVSKY_RELAXED_SECONDS,
    NEVSKY_IDLE_SECONDS, NEVSKY_MESSAGE_RATE, NEVSKY_CHAT_RATE,
    NEVSKY_HINT_RATE, NEVSKY_REQUEST_RATE, NEVSKY_TABLE_RATE and
    NEVSKY_LOG_LEVEL. What they mean is in docs/server.md.
    """
    from nevsky.server.run import serve as run
    from nevsky.server.settings import Settings

    path = None if database is None else str(database)
    run(Settings.read(host=host, port=port, database=path), say=lambda line: print(line, flush=True), open_browser=open)
