"""The desk that all commands work at: the database, what is in memory if a server runs, and the audit log."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.errors import NevskyError
from nevsky.server.bans import Bans
from nevsky.server.hub import Hub
from nevsky.server.schema import audit
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage, now
from nevsky.texts.former import shown_name

__all__ = ["COMMANDS", "Answer", "Desk", "command", "run_command"]

Answer = dict[str, Any] | list[dict[str, Any]]


class Desk(NamedTuple):
    """What a command works with."""

    settings: Settings
    storage: Storage
    bans: Bans
    hub: Hub | None
    """The tables in memory; None if no server runs."""
    who: str
    """The user of the operating system who asks."""

    async def rows(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        """What the database answers, with names."""
        async with self.storage.reading() as connection:
            found = [dict(row._mapping) for row in await connection.execute(query)]
        for row in found:
            if isinstance(row.get("name"), str):
                row["name"] = shown_name(row["name"], "en")
        return found

    async def note(self, connection: AsyncConnection, command: str, target: str, **details: object) -> None:
        """Write to the audit log, in the same transaction as what was done."""
        await connection.execute(
            audit.insert().values(at=now(), who=self.who[:40], command=command, target=target[:200], details=details)
        )


_Work = Callable[..., Awaitable[Answer]]
COMMANDS: Final[dict[str, _Work]] = {}


def command(name: str) -> Callable[[_Work], _Work]:
    """A function that works at the desk gets a name."""

    def add(work: _Work) -> _Work:
        COMMANDS[name] = work
        return work

    return add


async def run_command(desk: Desk, name: object, options: object) -> Answer:
    """Carry out a command; what cannot be is told in a sentence."""
    work = COMMANDS.get(name) if isinstance(name, str) else None
    if work is None or not isinstance(options, dict):
        raise NevskyError("admin.unknown", command=repr(name))
    try:
        inspect.signature(work).bind(desk, **options)
    except TypeError as error:
        raise NevskyError("admin.unknown", command=repr(name)) from error
    return await work(desk, **options)


@command("audit")
async def show_audit(desk: Desk, limit: int = 50) -> Answer:
    """What was done last, newest first."""
    return await desk.rows(sa.select(audit).order_by(audit.c.id.desc()).limit(limit))


@command("note")
async def note(desk: Desk, done: str, target: str) -> Answer:
    """Something was done beside the server: a backup was made or put in its place."""
    async with desk.storage.writing() as connection:
        await desk.note(connection, done, target)
    return {done: target}
