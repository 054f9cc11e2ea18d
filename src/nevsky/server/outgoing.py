"""What waits to be sent through one connection."""

from __future__ import annotations

import asyncio
from typing import ClassVar, Generic, Protocol, TypeVar

from nevsky.server.errors import Refusal, close_code
from nevsky.server.protocol import Language, Model

__all__ = ["Outgoing", "Outlet"]

_N = TypeVar("_N")


class Outlet(Protocol):
    """The end of a connection at which something can be written without waiting."""

    def write_now(self, data: bytes) -> bool:
        """Write a message that is not large, unless others wait to be fetched; whether it was done."""


class Outgoing(Generic[_N]):
    """Collects what is to be sent. Of what is shown only the newest is sent: it holds everything."""

    most_waiting: ClassVar[int]

    def __init__(self, language: Language, guest: str | None, address: str, outlet: Outlet | None) -> None:
        self.language: Language = language
        self.guest = guest
        self.address = address
        self.closed = False
        self.close_code = 1000
        self._outlet = outlet
        self._newest: _N | None = None
        """What to show them, unless they were shown it."""
        self._waiting: list[bytes] = []
        self._something = asyncio.Event()
        self._listens = False
        """Everything before was sent, and somebody waits for more in `outgoing`."""
        self._writes = False
        """Something will be written in a moment."""

    def written(self, newest: _N) -> bytes:
        """The newest to show, as they need it who were shown what was shown before."""
        raise NotImplementedError

    def send(self, message: Model) -> None:
        """Send anything else; whoever never fetches it is let go."""
        if len(self._waiting) >= self.most_waiting:
            self.close()
        self._waiting.append(message.model_dump_json().encode())
        self._some_more()

    def refuse(self, refusal: Refusal, about: str | None = None) -> None:
        """Say why something was not done, and to which type of message."""
        self.send(refusal.reply(self.language, about))

    def close(self, code: int = 1000) -> None:
        """Send what is waiting, then end."""
        self.closed = True
        self.close_code = code
        self._something.set()

    def dismiss(self, refusal: Refusal) -> None:
        """Say why they have to go, and end."""
        self.send(refusal.reply(self.language))
        self.close(close_code(refusal.code))

    async def outgoing(self) -> list[bytes]:
        """The next texts to send; empty when the connection is to end."""
        while not self._waiting and self._newest is None and not self.closed:
            self._something.clear()
            self._listens = True
            await self._something.wait()
        self._listens = False
        self._put_newest()
        texts, self._waiting = self._waiting, []
        return texts

    def _some_more(self) -> None:
        """Write it in a moment where that is possible: most of the time nothing stands in the way."""
        if self._is_due():
            asyncio.get_running_loop().call_soon(self.write)

    def _is_due(self) -> bool:
        """Whether somebody has to let it be written in a moment; else it is seen to already.

        Not at once: whoever was refused something hears of that first, and of the state after it.
        """
        if self._outlet is None or not self._listens:
            self._something.set()
            return False
        if self._writes:
            return False
        self._writes = True
        return True

    def write(self) -> None:
        """Write what waits as far as nothing stands in the way."""
        self._writes = False
        if self._listens and not self.closed and self._outlet is not None:
            self._put_newest()
            while self._waiting and self._outlet.write_now(self._waiting[0]):
                del self._waiting[0]
        if self._waiting or self._newest is not None:
            self._listens = False
            self._something.set()

    def _put_newest(self) -> None:
        newest = self._newest
        if newest is not None:
            self._newest = None
            self._waiting.append(self.written(newest))
