"""Servers and workers as processes of their own, which can be killed, paused and started again."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.cli.command import COMMAND

__all__ = ["Process", "die_with_parent"]

_PATIENCE = 180.0
"""Seconds; a machine may have much else to do."""
_DIE_WITH_PARENT = 1


def die_with_parent() -> None:
    """Whatever happens to the tests, nothing that they started goes on."""
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)


class Process:
    """`nevsky serve` or `nevsky worker`, under the same name however often it starts."""

    def __init__(self, name: str, words: Sequence[str], settings: Mapping[str, object], folder: Path) -> None:
        self.name = name
        self.errors = folder / f"{name}.log"
        self._words = list(words)
        self._environment = {f"NEVSKY_{key.upper()}": str(value) for key, value in settings.items()}
        self._process: asyncio.subprocess.Process | None = None
        self.wanted = False
        """Whether it should be running."""
        self.starts = 0

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int:
        """Of the process that runs."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start until it says that it is there, as systemd would."""
        self.wanted = True
        async with asyncio.timeout(_PATIENCE):
            while not await self._started():
                await asyncio.sleep(0.5)

    async def _started(self) -> bool:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("NEVSKY_")}
        self.starts += 1
        with self.errors.open("ab") as errors:
            self._process = await asyncio.create_subprocess_exec(
                *(*COMMAND, *self._words),
                env={**clean, **self._environment},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                preexec_fn=die_with_parent,
            )
        assert self._process.stdout is not None
        return bool(await self._process.stdout.readline())

    def send(self, number: signal.Signals) -> None:
        """A signal, if it still runs."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(number)

    async def end(self, number: signal.Signals = signal.SIGKILL) -> int:
        """Kill it, or ask it to end; how it did."""
        self.wanted = False
        if self._process is None:
            return 0
        self.send(number)
        self.send(signal.SIGCONT)
        try:
            async with asyncio.timeout(_PATIENCE / 3):
                code = await self._process.wait()
        except TimeoutError:
            self.send(signal.SIGKILL)
            await self._process.wait()
            raise AssertionError(f"{self.name} does not end") from None
        transport = self._process._transport  # type: ignore[attr-defined]
        transport.close()
        return code

    def said(self) -> list[str]:
        """What it wrote to standard error."""
        return self.errors.read_text(encoding="utf-8").splitlines() if self.errors.exists() else []
