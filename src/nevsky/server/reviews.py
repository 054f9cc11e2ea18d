"""The expected final scores and chances to win at every step of a finished game."""

from __future__ import annotations

import asyncio
import hashlib
from functools import partial
from typing import Final, NamedTuple

import sqlalchemy as sa
import structlog

from nevsky.server.bot_pool import Bots, FinishedGame
from nevsky.server.errors import Refusal
from nevsky.server.evaluating import VERSION, Measured, smooth
from nevsky.server.ownership import Lease
from nevsky.server.scheduler import Place
from nevsky.server.schema import evaluations
from nevsky.server.storage import Storage

__all__ = ["Curves", "Review"]

_PATIENCE: Final = 3.0
"""Seconds that somebody who looks waits for more."""
log = structlog.get_logger()


class Curves(NamedTuple):
    """For each step, as far as they are known, a number for every seat."""

    scores: list[list[float]]
    chances: list[list[float]]


class Review:
    """Found out in parts, in order, as long as somebody waits; what is known is kept for whoever looks next.

    In memory until all of it is known, then in the database.
    """

    def __init__(self, bot_pool: Bots, storage: Storage, table: Lease | str, game: FinishedGame) -> None:
        self._bot_pool = bot_pool
        self._storage = storage
        self._table = table if isinstance(table, str) else table.table
        self._lease = None if isinstance(table, str) else table
        self._game = game
        self._steps = len(game[2]) + 1
        self._found: list[Measured] = []
        self._curves = Curves([], [])
        self._asked = False
        """Whether the database was."""
        self._failed = False
        self._waiting = 0
        self._task: asyncio.Task[None] | None = None

    def is_about(self, actions: list[int]) -> bool:
        """Whether this is how the game went; its last decision may have been taken back."""
        return actions == self._game[2]

    @property
    def _complete(self) -> bool:
        return len(self._curves.scores) == self._steps

    async def look(self, place: Place) -> Curves:
        """As much as is known after a while."""
        if self._failed or self._complete:
            return self._curves
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._find(place))
        self._waiting += 1
        try:
            await asyncio.wait([self._task], timeout=_PATIENCE)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self.cancel()
        return self._curves

    def cancel(self) -> None:
        """Nobody waits any more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _find(self, place: Place) -> None:
        try:
            if not self._asked:
                await self._load()
                self._asked = True
            if self._complete:
                return
            while (first := len(self._found)) < self._steps:
                await self._bot_pool.evaluate(place, self._game, first, partial(self._keep, first))
            await self._save()
        except Refusal:
            log.info("evaluation_refused", table=place.table)
        except Exception:
            log.exception("evaluation_failed", table=place.table)
            self._failed = True

    def _keep(self, first: int, rows: list[Measured]) -> None:
        if first == len(self._found):  # nobody has found them in the meantime
            self._found += rows
            self._curves = Curves(*smooth(self._found))

    @property
    def _key(self) -> str:
        """The game and the way it was looked at."""
        return f"{VERSION}-{hashlib.sha256(repr(self._game[2]).encode()).hexdigest()[:40]}"

    async def _load(self) -> None:
        query = sa.select(evaluations.c.scores, evaluations.c.chances).where(
            (evaluations.c.table_id == self._table) & (evaluations.c.game == self._key)
        )
        async with self._storage.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is not None:
            self._curves = Curves(*row)

    async def _save(self) -> None:
        try:
            async with self._storage.writing(self._lease) as connection:
                await connection.execute(evaluations.delete().where(evaluations.c.table_id == self._table))
                row = {"table_id": self._table, "game": self._key, **self._curves._asdict()}
                await connection.execute(evaluations.insert().values(**row))
        except sa.exc.IntegrityError:
            log.info("evaluation_of_nothing", table=self._table)  # the table was deleted meanwhile
