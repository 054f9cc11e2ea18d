"""nevsky admin: for those who run a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from nevsky.cli.admin_answers import Asked, JsonAnswer, show
from nevsky.cli.admin_guests import addresses, guests
from nevsky.cli.admin_tournaments import tournaments
from nevsky.cli.command import Command, Group
from nevsky.cli.options import Where
from nevsky.errors import NevskyError

__all__ = ["app"]

app = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help="Look after a server: tables, guests, addresses, tournaments, old data, backups. Works while the server runs "
    "and while it does not; everything that changes something is in the audit log.",
)
tables = typer.Typer(cls=Group, no_args_is_help=True, help="List, show, end and delete tables.")
app.add_typer(tables, name="tables")
app.add_typer(guests, name="guests")
app.add_typer(addresses, name="addresses")
app.add_typer(tournaments, name="tournaments")
Table = Annotated[str, typer.Argument(help="the id of a table")]
Limit = Annotated[int, typer.Option(help="how many at most", min=1)]
_USUAL = ("guests", "chat", "open", "ended", "unattended")
_KINDS = (
    "any of guests (without games), chat (of finished games), games (finished), open (tables that never started), "
    "ended (games that were stopped), unattended (games of bots among themselves), unfinished (all games that nobody "
    "goes on with), audit, devices (signed in, and not here since), invitations (expired), daily (deals of days and "
    "weeks), tournaments (over), dead (tournaments that are not, and where nothing happens), vacations (ended) and "
    "rated (games that are not over: they stay, and count no more)"
)


@app.callback()
def _options(
    ctx: typer.Context,
    database: Annotated[
        Where | None,
        typer.Option(
            parser=Where,
            metavar="PATH",
            help="the SQLite file of the server, or the address of its PostgreSQL",
            show_default="as for nevsky serve",
        ),
    ] = None,
) -> None:
    from nevsky.server.settings import Settings

    ctx.obj = Asked(Settings.read(database=database))


@tables.command("list", cls=Command)
def list_tables(
    ctx: typer.Context,
    status: Annotated[str | None, typer.Option(help="only open, playing, over or ended ones")] = None,
    limit: Limit = 50,
    as_json: JsonAnswer = False,
) -> None:
    """List tables, those that changed last first."""
    show(ctx.obj.ask("tables.list", status=status, limit=limit), as_json)


@tables.command("show", cls=Command)
def show_table(ctx: typer.Context, table: Table, as_json: JsonAnswer = False) -> None:
    """Show a table with its seats and its chat, but no secrets of the game."""
    show(ctx.obj.ask("tables.show", table=table), as_json)


@tables.command("end", cls=Command)
def end_table(ctx: typer.Context, table: Table) -> None:
    """Stop a game without a result: it leaves all lists, and its players are told."""
    show(ctx.obj.ask("tables.end", table=table))


@tables.command("delete", cls=Command)
def delete_table(ctx: typer.Context, table: Table) -> None:
    """Delete a table with its game and its chat."""
    show(ctx.obj.ask("tables.delete", table=table))


@app.command("purge", cls=Command)
def purge(
    ctx: typer.Context,
    what: Annotated[
        list[str] | None,
        typer.Argument(
            help=_KINDS,
            show_default=", ".join(_USUAL),
        ),
    ] = None,
    *,
    older_than: Annotated[str, typer.Option(help="the age from which on it is deleted", metavar="DAYS")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="only say how much that would be")] = False,
) -> None:
    """Delete what is old; without naming it, what the server deletes by itself soonest."""
    kinds = what or list(_USUAL)
    show(ctx.obj.ask("purge", days=_days(older_than), kinds=kinds, dry_run=dry_run))


def _days(text: str) -> float:
    try:
        return float(text.removesuffix("d"))
    except ValueError as error:
        raise NevskyError("admin.older", text=repr(text)) from error


@app.command("backup", cls=Command)
def back_up(
    ctx: typer.Context,
    target: Annotated[Path, typer.Argument(help="a new file, or a directory for files with the date in their names")],
    keep: Annotated[int, typer.Option(help="in a directory: how many of the newest are kept; 0 for all", min=0)] = 0,
) -> None:
    """Copy the database and its secret, also from a running server, and check the copy."""
    from nevsky.server.admin.backup import back_up as run

    database = ctx.obj.database()
    file, counts = run(database, target, keep)
    ctx.obj.ask("note", done="backup", target=str(file))
    show({"backup": str(file), **counts})


@app.command("restore", cls=Command)
def restore(ctx: typer.Context, file: Annotated[Path, typer.Argument(help="a backup")]) -> None:
    """Put a backup in the place of the database, which is kept under another name. The server must not run."""
    from nevsky.server.admin.backup import restore as run

    kept, counts = run(ctx.obj.file(), file)
    ctx.obj.ask("note", done="restore", target=str(file))
    answer: dict[str, Any] = {"restored": str(file), "kept": None if kept is None else str(kept), **counts}
    show(answer)


@app.command("audit", cls=Command)
def audit(ctx: typer.Context, limit: Limit = 50, as_json: JsonAnswer = False) -> None:
    """Who has done what, newest first."""
    show(ctx.obj.ask("audit", limit=limit), as_json)
