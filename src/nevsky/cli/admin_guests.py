"""nevsky admin guests and nevsky admin addresses."""

from __future__ import annotations

from typing import Annotated

import typer

from nevsky.cli.admin_answers import JsonAnswer, show
from nevsky.cli.command import Command, Group

__all__ = ["addresses", "guests"]

guests = typer.Typer(cls=Group, no_args_is_help=True, help="List, show, rename, mute, ban, erase and export guests.")
addresses = typer.Typer(cls=Group, no_args_is_help=True, help="Ban addresses and networks.")
Guest = Annotated[str, typer.Argument(help="the id of a guest, from the list")]
Network = Annotated[str, typer.Argument(help="an address, or a network such as 192.0.2.0/24")]


@guests.command("list", cls=Command)
def list_guests(
    ctx: typer.Context,
    name: Annotated[str | None, typer.Option(help="only those with this in their names")] = None,
    limit: Annotated[int, typer.Option(help="how many at most", min=1)] = 50,
    as_json: JsonAnswer = False,
) -> None:
    """List guests, those who were here last first."""
    show(ctx.obj.ask("guests.list", name=name, limit=limit), as_json)


@guests.command("show", cls=Command)
def show_guest(ctx: typer.Context, guest: Guest, as_json: JsonAnswer = False) -> None:
    """Show a guest and where they sit."""
    show(ctx.obj.ask("guests.show", guest=guest), as_json)


@guests.command("rename", cls=Command)
def rename_guest(ctx: typer.Context, guest: Guest, name: Annotated[str, typer.Argument(help="the new name")]) -> None:
    """Give a guest another name, also at tables and in the chat."""
    show(ctx.obj.ask("guests.rename", guest=guest, name=name))


@guests.command("mute", cls=Command)
def mute_guest(ctx: typer.Context, guest: Guest) -> None:
    """Let a guest write no more; they can still play."""
    show(ctx.obj.ask("guests.mute", guest=guest))


@guests.command("unmute", cls=Command)
def unmute_guest(ctx: typer.Context, guest: Guest) -> None:
    """Let a guest write again."""
    show(ctx.obj.ask("guests.unmute", guest=guest))


@guests.command("ban", cls=Command)
def ban_guest(ctx: typer.Context, guest: Guest) -> None:
    """Send a guest away; whoever comes back without their cookie is somebody new, so ban the address as well."""
    show(ctx.obj.ask("guests.ban", guest=guest))


@guests.command("unban", cls=Command)
def unban_guest(ctx: typer.Context, guest: Guest) -> None:
    """Let a guest in again."""
    show(ctx.obj.ask("guests.unban", guest=guest))


@guests.command("erase", cls=Command)
def erase_guest(ctx: typer.Context, guest: Guest) -> None:
    """Forget a guest: their name, words and links go, and their games stay with nobody's name."""
    show(ctx.obj.ask("guests.erase", guest=guest))


@guests.command("export", cls=Command)
def export_guest(ctx: typer.Context, guest: Guest) -> None:
    """Print everything that is kept about a guest, as JSON; the audit log keeps that it was asked for."""
    show(ctx.obj.ask("guests.export", guest=guest), as_json=True)


@addresses.command("list", cls=Command)
def list_addresses(ctx: typer.Context, as_json: JsonAnswer = False) -> None:
    """List the addresses that are not let in."""
    show(ctx.obj.ask("addresses.list"), as_json)


@addresses.command("ban", cls=Command)
def ban_address(
    ctx: typer.Context,
    network: Network,
    reason: Annotated[str, typer.Option(help="why, for the list and the audit log")] = "",
) -> None:
    """Let nobody in from an address or a network; an IPv6 address stands for its /64."""
    show(ctx.obj.ask("addresses.ban", network=network, reason=reason))


@addresses.command("unban", cls=Command)
def unban_address(ctx: typer.Context, network: Network) -> None:
    """Let people in from there again."""
    show(ctx.obj.ask("addresses.unban", network=network))
