"""Bots think in processes of their own; they get views and nothing else."""

from __future__ import annotations

import os
import secrets
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import structlog
from prometheus_client.core import GaugeMetricFamily

from nevsky import COMPILED
from nevsky.review.luck import Sample
from nevsky.rules.view import View
from nevsky.server import live_bots
from nevsky.server.evaluating import Measured, evaluate
from nevsky.server.judged.work import judge_part, luck_part
from nevsky.server.live_bots import BotAnswer, BotCall, Fixed
from nevsky.server.one_hint import OneHint
from nevsky.server.scheduler import Place, Scheduler
from nevsky.server.settings import Settings
from nevsky.server.workers import Worker, WorkerTimeoutError

if TYPE_CHECKING:
    from nevsky.bots.protocol import Suggestion

__all__ = [
    "ADVICE",
    "JUDGED",
    "REVIEW",
    "REVIEW_PART",
    "BotPool",
    "Bots",
    "FinishedGame",
    "SeatBot",
    "allowed",
    "levels",
    "settled",
]

FinishedGame = tuple[dict[str, Any], dict[str, Any], list[int]]
"""The ruleset and the deal as plain data, and the actions."""
ADVICE: Final = 1000
"""Milliseconds for a hint."""
REVIEW_PART: Final = 0.5
"""Seconds for a part of a review, and then the step that was begun: a game waits for one part at most."""
REVIEW: Final = 5000
"""Milliseconds that a step may take where a machine is slow."""
JUDGED: Final = 10_000 if COMPILED else 300_000
"""The same for the judgement of a decision, which is never cut short."""
CONSIDERED: Final = 60_000
"""The same for a decision in which playouts are counted, and the clock has no say."""
_TRIES: Final = 5
"""How often a decision is asked for that has to be the same for everybody."""
log = structlog.get_logger()


def levels() -> tuple[str, ...]:
    """The levels that bots play at, weakest first."""
    from nevsky.bots import LEVELS

    return tuple(LEVELS)


class SeatBot:
    """The bot of one seat in one game, as the server holds it; the bot itself lives in a worker process."""

    def __init__(self, level: str, worker: Worker) -> None:
        self.id = secrets.token_hex(8)
        self.level = level
        self.worker = worker
        """Where it remembers the game; it moves only if that one is busy and another one is not."""
        self.place = Place("", self.id)
        """Where it waits for its turn to think."""
        self.gone = False
        """Nobody needs it any more."""
        self.observes = False
        """Whether it wants to be shown everything that its seat sees; known from its first decision on."""
        self.news: list[View] = []
        """What it has not been shown yet."""
        self.home = ""
        """The process of a worker elsewhere where it remembers the game, if it does."""
        self.shown: int | None = 0
        """How much it has been shown so far; None if nobody knows, as it did not answer."""
        self.fixed: Fixed | None = None
        """How it has to decide next, at deals that everybody plays alike."""

    async def asked(
        self,
        view: View,
        milliseconds: int,
        history: Callable[[], Sequence[View]],
        ask: Callable[[BotCall], Awaitable[BotAnswer]],
    ) -> BotAnswer:
        """What it decides: asked with what is new for it, or with the whole game if it does not know that any more."""
        news, self.news = tuple(self.news), []
        shown, self.shown = self.shown, None
        call = BotCall(
            self.id, self.level, milliseconds, view, news, after=-1 if shown is None else shown, fixed=self.fixed
        )
        answer = await ask(call)
        if answer.action is None and not self.gone:
            self.observes = True
            call = call._replace(news=tuple(history()), whole=True)
            shown = 0
            answer = await ask(call)
        if shown is not None:
            self.shown = shown + len(call.news)
        return answer


async def settled(bot: SeatBot, view: View, think: Callable[[], Awaitable[BotAnswer]]) -> str:
    """What the bot decides; should it fail, the game goes on with any legal action.

    Where everybody has to see the same decision it is asked for several times.
    """
    for _ in range(1 if bot.fixed is None else _TRIES):
        try:
            answer = await think()
            if answer.failure:
                log.error("bot_failed", level=bot.level, reason=answer.failure)
            if answer.action in view.legal:
                return answer.action
            log.error("bot_illegal", level=bot.level, action=answer.action)
        except WorkerTimeoutError:
            log.error("bot_out_of_time", level=bot.level)
        except Exception:
            log.exception("bot_failed", level=bot.level)
    return secrets.choice(view.legal) if bot.fixed is None else bot.fixed.choice(view.legal)


class Bots(Protocol):
    """Whoever thinks for the seats of bots: processes of the server, or workers of their own."""

    away_level: str
    """The level of the bot that stands in for people."""

    def open(self) -> None:
        """Begin to look for workers elsewhere, if there may be any."""

    def warm_up(self) -> None:
        """Get ready before the first bot is asked."""

    def new_bot(self, level: str) -> SeatBot:
        """A bot for a seat."""

    def release(self, bot: SeatBot) -> None:
        """A bot is not needed any more."""

    def demand(self, owner: str) -> int:
        """How many bots of an owner wait or think."""

    async def decide(self, bot: SeatBot, view: View, history: Callable[[], Sequence[View]]) -> str:
        """A legal action, whatever happens."""

    async def explain(self, view: View, place: Place) -> list[Suggestion]:
        """What the best bot would do, best first."""

    async def evaluate(
        self, place: Place, game: FinishedGame, first: int, keep: Callable[[list[Measured]], None]
    ) -> None:
        """What a search finds at some steps of a finished game."""

    async def judge(
        self, place: Place, game: FinishedGame, seat: int, first: int, keep: Callable[[list[dict[str, Any]]], None]
    ) -> None:
        """What some decisions of a seat in a finished game were worth."""

    async def luck(
        self, place: Place, game: FinishedGame, seat: int, first: int, keep: Callable[[list[Sample]], None]
    ) -> None:
        """What comes of the deal of a finished game, and of others, in some batches of games."""

    def close(self) -> None:
        """End without waiting for what is being thought about."""


class BotPool:
    """The worker processes and the bots in them."""

    def __init__(self, settings: Settings) -> None:
        number = settings.bot_workers or (1 if settings.redis else max(1, (os.cpu_count() or 2) - 1))
        self.workers = [Worker() for _ in range(number)]
        self._scheduler = Scheduler(self.workers, settings.bot_queue)
        self._most = settings.bot_milliseconds
        self._grace = settings.bot_grace
        self._hints = OneHint()
        names = levels()
        self.away_level = settings.away_level or names[len(names) // 2]

    def open(self) -> None:
        """Everybody is here; they start when they are needed."""

    def warm_up(self) -> None:
        """Start the workers before the first bot is asked."""
        for worker in self.workers:
            worker.start()

    def new_bot(self, level: str) -> SeatBot:
        """A bot for a seat."""
        worker = min(self.workers, key=lambda each: each.bots)
        worker.bots += 1
        return SeatBot(level, worker)

    def release(self, bot: SeatBot) -> None:
        """A bot is not needed any more."""
        bot.gone = True
        bot.worker.bots -= 1
        bot.worker.post(live_bots.release, bot.id)

    def demand(self, owner: str) -> int:
        """How many bots of an owner wait or think."""
        return self._scheduler.demand(owner)

    def seconds(self, milliseconds: int) -> float:
        """After how long somebody who may think for so long is given up."""
        return milliseconds / 1000 + self._grace

    def milliseconds(self, bot: SeatBot) -> int:
        """How long a decision may take."""
        return CONSIDERED if bot.fixed is not None else min(self._most, allowed(bot.level))

    async def decide(self, bot: SeatBot, view: View, history: Callable[[], Sequence[View]]) -> str:
        """A legal action; should a bot fail, the game goes on with any of them.

        The history is all that the seat has seen since the start. It is asked for only if the bot has to see it.
        """
        return await settled(bot, view, lambda: self.think(bot, view, history))

    async def think(self, bot: SeatBot, view: View, history: Callable[[], Sequence[View]]) -> BotAnswer:
        """What the bot decides; raises if it does not."""
        return await self._scheduler.run(
            "live", bot.place, lambda worker: self._ask(worker, bot, view, history), home=bot.worker
        )

    async def _ask(self, worker: Worker, bot: SeatBot, view: View, history: Callable[[], Sequence[View]]) -> BotAnswer:
        self._move(bot, worker)
        seconds = self.seconds(self.milliseconds(bot))
        return await bot.asked(view, self._most, history, lambda call: worker.run(seconds, live_bots.decide, call))

    def _move(self, bot: SeatBot, worker: Worker) -> None:
        """The bot lives in this worker from now on; what it remembered elsewhere it is shown again."""
        if bot.worker is not worker and not bot.gone:
            bot.worker.post(live_bots.release, bot.id)
            bot.worker.bots -= 1
            worker.bots += 1
            bot.worker = worker

    async def consider(self, place: Place, call: BotCall) -> BotAnswer:
        """A decision that no game waits for: everything else comes first."""
        seconds = self.seconds(CONSIDERED)
        return await self._scheduler.run("review", place, lambda worker: worker.run(seconds, live_bots.decide, call))

    async def explain(self, view: View, place: Place) -> list[Suggestion]:
        """What the best bot would do, best first. Nobody waits for two answers at once."""
        return await self.advise(view, place, await self._hints.begin(place.table))

    async def advise(self, view: View, place: Place, ended: Callable[[], None]) -> list[Suggestion]:
        """The same without looking whether they wait already."""
        milliseconds = min(self._most, ADVICE)

        def work(worker: Worker) -> Awaitable[list[Suggestion]]:
            asked = (levels()[-1], view, milliseconds)
            return worker.run(self.seconds(milliseconds), live_bots.explain, *asked)

        return await self._scheduler.run("hint", place, work, ended=ended)

    async def evaluate(
        self,
        place: Place,
        game: FinishedGame,
        first: int,
        keep: Callable[[list[Measured]], None],
    ) -> None:
        """What a search finds at some steps of a finished game, kept even if nobody waits for it any more."""

        async def work(worker: Worker) -> None:
            keep(await worker.run(self.seconds(REVIEW), evaluate, *game, first, REVIEW_PART))

        await self._scheduler.run("review", place, work)

    async def judge(
        self, place: Place, game: FinishedGame, seat: int, first: int, keep: Callable[[list[dict[str, Any]]], None]
    ) -> None:
        """What some decisions of a seat in a finished game were worth, kept even if nobody waits for it any more."""

        async def work(worker: Worker) -> None:
            keep(await worker.run(self.seconds(JUDGED), judge_part, *game, seat, first, REVIEW_PART))

        await self._scheduler.run("review", place, work)

    async def luck(
        self, place: Place, game: FinishedGame, seat: int, first: int, keep: Callable[[list[Sample]], None]
    ) -> None:
        """What comes of the deal of a finished game, and of others, kept even if nobody waits for it any more."""

        async def work(worker: Worker) -> None:
            keep(await worker.run(self.seconds(JUDGED), luck_part, *game[:2], seat, first, REVIEW_PART))

        await self._scheduler.run("review", place, work)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """For Prometheus."""
        pids = [pid for worker in self.workers for pid in worker.pids]
        yield GaugeMetricFamily("nevsky_bot_workers", "Worker processes that run", len(pids))
        yield GaugeMetricFamily("nevsky_bot_memory_bytes", "Memory of all worker processes", sum(map(_memory, pids)))

    def close(self) -> None:
        """End the workers without waiting for what they think about."""
        self._scheduler.close()
        for worker in self.workers:
            worker.close()


def _memory(pid: int) -> int:
    """Bytes that a process holds, 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def allowed(level: str) -> int:
    """Milliseconds that a level has for a decision."""
    from nevsky.bots import LEVELS

    return LEVELS[level].milliseconds
