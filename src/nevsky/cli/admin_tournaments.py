"""nevsky admin tournaments."""

from __future__ import annotations

from typing import Annotated

import typer

from nevsky.cli.admin_answers import JsonAnswer, show
from nevsky.cli.command import Command, Group

__all__ = ["tournaments"]

tournaments = typer.Typer(cls=Group, no_args_is_help=True, help="List, end and delete tournaments.")
Tournament = Annotated[str, typer.Argument(help="the id of a tournament, from the list or its address")]


@tournaments.command("list", cls=Command)
def list_tournaments(
    ctx: typer.Context,
    status: Annotated[str | None, typer.Option(help="only open, playing, over or ended ones")] = None,
    limit: Annotated[int, typer.Option(help="how many at most", min=1)] = 50,
    as_json: JsonAnswer = False,
) -> None:
    """List tournaments, those where something happened last first."""
    show(ctx.obj.ask("tournaments.list", status=status, limit=limit), as_json)


@tournaments.command("end", cls=Command)
def end_tournament(ctx: typer.Context, tournament: Tournament) -> None:
    """Let no further round begin, and stop the games that are played; the standings stay."""
    show(ctx.obj.ask("tournaments.end", tournament=tournament))


@tournaments.command("delete", cls=Command)
def delete_tournament(ctx: typer.Context, tournament: Tournament) -> None:
    """Delete a tournament with its standings; games that are over stay, others are stopped."""
    show(ctx.obj.ask("tournaments.delete", tournament=tournament))
