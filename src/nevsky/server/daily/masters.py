"""What master makes of the seat that everybody plays: found out once, beside everything else, and kept."""

from __future__ import annotations

import asyncio
from typing import Final

import sqlalchemy as sa
import structlog

from nevsky.server.bot_pool import BotPool, levels
from nevsky.server.daily.dealing import MASTER, Deal, fixed, fixed_level, game_of
from nevsky.server.errors import Refusal
from nevsky.server.live_bots import BotCall
from nevsky.server.scheduler import Place
from nevsky.server.schema import daily_deals
from nevsky.server.storage import Storage, now

__all__ = ["Masters", "play_as_master"]

_GIVEN_UP: Final = 1800.0
"""Seconds after which a process that has promised to find it out is not waited for any more."""
log = structlog.get_logger()


class Masters:
    """The games that are being played for nobody."""

    def __init__(self, storage: Storage, bots: BotPool) -> None:
        self._storage = storage
        self._bots = bots
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def want(self, deal: Deal) -> None:
        """See to it that it will be known, unless it is or somebody does it already."""
        if deal.key in self._tasks:
            return
        open_ = daily_deals.c.thinking.is_(None) | (daily_deals.c.thinking < now(_GIVEN_UP))
        # JSON that is null is NULL in the database
        where = (daily_deals.c.id == deal.key) & daily_deals.c.master.is_(sa.null()) & open_
        async with self._storage.writing() as connection:
            claimed = await connection.execute(daily_deals.update().where(where).values(thinking=now()))
        if claimed.rowcount == 1:
            task = self._tasks[deal.key] = asyncio.create_task(self._find_out(deal))
            task.add_done_callback(lambda _: self._tasks.pop(deal.key, None))

    async def _find_out(self, deal: Deal) -> None:
        values: dict[str, object] = {"thinking": None}
        try:
            values["master"] = await play_as_master(self._bots, deal)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("master_failed", deal=deal.key)
        try:
            async with self._storage.writing() as connection:
                await connection.execute(daily_deals.update().where(daily_deals.c.id == deal.key).values(**values))
        except Refusal:
            log.warning("master_not_kept", deal=deal.key)

    async def close(self) -> None:
        """Stop; somebody will begin anew."""
        tasks = list(self._tasks.items())
        for _, task in tasks:
            task.cancel()
        await asyncio.gather(*(task for _, task in tasks), return_exceptions=True)
        if tasks:
            await self._release([key for key, _ in tasks])

    async def _release(self, keys: list[str]) -> None:
        try:
            async with self._storage.writing() as connection:
                await connection.execute(daily_deals.update().where(daily_deals.c.id.in_(keys)).values(thinking=None))
        except Refusal:
            log.warning("master_not_released", deals=keys)


async def play_as_master(bots: BotPool, deal: Deal) -> list[int]:
    """The scores of a game in which master has the seat of the people."""
    game = game_of(deal)
    place = Place("daily", deal.key)
    while (seat := game.to_move) is not None:
        bot = deal.bots[seat]
        moves = len(game.moves)
        if bot is None:
            level, how = levels()[-1], fixed(deal.seed, seat, moves, MASTER)
        else:
            level, how = bot[0], fixed_level(deal.seed, seat, moves, bot[0])
        call = BotCall(f"{deal.key} {seat}", level, 0, game.view(seat, memory=True), fixed=how)
        answer = await bots.consider(place, call)
        if answer.action is None or answer.failure:
            raise RuntimeError(answer.failure)
        game.play(answer.action)
    result = game.result
    assert result is not None
    return [entry.total for entry in result.final]
