"""The review of one seat of a finished game, from the wish to the last verdict, with how good its deal was."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import sqlalchemy as sa
import structlog

from nevsky.review import VERSION, Effort, Luck, Sample, Trials, Verdict, luck_of
from nevsky.server.bot_pool import Bots, FinishedGame
from nevsky.server.errors import Refusal
from nevsky.server.ownership import Lease
from nevsky.server.scheduler import Place
from nevsky.server.schema import reviews
from nevsky.server.storage import Storage

__all__ = ["SeatReview"]

_PATIENCE: Final = 3.0
"""Seconds that somebody who looks waits for more."""
_REST: Final = 2.0
"""Seconds until it is tried again when the bots have too much to do, or did not survive it."""
_TRIES: Final = 5
log = structlog.get_logger()


class SeatReview:
    """Asked for once, it goes on by itself, whether somebody looks or not, one small job after the other.

    Each part is written down, so that a restart loses nothing; whoever looks then lets it go on.
    """

    def __init__(
        self,
        bots: Bots,
        storage: Storage,
        lease: Lease,
        game: FinishedGame,
        seat: int,
        total: int,
        stands: Callable[[], bool],
    ) -> None:
        self._bots = bots
        self._storage = storage
        self._lease = lease
        self._game = game
        self._seat = seat
        self._stands = stands
        """Whether the game is still the same; its last decision may be taken back. Also keeps the table in memory."""
        self.total = total
        """Decisions that there were."""
        self.found: list[Verdict] = []
        self.luck: Luck | None = None
        """How good the deal was; found out before the decisions are judged, as it takes little time."""
        self._samples: list[Sample] = []
        self.asked = False
        self._loaded = False
        self._failed = False
        self._more = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def failed(self) -> bool:
        """Whether it will not go on."""
        return self._failed

    @property
    def judged(self) -> bool:
        """Whether every decision was."""
        return len(self.found) >= self.total

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to find out."""
        return self.judged and self.luck is not None

    @property
    def luck_done(self) -> float:
        """How much of what tells about the deal has been played, from 0 to 1."""
        return 1.0 if self.luck is not None else len(self._samples) / Trials().batches

    async def ask(self) -> None:
        """Somebody wants it; written down, so that it is not forgotten."""
        await self.load()
        if not self.asked:
            self.asked = True
            await self._save()

    async def look(self, place: Place, known: int) -> None:
        """Come back when more than so many verdicts are there, or the luck is known, or after a while."""
        await self.load()
        if not self.asked or self._failed:
            return
        if not self.complete and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._find(place))
        luck = self.luck
        try:
            async with asyncio.timeout(_PATIENCE):
                while len(self.found) <= known and self.luck is luck and not self.complete and not self._failed:
                    self._more.clear()
                    await self._more.wait()
        except TimeoutError:
            pass

    def cancel(self) -> None:
        """The table is put away."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _find(self, place: Place) -> None:
        tries = 0
        try:
            while not self.complete and self._stands():
                if await self._part(place):
                    tries = 0
                    continue
                tries += 1
                if tries >= _TRIES:
                    self._failed = True
                    return
                await asyncio.sleep(_REST)
        finally:
            self._more.set()

    async def _part(self, place: Place) -> bool:
        """Find out some more; False if that did not work this time."""
        first, played = len(self.found), len(self._samples)
        try:
            if self.luck is None:
                await self._bots.luck(place, self._game, self._seat, played, partial(self._keep_samples, played))
            else:
                await self._bots.judge(place, self._game, self._seat, first, partial(self._keep, first))
            if self.luck is not None:
                await self._save()
        except Refusal:
            log.info("review_refused", table=self._lease.table)
        except Exception:
            log.exception("review_failed", table=self._lease.table)
        return len(self.found) > first or len(self._samples) > played or self.complete

    def _keep_samples(self, first: int, rows: list[Sample]) -> None:
        if first == len(self._samples) and self.luck is None:
            self._samples += rows
            if len(self._samples) >= Trials().batches:
                self.luck = luck_of(self._samples, self._seat)
                self._more.set()

    def _keep(self, first: int, rows: list[dict[str, Any]]) -> None:
        if first == len(self.found):  # nobody has found them in the meantime
            self.found += [Verdict.from_dict(row) for row in rows]
            self._more.set()

    @property
    def _key(self) -> str:
        """The game and who judges it."""
        digest = hashlib.sha256(repr(self._game[2]).encode()).hexdigest()
        return f"{VERSION}-{Effort().descents}-{digest[:40]}"

    async def load(self) -> None:
        """What is known from before."""
        if self._loaded:
            return
        mine = (reviews.c.table_id == self._lease.table) & (reviews.c.seat == self._seat)
        query = sa.select(reviews.c.verdicts, reviews.c.luck).where(mine & (reviews.c.game == self._key))
        async with self._storage.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is not None and not self._loaded:
            self.asked = True
            self.found = [Verdict.from_dict(each) for each in row.verdicts]
            self.luck = Luck.from_dict(row.luck)
        self._loaded = True

    async def _save(self) -> None:
        mine = (reviews.c.table_id == self._lease.table) & (reviews.c.seat == self._seat)
        row = {
            "table_id": self._lease.table,
            "seat": self._seat,
            "game": self._key,
            "verdicts": [each.to_dict() for each in self.found],
            "luck": None if self.luck is None else self.luck.to_dict(),
        }
        try:
            async with self._storage.writing(self._lease) as connection:
                await connection.execute(reviews.delete().where(mine))
                await connection.execute(reviews.insert().values(**row))
        except sa.exc.IntegrityError:
            log.info("review_of_nothing", table=self._lease.table)  # the table was deleted meanwhile
