"""A PostgreSQL and a Redis for measurements, with their usual settings, in folders that go with them."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import socket
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Final

from nevsky.errors import NevskyError
from nevsky.server.load_server import HOST, PATIENCE

__all__ = ["Engine", "postgres", "redis", "tree_seconds"]

_NOBODY: Final = "postgres"
"""Whom PostgreSQL runs as where we are root, since it refuses that."""


def tree_seconds(pid: int) -> float:
    """Time of the processor that a process, its children and those that have ended have used so far."""
    fields = _fields(pid)
    own = sum(map(int, fields[11:15])) if fields else 0
    with suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
            own += sum(map(int, _fields(int(child))[11:13]))
    return own / os.sysconf("SC_CLK_TCK")


def _fields(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return []


class Engine:
    """A process that servers need."""

    def __init__(self, name: str, url: str, pid: int) -> None:
        self.name = name
        self.url = url
        self._pid = pid

    def processor_seconds(self) -> float:
        """Time of the processor used so far."""
        return tree_seconds(self._pid)


@asynccontextmanager
async def postgres() -> AsyncIterator[Engine]:
    """A PostgreSQL with an empty database, which writes to the disk before it says that it has."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    binary = str(found[-1]) if found else shutil.which("initdb")
    if binary is None:
        raise NevskyError("load.no_engine", engine="PostgreSQL", package="postgresql")
    user = _NOBODY if os.geteuid() == 0 else None
    port, password, bin_folder = _free_port(), secrets.token_hex(16), Path(binary).parent
    with _folder("postgres", user) as folder:
        told = folder / "password"
        told.write_text(password, encoding="ascii")
        data = str(folder / "data")
        made = ("-D", data, "-U", "nevsky", "--pwfile", str(told), "--auth=scram-sha-256", "--encoding=UTF8")
        await _done([binary, *made, "--locale=C.UTF-8"], user)
        options = (f"listen_addresses={HOST}", f"port={port}", f"unix_socket_directories={folder}")
        command = [str(bin_folder / "postgres"), "-D", data, *(word for each in options for word in ("-c", each))]
        async with _running(command, user, folder) as process:
            ready = [str(bin_folder / "pg_isready"), "-q", "-h", HOST, "-p", str(port)]
            await _until(process, folder, lambda: _succeeds(ready))
            yield Engine("PostgreSQL", f"postgresql://nevsky:{password}@{HOST}:{port}/postgres", process.pid)


@asynccontextmanager
async def redis() -> AsyncIterator[Engine]:
    """A Redis that keeps nothing."""
    binary = shutil.which("redis-server") or shutil.which("valkey-server")
    if binary is None:
        raise NevskyError("load.no_engine", engine="Redis", package="redis-server")
    port = _free_port()
    with _folder("redis", None) as folder:
        words = ("--port", str(port), "--bind", HOST, "--dir", str(folder), "--save", "", "--appendonly", "no")
        async with _running([binary, *words], None, folder) as process:
            await _until(process, folder, lambda: _listens(port))
            yield Engine("Redis", f"redis://{HOST}:{port}/0", process.pid)


@contextmanager
def _folder(name: str, user: str | None) -> Iterator[Path]:
    """A temporary folder that belongs to a user."""
    path = Path(tempfile.mkdtemp(prefix=f"nevsky-{name}-"))
    try:
        if user is not None:
            shutil.chown(path, user)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind((HOST, 0))
        port: int = found.getsockname()[1]
        return port


async def _done(command: Sequence[str], user: str | None) -> None:
    process = await asyncio.create_subprocess_exec(
        *command, user=user, cwd="/", stdin=DEVNULL, stdout=PIPE, stderr=PIPE
    )
    _, errors = await process.communicate()
    if process.returncode != 0:
        raise NevskyError("load.no_start", log=errors.decode(errors="replace")[-300:].strip())


@asynccontextmanager
async def _running(command: Sequence[str], user: str | None, folder: Path) -> AsyncIterator[Process]:
    with (folder / "output").open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *command, user=user, cwd=folder, stdin=DEVNULL, stdout=output, stderr=output
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), 5)
        except TimeoutError:
            process.kill()
            await process.wait()


async def _until(process: Process, folder: Path, ready: Callable[[], Awaitable[bool]]) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while process.returncode is None:
                if await ready():
                    return
                await asyncio.sleep(0.05)
    log = (folder / "output").read_text(encoding="utf-8", errors="replace")
    raise NevskyError("load.no_start", log=log[-300:].strip())


async def _succeeds(command: Sequence[str]) -> bool:
    process = await asyncio.create_subprocess_exec(*command, stdout=DEVNULL, stderr=DEVNULL)
    return await process.wait() == 0


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(HOST, port)
    except OSError:
        return False
    writer.close()
    return True
