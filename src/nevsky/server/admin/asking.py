"""Asking a running server, or working on the database itself where none runs."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any, Final

from sqlalchemy.exc import DBAPIError

from nevsky.errors import NevskyError
from nevsky.server.admin.desk import Answer, Desk, run_command
from nevsky.server.admin.listening import REACHABLE, own_name, socket_path, within_reach
from nevsky.server.bans import Bans
from nevsky.server.database_file import StartLock
from nevsky.server.errors import Refusal
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage

__all__ = ["ask"]

_PATIENCE: Final = 600.0
"""Seconds; only purging takes long."""


def ask(settings: Settings, command: str, **options: Any) -> Answer:
    """Carry out a command, in the server if one runs."""
    if settings.postgres is not None:
        return asyncio.run(_work_on_postgres(settings, command, options))
    if not settings.database_path.exists():
        raise NevskyError("admin.no_database", path=settings.database_path)
    answer = _ask_server(settings, command, options)
    return asyncio.run(_work(settings, command, options)) if answer is None else answer


def _ask_server(settings: Settings, command: str, options: dict[str, Any]) -> Answer | None:
    """The answer of the server; None if none listens."""
    if not REACHABLE:
        return None
    with socket.socket(socket.AF_UNIX) as connection, within_reach(socket_path(settings.database_path)) as path:
        connection.settimeout(_PATIENCE)
        try:
            connection.connect(path)
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        except OSError as error:
            raise NevskyError("admin.socket", path=path, reason=error.strerror) from error
        try:
            connection.sendall(json.dumps({"command": command, "options": options}).encode() + b"\n")
            with connection.makefile("rb") as file:
                line = file.readline()
            found = json.loads(line)
        except (OSError, ValueError) as error:
            raise NevskyError("admin.silent") from error
    if "error" in found:
        raise NevskyError("admin.answer", text=found["error"])
    answer: Answer = found["answer"]
    return answer


async def _work(settings: Settings, command: str, options: dict[str, Any]) -> Answer:
    path = settings.database_path
    with StartLock(path):
        try:
            storage = await Storage.open(path)
        except DBAPIError as error:
            raise NevskyError("server.database", path=path, reason=str(error.orig)) from error
        return await _work_at(storage, settings, command, options)


async def _work_on_postgres(settings: Settings, command: str, options: dict[str, Any]) -> Answer:
    """Beside any number of servers, which are told of it by the database."""
    return await _work_at(await Storage.open(settings.where), settings, command, options)


async def _work_at(storage: Storage, settings: Settings, command: str, options: dict[str, Any]) -> Answer:
    try:
        bans = Bans()
        await bans.load(storage)
        return await run_command(Desk(settings, storage, bans, None, own_name()), command, options)
    except Refusal as refusal:
        raise NevskyError("admin.answer", text=str(refusal)) from refusal
    finally:
        await storage.close()
