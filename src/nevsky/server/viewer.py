"""Somebody who looks at a table through one connection."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final, Protocol

from nevsky.server.errors import Refusal, close_code
from nevsky.server.protocol import BotSpeed, Language, Model

if TYPE_CHECKING:
    from nevsky.server.screens import Screen, Shown

__all__ = ["Outlet", "Viewer"]

_MOST_WAITING: Final = 200


class Outlet(Protocol):
    """The end of a connection at which something can be written without waiting."""

    def write_now(self, data: bytes) -> bool:
        """Write a message that is not large, unless others wait to be fetched; whether it was done."""


class Viewer:
    """Collects what is to be sent. Of several states only the newest is sent: it holds everything."""

    def __init__(
        self,
        seat: int | None,
        language: Language,
        guest: str | None = None,
        address: str = "",
        *,
        whole_states: bool = False,
        outlet: Outlet | None = None,
        device: str | None = None,
    ) -> None:
        self.seat = seat
        self.guest = guest
        self.device = device
        self.address = address
        self.came = time.monotonic()
        self.language: Language = language
        self.bot_speed: BotSpeed = "normal"
        self._whole_states = whole_states
        self._outlet = outlet
        self.closed = False
        self.close_code = 1000
        self._waiting: list[bytes] = []
        self._screen: Screen | None = None
        """What to show them."""
        self._shown: Screen | None = None
        """What they were shown last, and the state that it had then."""
        self._state: Shown | None = None
        self._something = asyncio.Event()
        self._listens = False
        """Everything before was sent, and somebody waits for more in `outgoing`."""
        self._writes = False
        """Something will be written in a moment."""

    def show(self, screen: Screen) -> None:
        """Show the newest state, unless it was sent already."""
        if screen is not self._shown or screen.shown is not self._state:
            self._screen = screen
            self._some_more()

    def forget(self) -> None:
        """Send the next state in any case, and all of it."""
        self._shown = None

    def send(self, message: Model) -> None:
        """Send anything that is not a state."""
        if len(self._waiting) >= _MOST_WAITING:
            self.close()
        self._waiting.append(message.model_dump_json().encode())
        self._some_more()

    def refuse(self, refusal: Refusal, about: str | None = None) -> None:
        """Say why something was not done, and to which type of message; after a failure the state is sent again."""
        if refusal.code == "storage":
            self.forget()
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
        """The next texts to send; empty when the viewer is closed."""
        while not self._waiting and self._screen is None and not self.closed:
            self._something.clear()
            self._listens = True
            await self._something.wait()
        self._listens = False
        self._put_state()
        texts, self._waiting = self._waiting, []
        return texts

    def _some_more(self) -> None:
        """Write it in a moment where that is possible: most of the time nothing stands in the way.

        Not at once: whoever was refused something hears of that first, and of the state after it.
        """
        if self._outlet is None or not self._listens:
            self._something.set()
        elif not self._writes:
            self._writes = True
            asyncio.get_running_loop().call_soon(self._write, self._outlet)

    def _write(self, outlet: Outlet) -> None:
        self._writes = False
        if self._listens and not self.closed:
            self._put_state()
            while self._waiting and outlet.write_now(self._waiting[0]):
                del self._waiting[0]
        if self._waiting or self._screen is not None:
            self._listens = False
            self._something.set()

    def _put_state(self) -> None:
        screen = self._screen
        if screen is None:
            return
        self._screen = None
        before = self._state if screen is self._shown and not self._whole_states else None
        self._shown, self._state = screen, screen.shown
        self._waiting.append(screen.whole() if before is None else screen.since(before))
