"""A bot at the table: timed, and replaced by chance wherever it fails."""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from nevsky.bots.external import ExternalBot
from nevsky.bots.programs import BotFailureError
from nevsky.bots.protocol import Bot, Suggestion
from nevsky.rules.rng import Rng
from nevsky.rules.view import View

__all__ = ["FAILURES", "Contestant", "overrun"]

FAILURES: Final = ("timeout", "crash", "illegal", "garbage")
"""Why a decision is forfeited."""
_MAKING: Final = 10.0
"""Seconds that a bot has at least to get ready for a game."""


def overrun(taken: float, milliseconds: float) -> bool:
    """Whether a decision took more than a fifth and more than 50 ms longer than it should.

    >>> overrun(245, 200), overrun(251, 200), overrun(1150, 1000)
    (False, True, False)
    """
    return taken > max(1.2 * milliseconds, milliseconds + 50)


class _PatienceError(BaseException):
    """Not an `Exception`, so that a bot which catches everything does not catch it."""


@contextmanager
def _patience(seconds: float) -> Iterator[None]:
    """Interrupt what takes too long, where the system can do that."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise _PatienceError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Contestant:
    """Plays like its bot. A decision that the bot does not make is forfeited to a random legal one."""

    def __init__(
        self, make: Callable[[int | str], Bot], seed: str, label: str, patience: float, *, clocked: bool
    ) -> None:
        self.name = label
        self.decisions = 0
        self.forfeits: Counter[str] = Counter()
        self.milliseconds = 0.0
        self.longest = 0.0
        self.overruns = 0
        self.last_failure = ""
        self._patience = patience
        self._clocked = clocked
        self._rng = Rng.of(seed, "forfeit")
        self.bot: Bot | None = None
        try:
            with _patience(max(patience, _MAKING)):
                self.bot = make(seed)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever it is, the game goes on
            self.last_failure = f"{type(error).__name__}: {error}"
        self._own_limit = not isinstance(self.bot, ExternalBot)
        watch = getattr(self.bot, "observe", None)
        if callable(watch):
            self._watch: Callable[[View], None] = watch
            self.observe = self._observe

    def decide(self, view: View, milliseconds: int) -> str:
        """The bot's action, or a random one."""
        self.decisions += 1
        start = time.perf_counter()
        kind, action = self._attempt(view, milliseconds)
        taken = (time.perf_counter() - start) * 1000
        self.milliseconds += taken
        self.longest = max(self.longest, taken)
        self.overruns += self._clocked and overrun(taken, milliseconds)
        if not kind:
            return action
        self.forfeits[kind] += 1
        return view.legal[self._rng.below(len(view.legal))]

    def explain(self, view: View, milliseconds: int) -> list[Suggestion]:  # noqa: ARG002
        """Nobody asks in an arena."""
        return []

    def _attempt(self, view: View, milliseconds: int) -> tuple[str, str]:
        """Why there is no action, or the action."""
        bot = self.bot
        if bot is None:
            return "crash", ""
        given: list[object] = []
        kind = self._guarded(lambda: given.append(bot.decide(view, milliseconds)))
        if kind:
            return kind, ""
        action = given[0]
        if not isinstance(action, str) or action not in view.legal:
            self.last_failure = f"{str(action)[:60]!r} is not legal"
            return "illegal", ""
        return "", action

    def _observe(self, view: View) -> None:
        start = time.perf_counter()
        kind = self._guarded(lambda: self._watch(view))
        self.milliseconds += (time.perf_counter() - start) * 1000
        if kind:
            self.forfeits[kind] += 1

    def _guarded(self, work: Callable[[], None]) -> str:
        """Do something of the bot's; the kind of its failure, if it fails."""
        try:
            if self._own_limit:
                with _patience(self._patience):
                    work()
            else:
                work()
        except KeyboardInterrupt:
            raise
        except BotFailureError as error:
            self.last_failure = str(error)
            return error.kind
        except _PatienceError:
            return "timeout"
        except BaseException as error:  # a bot may raise anything, even SystemExit
            self.last_failure = f"{type(error).__name__}: {error}"
            return "crash"
        return ""
