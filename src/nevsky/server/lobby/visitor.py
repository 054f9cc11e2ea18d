"""Somebody who looks at the lobby through one connection."""

from __future__ import annotations

import asyncio
from typing import Final

from nevsky.server.errors import Refusal, close_code
from nevsky.server.ids import new_token
from nevsky.server.lobby.news import News
from nevsky.server.protocol import Language, Model
from nevsky.server.viewer import Outlet

__all__ = ["Visitor"]

_MOST_WAITING: Final = 50


class Visitor:
    """Collects what is to be sent. Whoever is slow gets the newest lobby as a whole, and nothing of what was before."""

    def __init__(
        self, language: Language, guest: str | None, address: str, outlet: Outlet | None = None, stamp: str = ""
    ) -> None:
        self.language: Language = language
        self.guest = guest
        self.address = address
        self.ticket = new_token()
        """Names the connection: what was asked for through it ends with it."""
        self.closed = False
        self.close_code = 1000
        self._outlet = outlet
        self._stamp = stamp
        """Of the news that they have, or will have when all that waits is fetched."""
        self._news: News | None = None
        self._waiting: list[bytes] = []
        self._something = asyncio.Event()
        self._listens = False

    def show(self, news: News) -> None:
        """Show how the lobby is now, unless they know."""
        if news.stamp != self._stamp or self._news is not None:
            self._news = news
            self._some_more()

    def send(self, message: Model) -> None:
        """Send anything else."""
        if len(self._waiting) >= _MOST_WAITING:
            self.close()
        self._waiting.append(message.model_dump_json().encode())
        self._some_more()

    def refuse(self, refusal: Refusal, about: str | None = None) -> None:
        """Say why something was not done."""
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

    def _some_more(self) -> None:
        """Write it at once where nothing stands in the way, else wake whoever sends."""
        if self._outlet is not None and self._listens and not self.closed:
            self._put_news()
            while self._waiting and self._outlet.write_now(self._waiting[0]):
                del self._waiting[0]
        if self._waiting or self._news is not None:
            self._something.set()

    async def outgoing(self) -> list[bytes]:
        """The next texts to send; empty when the visitor is closed."""
        while not self._waiting and self._news is None and not self.closed:
            self._something.clear()
            self._listens = True
            await self._something.wait()
        self._listens = False
        self._put_news()
        texts, self._waiting = self._waiting, []
        return texts

    def _put_news(self) -> None:
        if self._news is not None:
            self._waiting.append(self._news.since(self._stamp))
            self._stamp = self._news.stamp
            self._news = None
