"""Everything the server consists of, opened and closed together."""

from __future__ import annotations

import asyncio
from typing import Final

from nevsky.server.actor import Services
from nevsky.server.admin.desk import Desk
from nevsky.server.admin.listening import AdminSocket, socket_path
from nevsky.server.bans import Bans
from nevsky.server.bot_pool import BotPool, Bots
from nevsky.server.connections import Connections, raise_file_limit
from nevsky.server.database_file import StartLock
from nevsky.server.forwarding import Forwarding
from nevsky.server.gossip import Gossip
from nevsky.server.hub import Hub
from nevsky.server.lists import OpenTables
from nevsky.server.metrics import REGISTRY
from nevsky.server.rate_limits import Limits
from nevsky.server.redis_link import RedisLink
from nevsky.server.retention import Retention
from nevsky.server.secret_file import load_secret
from nevsky.server.sessions import Sessions
from nevsky.server.settings import Settings
from nevsky.server.shared_bots import SharedBots
from nevsky.server.speakers import Speakers
from nevsky.server.storage import Storage
from nevsky.server.turns import Turns

__all__ = ["Components"]

_WARM_UP_AFTER: Final = 0.5
"""Seconds; the first page comes before the bots."""


class Components:
    """The parts of the server."""

    def __init__(self, settings: Settings, storage: Storage, bans: Bans, lock: StartLock) -> None:
        self._lock = lock
        self.settings = settings
        self.storage = storage
        self.bans = bans
        self.limits = Limits(settings)
        self.turns = Turns()
        self.connections = Connections(settings, raise_file_limit())
        self.open_tables = OpenTables(settings, storage.still_open)
        self.sessions = Sessions(settings, storage)
        self.link = RedisLink(settings.redis) if settings.redis else None
        """The way to Redis, if there is one."""
        self.own_bots = BotPool(settings)
        self.bot_pool: Bots = self.own_bots
        if self.link is not None:
            self.bot_pool = SharedBots(settings, self.link, self.own_bots)
        self._warming: asyncio.TimerHandle | None = None
        self.hub = Hub(Services(settings, storage, self.bot_pool, Speakers(load_secret(settings)), bans))
        self.forwarding: Forwarding | None = None
        """Only where several processes share the tables."""
        self.gossip: Gossip | None = None
        """Only with Redis."""
        self.retention = Retention(settings, storage, lambda table: self.hub.viewers(table) is not None)
        self.admin = AdminSocket(
            socket_path(settings.database_path), lambda who: Desk(settings, storage, bans, self.hub, who)
        )

    @classmethod
    async def open(cls, settings: Settings) -> Components:
        """Open the database and get everything ready."""
        lock = StartLock(settings.database_path)
        try:
            storage = await Storage.open(settings.database_path)
            bans = Bans()
            await bans.load(storage)
            components = cls(settings, storage, bans, lock)
        except BaseException:
            lock.release()
            raise
        await components.admin.open()
        if components.link is not None:
            components.link.open()
        components.bot_pool.open()
        components._warming = asyncio.get_running_loop().call_later(_WARM_UP_AFTER, components.bot_pool.warm_up)
        REGISTRY.register(components.connections)
        REGISTRY.register(components.own_bots)
        return components

    def waiting(self) -> set[str]:
        """Tables where a player sits, connected, and waits for others; at all processes that we hear of."""
        here = self.hub.waiting()
        return here if self.gossip is None else here | self.gossip.waiting()

    async def close(self) -> None:
        """Finish moves in flight, then close everything."""
        REGISTRY.unregister(self.connections)
        REGISTRY.unregister(self.own_bots)
        await self.admin.close()
        await self.retention.close()
        await self.hub.close()
        if self._warming is not None:
            self._warming.cancel()
        self.bot_pool.close()
        if self.link is not None:
            await self.link.close()
        await self.storage.close()
        self._lock.release()
