"""Somebody who looks at a table through one connection."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from nevsky.server.errors import Refusal, close_code
from nevsky.server.protocol import BotSpeed, Language, Model

if TYPE_CHECKING:
    from nevsky.server.screens import Screen, Shown

__all__ = ["Viewer"]

_MOST_WAITING: Final = 200


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
    ) -> None:
        self.seat = seat
        self.guest = guest
        self.address = address
        self.came = time.monotonic()
        self.language: Language = language
        self.bot_speed: BotSpeed = "normal"
        self._whole_states = whole_states
        self.closed = False
        self.close_code = 1000
        self._waiting: list[str] = []
        self._screen: Screen | None = None
        """What to show them."""
        self._shown: Screen | None = None
        """What they were shown last, and the state that it had then."""
        self._state: Shown | None = None
        self._something = asyncio.Event()

    def show(self, screen: Screen) -> None:
        """Show the newest state, unless it was sent already."""
        if screen is not self._shown or screen.shown is not self._state:
            self._screen = screen
            self._something.set()

    def forget(self) -> None:
        """Send the next state in any case, and all of it."""
        self._shown = None

    def send(self, message: Model) -> None:
        """Send anything that is not a state."""
        if len(self._waiting) >= _MOST_WAITING:
            self.close()
        self._waiting.append(message.model_dump_json())
        self._something.set()

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

    async def outgoing(self) -> list[str]:
        """The next texts to send; empty when the viewer is closed."""
        while not self._waiting and self._screen is None and not self.closed:
            self._something.clear()
            await self._something.wait()
        texts, self._waiting = self._waiting, []
        if self._screen is not None:
            texts.append(self._next_state(self._screen))
            self._screen = None
        return texts

    def _next_state(self, screen: Screen) -> str:
        before = self._state if screen is self._shown and not self._whole_states else None
        self._shown, self._state = screen, screen.shown
        return screen.whole() if before is None else screen.since(before)
