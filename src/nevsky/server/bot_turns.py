"""The decisions that bots make at a table: on their own seats, and for players who are away or out of time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from nevsky.rules.actions import Action, parse_action

if TYPE_CHECKING:
    from nevsky.server.actor import Table

__all__ = ["BotTurns"]


class BotTurns:
    """Lets one bot at a time think, beside everything else that happens at the table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._task: asyncio.Task[None] | None = None

    @property
    def thinking(self) -> bool:
        """Whether a bot is thinking."""
        return self._task is not None

    def plays(self, seat: int) -> bool:
        """Whether a bot decides for the seat."""
        place = self._table.seats[seat]
        return place.level is not None or place.away or self._table.clock.run_out()

    def start(self, seat: int) -> None:
        """Let the bot of a seat think, unless one does already."""
        if self._task is None:
            self._task = asyncio.create_task(self._think(seat))

    def stop(self) -> None:
        """What is being thought about does not matter any more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _think(self, seat: int) -> None:
        table = self._table
        assert table.match is not None
        entries = table.match.entries
        pause = asyncio.create_task(asyncio.sleep(table.services.settings.bot_pause))
        try:
            action = table.early.chosen(seat) or await self._decide(seat)
            await pause
        finally:
            pause.cancel()

        async def move() -> None:
            if table.match is not None and table.match.entries == entries and self.plays(seat):
                await table.append(seat, action, "bot")

        self._task = None
        table.mailbox.post(move)

    async def _decide(self, seat: int) -> Action:
        table = self._table
        assert table.match is not None
        level = table.seats[seat].level or table.services.thinker.away_level
        view = table.match.game.view(seat, memory=True)
        return parse_action(await table.services.thinker.decide(level, view))
