"""The decisions that bots make at a table: on their own seats, and for players who are away or out of time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from nevsky.rules.actions import Action, parse_action
from nevsky.rules.game import Game
from nevsky.rules.moves import Played
from nevsky.rules.view import View, make_view
from nevsky.server.bot_pool import SeatBot
from nevsky.server.daily.at_table import fixed_for
from nevsky.server.protocol import BotSpeed
from nevsky.server.scheduler import Place

if TYPE_CHECKING:
    from nevsky.server.actor import Table

__all__ = ["BotTurns"]

_NOBODY: Final = "nobody"
"""The owner of all tables where nobody is."""
_PAUSES: Final[dict[BotSpeed, float]] = {"slow": 2.5, "normal": 1.0, "quick": 0.3, "instant": 0.0}
"""How much longer or shorter than usual a bot waits before it moves."""


class BotTurns:
    """One bot for each seat that bots play. One of them at a time thinks, beside everything else at the table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._bots: dict[int, SeatBot] = {}
        self._task: asyncio.Task[None] | None = None
        self._seat = -1
        """The seat whose bot is thinking."""
        self._wishes = asyncio.Event()
        """Somebody has changed how quickly bots should move."""

    @property
    def thinking(self) -> bool:
        """Whether a bot is thinking."""
        return self._task is not None

    def plays(self, seat: int) -> bool:
        """Whether a bot decides for the seat."""
        place = self._table.seats[seat]
        return place.level is not None or place.away or self._table.timeouts.over(seat)

    @property
    def paused(self) -> bool:
        """Whether bots would play for nobody.

        Bots among themselves play while somebody watches. If all people are away, one of them must be there: strangers
        do not make their game go on.
        """
        table = self._table
        people = [place for place in table.seats if place.level is None]
        if not people:
            return not table.viewers
        return all(place.away and not table.timeouts.present(place.seat) for place in people)

    def start(self, seat: int) -> None:
        """Let the bot of a seat think, unless one does already."""
        if self._task is None:
            self._seat = seat
            self._task = asyncio.create_task(self._think(seat))

    def stop(self) -> None:
        """What is being thought about does not matter any more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
            self._release(self._seat)  # nobody knows what it has been shown by now

    def forget(self) -> None:
        """The game is over or has gone back: no bot may remember what it saw."""
        self.stop()
        for seat in list(self._bots):
            self._release(seat)

    def hurry(self) -> None:
        """Somebody wishes another speed, which holds for the move that is about to come, too."""
        self._wishes.set()

    def leave(self, seat: int) -> None:
        """The player of a seat is back."""
        if self._seat == seat:
            self.stop()
        self._release(seat)

    def notice(self, played: Sequence[Played]) -> None:
        """Moves were made: bots that observe will be shown what their seats saw of them."""
        for seat, bot in self._bots.items():
            if bot.observes:
                bot.news += [make_view(each.after, self._table.ruleset, seat) for each in played]

    def _release(self, seat: int) -> None:
        bot = self._bots.pop(seat, None)
        if bot is not None:
            self._table.services.bot_pool.release(bot)

    def _bot(self, seat: int) -> SeatBot:
        bot_pool = self._table.services.bot_pool
        level = self._table.seats[seat].level or bot_pool.away_level
        bot = self._bots.get(seat)
        if bot is None or bot.level != level:
            self._release(seat)
            bot = self._bots[seat] = bot_pool.new_bot(level)
        return bot

    async def _think(self, seat: int) -> None:
        table = self._table
        assert table.match is not None
        task = self._task
        entries = table.match.entries
        pause = asyncio.create_task(self._pause())
        try:
            action = table.early.chosen(seat) or await self._decide(seat, table.match.game)
            await pause
        finally:
            pause.cancel()

        async def move() -> None:
            if self._task is not task:  # it was stopped in the meantime
                return
            try:
                if table.match is not None and table.match.entries == entries and self.plays(seat):
                    await table.append(seat, action, "time" if table.timeouts.late(seat) else "bot")
            finally:
                if self._task is task:
                    self._task = None

        table.mailbox.post(move)

    async def _decide(self, seat: int, game: Game) -> Action:
        view = game.view(seat, memory=True)
        bot = self._bot(seat)
        bot.place = Place(self._owner(), self._table.row.id)
        bot.fixed = fixed_for(self._table, seat, len(game.moves))
        return parse_action(await self._table.services.bot_pool.decide(bot, view, lambda: _seen(game, seat)))

    async def _pause(self) -> None:
        usual, loop = self._table.services.settings.bot_pause, asyncio.get_running_loop()
        since = loop.time()
        while (left := since + usual * self._patience() - loop.time()) > 0:
            self._wishes.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._wishes.wait()

    def _patience(self) -> float:
        """The slowest wish of the players who are here; spectators have a say only where no player is."""
        viewers = self._table.viewers
        wishes = [viewer.bot_speed for viewer in viewers if viewer.seat is not None] or [
            viewer.bot_speed for viewer in viewers
        ]
        return max((_PAUSES[speed] for speed in wishes), default=1.0)

    def _owner(self) -> str:
        """Whose share of the workers the table takes: that of an address from which somebody is here.

        Players come before spectators, and of several addresses the one with the least to do: nobody's game is slow
        because of who else sits there. All tables where nobody is share one place in the queue.
        """
        viewers = self._table.viewers
        seated = {viewer.address for viewer in viewers if viewer.seat is not None}
        here = seated or {viewer.address for viewer in viewers}
        return min(sorted(here), key=self._table.services.bot_pool.demand, default=_NOBODY)


def _seen(game: Game, seat: int) -> list[View]:
    """All that a seat has seen of a game, from its start to now."""
    positions = [game.start_position, *(played.after for played in game.played())]
    return [make_view(position, game.ruleset, seat) for position in positions]
