"""Everything the server consists of, opened and closed together."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from nevsky.server.admin.desk import Desk
from nevsky.server.admin.listening import AdminSocket, socket_path
from nevsky.server.bans import Bans
from nevsky.server.bot_pool import BotPool, Bots
from nevsky.server.connections import Connections, raise_file_limit
from nevsky.server.daily.masters import Masters
from nevsky.server.database_file import StartLock
from nevsky.server.hub import Hub
from nevsky.server.lists import OpenTables
from nevsky.server.lobby.lobby import Lobby
from nevsky.server.lobby.presence import Presence
from nevsky.server.lobby.queue import Queue
from nevsky.server.lobby.wishing import Wishing
from nevsky.server.mail.sender import Mailer
from nevsky.server.metrics import REGISTRY
from nevsky.server.notices.service import Notices
from nevsky.server.ownership import Alone
from nevsky.server.people.inviting import Inviting
from nevsky.server.people.ties import Ties
from nevsky.server.protocol import Nudge
from nevsky.server.rate_limits import Limits
from nevsky.server.ratings.marks import Marks
from nevsky.server.redis_link import RedisLink
from nevsky.server.retention import Retention
from nevsky.server.secret_file import load_secret
from nevsky.server.services import Services
from nevsky.server.sessions import Sessions
from nevsky.server.settings import Settings
from nevsky.server.shared_bots import SharedBots
from nevsky.server.speakers import Speakers
from nevsky.server.storage import Storage
from nevsky.server.tournaments.service import Tournaments
from nevsky.server.turns import Turns
from nevsky.server.vacations.registry import Vacations
from nevsky.server.vacations.stays import Stays
from nevsky.server.vouching import Vouching

if TYPE_CHECKING:
    from nevsky.server.forwarding import Forwarding
    from nevsky.server.gossip import Gossip
    from nevsky.server.membership import Membership
    from nevsky.server.processes import Processes

__all__ = ["Components"]

_WARM_UP_AFTER: Final = 0.5
"""Seconds; the first page comes before the bots."""
_TO_SPARE: Final = 2.0
"""Seconds beyond a lease in which somebody has its table again."""
_GOODBYE: Final = 2.0
"""Seconds for everybody to hear why the server closes."""


class Components:
    """The parts of the server."""

    def __init__(self, settings: Settings, storage: Storage, bans: Bans, place: Alone | Processes) -> None:
        self.settings = settings
        self.storage = storage
        self.bans = bans
        self.limits = Limits(settings)
        self.turns = Turns()
        self.connections = Connections(settings, raise_file_limit())
        self.open_tables = OpenTables(settings, storage.still_open)
        self.sessions = Sessions(settings, storage)
        self.marks = Marks(settings)
        self.mail = Mailer(settings)
        self.link = RedisLink(settings.redis) if settings.redis else None
        """The way to Redis, if there is one."""
        self.own_bots = BotPool(settings)
        self.bot_pool: Bots = self.own_bots
        if self.link is not None:
            self.bot_pool = SharedBots(settings, self.link, self.own_bots)
        self.masters = Masters(storage, self.own_bots)
        self._warming: asyncio.TimerHandle | None = None
        secret = load_secret(settings)
        self.vacations = Vacations()
        self.notices = Notices(settings, storage, secret, self.mail, self.vacations)
        self.hub = Hub(
            Services(
                settings,
                storage,
                self.bot_pool,
                Speakers(secret),
                bans,
                place,
                self.notices.watch,
                self.vacations,
            )
        )
        self.stays = Stays(settings, storage, self.hub, self.vacations)
        self.tournaments = Tournaments(settings, storage, self.hub, secret)
        self.notices.open(self.hub.is_there)
        self.lobby = Lobby(storage, bans, Presence(), self.waiting, settings.open_table_minutes)
        self.lobby.matching = settings.matching
        self.queue = Queue(storage, settings, secret)
        self.ties = Ties(storage, profiles=settings.profiles)
        self.inviting = Inviting(
            storage, self.lobby.presence.__contains__, lambda guest: self.lobby.changed(f"guest {guest}")
        )
        self.wishing = Wishing(self.lobby, self.queue, self.inviting.waiting_for if settings.people else None)
        self.lobby.on_guest = self._about
        storage.on_seats = lambda: self.lobby.changed("tables")
        self.forwarding: Forwarding | None = None
        """Only where several processes share the tables."""
        self.gossip: Gossip | None = None
        """The same, and only with Redis."""
        self.retention = Retention(settings, storage, lambda table: self.hub.viewers(table) is not None)
        self._lock: StartLock | None = None
        self._admin: AdminSocket | None = None
        self.processes: Processes | None = None
        self._membership: Membership | None = None
        self._stopped = False

    def _about(self, guest: str) -> None:
        """Something has happened to a guest, perhaps at another process."""
        self.wishing.look(guest)
        self.hub.tell(guest, Nudge())

    @classmethod
    async def open(cls, settings: Settings) -> Components:
        """Open the database and get everything ready."""
        components = await (
            cls._open_alone(settings) if settings.postgres is None else cls._open_among_others(settings)
        )
        if components.link is not None:
            components.link.open()
        await components.queue.clear()
        await components.vacations.load(components.storage)
        components.bot_pool.open()
        components._warming = asyncio.get_running_loop().call_later(_WARM_UP_AFTER, components.bot_pool.warm_up)
        REGISTRY.register(components.connections)
        REGISTRY.register(components.own_bots)
        return components

    @classmethod
    async def _open_alone(cls, settings: Settings) -> Components:
        """The one process that works on a file."""
        lock = StartLock(settings.database_path)
        try:
            storage = await Storage.open(settings.database_path)
            bans = Bans()
            await bans.load(storage)
            components = cls(settings, storage, bans, Alone())
        except BaseException:
            lock.release()
            raise
        components._lock = lock
        components._admin = AdminSocket(
            socket_path(settings.database_path),
            lambda who: Desk(settings, storage, bans, components.hub, who),
        )
        await components._admin.open()
        return components

    @classmethod
    async def _open_among_others(cls, settings: Settings) -> Components:
        """One of any number of processes that share a PostgreSQL."""
        from nevsky.server.forwarding import Forwarding
        from nevsky.server.gossip import Gossip
        from nevsky.server.lobby.bulletin import Bulletin
        from nevsky.server.membership import Membership
        from nevsky.server.postgres_backend import PostgresBackend
        from nevsky.server.processes import Processes

        storage = await Storage.open(settings.where)
        assert isinstance(storage.backend, PostgresBackend)
        address = settings.advertise or f"http://{settings.host}:{settings.port}"
        processes = Processes(storage.backend, address, settings.lease_seconds)
        try:
            await processes.open()
            bans = Bans()
            await bans.load(storage)
            components = cls(settings, storage, bans, processes)
        except BaseException:
            await processes.close()
            await storage.close()
            raise
        components.processes = processes
        components.hub.others_go_on = True
        components.connections.others_come = True
        vouching = Vouching(load_secret(settings), lambda: processes.id)
        components.forwarding = Forwarding(
            components.hub, vouching, processes.running, settings.lease_seconds + _TO_SPARE
        )
        if components.link is not None:
            components.gossip = Gossip(
                components.link,
                lambda: processes.id,
                load_secret(settings),
                components.hub,
                components.limits,
                components.connections,
                components.open_tables,
            )
            components.hub.on_forget = components.gossip.gone
        lobby = components.lobby
        lobby.bulletin = Bulletin(storage, lambda: processes.id, lobby.presence, lobby.look)
        components._membership = Membership(
            components.hub,
            storage,
            bans,
            storage.backend.renewals,
            settings.idle_seconds / 2,
            lobby.bulletin.hear,
            components.vacations,
        )
        processes.tell(components._membership)
        return components

    def waiting(self) -> set[str]:
        """Tables where a player sits, connected, and waits for others; at all processes that we hear of."""
        here = self.hub.waiting()
        return here if self.gossip is None else here | self.gossip.waiting()

    async def stop(self) -> None:
        """Finish the moves in flight, let other processes have the tables, and send everybody to them."""
        if self._stopped:
            return
        self._stopped = True
        self.turns.close(self.hub.goodbye)
        await self.tournaments.close()
        await self.hub.finish()
        await self.stays.close()
        await self.notices.close()
        if self._membership is not None:
            await self._membership.close()
        await self.wishing.close()
        if self.lobby.bulletin is not None:
            await self.lobby.bulletin.close()
        if self.processes is not None:
            await self.processes.close()
        self.hub.dismiss_all()
        self.lobby.dismiss_all(self.hub.goodbye())
        if self.forwarding is not None:
            self.forwarding.dismiss()
        if self.gossip is not None:
            await self.gossip.close()
        await self.connections.goodbye(_GOODBYE)

    async def close(self) -> None:
        """Stop, then close everything."""
        REGISTRY.unregister(self.connections)
        REGISTRY.unregister(self.own_bots)
        if self._admin is not None:
            await self._admin.close()
        await self.retention.close()
        await self.masters.close()
        await self.stop()
        if self.forwarding is not None:
            await self.forwarding.close()
        if self._warming is not None:
            self._warming.cancel()
        self.bot_pool.close()
        await self.mail.close()
        if self.link is not None:
            await self.link.close()
        await self.storage.close()
        if self._lock is not None:
            self._lock.release()
