"""Servers in processes of their own, to be started and killed quickly."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.cli.command import COMMAND
from tests.server.support import FAST

_PATIENCE = 120.0
"""Seconds for a server to say where it is: a start takes one, but not on a machine that has much else to do."""
NURSERY = """
import json, os, sys
import nevsky.bots
from nevsky.cli import main
from nevsky.server import run

for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        order = json.loads(line)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(order["errors"], os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
        sys.argv = ["nevsky", *order["words"]]
        main()
        sys.exit()
    print("pid", pid, flush=True)
    print("code", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""
"""Imports take nearly all of the time of a start: here they are done once, and every server begins as a copy."""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def words(database: Path, port: int) -> list[str]:
    return ["serve", "--port", str(port), "--database", str(database)]


def environment(**settings: object) -> dict[str, str]:
    wanted = {f"NEVSKY_{key.upper()}": str(value) for key, value in {**FAST, **settings}.items()}
    return {**os.environ, **wanted, "NEVSKY_LOG_LEVEL": "error"}


ORPHANED = re.compile(r"Traceback .*\n(?:  .*\n)*?  File .*multiprocessing/spawn\.py.*\n(?:  .*\n)*EOFError: .*\n")
"""A worker whose server was killed before it had told it what to do."""


class Serving:
    """`nevsky serve` while it runs. What it writes to standard error is added to a file."""

    def __init__(self, process: asyncio.subprocess.Process, errors: Path, pid: int | None) -> None:
        self._process = process
        self._errors = errors
        self._nursery = pid is not None
        self.pid = pid or process.pid
        self.code: int | None = None
        self.begun = time.monotonic()

    async def ready(self) -> bool:
        """Whether it says that it listens; False if it ends before."""
        line = await self._line()
        if line.startswith("Nevsky is at "):
            return True
        await self._ended(line)
        return False

    async def end(self, number: signal.Signals) -> int:
        """Send a signal and wait."""
        self.send(number)
        return await self.ended()

    def send(self, number: signal.Signals) -> None:
        if self.code is None:
            os.kill(self.pid, number)

    async def ended(self) -> int:
        while self.code is None:
            await self._ended(await self._line())
        return self.code

    def helpers(self) -> set[tuple[int, str]]:
        """Its own processes: their ids and when they began."""
        found = set()
        for path in Path("/proc").glob("[0-9]*/stat"):
            with_parent = _fields(path)
            if with_parent and with_parent[0] == str(self.pid):
                found.add((int(path.parent.name), with_parent[1]))
        return found

    def errors(self) -> list[str]:
        """What servers said in this file.

        That a killed one left semaphores behind, or a worker that was just starting, says Python, not they.
        """
        said = self._errors.read_text(encoding="utf-8") if self._errors.exists() else ""
        lines = ORPHANED.sub("", said).splitlines()
        return lines[-40:] if any(line.startswith("{") or "Traceback" in line for line in lines) else []

    async def _line(self) -> str:
        assert self._process.stdout is not None
        async with asyncio.timeout(_PATIENCE):
            return (await self._process.stdout.readline()).decode()

    async def _ended(self, line: str) -> None:
        if not self._nursery and not line:
            self.code = await self._process.wait()
        elif line.startswith("code "):
            self.code = int(line.split()[1])
        else:
            assert line.startswith("Nevsky is at "), line


def _fields(path: Path) -> tuple[str, str] | None:
    try:
        fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return fields[1], fields[19]


def lives(helper: tuple[int, str]) -> bool:
    found = _fields(Path(f"/proc/{helper[0]}/stat"))
    return found is not None and found[1] == helper[1]


async def start(database: Path, port: int, **settings: object) -> Serving:
    """The command itself, with all its imports."""
    errors = database.with_suffix(".errors")
    with errors.open("ab") as file:
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            *words(database, port),
            env=environment(**settings),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=file,
        )
    return Serving(process, errors, None)


class Nursery:
    """Where quick starts come from, one server at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def start(self, database: Path, port: int) -> Serving:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        errors = database.with_suffix(".errors")
        order = {"words": words(database, port), "errors": str(errors)}
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        line = (await asyncio.wait_for(self._process.stdout.readline(), 60)).decode()
        return Serving(self._process, errors, int(line.removeprefix("pid ")))


@asynccontextmanager
async def nursery(**settings: object) -> AsyncIterator[Nursery]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", NURSERY, env=environment(**settings), stdin=pipe, stdout=pipe
    )
    try:
        yield Nursery(process)
    finally:
        process.kill()
        await process.wait()
