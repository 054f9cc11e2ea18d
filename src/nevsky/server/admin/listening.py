"""The socket beside the database through which a running server is asked: one JSON line each way."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import json
import os
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import structlog

from nevsky.errors import NevskyError
from nevsky.server.admin import guests, purging, tables, tournaments
from nevsky.server.admin.desk import Desk, run_command
from nevsky.server.database_file import real_path
from nevsky.server.errors import Refusal

__all__ = ["REACHABLE", "AdminSocket", "own_name", "socket_path", "within_reach"]

_MOST_BYTES: Final = 65_536
_LONGEST_PATH: Final = 100
REACHABLE: Final = hasattr(asyncio, "start_unix_server") and os.name == "posix"
"""Whether a running server can be asked: not on Windows, where commands wait until it has ended."""
_MODULES: Final = (guests, purging, tables, tournaments)
"""Their commands are known once they are imported."""
log = structlog.get_logger()


def socket_path(database: Path) -> Path:
    """Where the socket of a server lies: beside the file itself, whatever links lead there."""
    return Path(f"{real_path(database)}.admin")


@contextmanager
def within_reach(path: Path) -> Iterator[str]:
    """The path of a socket in few letters: the system takes no long ones."""
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield str(path)
        return
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{directory}/{path.name}"
    finally:
        os.close(directory)


class AdminSocket:
    """Open to the user that the server runs as, and to root."""

    def __init__(self, path: Path, desk: Callable[[str], Desk]) -> None:
        self._path = path
        self._desk = desk
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen; whoever calls holds the start lock, so what lies there is of a server that is gone."""
        if not REACHABLE:
            return
        listening = socket.socket(socket.AF_UNIX)
        try:
            self._path.unlink(missing_ok=True)
            with within_reach(self._path) as path:
                listening.bind(path)
            self._path.chmod(0o600)  # nobody can connect before it listens
            self._server = await asyncio.start_unix_server(self._answer, sock=listening, limit=_MOST_BYTES)
        except OSError as error:
            listening.close()
            log.warning("no_admin_socket", path=str(self._path), reason=error.strerror)

    async def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()
            self._path.unlink(missing_ok=True)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            asked = json.loads(await reader.readline())
            answer: dict[str, object]
            try:
                desk = self._desk(_user(writer))
                answer = {"answer": await run_command(desk, asked.get("command"), asked.get("options"))}
            except (NevskyError, Refusal) as error:
                answer = {"error": str(error)}
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
        except (ValueError, AttributeError, OSError) as error:
            log.warning("admin_unreadable", reason=str(error))
        except Exception:
            log.exception("admin_failed")
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


def _user(writer: asyncio.StreamWriter) -> str:
    """The user at the other end, as the system vouches for; where it does not, only our own is let in."""
    if not hasattr(socket, "SO_PEERCRED"):
        return own_name()
    connection = writer.get_extra_info("socket")
    _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return user_name(user)


def own_name() -> str:
    """The user that this process runs as."""
    return user_name(os.getuid()) if hasattr(os, "getuid") else getpass.getuser()


def user_name(number: int) -> str:
    """The name of a user of the system."""
    import pwd

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
