"""What processes tell each other all the time, over Redis: what visitors took, how many connections they have, where
people wait for others, which tables were made and which are gone.

It is all fleeting. What gets lost is counted by one process only, for a moment. Without Redis every process counts for
itself, and when Redis is back all know of each other within a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Collection
from typing import Any, Final

import structlog

from nevsky.server.connections import Connections
from nevsky.server.hub import Hub
from nevsky.server.lists import Made, OpenTables
from nevsky.server.rate_limits import Limits
from nevsky.server.redis_link import RedisLink, end, failures
from nevsky.server.taken import Share, Taken

__all__ = ["Gossip"]

PERIOD: Final = 0.5
"""Seconds between two messages."""
_WHOLE: Final = 4
"""Every so manieth message tells everything, for those who have just come."""
_SILENT: Final = 4.0
"""Seconds after which a process that says nothing is forgotten."""
_AGAIN: Final = 0.5
"""Seconds until we try to listen again."""
_MOST_PROCESSES: Final = 200
_MOST_ADDRESSES: Final = 500
_MOST_TABLES: Final = 2000
_MOST_BYTES: Final = 1_000_000
log = structlog.get_logger()


class _Other:
    """What is known of another process."""

    def __init__(self) -> None:
        self.heard = 0.0
        self.sockets: dict[str, int] = {}
        self.waiting: frozenset[str] = frozenset()


class Gossip:
    """Tells the others and listens to them."""

    def __init__(
        self,
        link: RedisLink,
        process: Callable[[], str],
        secret: str,
        hub: Hub,
        limits: Limits,
        connections: Connections,
        open_tables: OpenTables,
    ) -> None:
        self._link = link
        self._process = process
        self._channel = f"nevsky:{hashlib.sha256(f'gossip {secret}'.encode()).hexdigest()[:16]}:gossip"
        self._hub = hub
        self._limits = limits
        self._connections = connections
        self._open_tables = open_tables
        self._others: dict[str, _Other] = {}
        self._number = 0
        self._told: dict[str, Any] = {}
        self._gone: list[str] = []
        limits.taken = Taken()
        open_tables.news = []
        connections.elsewhere = self._sockets_of
        self._tasks = [asyncio.create_task(self._tell()), asyncio.create_task(self._listen())]

    def __len__(self) -> int:
        """How many other processes are heard."""
        return len(self._alive())

    def waiting(self) -> set[str]:
        """Tables where players wait for others, at other processes."""
        return {table for other in self._alive() for table in other.waiting}

    def gone(self, table: str) -> None:
        """A table is no more: no game leads to it as its rematch."""
        if len(self._gone) < _MOST_TABLES:
            self._gone.append(table)

    def _sockets_of(self, address: str) -> int:
        return sum(other.sockets.get(address, 0) for other in self._alive())

    def _alive(self) -> Collection[_Other]:
        since = time.monotonic() - _SILENT
        for process in [each for each, other in self._others.items() if other.heard < since]:
            del self._others[process]
        return self._others.values()

    async def close(self) -> None:
        """Say goodbye, so that what was open here counts no more."""
        await end(*self._tasks)
        self._say({"sockets": {}, "waiting": []})

    async def _tell(self) -> None:
        while True:
            await asyncio.sleep(PERIOD)
            try:
                self._say(self._news())
            except Exception:
                log.exception("nothing_told")

    def _say(self, news: dict[str, Any]) -> None:
        if news:
            message = json.dumps({"from": self._process(), **news}, separators=(",", ":"))
            self._link.post("PUBLISH", self._channel, message)

    def _news(self) -> dict[str, Any]:
        """What has happened since the last message, and what has changed."""
        assert self._limits.taken is not None
        assert self._open_tables.news is not None
        made = self._open_tables.news[:_MOST_TABLES]
        happened = {
            "taken": self._limits.taken.drain(),
            "made": [(address, new.table, new.guest, new.public) for address, new in made if not new.bots],
            "of_bots": [(address, new.table, new.guest, new.public) for address, new in made if new.bots],
            "gone": self._gone,
        }
        self._open_tables.news, self._gone = [], []
        state = {
            "sockets": self._connections.busiest(_MOST_ADDRESSES),
            "waiting": sorted(self._hub.waiting())[:_MOST_TABLES],
        }
        self._number += 1
        whole = self._number % _WHOLE == 0
        changed = {name: value for name, value in state.items() if whole or value != self._told.get(name)}
        self._told = state
        return {name: value for name, value in happened.items() if value} | changed

    async def _listen(self) -> None:
        while True:
            client = self._link.listener()
            try:
                async with client.pubsub(ignore_subscribe_messages=True) as listening:
                    await listening.subscribe(self._channel)
                    async for message in listening.listen():
                        self._hear(message["data"])
            except failures() as error:
                log.debug("not_listening", reason=str(error))
            finally:
                with contextlib.suppress(*failures()):
                    await client.aclose()
            await asyncio.sleep(_AGAIN)

    def _hear(self, data: Any) -> None:
        try:
            if len(data) > _MOST_BYTES:
                raise ValueError(f"{len(data)} bytes")
            self._take_over(json.loads(data))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            log.warning("not_understood", reason=repr(error)[:200])

    def _take_over(self, news: dict[str, Any]) -> None:
        process = str(news["from"])
        if process == self._process():
            return
        if process not in self._others and len(self._others) >= _MOST_PROCESSES:
            return
        other = self._others.setdefault(process, _Other())
        other.heard = time.monotonic()
        if "sockets" in news:
            other.sockets = {str(address): int(number) for address, number in news["sockets"].items()}
        if "waiting" in news:
            other.waiting = frozenset(map(str, news["waiting"]))
        for kind, address, number, members in news.get("taken", ()):
            told = [(str(who), int(taken)) for who, taken in members]
            self._limits.taken_elsewhere(Share(str(kind), str(address), int(number), told))
        for kind in ("made", "of_bots"):
            for address, table, guest, public in news.get(kind, ()):
                made = Made(str(table), str(guest), bool(public), 0.0, bots=kind == "of_bots")
                self._open_tables.hear(str(address), made)
        for table in news.get("gone", ()):
            self._hub.clear_rematch(str(table))
