"""Bots that think in the workers of all servers, and in processes of this one while there is no worker."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

from nevsky.review.luck import Sample
from nevsky.rules.view import View
from nevsky.server.bot_asking import Asking, NoWorkerError
from nevsky.server.bot_pool import (
    ADVICE,
    JUDGED,
    REVIEW,
    REVIEW_PART,
    BotPool,
    FinishedGame,
    SeatBot,
    levels,
    settled,
)
from nevsky.server.bot_queue import Answer
from nevsky.server.bot_wire import (
    read_answer,
    read_json,
    read_measured,
    read_samples,
    read_suggestions,
    write,
    write_call,
    write_question,
)
from nevsky.server.evaluating import Measured
from nevsky.server.live_bots import BotAnswer, BotCall
from nevsky.server.metrics import BOT_TIMEOUTS
from nevsky.server.one_hint import OneHintOfAll
from nevsky.server.redis_link import RedisLink
from nevsky.server.scheduler import Place, bots_busy, most_waiting
from nevsky.server.settings import Settings
from nevsky.server.workers import WorkerTimeoutError

if TYPE_CHECKING:
    from nevsky.bots.protocol import Suggestion

__all__ = ["SharedBots"]

_T = TypeVar("_T")
_LIVE_WAIT: Final = 20.0
"""Seconds that a game waits for a worker to begin; then a process of the server does it."""
_WAIT: Final = 60.0
"""The same for hints and reviews, which are refused then."""
_IDLE: Final = 60.0
"""Seconds without anything to do after which the server's own processes end, as long as there are workers."""


class JobError(Exception):
    """What a worker was asked for went wrong there."""


class SharedBots:
    """Asks the workers, and does itself what they do not do."""

    def __init__(self, settings: Settings, link: RedisLink, own: BotPool) -> None:
        self._own = own
        self._asking = Asking(link)
        self._asking.on_beat.append(self._rest)
        self._most = settings.bot_milliseconds
        self._waiting = most_waiting(settings.bot_queue)
        self._hints = OneHintOfAll(self._asking.queue, self._asking.server)
        self._at_work = 0
        self._used = monotonic()
        """How much the server's own processes do, and when they did something last."""
        self.away_level = own.away_level

    @property
    def has_workers(self) -> bool:
        """Whether there are workers to ask."""
        return self._asking.available

    def open(self) -> None:
        """Begin to look for workers."""
        self._asking.open()

    def warm_up(self) -> None:
        """Start processes of the server if there is no worker."""
        if not self._asking.available:
            self._used = monotonic()
            self._own.warm_up()

    def new_bot(self, level: str) -> SeatBot:
        """A bot for a seat."""
        return self._own.new_bot(level)

    def release(self, bot: SeatBot) -> None:
        """A bot is not needed any more."""
        self._own.release(bot)
        worker, _, process = bot.home.rpartition("/")
        if worker:
            self._asking.queue.tell(worker, write([int(process), bot.id]))

    def demand(self, owner: str) -> int:
        """How many bots of an owner wait or think, at tables of this server."""
        return self._asking.demand(owner) + self._own.demand(owner)

    async def decide(self, bot: SeatBot, view: View, history: Callable[[], Sequence[View]]) -> str:
        """A legal action; should a bot fail, the game goes on with any of them."""
        return await settled(bot, view, lambda: self._think(bot, view, history))

    async def _think(self, bot: SeatBot, view: View, history: Callable[[], Sequence[View]]) -> BotAnswer:
        if self._asking.available:
            try:
                return await bot.asked(view, self._most, history, lambda call: self._ask(bot, call))
            except NoWorkerError:
                pass  # it was counted, and the game must go on
        return await self._by_own(self._own.think(bot, view, history))

    async def _ask(self, bot: SeatBot, call: BotCall) -> BotAnswer:
        seconds = self._own.seconds(self._own.milliseconds(bot))
        answer = await self._asking.ask(
            *("live", bot.place, write_call(call)),
            seconds=seconds,
            wait=_LIVE_WAIT,
            waiting=self._waiting,
            home=bot.home,
        )
        bot.home = answer.place
        return read_answer(_text(answer))

    async def explain(self, view: View, place: Place) -> list[Suggestion]:
        """What the best bot would do, best first. Nobody waits for two answers at once."""
        ended = await self._hints.begin(place.table)
        if self._asking.available:
            milliseconds = min(self._most, ADVICE)
            try:
                answer = await self._asking.ask(
                    *("hint", place, write_question(levels()[-1], view, milliseconds)),
                    seconds=self._own.seconds(milliseconds),
                    wait=_WAIT,
                    waiting=self._waiting,
                    ended=ended,
                )
                return read_suggestions(_text(answer))
            except NoWorkerError:
                ended = await self._hints.begin(place.table)
        return await self._by_own(self._own.advise(view, place, ended))

    async def evaluate(
        self, place: Place, game: FinishedGame, first: int, keep: Callable[[list[Measured]], None]
    ) -> None:
        """What a search finds at some steps of a finished game, kept even if nobody waits for it any more."""
        wanted = write(["evaluate", *game, first, REVIEW_PART])
        if not await self._look(place, wanted, REVIEW, lambda text: keep(read_measured(text))):
            await self._by_own(self._own.evaluate(place, game, first, keep))

    async def judge(
        self, place: Place, game: FinishedGame, seat: int, first: int, keep: Callable[[list[dict[str, Any]]], None]
    ) -> None:
        """What some decisions of a seat in a finished game were worth, kept even if nobody waits for it any more."""
        wanted = write(["judge", *game, seat, first, REVIEW_PART])
        if not await self._look(place, wanted, JUDGED, lambda text: keep(read_json(text))):
            await self._by_own(self._own.judge(place, game, seat, first, keep))

    async def luck(
        self, place: Place, game: FinishedGame, seat: int, first: int, keep: Callable[[list[Sample]], None]
    ) -> None:
        """What comes of the deal of a finished game, and of others, kept even if nobody waits for it any more."""
        wanted = write(["luck", *game[:2], seat, first, REVIEW_PART])
        if not await self._look(place, wanted, JUDGED, lambda text: keep(read_samples(text))):
            await self._by_own(self._own.luck(place, game, seat, first, keep))

    async def _look(self, place: Place, wanted: bytes, milliseconds: int, keep: Callable[[bytes], None]) -> bool:
        """Let a worker look at a finished game; False if there is none."""
        if not self._asking.available:
            return False

        def arrived(answer: Answer) -> None:
            if answer.outcome == "ok":
                keep(answer.text)

        try:
            answer = await self._asking.ask(
                *("review", place, wanted),
                seconds=self._own.seconds(milliseconds),
                wait=_WAIT,
                waiting=self._waiting,
                arrived=arrived,
            )
        except NoWorkerError:
            return False
        _text(answer)
        return True

    async def _by_own(self, work: Awaitable[_T]) -> _T:
        self._at_work += 1
        try:
            return await work
        finally:
            self._at_work -= 1
            self._used = monotonic()

    def _rest(self) -> None:
        if self._asking.available and not self._at_work and monotonic() - self._used > _IDLE:
            for worker in self._own.workers:
                if not worker.busy:
                    worker.stop()

    def close(self) -> None:
        """End without waiting for what is being thought about."""
        self._asking.close()
        self._own.close()


def _text(answer: Answer) -> bytes:
    """What the worker found; raises what a process of our own would."""
    match answer.outcome:
        case "ok":
            return answer.text
        case "timeout":
            BOT_TIMEOUTS.inc()
            raise WorkerTimeoutError
        case "error":
            raise JobError(answer.text.decode(errors="replace"))
    raise bots_busy()
