"""Somebody who looks at the lobby through one connection."""

from __future__ import annotations

from nevsky.server.ids import new_token
from nevsky.server.lobby.news import News
from nevsky.server.outgoing import Outgoing, Outlet
from nevsky.server.protocol import Language

__all__ = ["Visitor"]


class Visitor(Outgoing[News]):
    """Gets the news of the lobby. Whoever is slow gets the newest as a whole, and nothing of what was before."""

    most_waiting = 50

    def __init__(
        self, language: Language, guest: str | None, address: str, outlet: Outlet | None = None, stamp: str = ""
    ) -> None:
        super().__init__(language, guest, address, outlet)
        self.ticket = new_token()
        """Names the connection: what was asked for through it ends with it."""
        self.number = 0
        """Of what was last said about wishes through it, and has been done."""
        self._stamp = stamp
        """Of the news that they have, or will have when all that waits is fetched."""

    def show(self, news: News) -> None:
        """Show how the lobby is now, unless they know."""
        if news.stamp != self._stamp or self._newest is not None:
            self._newest = news
            self._some_more()

    def written(self, newest: News) -> bytes:
        """What is new since what they have."""
        text = newest.since(self._stamp)
        self._stamp = newest.stamp
        return text
