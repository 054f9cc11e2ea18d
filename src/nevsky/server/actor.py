"""One actor per table: a task that does one thing after the other, so that moves never meet.

A move is written to the log in the database before anybody hears of it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple, TypeVar

import structlog

from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import as_seen
from nevsky.server.clock import Clock
from nevsky.server.errors import Refusal, not_your_seat
from nevsky.server.match import Match, deal_game
from nevsky.server.metrics import BROADCASTS, MOVES
from nevsky.server.passing import AutoPassing
from nevsky.server.protocol import Act, Status
from nevsky.server.schema import ChatRow, Entry, SeatRow, Stored, TableRow
from nevsky.server.settings import Settings
from nevsky.server.showing import Shown, state_for
from nevsky.server.storage import CHAT_KEPT, Storage, now
from nevsky.server.texting import clean
from nevsky.server.thinking import Thinker
from nevsky.server.viewer import Viewer

__all__ = ["Services", "Table"]

_T = TypeVar("_T")
_MOST_VIEWERS: Final = 300
log = structlog.get_logger()


class Services(NamedTuple):
    """What tables share."""

    settings: Settings
    storage: Storage
    thinker: Thinker


class _Job(NamedTuple):
    work: Callable[[], Awaitable[Any]]
    done: asyncio.Future[Any]


class Table:
    """A table in memory. Everything that changes it goes through `call`."""

    def __init__(self, stored: Stored, services: Services) -> None:
        self._services = services
        self.viewers: set[Viewer] = set()
        self.row: TableRow
        self.seats: list[SeatRow]
        self.chat: list[ChatRow]
        self.match: Match | None
        self._fill(stored)
        self.last_used = time.monotonic()
        self._gone_since = dict.fromkeys(range(len(self.seats)), time.monotonic())
        self._timer: asyncio.TimerHandle | None = None
        self._called = -1
        self._early: dict[int, tuple[Viewer, Act]] = {}
        self._queue: asyncio.Queue[_Job | None] = asyncio.Queue()
        self._thinking: asyncio.Task[None] | None = None
        self._closing = False
        self.evaluation: asyncio.Task[list[list[float]]] | None = None
        self._task = asyncio.create_task(self._run())
        self.poke()

    def _fill(self, stored: Stored) -> None:
        self.row, self.seats, self.chat = stored.table, list(stored.seats), list(stored.chat)
        self.ruleset = Ruleset.from_dict(stored.table.ruleset)
        self.clock = Clock(self._services.settings.seconds_for(self.row.pace), self.row.updated)
        self._passing = {each.seat: AutoPassing.from_dict(each.passing) for each in self.seats if each.passing}
        self.match = None
        if stored.table.deal is not None:
            self.match = Match(deal_game(self.ruleset, stored.table.deal, self.names), stored.log)

    def start(self, seats: list[SeatRow], changes: dict[str, Any]) -> None:
        """Take over who sits where and, once there is a deal, begin the game; all that is stored already."""
        self.seats = seats
        self.row = self.row._replace(**changes)
        if self.match is None and self.row.deal is not None:
            self.match = Match(deal_game(self.ruleset, self.row.deal, self.names))
            self.clock.restart()

    @property
    def names(self) -> list[str]:
        """The names of the players; empty for free seats."""
        return [place.name or "" for place in self.seats]

    @property
    def status(self) -> Status:
        """Open, playing or over."""
        if self.match is None:
            return "open"
        return "over" if self.match.game.over else "playing"

    @property
    def idle(self) -> bool:
        """Whether it could leave memory."""
        if self.viewers or self._thinking is not None or not self._queue.empty():
            return False
        left = self.clock.left()
        return left is None or left > self._services.settings.idle_seconds or self.status != "playing"

    def seat_of(self, guest: str | None) -> int | None:
        """The seat that belongs to a guest."""
        return next((place.seat for place in self.seats if guest is not None and place.guest == guest), None)

    def connected(self, seat: int) -> bool:
        """Whether somebody looks at the table from this seat."""
        return any(viewer.seat == seat for viewer in self.viewers)

    async def call(self, work: Callable[[], Awaitable[_T]]) -> _T:
        """Do something when everything before it is done; what it answers or raises comes back."""
        if self._closing:
            raise Refusal("shutting_down", "closing")
        self.last_used = time.monotonic()
        done: asyncio.Future[_T] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Job(work, done))
        return await done

    def poke(self) -> None:
        """Let the table look whether there is something to do by itself."""

        async def nothing() -> None:
            pass

        self._queue.put_nowait(_Job(nothing, asyncio.get_running_loop().create_future()))

    async def close(self) -> None:
        """Finish what is waiting and stop; nothing more is accepted."""
        self._closing = True
        if self._timer is not None:
            self._timer.cancel()
        self._stop_thinking()
        self._queue.put_nowait(None)
        await self._task
        self._stop_thinking()
        if self.evaluation is not None:
            self.evaluation.cancel()

    async def _run(self) -> None:
        while (job := await self._queue.get()) is not None:
            try:
                result = await job.work()
                if not job.done.cancelled():
                    job.done.set_result(result)
            except Exception as error:
                if not isinstance(error, Refusal):
                    log.exception("table_job_failed", table=self.row.id)
                if not job.done.cancelled():
                    job.done.set_exception(error)
                    job.done.exception()
            try:
                await self._advance()
            except Exception:
                log.exception("table_advance_failed", table=self.row.id)
            self._wind_timer()

    async def _advance(self) -> None:
        """Everything that happens without anybody asking: passing, bots, moves that came a little early."""
        await self._end_passing()
        while self.status == "playing" and not self._closing:
            await self._call_time()
            assert self.match is not None
            game = self.match.game
            seat = game.to_move
            assert seat is not None
            if self._by_bot(seat):
                if self._thinking is None:
                    self._thinking = asyncio.create_task(self._think(seat, self.match.entries))
                break
            if seat in self._passing and self._passing[seat].passes(self.match.view(seat)):
                await self._append(seat, "pass", "auto")
                await self._end_passing()
            elif seat in self._early:
                viewer, message = self._early.pop(seat)
                try:
                    await self._act(viewer, message)
                    await self._end_passing()
                except Refusal as refusal:
                    viewer.send(refusal.reply(viewer.language))
            else:
                break
        self.broadcast()

    def _by_bot(self, seat: int) -> bool:
        place = self.seats[seat]
        return place.level is not None or place.away or self.clock.run_out()

    async def _call_time(self) -> None:
        """When the clock has run out a bot decides, and the player for whom everybody waits counts as away.

        Somebody with a secret question is not marked: that would tell of it.
        """
        assert self.match is not None
        version = self.match.version(None)
        if not self.clock.run_out() or self._called == version:
            return
        seat = self.match.view(None).to_move
        assert seat is not None
        if self.seats[seat].level is None and not self.seats[seat].away:
            await self._save_seat(self.seats[seat]._replace(away=True))
        self._called = version

    def _wind_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        left = self.clock.left()
        if left and self.status == "playing" and not self._closing:
            self._timer = asyncio.get_running_loop().call_later(left, self.poke)

    async def _save_seat(self, place: SeatRow) -> None:
        await self._services.storage.save_seat(self.row.id, place)
        self.seats[place.seat] = place

    async def _set_passing(self, seat: int, mode: AutoPassing | None) -> None:
        await self._save_seat(self.seats[seat]._replace(passing=None if mode is None else mode.to_dict()))
        self._passing.pop(seat, None)
        if mode is not None:
            self._passing[seat] = mode

    async def _end_passing(self) -> None:
        for seat, mode in list(self._passing.items()):
            if self.match is None or not mode.lasts(self.match.view(seat)):
                await self._set_passing(seat, None)

    async def _think(self, seat: int, entries: int) -> None:
        assert self.match is not None
        level = self.seats[seat].level or self._services.thinker.away_level
        view = self.match.game.view(seat, memory=True)
        pause = asyncio.create_task(asyncio.sleep(self._services.settings.bot_pause))
        try:
            action = self._decided(seat) or await self._services.thinker.decide(level, view)
            await pause
        finally:
            pause.cancel()

        async def move() -> None:
            if self.match is not None and self.match.entries == entries and self._by_bot(seat):
                await self._append(seat, action, "bot")

        self._thinking = None
        self._queue.put_nowait(_Job(move, asyncio.get_running_loop().create_future()))

    def _decided(self, seat: int) -> str | None:
        """What the player chose in time, if only somebody's secret answer kept it from happening."""
        assert self.match is not None
        _, message = self._early.pop(seat, (None, None))
        if message is None or message.version != self.match.version(seat):
            return None
        try:
            return self.match.check(seat, message.action).text
        except Refusal:
            return None

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    async def _append(self, seat: int, action: str | None, by: str) -> None:
        """Write an entry to the log, and only then let it happen."""
        assert self.match is not None
        after = self.match.tried(seat, action)
        entry = Entry(self.match.entries + 1, seat, action, by, now())
        changes: dict[str, Any] = {
            "round": after.round,
            "to_move": after.to_move,
            "to_move_shown": None if after.over else as_seen(after.position, after.ruleset, None).seat,
            "status": "over" if after.over else "playing",
            "winners": list(after.result.winners) if after.result else None,
        }
        if self._visible(after):
            changes["updated"] = entry.at
        try:
            await self._services.storage.append(self.row.id, entry, **changes)
        except Exception as error:
            log.exception("log_failed", table=self.row.id)
            await self._reload()
            raise Refusal("stale", "changed") from error
        self.match.add(entry, after)
        self.row = self.row._replace(**changes)
        if "updated" in changes:
            self.clock.restart()
        MOVES.labels(by=by if action else "undo").inc()

    def _visible(self, after: Game) -> bool:
        """Whether everybody sees that something has happened; the answer to a secret question leaves no trace."""
        assert self.match is not None
        before = self.match.game.position
        if as_seen(before, self.ruleset, None) is before:
            return True
        return after.view(None) != self.match.view(None)

    async def _reload(self) -> None:
        self._stop_thinking()
        stored = await self._services.storage.load(self.row.id)
        if stored is not None:
            self._fill(stored)

    def broadcast(self) -> None:
        """Show every viewer the table as he may see it; those who would see nothing new get nothing."""
        made: dict[tuple[int | None, str], Shown] = {}
        for viewer in self.viewers:
            found = made.get((viewer.seat, viewer.language))
            if found is None:
                found = state_for(self, viewer.seat, viewer.language)
                made[viewer.seat, viewer.language] = found
            viewer.show(found.text, found.key)
        BROADCASTS.inc(len(made))

    def auto_pass(self, seat: int | None) -> AutoPassing | None:
        """How the seat passes without being asked."""
        return None if seat is None else self._passing.get(seat)

    async def arrive(self, viewer: Viewer) -> None:
        """A viewer comes in; he gets the state at once."""
        if len(self.viewers) >= _MOST_VIEWERS:
            raise Refusal("refused", "crowded")
        self.viewers.add(viewer)
        if viewer.seat is not None:
            self._gone_since.pop(viewer.seat, None)

    async def depart(self, viewer: Viewer) -> None:
        """A viewer leaves."""
        self.viewers.discard(viewer)
        if viewer.seat is not None and not self.connected(viewer.seat):
            self._gone_since[viewer.seat] = time.monotonic()
            self._early.pop(viewer.seat, None)

    async def act(self, viewer: Viewer, message: Act) -> None:
        """A player makes a decision."""
        await self._act(viewer, message)

    async def _act(self, viewer: Viewer, message: Act) -> None:
        match, seat = self._playing(viewer.seat)
        self._check_version(seat, message.version, viewer)
        action = match.check(seat, message.action)
        if self._by_bot(seat):
            raise Refusal("not_allowed", "bot_plays" if self.seats[seat].away else "time")
        if match.game.to_move != seat:  # somebody has a secret question to answer first
            self._early[seat] = (viewer, message)
            return
        await self._append(seat, action.text, "player")

    def _playing(self, seat: int | None) -> tuple[Match, int]:
        if seat is None:
            raise Refusal("not_allowed", "spectator")
        if self.match is None:
            raise Refusal("refused", "not_started")
        return self.match, seat

    def _check_version(self, seat: int, version: int, viewer: Viewer) -> None:
        assert self.match is not None
        if version != self.match.version(seat):
            viewer.forget()
            raise Refusal("stale", "stale")

    async def undo(self, viewer: Viewer, version: int) -> None:
        """A player takes back the last decision."""
        match, seat = self._playing(viewer.seat)
        self._check_version(seat, version, viewer)
        if not match.can_undo(seat):
            raise Refusal("illegal", "undo")
        self._stop_thinking()
        if seat in self._passing:
            await self._set_passing(seat, None)
        self._early.clear()
        await self._append(seat, None, "player")

    async def pass_automatically(self, viewer: Viewer, until: str) -> None:
        """A player passes without being asked, or wants to be asked again."""
        match, seat = self._playing(viewer.seat)
        if until == "off" or match.game.over:
            await self._set_passing(seat, None)
        else:
            await self._set_passing(seat, AutoPassing.start(until, match.view(seat)))

    async def say(self, viewer: Viewer, words: str) -> None:
        """A player says something, or a spectator who has a name."""
        text = clean(words, 300)
        if not text:
            raise Refusal("bad_message", "words")
        line = ChatRow(viewer.seat, await self._name(viewer), text, now())
        await self._services.storage.say(self.row.id, line)
        self.chat = [*self.chat, line][-CHAT_KEPT:]

    async def _name(self, viewer: Viewer) -> str:
        if viewer.seat is not None:
            return self.seats[viewer.seat].name or ""
        name = None if viewer.guest is None else await self._services.storage.guest_name(viewer.guest)
        if name is None:
            raise Refusal("not_allowed", "name_to_write")
        return name

    async def set_away(self, viewer: Viewer, seat: int | None, away: bool) -> None:
        """Let a bot play for somebody, or take the own seat back."""
        _, own = self._playing(viewer.seat)
        target = own if seat is None else seat
        if not 0 <= target < len(self.seats) or self.seats[target].level is not None:
            raise Refusal("refused", "person")
        if target != own:
            if not away:
                raise not_your_seat()
            gone = self._gone_since.get(target)
            patience = self._services.settings.away_seconds
            waited = gone is not None and time.monotonic() - gone >= patience
            if not waited:
                raise Refusal("refused", "still_there")
        await self._save_seat(self.seats[target]._replace(away=away))
        if not away and self.row.to_move == target:
            self._stop_thinking()

    async def hint(self, viewer: Viewer, version: int) -> Game:
        """The game for which a player may ask advice."""
        match, seat = self._playing(viewer.seat)
        self._check_version(seat, version, viewer)
        if match.view(seat).to_move != seat:
            raise Refusal("not_your_turn", "turn")
        return match.game
