"""A bot at the table: timed, and replaced by chance wherever it fails."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from nevsky.bots.external import ExternalBot
from nevsky.bots.guard import MAKING, PatienceError, guarded, overrun, plain_text, safe_text, type_name
from nevsky.bots.programs import BotFailureError
from nevsky.bots.protocol import UNHURRIED, Bot, Suggestion
from nevsky.rules.rng import Rng
from nevsky.rules.view import View

__all__ = ["FAILURES", "Contestant", "overrun"]

FAILURES: Final = ("timeout", "crash", "illegal", "garbage")
"""Why a decision is forfeited."""


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
        self._clocked = clocked
        self._rng = Rng.of(seed, "forfeit")
        self.bot: Bot | None = None
        self._limit: float | None = max(patience, MAKING)
        self._guarded(lambda: self._made(make(seed)))
        self._limit = None if isinstance(self.bot, ExternalBot) else patience

    def _made(self, bot: Bot) -> None:
        watch = getattr(bot, "observe", None)
        if callable(watch):
            self._watch: Callable[[View], None] = watch
            self.observe = self._observe
        self.bot = bot

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

    def explain(self, view: View, milliseconds: int = UNHURRIED) -> list[Suggestion]:  # noqa: ARG002
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
        action = plain_text(given[0])
        if action is None:
            self.last_failure = f"an answer of the type {type_name(given[0])} is no action text"
            return "illegal", ""
        if action not in view.legal:
            self.last_failure = f"{safe_text(action, 60)!r} is not legal"
            return "illegal", ""
        return "", action

    def _observe(self, view: View) -> None:
        """A failure here is remembered; it costs no decision."""
        start = time.perf_counter()
        self._guarded(lambda: self._watch(view))
        self.milliseconds += (time.perf_counter() - start) * 1000

    def _guarded(self, work: Callable[[], None]) -> str:
        """Do something of the bot's; the kind of its failure, if it fails."""
        try:
            with guarded(self._limit):
                work()
        except KeyboardInterrupt:
            raise
        except BotFailureError as error:
            self.last_failure = safe_text(error)
            return error.kind
        except PatienceError:
            self.last_failure = f"it was not done after {self._limit:g} s"
            return "timeout"
        except BaseException as error:  # a bot may raise anything, even SystemExit
            self.last_failure = f"{type_name(error)}: {safe_text(error)}"
            return "crash"
        return ""
