"""All tables: loaded from the database when somebody comes, put away when nobody is there."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Collection
from weakref import WeakValueDictionary

import structlog

from nevsky.rules.ruleset import Ruleset
from nevsky.server.actor import Table
from nevsky.server.bans import banned
from nevsky.server.errors import Refusal, ended_table, given_up_table, moved, no_such_table, tournament_table_ended
from nevsky.server.ids import is_id
from nevsky.server.match import Match, deal_game
from nevsky.server.metrics import TABLES
from nevsky.server.ownership import Elsewhere, ElsewhereError, Lease
from nevsky.server.protocol import Model
from nevsky.server.schema import ENDED, GIVEN_UP, Stored
from nevsky.server.services import Services
from nevsky.server.storage import now
from nevsky.server.viewer import Viewer

__all__ = ["Hub", "by_link", "identify"]

_AGAIN = 1.0
"""Seconds until the database is asked once more."""
_MOMENT = 1.0
"""Seconds for what has just begun when the server stops."""
log = structlog.get_logger()


class Hub:
    """The tables in memory."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.closing = False
        self.others_go_on = False
        """Whether other processes have the tables when this one stops."""
        self.left = 0
        """How many tables have left memory so far."""
        self.on_forget: Callable[[str], object] = str
        """Called with a table that is no more."""
        self._tables: dict[str, Table] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Of tables that come or go just now."""
        self._ending: set[asyncio.Task[None]] = set()
        self._losses = 0
        """How often tables were lost to other processes."""
        self._sweeper = asyncio.create_task(self._sweep())
        self._waking = asyncio.create_task(self._wake())

    async def get(self, table_id: str) -> Table:
        """The table, from memory or from the database; whose it is, if it is another process's."""
        self._check_open()
        async with self._lock(table_id):
            self._check_open()
            found = self._tables.get(table_id)
            if found is not None and found.lost:
                self._drop(found)
                found = None
            if found is None:
                losses = self._losses
                found = self._tables[table_id] = await self._load(table_id)
                TABLES.set(len(self._tables))
                if losses != self._losses:  # perhaps this one, which was not here yet
                    self._drop(found)
            if found.gone is not None:
                raise found.gone()
            found.last_used = time.monotonic()
            return found

    def _lock(self, table_id: str) -> asyncio.Lock:
        return self._locks.setdefault(table_id, asyncio.Lock())

    async def _load(self, table_id: str) -> Table:
        if not is_id(table_id):
            raise no_such_table()
        lease = await self.services.ownership.claim(table_id)
        if isinstance(lease, Elsewhere):
            raise ElsewhereError(lease)
        try:
            return await self._read(lease)
        except BaseException:
            await self.services.ownership.release(lease)
            raise

    async def _read(self, lease: Lease) -> Table:
        try:
            stored = await self.services.storage.load(lease.table)
            self._check_open()
            if stored is None:
                raise no_such_table()
            if stored.table.status == ENDED:
                raise ended_table() if stored.table.tournament is None else tournament_table_ended()
            if stored.table.status == GIVEN_UP:
                raise given_up_table()
            return Table(stored, self.services, lease)
        except Refusal:
            raise  # there is none, or the database fails
        except Exception as error:
            log.exception("table_broken", table=lease.table)
            raise Refusal("broken", "table_broken") from error

    def __len__(self) -> int:
        return len(self._tables)

    def waiting(self) -> set[str]:
        """Tables where a player sits, connected, and waits for others."""
        return {
            table.row.id
            for table in self._tables.values()
            if table.status == "open" and any(viewer.seat is not None for viewer in table.viewers)
        }

    def _check_open(self) -> None:
        if self.closing:
            raise self.goodbye()
        if not self.services.ownership.holds():  # another process may know better by now
            raise Refusal("storage", "unreadable")

    def goodbye(self) -> Refusal:
        """Why nothing is done here any more."""
        return moved() if self.others_go_on else Refusal("shutting_down", "shutting_down")

    async def forget(self, table_id: str) -> None:
        """Let go of a table that is no more."""
        table = self._tables.pop(table_id, None)
        TABLES.set(len(self._tables))
        self.clear_rematch(table_id)
        self.on_forget(table_id)
        if table is not None:
            self.left += 1
            await table.close()
            await self._release(table)

    def clear_rematch(self, table_id: str) -> None:
        """Games that led to a table as their rematch do so no more."""
        for other in self._tables.values():
            if other.row.rematch == table_id:
                other.row = other.row._replace(rematch=None)
                other.poke()

    async def _release(self, table: Table) -> None:
        """Let another process have it, if it is still ours."""
        if not table.lost:
            await self.services.ownership.release(table.lease)

    def _drop(self, table: Table) -> None:
        """Let go of a table that another process has, or may have; what it still does comes to nothing."""
        table.lose()
        if self._tables.get(table.row.id) is table:
            del self._tables[table.row.id]
            self.left += 1
            TABLES.set(len(self._tables))
        ending = asyncio.create_task(table.close())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    def lose(self, lost: Collection[str] | None = None) -> None:
        """Tables, or all of them, are not ours any more: whoever looks at them is told to come again."""
        self._losses += 1
        for table in [each for each in self._tables.values() if lost is None or each.row.id in lost]:
            self._drop(table)

    def leases(self) -> list[Lease]:
        """What this process believes to own."""
        return [table.lease for table in self._tables.values() if not table.lost]

    async def remove(
        self, table_id: str, change: Callable[[], Awaitable[None]], why: Callable[[], Refusal] = no_such_table
    ) -> None:
        """Take a table away for good: the database is changed, and whoever looks at it is told why and sent away."""
        async with self._lock(table_id):
            table = self._tables.get(table_id)
            if table is None or table.gone is not None:
                await change()
            else:
                present = table

                async def last() -> None:
                    await change()
                    present.vanish(why)

                await present.call(last)
        await self.forget(table_id)

    async def reload(self, changed: Collection[str]) -> None:
        """Let tables take over what has changed in the database."""
        for table in [self._tables[table_id] for table_id in changed if table_id in self._tables]:
            with contextlib.suppress(Refusal):  # it is being put away, so it will be read again
                await table.call(table.reload)

    def send_away(self, fits: Callable[[Table, Viewer], bool], why: Refusal) -> int:
        """Close the connections of some viewers, who are told why; how many there were."""
        found = [viewer for table in self._tables.values() for viewer in table.viewers if fits(table, viewer)]
        for viewer in found:
            viewer.dismiss(why)
        return len(found)

    def poke_guest(self, guest: str) -> None:
        """Let the tables where a guest sits look at their clocks."""
        for table in self._tables.values():
            if any(place.guest == guest for place in table.seats):
                table.poke()

    def tell(self, guest: str, message: Model) -> None:
        """Say something to a guest at all tables where they are."""
        for table in self._tables.values():
            for viewer in table.viewers:
                if viewer.guest == guest:
                    viewer.send(message)

    def viewers(self, table_id: str) -> int | None:
        """How many look at a table; None if it is not in memory."""
        table = self._tables.get(table_id)
        return None if table is None else len(table.viewers)

    def is_there(self, table_id: str, seat: int) -> bool:
        """Whether somebody looks at a table from a seat, as far as this process knows."""
        table = self._tables.get(table_id)
        return table is not None and table.connected(seat)

    async def close(self) -> None:
        """Finish the moves in flight, tell everybody, and stop."""
        await self.finish()
        self.dismiss_all()

    async def finish(self) -> None:
        """Finish the moves in flight, and take no more."""
        if self.closing:
            return
        self.closing = True
        await asyncio.wait(
            [self._waking], timeout=_MOMENT
        )  # whoever is interrupted while they connect leaves that open
        tasks = (self._sweeper, self._waking)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        tables = list(self._tables.values())
        await asyncio.gather(*(table.close() for table in tables), *self._ending)
        log.info("tables_closed", number=len(tables))

    def dismiss_all(self) -> None:
        """Tell everybody to come back later, or at once if others go on with the tables."""
        for table in self._tables.values():
            for viewer in table.viewers:
                if not viewer.closed:
                    viewer.dismiss(self.goodbye())

    async def _wake(self) -> None:
        """After a restart bots go on where they were."""
        while True:
            try:
                await self.take_over()
                await self._write_down_scores()
            except Refusal:  # the database has just gone away
                await asyncio.sleep(_AGAIN)
            else:
                return

    async def take_over(self, ahead: float = 0.0) -> None:
        """Bring back tables that would go on by themselves and that no process has; others may do the same."""
        storage = self.services.storage
        waiting = {
            *await storage.unfinished_bots(),
            *await self._unrated(),
            *(await storage.due_before(now(-ahead)) if ahead else ()),
        }
        for table_id in random.sample(sorted(waiting), len(waiting)):  # not all processes in the same order
            if table_id not in self._tables:
                await self._wake_up(table_id)
                await asyncio.sleep(0.01)

    async def _wake_up(self, table_id: str) -> None:
        try:
            await self.get(table_id)
        except ElsewhereError:
            pass  # somebody was faster
        except Refusal as refusal:  # it will be tried again
            log.warning("table_not_loaded", table=table_id, reason=refusal.reason)
        except Exception:
            log.exception("table_not_loaded", table=table_id)

    async def _write_down_scores(self) -> None:
        """Lists show the scores of finished games; those of older versions are found out once, little by little."""
        tried: set[str] = set()
        while found := set(await self.services.storage.without_scores()) - tried:
            for table_id in found:
                tried.add(table_id)
                try:
                    stored = await self.services.storage.load(table_id)
                    if stored is not None:
                        await self.services.storage.save_table(table_id, scores=_scores(stored))
                except Exception:
                    log.exception("no_scores", table=table_id)
                await asyncio.sleep(0.05)

    async def _wake_before_time(self, ahead: float) -> None:
        """Tables whose clocks run out soon come back, so that it happens even if nobody is there."""
        for table_id in await self.services.storage.due_before(now(-ahead)):
            await self._wake_up(table_id)

    async def _unrated(self) -> list[str]:
        return await self.services.storage.unrated() if self.services.settings.ratings else []

    async def _settle_late(self) -> None:
        """Rated games that ended when the database could not be written."""
        for table_id in await self._unrated():
            await self._wake_up(table_id)
            if table_id in self._tables:
                self._tables[table_id].poke()

    async def _sweep(self) -> None:
        idle = self.services.settings.idle_seconds
        period = max(0.05, idle / 4)
        while True:
            try:
                await self._wake_before_time(2 * period)
                await self._settle_late()
            except Refusal as refusal:  # the database has just gone away
                log.warning("clocks_not_looked_at", code=refusal.code)
            except Exception:
                log.exception("clocks_not_looked_at")
            await asyncio.sleep(period)
            await self._put_away(idle)

    async def _put_away(self, idle: float) -> None:
        for table_id, table in list(self._tables.items()):
            async with self._lock(table_id):
                unused = table.idle and time.monotonic() - table.last_used > idle
                if self._tables.get(table_id) is table and (table.gone is not None or unused):
                    del self._tables[table_id]
                    self.left += 1
                    TABLES.set(len(self._tables))
                    await table.close()
                    await self._release(table)


def identify(table: Table, guest: str | None, token: str | None) -> int | None:
    """The seat of a visitor: by the token of a seat link, else by the cookie; None for spectators."""
    seat = table.seat_of(guest)
    if token:
        seat = by_link(table, token) if seat is None else _linked(table, token, seat)
    owner = None if seat is None else table.seats[seat].guest
    if owner is not None and table.services.bans.bans_guest(owner):
        raise banned()
    return seat


def by_link(table: Table, token: str) -> int:
    """The seat of a link; one that leads to none, or no longer, is refused."""
    seat = _linked(table, token, None)
    if seat is None:
        raise Refusal("not_allowed", "link")
    return seat


def _linked(table: Table, token: str, otherwise: int | None) -> int | None:
    for place in table.seats:
        if place.guest is not None and secrets.compare_digest(place.token.encode(), token.encode()):
            return place.seat
    return otherwise


def _scores(stored: Stored) -> list[int]:
    assert stored.table.deal is not None
    game = deal_game(
        Ruleset.from_dict(stored.table.ruleset), stored.table.deal, [each.name or "" for each in stored.seats]
    )
    result = Match(game, stored.log).game.result
    assert result is not None
    return [entry.total for entry in result.final]
