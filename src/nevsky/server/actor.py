"""One actor per table: a task that does one thing after the other, so that moves never meet.

A move is written to the log in the database before anybody hears of it.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import structlog

from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS, PASS, Action, parse_action
from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import as_seen
from nevsky.server.absence import is_conceded, tell_resignations
from nevsky.server.admission import admit
from nevsky.server.bot_turns import BotTurns
from nevsky.server.clock import Clock, Times
from nevsky.server.companions import Companions
from nevsky.server.daily.at_table import with_help
from nevsky.server.early_moves import EarlyMove, EarlyMoves
from nevsky.server.errors import Refusal, moved, no_such_table
from nevsky.server.hints import Hints
from nevsky.server.judged.reviewing import SeatReview
from nevsky.server.mailbox import Mailbox
from nevsky.server.match import Match, deal_game
from nevsky.server.metrics import BROADCAST_SECONDS, STATES, count_move
from nevsky.server.ownership import Lease
from nevsky.server.passing import PassWishes
from nevsky.server.protocol import Act, ChatLine, Status
from nevsky.server.ratings.at_table import check_hint
from nevsky.server.ratings.settling import settle
from nevsky.server.reviews import Review
from nevsky.server.schema import Entry, SeatRow, Stored, TableRow
from nevsky.server.screens import Screens
from nevsky.server.services import Services
from nevsky.server.standing import told_of
from nevsky.server.storage import now
from nevsky.server.talk import chat_line
from nevsky.server.timeouts import Timeouts
from nevsky.server.viewer import Viewer
from nevsky.texts.former import shown_names

__all__ = ["Services", "Table"]

_T = TypeVar("_T")
log = structlog.get_logger()


class Table:
    """A table in memory. Everything that changes it goes through `call`."""

    def __init__(self, stored: Stored, services: Services, lease: Lease) -> None:
        self.services = services
        self.lease = lease
        """By which it is ours; whatever is written names it."""
        self.viewers: set[Viewer] = set()
        self.noticed = ("", -1)
        """How it stood when it was last looked at whether somebody is to be told."""
        self.gone: Callable[[], Refusal] | None = None
        """Why it is no more, once it was taken away."""
        self.row: TableRow
        self.seats: list[SeatRow]
        self.chat: list[ChatLine]
        self.match: Match | None
        self.passing = PassWishes(self)
        self.early = EarlyMoves(self)
        self.bots = BotTurns(self)
        self.hints = Hints(self)
        self.timeouts = Timeouts(self)
        self.screens = Screens(self)
        self._fill(stored)
        self.last_used = time.monotonic()
        self.gone_since = dict.fromkeys(range(len(self.seats)), time.monotonic())
        self.review: Review | None = None
        self.judged: dict[int, tuple[list[int], SeatReview]] = {}
        """By seat: the actions of a finished game, and what is found about the seat's."""
        self.mailbox = Mailbox(self.row.id, self._advance, self.lose)
        self.poke()

    def _fill(self, stored: Stored) -> None:
        self.row, self.seats = stored.table, list(stored.seats)
        self.chat = [chat_line(self, row) for row in stored.chat]
        self.ruleset = Ruleset.from_dict(stored.table.ruleset)
        self.clock = Clock(self._times(), self.row.pace == "live", self.row.updated)
        self.passing.load()
        self.companions = Companions(self, stored)
        self.match = None
        if stored.table.deal is not None:
            self.match = Match(deal_game(self.ruleset, stored.table.deal, self.names), stored.log)
            tell_resignations(self)

    def _times(self) -> Times | None:
        if self.row.clock is not None:
            return Times.from_dict(self.row.clock)
        pace = self.services.settings.pace(self.row.pace)  # tables of older versions have nothing else
        return None if pace is None else Times.new(pace, len(self.seats))

    def start(self, seats: list[SeatRow], changes: dict[str, Any]) -> None:
        """Take over who sits where and, once there is a deal, begin the game; all that is stored already."""
        self.seats = seats
        self.row = self.row._replace(**changes)
        self.ruleset = Ruleset.from_dict(self.row.ruleset)
        self.clock = Clock(self._times(), self.row.pace == "live", self.row.updated)
        self.gone_since = dict.fromkeys(range(len(seats)), time.monotonic()) | self.gone_since
        if self.row.deal is not None:
            self.match = Match(deal_game(self.ruleset, self.row.deal, self.names))
            self.clock.restart()

    @property
    def names(self) -> list[str]:
        """The names of the players as they are stored; empty for free seats."""
        return [place.name or "" for place in self.seats]

    def names_in(self, language: str) -> list[str]:
        """The same as people read them."""
        return shown_names(self.names, language)

    @property
    def resigned(self) -> list[int]:
        """The seats whose players have resigned."""
        return [place.seat for place in self.seats if place.resigned]

    @property
    def alone(self) -> bool:
        """Whether one person plays with bots."""
        return sum(place.level is None and not place.resigned for place in self.seats) == 1

    @property
    def status(self) -> Status:
        """Open, playing or over."""
        if self.match is None:
            return "open"
        return "over" if self.match.game.over or self.row.status == "over" else "playing"

    @property
    def paused(self) -> bool:
        """Whether nobody is there for whom it would go on."""
        stopped = self.clock.times is not None and not self.clock.running and self.timeouts.vacation() is None
        return self.status == "playing" and (stopped or self.bots.paused)

    @property
    def idle(self) -> bool:
        """Whether it could leave memory."""
        if self.viewers or self.bots.thinking or self.mailbox.waiting:
            return False
        goes_on = self.status == "playing" and not self.bots.paused
        return not (goes_on and self.timeouts.soon(self.services.settings.idle_seconds))

    def seat_of(self, guest: str | None) -> int | None:
        """The seat of a guest, by right or by its link."""
        return self.companions.seat_of(guest)

    def connected(self, seat: int) -> bool:
        """Whether somebody looks at the table from this seat."""
        return any(viewer.seat == seat for viewer in self.viewers)

    @property
    def closing(self) -> bool:
        """Whether nothing more is accepted."""
        return self.mailbox.closing

    async def call(self, work: Callable[[], Awaitable[_T]]) -> _T:
        """Do something when everything before it is done; what it answers or raises comes back."""
        self.last_used = time.monotonic()

        async def if_there() -> _T:
            if self.gone is not None:
                raise self.gone()
            return await work()

        return await (self.mailbox.call(if_there) if self.gone is None else if_there())

    def poke(self) -> None:
        """Let the table look whether there is something to do by itself."""
        self.mailbox.poke()

    async def close(self) -> None:
        """Finish what is waiting and stop; nothing more is accepted."""
        self.timeouts.cancel()
        self.bots.forget()
        self.mailbox.post(self.timeouts.rest)
        await self.mailbox.close()
        self.timeouts.cancel()
        self.bots.forget()
        self.hints.clear()
        self.screens.clear()
        if self.review is not None:
            self.review.cancel()
        for _, judged in self.judged.values():
            judged.cancel()

    async def _advance(self) -> None:
        """Everything that happens without anybody asking; then everybody is shown what is new."""
        if self.gone is not None:
            return
        try:
            await self._go_on()
            await settle(self)
        except BaseException:
            self.timeouts.wait()
            raise
        finally:
            self.broadcast()
            self.timeouts.wind()
            self.services.notices.look(self)

    async def _go_on(self) -> None:
        """Passing, bots, and moves that came a little early."""
        if self.timeouts.waits():
            return
        await self.timeouts.look()
        await self.passing.end_expired()
        while self.status == "playing" and not self.closing:
            await self.timeouts.call_time()
            assert self.match is not None
            seat = self.match.game.to_move
            assert seat is not None
            if self.bots.plays(seat):
                if self.bots.paused and not self.timeouts.promised:
                    self.bots.stop()
                else:
                    self.bots.start(seat)
                break
            if self.passing.get(seat) is not None and self.passing.passes(seat, self.match.view(seat)):
                await self.append(seat, ACTIONS[PASS], "auto")
            elif seat in self.early:
                move = self.early.take(seat)
                try:
                    self._check_version(seat, move.version, move.viewer)
                    await self._act(seat, move)
                except Refusal as refusal:
                    move.viewer.refuse(refusal, "act")
                    if self.timeouts.waits():
                        break
                    continue
            else:
                break
            await self.passing.end_expired()

    async def save_seat(self, place: SeatRow, **changes: Any) -> None:
        """Store a changed seat and, with it, changes of the table."""
        await self.services.storage.save_seat(self.lease, place, **changes)
        self.seats[place.seat] = place
        self._take_over(changes)

    async def save(self, changes: dict[str, Any]) -> None:
        """Store changes of the table that are no moves."""
        await self.services.storage.save_table(self.lease, **changes)
        self._take_over(changes)

    def _take_over(self, changes: dict[str, Any]) -> None:
        if changes:
            self.row = self.row._replace(**changes)
        if "clock" in changes:
            self.clock.times = Times.from_dict(changes["clock"])

    async def append(self, seat: int, action: Action | None, by: str) -> None:
        """Write an entry to the log, and only then let it happen; None takes the last decision back."""
        assert self.match is not None
        outcome = self.match.tried(seat, action)
        entry = Entry(self.match.entries + 1, seat, None if action is None else action.text, by, now())
        changes = told_of(outcome.game, self.resigned)
        visible = self._visible(outcome.game)
        times, gone = self.timeouts.charge(seat, by, action is None) if visible else (self.clock.times, 0.0)
        if visible:
            changes["updated"] = now(gone)
        if times is not None:
            changes["deadline"] = self.timeouts.deadline(outcome.game, times, changes.get("updated", self.row.updated))
            if times != self.clock.times:
                changes["clock"] = times.to_dict()
        try:
            await self.services.storage.append(self.lease, entry, **changes)
        except Refusal:  # nothing was written, so nothing has changed
            self.timeouts.wait()
            raise
        except Exception as error:
            log.exception("log_failed", table=self.row.id)
            await self.reload()
            raise Refusal("stale", "changed") from error
        self.match.add(entry, outcome)
        self.hints.drop_stale()
        if action is None or outcome.game.over:
            self.bots.forget()
        else:
            self.bots.notice(outcome.played)
        self._take_over(changes)
        if visible:
            self.clock.restart(gone)
        count_move(by if action else "undo")

    def _visible(self, after: Game) -> bool:
        """Whether everybody sees that something has happened; the answer to a secret question leaves no trace."""
        assert self.match is not None
        before = self.match.game.looked_at
        if as_seen(before, self.ruleset, None) is before:
            return True
        return after.view(None) != self.match.view(None)

    async def reload(self) -> None:
        """Take over what the database says: something else has changed it."""
        self.bots.forget()
        stored = await self.services.storage.load(self.row.id)
        if stored is None:
            self.vanish(no_such_table)
            raise no_such_table()
        self._fill(stored)

    def vanish(self, why: Callable[[], Refusal]) -> None:
        """The table is no more: say so to everybody, and let nothing go on."""
        self.gone = why
        self.bots.forget()  # a move that is under way would go on with the game
        for viewer in self.viewers:
            viewer.dismiss(why())

    @property
    def lost(self) -> bool:
        """Whether another process has it."""
        return self.gone is moved

    def lose(self) -> None:
        """Another process has the table now, and everybody is sent there."""
        if self.gone is None:
            log.info("table_lost", table=self.row.id)
            self.vanish(moved)

    def broadcast(self) -> None:
        """Show every viewer the table as they may see it; those who would see nothing new get nothing."""
        started = time.perf_counter()
        STATES.inc(self.screens.show())
        BROADCAST_SECONDS.observe(time.perf_counter() - started)

    async def arrive(self, viewer: Viewer) -> None:
        """A viewer comes in and gets the state at once."""
        admit(self.viewers, viewer, self.services.settings.spectators_per_address)
        self.viewers.add(viewer)
        if viewer.seat is not None:
            self.gone_since.pop(viewer.seat, None)

    async def depart(self, viewer: Viewer) -> None:
        """A viewer leaves."""
        self.viewers.discard(viewer)
        self.hints.leave(viewer)
        if viewer.seat is not None and not self.connected(viewer.seat):
            self.gone_since[viewer.seat] = time.monotonic()
            self.early.drop(viewer.seat)

    async def act(self, viewer: Viewer, message: Act) -> None:
        """A player makes a decision."""
        _, seat = self.playing(viewer.seat)
        self._check_version(seat, message.version, viewer)
        try:
            action = parse_action(message.action)
        except NevskyError as error:
            raise Refusal("illegal", error) from error
        await self._act(seat, EarlyMove(viewer, message.version, action))

    async def _act(self, seat: int, move: EarlyMove) -> None:
        assert self.match is not None
        self.match.check(seat, move.action)
        if self.bots.plays(seat):
            raise Refusal("not_allowed", "bot_plays" if self.seats[seat].away else "time")
        if self.match.game.to_move != seat:
            self.early.keep(seat, move)
            return
        await self.append(seat, move.action, "player")
        if not self.clock.live:
            self.services.vacations.moved(self.seats[seat].guest)

    def playing(self, seat: int | None) -> tuple[Match, int]:
        """The game and the own seat, for those who have one."""
        if seat is None:
            raise Refusal("not_allowed", "spectator")
        if self.match is None:
            raise Refusal("refused", "not_started")
        if self.seats[seat].resigned:
            raise Refusal("not_allowed", "resigned")
        if is_conceded(self):
            raise Refusal("illegal", NevskyError("game.over"))
        return self.match, seat

    def _check_version(self, seat: int, version: int, viewer: Viewer) -> None:
        assert self.match is not None
        if version != self.match.version(seat):
            viewer.forget()
            raise Refusal("stale", "stale")

    async def undo(self, viewer: Viewer, version: int) -> None:
        """A player takes back their last decision, and with it what bots have decided since."""
        match, seat = with_help(self, viewer.seat)
        self._check_version(seat, version, viewer)
        if not match.can_undo(seat, self.alone):
            raise Refusal("illegal", "undo")
        self.bots.stop()
        if self.passing.get(seat) is not None:
            await self.passing.end(seat)
        await self.append(seat, None, "player")
        self.early.clear()

    async def pass_automatically(self, viewer: Viewer, until: str) -> None:
        """A player passes without being asked, or wants to be asked again."""
        match, seat = self.playing(viewer.seat)
        if until == "off" or self.status == "over":
            await self.passing.end(seat)
        else:
            await self.passing.begin(seat, until, match.view(seat))

    async def hint(self, viewer: Viewer, version: int) -> None:
        """A player asks for advice; it comes when it is thought out."""
        match, seat = with_help(self, viewer.seat)
        check_hint(self)
        if self.row.tournament is not None:
            raise Refusal("not_allowed", "tournament_hints")
        self._check_version(seat, version, viewer)
        if match.view(seat).to_move != seat:
            raise Refusal("not_your_turn", "turn")
        self.hints.ask(viewer, version, match.game.view(seat, memory=True))
