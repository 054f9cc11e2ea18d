"""A bot that is being checked: whatever it does wrong raises with a sentence."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Final, NoReturn, TypeVar

from nevsky.bots.driver import Driver
from nevsky.bots.guard import PatienceError, plain_text, safe_text, told_error, type_name
from nevsky.bots.loading import check_name
from nevsky.bots.programs import BotFailureError
from nevsky.bots.protocol import UNHURRIED, Bot, Suggestion
from nevsky.errors import NevskyError, Words
from nevsky.rules.view import View

__all__ = ["CheckedBot"]

_ENOUGH: Final = 10
"""Decisions from which on it can be said that a bot is slow, and not the machine for a moment."""
_Done = TypeVar("_Done")


class CheckedBot(Driver):
    """One seat of a game that is played for a check."""

    def _seat(self, bot: Bot) -> None:
        super()._seat(bot)
        self.name = check_name(bot.name)

    def explain(self, view: View, milliseconds: int = UNHURRIED) -> list[Suggestion]:
        """Its suggestions, every one of them checked."""
        try:
            found: object = self._asked(view, "explain", lambda bot: bot.explain(view, milliseconds))
        except BotFailureError as failure:
            self._failed(failure, view, "explain")
        if not isinstance(found, list) or not found:
            raise self.failure(view, Words("bot.check.nothing"))
        for suggestion in found:
            if not isinstance(suggestion, Suggestion):
                raise self.failure(view, Words("bot.check.no_suggestion", value=safe_text(suggestion)))
            self._check(suggestion, view)
        if len({suggestion.action for suggestion in found}) != len(found):
            raise self.failure(view, Words("bot.check.twice"))
        return found

    def check_pace(self, view: View) -> None:
        """Whether most of its decisions came in time; programs, which forfeit late ones, and playouts aside."""
        counted = getattr(self.bot, "playouts", None) is not None
        slow = self._own_limit and not counted and self.overruns * 2 > self.decisions >= _ENOUGH
        if slow:
            late = Words("bot.check.slow", time=self.milliseconds, late=self.overruns, number=self.decisions)
            raise self.failure(view, late)

    def failure(self, view: View, what: Words | NevskyError) -> NevskyError:
        """A sentence with where it happened."""
        return NevskyError(
            "bot.check",
            name=self.name,
            what=what,
            edition=view.ruleset.edition,
            players=view.ruleset.players,
            market=view.ruleset.market,
            modules=list(view.ruleset.modules),
            round=view.round,
            phase=view.phase,
            due=repr(view.due),
            seat=view.seat,
            legal=list(view.legal),
        )

    def _failed(self, failure: BotFailureError, view: View | None, task: str) -> NoReturn:
        cause = failure.__cause__
        if view is None:
            if isinstance(cause, NevskyError):
                raise cause
            if isinstance(cause, PatienceError):
                raise NevskyError("bot.unmade_after", seconds=self._patience) from cause
            assert cause is not None
            raise NevskyError("bot.unmade", error=told_error(cause)) from cause
        if cause is None:
            raise self.failure(view, failure)
        if isinstance(cause, PatienceError):
            late = Words("bot.check.late", seconds=self._patience, task=Words(f"bot.task.{task}"))
            raise self.failure(view, late) from cause
        raised = Words("bot.check.raised", error=told_error(cause), task=Words(f"bot.task.{task}"))
        raise self.failure(view, raised) from cause

    def _legal(self, answer: object, view: View) -> str:
        action = plain_text(answer)
        if action is None:
            raise BotFailureError("illegal", "bot.check.answer_type", type=type_name(answer))
        if action not in view.legal:
            raise BotFailureError("illegal", "bot.check.answer_illegal", action=repr(safe_text(action, 60)))
        return action

    def _asked(self, view: View, task: str, work: Callable[[Bot], _Done]) -> _Done:
        before = view.to_bytes()
        done = super()._asked(view, task, work)
        if view.to_bytes() != before:
            raise self.failure(view, Words("bot.check.view", task=Words(f"bot.task.{task}")))
        return done

    def _check(self, suggestion: Suggestion, view: View) -> None:
        action = safe_text(suggestion.action, 60)
        if plain_text(suggestion.action) not in view.legal:
            raise self.failure(view, Words("bot.check.illegal", action=repr(action)))
        if suggestion.expected is not None and not isfinite(suggestion.expected):
            raise self.failure(view, Words("bot.check.expected", score=suggestion.expected))
        if suggestion.win is not None and not 0 <= suggestion.win <= 1:
            raise self.failure(view, Words("bot.check.chance", chance=suggestion.win))
        if not suggestion.reason:
            raise self.failure(view, Words("bot.check.reason", action=repr(action)))
