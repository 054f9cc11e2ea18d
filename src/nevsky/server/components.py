"""Everything the server consists of, opened and closed together."""

from __future__ import annotations

import asyncio
from typing import Final

from nevsky.server.actor import Services
from nevsky.server.bot_pool import BotPool
from nevsky.server.hub import Hub
from nevsky.server.rate_limits import Limits
from nevsky.server.sessions import Sessions
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage

__all__ = ["Components"]

_WARM_UP_AFTER: Final = 0.5
"""Seconds; the first page comes before the bots."""


class Components:
    """The parts of the server."""

    def __init__(self, settings: Settings, storage: Storage) -> None:
        self.settings = settings
        self.storage = storage
        self.limits = Limits(settings)
        self.sessions = Sessions(settings, storage)
        self.bot_pool = BotPool(settings)
        self._warming: asyncio.TimerHandle | None = None
        self.hub = Hub(Services(settings, storage, self.bot_pool))

    @classmethod
    async def open(cls, settings: Settings) -> Components:
        """Open the database and get everything ready."""
        components = cls(settings, await Storage.open(settings.database_path))
        components._warming = asyncio.get_running_loop().call_later(_WARM_UP_AFTER, components.bot_pool.warm_up)
        return components

    async def close(self) -> None:
        """Finish moves in flight, then close everything."""
        await self.hub.close()
        if self._warming is not None:
            self._warming.cancel()
        self.bot_pool.close()
        await self.storage.close()
