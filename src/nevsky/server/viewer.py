"""Somebody who looks at a table through one connection."""

from __future__ import annotations

import asyncio
from typing import Final

from nevsky.server.protocol import Language, Model

__all__ = ["Viewer"]

_MOST_WAITING: Final = 200


class Viewer:
    """Collects what is to be sent. Of several states only the newest is kept: it holds everything."""

    def __init__(self, seat: int | None, language: Language, guest: str | None = None) -> None:
        self.seat = seat
        self.guest = guest
        self.language: Language = language
        self.closed = False
        self._waiting: list[str] = []
        self._state: str | None = None
        self._shown: str | None = None
        self._something = asyncio.Event()

    def show(self, state: str, key: str) -> None:
        """Send a state, unless it looks just like the one sent last."""
        if key != self._shown:
            self._shown = key
            self._state = state
            self._something.set()

    def forget(self) -> None:
        """Send the next state in any case."""
        self._shown = None

    def send(self, message: Model) -> None:
        """Send anything that is not a state."""
        if len(self._waiting) >= _MOST_WAITING:
            self.close()
        self._waiting.append(message.model_dump_json())
        self._something.set()

    def close(self) -> None:
        """Send what is waiting, then end."""
        self.closed = True
        self._something.set()

    async def outgoing(self) -> list[str]:
        """The next texts to send; empty when the viewer is closed."""
        while not self._waiting and self._state is None and not self.closed:
            self._something.clear()
            await self._something.wait()
        texts, self._waiting = self._waiting, []
        if self._state is not None:
            texts.append(self._state)
            self._state = None
        return texts
