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
from nevsky.errors import NevskyError
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
            found: object = self._asked(view, "to explain", lambda bot: bot.explain(view, milliseconds))
        except BotFailureError as failure:
            self._failed(failure, view, "to explain")
        if not isinstance(found, list) or not found:
            raise self.failure(view, "suggested nothing")
        for suggestion in found:
            if not isinstance(suggestion, Suggestion):
                raise self.failure(view, f"suggested {safe_text(suggestion)}, which is not a Suggestion")
            self._check(suggestion, view)
        if len({suggestion.action for suggestion in found}) != len(found):
            raise self.failure(view, "suggested an action twice")
        return found

    def check_pace(self, view: View) -> None:
        """Whether most of its decisions came in time; programs, which forfeit late ones, and playouts aside."""
        counted = getattr(self.bot, "playouts", None) is not None
        slow = self._own_limit and not counted and self.overruns * 2 > self.decisions >= _ENOUGH
        if slow:
            told = f"{self.overruns} of {self.decisions} decisions"
            raise self.failure(view, f"took much longer than {self.milliseconds} ms for {told}")

    def failure(self, view: View, what: str) -> NevskyError:
        """A sentence with where it happened."""
        return NevskyError(
            f"The bot {self.name} {what}: {view.ruleset.edition} edition, {view.ruleset.players} players,"
            f" market {view.ruleset.market}, modules {list(view.ruleset.modules)}, round {view.round},"
            f" {view.phase} phase, decision {view.due!r}, seat {view.seat}, legal {list(view.legal)}."
        )

    def _failed(self, failure: BotFailureError, view: View | None, task: str) -> NoReturn:
        cause = failure.__cause__
        if view is None:
            if isinstance(cause, NevskyError):
                raise cause
            if isinstance(cause, PatienceError):
                raise NevskyError(f"The bot is not made after {self._patience:g} s.") from cause
            assert cause is not None
            raise NevskyError(f"The bot cannot be made from a seed: {told_error(cause)}.") from cause
        if cause is None:
            raise self.failure(view, str(failure))
        if isinstance(cause, PatienceError):
            raise self.failure(view, f"was not done after {self._patience:g} s when asked {task}") from cause
        raise self.failure(view, f"raised {told_error(cause)} when asked {task}") from cause

    def _legal(self, answer: object, view: View) -> str:
        action = plain_text(answer)
        if action is None:
            raise BotFailureError("illegal", f"answered with a {type_name(answer)}, not with an action text")
        if action not in view.legal:
            raise BotFailureError("illegal", f"answered {safe_text(action, 60)!r}, which is not legal")
        return action

    def _asked(self, view: View, task: str, work: Callable[[Bot], _Done]) -> _Done:
        before = view.to_bytes()
        done = super()._asked(view, task, work)
        if view.to_bytes() != before:
            raise self.failure(view, f"changed the view when asked {task}")
        return done

    def _check(self, suggestion: Suggestion, view: View) -> None:
        action = safe_text(suggestion.action, 60)
        if plain_text(suggestion.action) not in view.legal:
            raise self.failure(view, f"suggested {action!r}, which is not legal")
        if suggestion.expected is not None and not isfinite(suggestion.expected):
            raise self.failure(view, f"expects a score of {suggestion.expected}")
        if suggestion.win is not None and not 0 <= suggestion.win <= 1:
            raise self.failure(view, f"sees a chance of {suggestion.win}, which is not from 0 to 1")
        if not suggestion.reason:
            raise self.failure(view, f"gave no reason for {action!r}")
