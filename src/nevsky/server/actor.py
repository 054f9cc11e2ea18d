"""One actor per table: a task that does one thing after the other, so that moves never meet.

A move is written to the log in the database before anybody hears of it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple, TypeVar

import structlog

from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS, PASS, Action, parse_action
from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import as_seen
from nevsky.server.bot_pool import BotPool
from nevsky.server.bot_turns import BotTurns
from nevsky.server.clock import Clock
from nevsky.server.early_moves import EarlyMove, EarlyMoves
from nevsky.server.errors import Refusal, not_your_seat
from nevsky.server.mailbox import Mailbox
from nevsky.server.match import Match, deal_game
from nevsky.server.messages import Shown, state_for
from nevsky.server.metrics import BROADCASTS, MOVES
from nevsky.server.passing import PassWishes
from nevsky.server.protocol import Act, Status
from nevsky.server.sanitize import clean
from nevsky.server.schema import ChatRow, Entry, SeatRow, Stored, TableRow
from nevsky.server.settings import Settings
from nevsky.server.storage import CHAT_KEPT, Storage, now
from nevsky.server.timeouts import Timeouts
from nevsky.server.viewer import Viewer

__all__ = ["Services", "Table"]

_T = TypeVar("_T")
_MOST_VIEWERS: Final = 300
log = structlog.get_logger()


class Services(NamedTuple):
    """What tables share."""

    settings: Settings
    storage: Storage
    bot_pool: BotPool


class Table:
    """A table in memory. Everything that changes it goes through `call`."""

    def __init__(self, stored: Stored, services: Services) -> None:
        self.services = services
        self.viewers: set[Viewer] = set()
        self.row: TableRow
        self.seats: list[SeatRow]
        self.chat: list[ChatRow]
        self.match: Match | None
        self.passing = PassWishes(self)
        self.early = EarlyMoves(self)
        self.bots = BotTurns(self)
        self._timeouts = Timeouts(self)
        self._fill(stored)
        self.last_used = time.monotonic()
        self._gone_since = dict.fromkeys(range(len(self.seats)), time.monotonic())
        self.evaluation: asyncio.Task[list[list[float]]] | None = None
        self.mailbox = Mailbox(self.row.id, self._advance)
        self.poke()

    def _fill(self, stored: Stored) -> None:
        self.row, self.seats, self.chat = stored.table, list(stored.seats), list(stored.chat)
        self.ruleset = Ruleset.from_dict(stored.table.ruleset)
        self.clock = Clock(self.services.settings.seconds_for(self.row.pace), self.row.updated)
        self.passing.load()
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
        if self.viewers or self.bots.thinking or not self.mailbox.empty:
            return False
        left = self.clock.left()
        return left is None or left > self.services.settings.idle_seconds or self.status != "playing"

    def seat_of(self, guest: str | None) -> int | None:
        """The seat that belongs to a guest."""
        return next((place.seat for place in self.seats if guest is not None and place.guest == guest), None)

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
        return await self.mailbox.call(work)

    def poke(self) -> None:
        """Let the table look whether there is something to do by itself."""

        async def nothing() -> None:
            pass

        self.mailbox.post(nothing)

    async def close(self) -> None:
        """Finish what is waiting and stop; nothing more is accepted."""
        self._timeouts.cancel()
        self.bots.forget()
        await self.mailbox.close()
        self._timeouts.cancel()
        self.bots.forget()
        if self.evaluation is not None:
            self.evaluation.cancel()

    async def _advance(self) -> None:
        """Everything that happens without anybody asking."""
        try:
            await self._go_on()
        except BaseException:
            self._timeouts.wind(again=True)
            raise
        self._timeouts.wind()

    async def _go_on(self) -> None:
        """Passing, bots, and moves that came a little early; then everybody is shown what is new."""
        await self.passing.end_expired()
        while self.status == "playing" and not self.closing:
            await self._timeouts.call_time()
            assert self.match is not None
            seat = self.match.game.to_move
            assert seat is not None
            if self.bots.plays(seat):
                self.bots.start(seat)
                break
            if self.passing.passes(seat, self.match.view(seat)):
                await self.append(seat, ACTIONS[PASS], "auto")
            elif seat in self.early:
                move = self.early.take(seat)
                try:
                    self._check_version(seat, move.version, move.viewer)
                    await self._act(seat, move)
                except Refusal as refusal:
                    move.viewer.send(refusal.reply(move.viewer.language))
                    continue
            else:
                break
            await self.passing.end_expired()
        self.broadcast()

    async def save_seat(self, place: SeatRow) -> None:
        """Store a changed seat."""
        await self.services.storage.save_seat(self.row.id, place)
        self.seats[place.seat] = place

    async def append(self, seat: int, action: Action | None, by: str) -> None:
        """Write an entry to the log, and only then let it happen; None takes the last decision back."""
        assert self.match is not None
        outcome = self.match.tried(seat, action)
        entry = Entry(self.match.entries + 1, seat, None if action is None else action.text, by, now())
        changes = _changes(outcome.game)
        if self._visible(outcome.game):
            changes["updated"] = entry.at
        try:
            await self.services.storage.append(self.row.id, entry, **changes)
        except Exception as error:
            log.exception("log_failed", table=self.row.id)
            await self._reload()
            raise Refusal("stale", "changed") from error
        self.match.add(entry, outcome)
        if action is None or outcome.game.over:
            self.bots.forget()
        else:
            self.bots.notice(outcome.played)
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
        self.bots.forget()
        stored = await self.services.storage.load(self.row.id)
        if stored is not None:
            self._fill(stored)

    def broadcast(self) -> None:
        """Show every viewer the table as they may see it; those who would see nothing new get nothing."""
        made: dict[tuple[int | None, str], Shown] = {}
        for viewer in self.viewers:
            found = made.get((viewer.seat, viewer.language))
            if found is None:
                found = state_for(self, viewer.seat, viewer.language)
                made[viewer.seat, viewer.language] = found
            viewer.show(found.text, found.key)
        BROADCASTS.inc(len(made))

    async def arrive(self, viewer: Viewer) -> None:
        """A viewer comes in and gets the state at once."""
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
            self.early.drop(viewer.seat)

    async def act(self, viewer: Viewer, message: Act) -> None:
        """A player makes a decision."""
        _, seat = self._playing(viewer.seat)
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
        self.bots.stop()
        if self.passing.get(seat) is not None:
            await self.passing.end(seat)
        await self.append(seat, None, "player")
        self.early.clear()

    async def pass_automatically(self, viewer: Viewer, until: str) -> None:
        """A player passes without being asked, or wants to be asked again."""
        match, seat = self._playing(viewer.seat)
        if until == "off" or match.game.over:
            await self.passing.end(seat)
        else:
            await self.passing.begin(seat, until, match.view(seat))

    async def say(self, viewer: Viewer, words: str) -> None:
        """A player says something, or a spectator who has a name."""
        text = clean(words, 300)
        if not text:
            raise Refusal("bad_message", "words")
        line = ChatRow(viewer.seat, await self._name(viewer), text, now())
        await self.services.storage.say(self.row.id, line)
        self.chat = [*self.chat, line][-CHAT_KEPT:]

    async def _name(self, viewer: Viewer) -> str:
        if viewer.seat is not None:
            return self.seats[viewer.seat].name or ""
        name = None if viewer.guest is None else await self.services.storage.guest_name(viewer.guest)
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
            patience = self.services.settings.away_seconds
            waited = gone is not None and time.monotonic() - gone >= patience
            if not waited:
                raise Refusal("refused", "still_there")
        await self.save_seat(self.seats[target]._replace(away=away))
        if not away:
            self.bots.leave(target)

    async def hint(self, viewer: Viewer, version: int) -> Game:
        """The game for which a player may ask advice."""
        match, seat = self._playing(viewer.seat)
        self._check_version(seat, version, viewer)
        if match.view(seat).to_move != seat:
            raise Refusal("not_your_turn", "turn")
        return match.game


def _changes(game: Game) -> dict[str, Any]:
    """What is stored about a table after a move."""
    result = game.result
    return {
        "round": game.round,
        "to_move": game.to_move,
        "to_move_shown": None if game.over else as_seen(game.position, game.ruleset, None).seat,
        "status": "over" if game.over else "playing",
        "winners": None if result is None else list(result.winners),
    }
