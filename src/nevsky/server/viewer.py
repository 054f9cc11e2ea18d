"""Somebody who looks at a table through one connection."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from nevsky.server.errors import Refusal
from nevsky.server.outgoing import Outgoing, Outlet
from nevsky.server.protocol import BotSpeed, Language

if TYPE_CHECKING:
    from nevsky.server.screens import Screen, Shown

__all__ = ["Viewer"]


class Viewer(Outgoing["Screen"]):
    """Gets states of the table: patches where that is enough, and only the newest of several."""

    most_waiting = 200

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
        super().__init__(language, guest, address, outlet)
        self.seat = seat
        self.device = device
        self.came = time.monotonic()
        self.bot_speed: BotSpeed = "normal"
        self._whole_states = whole_states
        self._shown: Screen | None = None
        """What they were shown last, and the state that it had then."""
        self._state: Shown | None = None

    def show(self, screen: Screen) -> bool:
        """Show the newest state, unless it was sent already; whether it has to be let written in a moment."""
        if screen is self._shown and screen.shown is self._state:
            return False
        self._newest = screen
        return self._is_due()

    def forget(self) -> None:
        """Send the next state in any case, and all of it."""
        self._shown = None

    def refuse(self, refusal: Refusal, about: str | None = None) -> None:
        """Say why something was not done, and to which type of message; after a failure the state is sent again."""
        if refusal.code == "storage":
            self.forget()
        super().refuse(refusal, about)

    def written(self, newest: Screen) -> bytes:
        """What has changed since the last state, or a whole one."""
        before = self._state if newest is self._shown and not self._whole_states else None
        self._shown, self._state = newest, newest.shown
        return newest.whole() if before is None else newest.since(before)
