"""Everything the server consists of, opened and closed together."""

from __future__ import annotations

import asyncio
from typing import Final

from nevsky.server.actor import Services
from nevsky.server.hub import Hub
from nevsky.server.limiting import Limits
from nevsky.server.sessions import Sessions
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage
from nevsky.server.thinking import Thinker

__all__ = ["House"]

_WARM_UP_AFTER: Final = 0.5
"""Seconds; the first page comes before the bots."""


class House:
    """The rooms of the server."""

    def __init__(self, settings: Settings, storage: Storage) -> None:
        self.settings = settings
        self.storage = storage
        self.limits = Limits(settings)
        self.sessions = Sessions(settings, storage)
        self.thinker = Thinker(settings)
        self._warming: asyncio.TimerHandle | None = None
        self.hub = Hub(Services(settings, storage, self.thinker))

    @classmethod
    async def open(cls, settings: Settings) -> House:
        """Open the database and get everything ready."""
        house = cls(settings, await Storage.open(settings.database_path))
        house._warming = asyncio.get_running_loop().call_later(_WARM_UP_AFTER, house.thinker.warm_up)
        return house

    async def close(self) -> None:
        """Finish moves in flight, then close everything."""
        await self.hub.close()
        if self._warming is not None:
            self._warming.cancel()
        self.thinker.close()
        await self.storage.close()
