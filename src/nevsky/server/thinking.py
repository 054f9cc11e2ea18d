"""Bots think in processes of their own; they get a view and nothing else."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, get_context, parent_process
from typing import TYPE_CHECKING, Any, Final, TypeVar

import structlog

from nevsky.errors import NevskyError
from nevsky.rules.view import View
from nevsky.server.evaluating import evaluate
from nevsky.server.settings import Settings

if TYPE_CHECKING:
    from nevsky.bots.protocol import Suggestion

__all__ = ["Thinker", "levels"]

_T = TypeVar("_T")
_TRIES: Final = 2
_ADVICE: Final = 1000
"""Milliseconds for a hint."""
log = structlog.get_logger()


def levels() -> tuple[str, ...]:
    """The levels that bots play at, weakest first."""
    from nevsky.bots import LEVELS

    return tuple(LEVELS)


def _prepare() -> None:
    """In a worker: leave signals to the server, and end with it even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    levels()


def _decide(level: str, seed: str, view: View, most: int) -> str:
    from nevsky.bots import LEVELS, make_bot

    return make_bot(level, seed).decide(view, min(most, LEVELS[level].milliseconds))


def _explain(level: str, seed: str, view: View, milliseconds: int) -> list[Suggestion]:
    from nevsky.bots import make_bot

    return make_bot(level, seed).explain(view, milliseconds)


def _nothing() -> None:
    pass


class Thinker:
    """The pool of worker processes. A process that dies is replaced."""

    def __init__(self, settings: Settings) -> None:
        self._workers = settings.bot_workers or max(1, (os.cpu_count() or 2) - 1)
        self._most = settings.bot_milliseconds
        self._pool: ProcessPoolExecutor | None = None
        names = levels()
        self.away_level = settings.away_level or names[len(names) // 2]
        if self.away_level not in names:
            raise NevskyError("setting.away_level", names=", ".join(names), level=repr(self.away_level))

    def warm_up(self) -> None:
        """Start the workers before the first bot is asked."""
        for _ in range(self._workers):
            self._started().submit(_nothing)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"), initializer=_prepare)
        return self._pool

    async def _run(self, work: Callable[..., _T], *given: Any) -> _T:
        for attempt in range(_TRIES):
            pool = self._started()
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, work, *given)
            except BrokenProcessPool:
                log.warning("bot_process_died", attempt=attempt)
                if self._pool is pool:
                    self._pool = None
                    pool.shutdown(wait=False)
        raise RuntimeError("The processes that think for bots keep dying.")

    async def decide(self, level: str, view: View) -> str:
        """A legal action; should a bot fail, the game goes on with any of them."""
        try:
            action = await self._run(_decide, level, secrets.token_hex(8), view, self._most)
            if action in view.legal:
                return action
            log.error("bot_illegal", level=level, action=action)
        except Exception:
            log.exception("bot_failed", level=level)
        return secrets.choice(view.legal)

    async def explain(self, view: View) -> list[Suggestion]:
        """What the best bot would do, best first."""
        return await self._run(_explain, levels()[-1], secrets.token_hex(8), view, min(self._most, _ADVICE))

    async def evaluate(self, ruleset: dict[str, Any], deal: dict[str, Any], actions: list[int]) -> list[list[float]]:
        """The expected final scores at every step of a finished game; empty if the bots cannot tell."""
        try:
            return await self._run(evaluate, ruleset, deal, actions)
        except Exception:
            log.exception("evaluation_failed")
            return []

    def close(self) -> None:
        """End the workers without waiting for what they think about."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            processes = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()
