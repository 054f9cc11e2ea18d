"""A server in a process of its own, for measurements: started, asked, and looked at from outside."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from websockets.exceptions import WebSocketException

from nevsky.errors import NevskyError
from nevsky.server.settings import unlimited

__all__ = [
    "BROKEN",
    "CONNECTING",
    "HOST",
    "PATIENCE",
    "LoadServer",
    "percentiles",
    "raise_file_limit",
    "serving",
    "waited_seconds",
]

HOST: Final = "127.0.0.1"
PATIENCE: Final = 30.0
"""Seconds to wait for the start of the server, for a connection, and at the end for the last answers."""
CONNECTING: Final[dict[str, Any]] = {
    "proxy": None,
    "open_timeout": PATIENCE,
    "close_timeout": 2,
    "ping_interval": None,
}
BROKEN: Final = (OSError, WebSocketException, http.client.HTTPException)
_MEASURED: Final = {**unlimited(), "bot_pause": 0, "bot_workers": 1, "log_level": "error"}


def raise_file_limit(needed: int) -> None:
    """As many open files as we may have; the server inherits that."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft != hard:
        soft = max(soft, needed) if hard == resource.RLIM_INFINITY else hard
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft != resource.RLIM_INFINITY and soft < needed:
        raise NevskyError("load.files", needed=needed, allowed=soft)


class LoadServer:
    """The process, seen from outside."""

    def __init__(self, pid: int, port: int, log: Path) -> None:
        self.pid = pid
        self.port = port
        self.log = log

    def memory(self) -> int:
        """Resident kilobytes of the server, without the process that thinks for bots."""
        return _memory(self.pid)

    def workers_memory(self) -> int:
        """Resident kilobytes of its processes that think for bots."""
        children = Path(f"/proc/{self.pid}/task").glob("*/children")
        pids = " ".join(path.read_text(encoding="ascii") for path in children).split()
        return sum(_memory(int(pid)) for pid in pids)

    def open_files(self) -> int:
        """How many files and sockets it holds."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))

    def processor_seconds(self) -> float:
        """Time of the processor used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def exact_seconds(self) -> float:
        """The same to the microsecond, of the threads that it has now."""
        threads = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text(encoding="ascii").split()[0]) for thread in threads) / 1e9

    def waited_seconds(self) -> float:
        """Time that it could have run and had no processor, since others had it."""
        return waited_seconds(self.pid)

    def metric(self, name: str) -> float:
        """The sum of a metric over its labels; blocks."""
        found = re.findall(rf"^{name}(?:{{.*}})? (\S+)$", self._ask("GET", "/metrics")[1], re.MULTILINE)
        return sum(map(float, found))

    def post(self, path: str, body: object) -> dict[str, Any]:
        """Ask as somebody new; blocks."""
        return self.ask("POST", path, body)[0]

    def ask(self, method: str, path: str, body: object = None, cookie: str = "") -> tuple[dict[str, Any], str]:
        """The answer, and the cookie of whoever asks; blocks."""
        headers, text = self._ask(method, path, body, cookie)
        return dict(json.loads(text)), headers.get("set-cookie", cookie).partition(";")[0]

    def _ask(
        self, method: str, path: str, body: object = None, cookie: str = ""
    ) -> tuple[http.client.HTTPMessage, str]:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json", **({"Cookie": cookie} if cookie else {})}
        try:
            connection.request(method, path, json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        if answer.status not in (200, 201):
            raise NevskyError("load.answer", status=answer.status, path=path.rpartition("/")[2], answer=text[:200])
        return answer.headers, text


def waited_seconds(pid: int) -> float:
    """Time that the main thread of a process could have run and had no processor."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except OSError:  # not every Linux counts it
        return 0.0


def _memory(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    if found is None:
        raise NevskyError("load.ended")
    return int(found[1])


@asynccontextmanager
async def serving(
    folder: Path,
    settings: Mapping[str, object] | None = None,
    *,
    limited: bool = False,
    files: int = 0,
    python: str = "",
) -> AsyncIterator[LoadServer]:
    """A server that runs while the block does: without limits unless it is asked for the usual ones.

    It may have fewer open files, and another interpreter may run another version of it.
    """
    chosen = {"host": HOST, **({} if limited else _MEASURED), **(settings or {})}
    wanted = {f"NEVSKY_{name.upper()}": str(value) for name, value in chosen.items()}
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NEVSKY_")}
    fewer = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files})); " if files else ""
    start = f"{fewer}from nevsky.cli import main; main()"
    log = folder / "log"
    wanted.setdefault("NEVSKY_DATABASE", str(folder / "n.db"))
    command = ["-c", start, "serve", "--port", "0"]
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            python or sys.executable, *command, env={**clean, **wanted}, stdin=DEVNULL, stdout=PIPE, stderr=errors
        )
    try:
        assert process.stdout is not None
        line = b""
        with contextlib.suppress(TimeoutError):
            line = await asyncio.wait_for(process.stdout.readline(), PATIENCE)
        found = re.search(rb":(\d+)/", line)
        if found is None:
            raise NevskyError("load.no_start", log=log.read_text(encoding="utf-8")[-300:].strip())
        yield LoadServer(process.pid, int(found[1]), log)
    finally:
        if process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), PATIENCE)
            except TimeoutError:
                process.kill()
                await process.wait()


def percentiles(seconds: list[float]) -> dict[str, float]:
    """In milliseconds: times that occurred."""
    ordered = sorted(seconds) or [0.0]
    ranks = {"p50": 50, "p95": 95, "p99": 99, "max": 100}
    return {name: round(ordered[-(-part * len(ordered) // 100) - 1] * 1000, 1) for name, part in ranks.items()}
