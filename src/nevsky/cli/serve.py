"""nevsky serve: tables for the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from nevsky.cli.loading import loading
from nevsky.cli.options import Where


def serve(
    *,
    host: Annotated[str | None, typer.Option(help="address to listen at", show_default="127.0.0.1")] = None,
    port: Annotated[int | None, typer.Option(help="port, 0 for any free one", show_default="8000")] = None,
    database: Annotated[
        Where | None,
        typer.Option(
            parser=Where,
            metavar="PATH",
            help="the SQLite file, made if it is not there; or the address of a PostgreSQL, postgresql://...",
            show_default="nevsky.db in your data directory",
        ),
    ] = None,
    open: Annotated[bool, typer.Option("--open", help="open the browser")] = False,
) -> None:
    """Serve the game for browsers.

    Everything can be set by the environment, and flags win over it:
    NEVSKY_HOST, NEVSKY_PORT, NEVSKY_DATABASE, NEVSKY_REDIS,
    NEVSKY_ADVERTISE, NEVSKY_LEASE_SECONDS, NEVSKY_SECRET,
    NEVSKY_ORIGINS, NEVSKY_TRUSTED_PROXIES, NEVSKY_SECURE_COOKIES,
    NEVSKY_PUBLIC_URL, NEVSKY_PROFILES, NEVSKY_PASSKEYS,
    NEVSKY_SMTP_URL, NEVSKY_MAIL_FROM,
    NEVSKY_BOT_WORKERS, NEVSKY_BOT_MILLISECONDS, NEVSKY_BOT_GRACE,
    NEVSKY_BOT_QUEUE, NEVSKY_BOT_PAUSE, NEVSKY_AWAY_LEVEL,
    NEVSKY_IDLE_SECONDS, NEVSKY_AWAY_SECONDS, NEVSKY_LIVE_SECONDS,
    NEVSKY_LIVE_RESERVE_SECONDS, NEVSKY_RELAXED_RESERVE_SECONDS,
    NEVSKY_RELAXED_SECONDS, NEVSKY_MESSAGE_RATE, NEVSKY_CHAT_RATE,
    NEVSKY_HINT_RATE, NEVSKY_REVIEW_RATE, NEVSKY_REQUEST_RATE, NEVSKY_TABLE_RATE,
    NEVSKY_MESSAGE_RATE_PER_ADDRESS, NEVSKY_CHAT_RATE_PER_ADDRESS,
    NEVSKY_HINT_RATE_PER_ADDRESS, NEVSKY_REVIEW_RATE_PER_ADDRESS, NEVSKY_REQUEST_RATE_PER_ADDRESS,
    NEVSKY_TABLE_RATE_PER_ADDRESS, NEVSKY_GUEST_RATE_PER_ADDRESS,
    NEVSKY_SIGN_IN_RATE_PER_ADDRESS, NEVSKY_MAIL_RATE,
    NEVSKY_MAIL_RATE_PER_ADDRESS,
    NEVSKY_DAILY, NEVSKY_DAILY_RATE_PER_ADDRESS, NEVSKY_KEEP_DAILY_DAYS,
    NEVSKY_SOCKETS, NEVSKY_SOCKETS_PER_ADDRESS,
    NEVSKY_CONNECTIONS_PER_ADDRESS, NEVSKY_SPECTATORS_PER_ADDRESS,
    NEVSKY_KEEP_GUESTS_DAYS, NEVSKY_KEEP_OPEN_DAYS,
    NEVSKY_KEEP_CHAT_DAYS, NEVSKY_KEEP_GAMES_DAYS,
    NEVSKY_KEEP_ENDED_DAYS, NEVSKY_KEEP_AUDIT_DAYS,
    NEVSKY_KEEP_UNATTENDED_DAYS, NEVSKY_KEEP_UNFINISHED_DAYS,
    NEVSKY_KEEP_DEVICES_DAYS,
    NEVSKY_OPEN_TABLE_MINUTES, NEVSKY_OPEN_TABLES_PER_GUEST,
    NEVSKY_OPEN_TABLES_PER_ADDRESS, NEVSKY_PUBLIC_TABLES_PER_ADDRESS,
    NEVSKY_BOT_TABLES_PER_ADDRESS,
    NEVSKY_LOBBY, NEVSKY_MATCHING, NEVSKY_WAITING_PER_ADDRESS, NEVSKY_PEOPLE, NEVSKY_INVITATION_RATE,
    NEVSKY_INVITATION_RATE_PER_ADDRESS, NEVSKY_PUSH, NEVSKY_PUSH_ANYWHERE, NEVSKY_NOTICE_SECONDS,
    NEVSKY_SERVICE_WORKER, NEVSKY_PUZZLES, NEVSKY_PUZZLE_RATE, NEVSKY_PUZZLE_RATE_PER_ADDRESS,
    NEVSKY_RATINGS, NEVSKY_VACATION_DAYS, NEVSKY_VACATION_DAYS_PER_YEAR,
    NEVSKY_TOURNAMENTS, NEVSKY_TOURNAMENTS_PER_GUEST, NEVSKY_TOURNAMENTS_PER_ADDRESS, NEVSKY_TOURNAMENT_PLAYERS,
    NEVSKY_TOURNAMENT_PLAYERS_PER_ADDRESS, NEVSKY_KEEP_TOURNAMENTS_DAYS and NEVSKY_LOG_LEVEL.
    What they mean is in docs/server.md.
    """
    with loading():
        from nevsky.server.run import serve as run
        from nevsky.server.settings import Settings

    run(
        Settings.read(host=host, port=port, database=database),
        say=lambda line: print(line, flush=True),
        open_browser=open,
    )
