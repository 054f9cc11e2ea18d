"""Bots think in processes of their own; they get views and nothing else."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import structlog

from nevsky.errors import NevskyError
from nevsky.rules.view import View
from nevsky.server import live_bots
from nevsky.server.evaluating import evaluate
from nevsky.server.live_bots import BotAnswer, BotCall
from nevsky.server.settings import Settings
from nevsky.server.workers import Worker

if TYPE_CHECKING:
    from nevsky.bots.protocol import Suggestion

__all__ = ["BotPool", "SeatBot", "levels"]

_ADVICE: Final = 1000
"""Milliseconds for a hint."""
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
        """Always the same one, since the bot remembers the game there."""
        self.observes = False
        """Whether it wants to be shown everything that its seat sees; known from its first decision on."""
        self.news: list[View] = []
        """What it has not been shown yet."""


class BotPool:
    """The worker processes and the bots in them."""

    def __init__(self, settings: Settings) -> None:
        number = settings.bot_workers or max(1, (os.cpu_count() or 2) - 1)
        self.workers = [Worker() for _ in range(number)]
        self._most = settings.bot_milliseconds
        names = levels()
        self.away_level = settings.away_level or names[len(names) // 2]
        if self.away_level not in names:
            raise NevskyError("setting.away_level", names=", ".join(names), level=repr(self.away_level))

    def warm_up(self) -> None:
        """Start the workers before the first bot is asked."""
        for worker in self.workers:
            worker.start()

    def _least_busy(self) -> Worker:
        return min(self.workers, key=lambda worker: (worker.waiting, worker.bots))

    def new_bot(self, level: str) -> SeatBot:
        """A bot for a seat."""
        worker = self._least_busy()
        worker.bots += 1
        return SeatBot(level, worker)

    def release(self, bot: SeatBot) -> None:
        """A bot is not needed any more."""
        bot.worker.bots -= 1
        bot.worker.post(live_bots.release, bot.id)

    async def decide(self, bot: SeatBot, view: View, history: Callable[[], Sequence[View]]) -> str:
        """A legal action; should a bot fail, the game goes on with any of them.

        The history is all that the seat has seen since the start. It is asked for only if the bot has to see it.
        """
        try:
            answer = await self._ask(bot, view, history)
            if answer.failure:
                log.error("bot_failed", level=bot.level, reason=answer.failure)
            if answer.action in view.legal:
                return answer.action
            log.error("bot_illegal", level=bot.level, action=answer.action)
        except Exception:
            log.exception("bot_failed", level=bot.level)
        return secrets.choice(view.legal)

    async def _ask(self, bot: SeatBot, view: View, history: Callable[[], Sequence[View]]) -> BotAnswer:
        news, bot.news = tuple(bot.news), []
        call = BotCall(bot.id, bot.level, self._most, view, news)
        answer = await bot.worker.run(live_bots.decide, call)
        if answer.action is None:
            bot.observes = True
            call = call._replace(news=tuple(history()), whole=True)
            answer = await bot.worker.run(live_bots.decide, call)
        return answer

    async def explain(self, view: View) -> list[Suggestion]:
        """What the best bot would do, best first."""
        milliseconds = min(self._most, _ADVICE)
        worker = self._least_busy()
        return await worker.run(live_bots.explain, levels()[-1], secrets.token_hex(8), view, milliseconds)

    async def evaluate(self, ruleset: dict[str, Any], deal: dict[str, Any], actions: list[int]) -> list[list[float]]:
        """The expected final scores at every step of a finished game; empty if the bots cannot tell."""
        try:
            return await self._least_busy().run(evaluate, ruleset, deal, actions)
        except Exception:
            log.exception("evaluation_failed")
            return []

    def close(self) -> None:
        """End the workers without waiting for what they think about."""
        for worker in self.workers:
            worker.close()
