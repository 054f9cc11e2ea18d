"""A bot that is being checked: whatever it does wrong raises with a sentence."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from time import perf_counter
from typing import Any, Final, TypeVar

from nevsky.bots.external import ExternalBot
from nevsky.bots.guard import (
    MAKING,
    PatienceError,
    guarded,
    overrun,
    plain_text,
    safe_text,
    told_error,
    type_name,
    usual_patience,
)
from nevsky.bots.loading import check_name
from nevsky.bots.protocol import Bot, Suggestion
from nevsky.errors import NevskyError
from nevsky.rules.view import View

__all__ = ["CheckedBot"]

_ENOUGH: Final = 10
"""Decisions from which on it can be said that a bot is slow, and not the machine for a moment."""
_Done = TypeVar("_Done")


class CheckedBot:
    """One seat of a game that is played for a check."""

    def __init__(
        self, make: Callable[[int | str], Bot], seed: int | str, milliseconds: int, patience: float | None
    ) -> None:
        self.milliseconds = milliseconds
        making = max(patience or usual_patience(milliseconds, counted=False), MAKING)
        self._bot, self.name, self._watch = self._made(make, seed, making)
        self._counted = getattr(self._bot, "playouts", None) is not None
        self._patience = patience or usual_patience(milliseconds, counted=self._counted)
        self._own_limit = not isinstance(self._bot, ExternalBot)
        self._decisions = 0
        self._overruns = 0

    @staticmethod
    def _made(make: Callable[[int | str], Bot], seed: int | str, seconds: float) -> tuple[Bot, str, Any]:
        try:
            with guarded(seconds):
                bot = make(seed)
                return bot, check_name(bot.name), getattr(bot, "observe", None)
        except (KeyboardInterrupt, NevskyError):
            raise
        except PatienceError as error:
            raise NevskyError(f"The bot is not made after {seconds:g} s.") from error
        except BaseException as error:
            raise NevskyError(f"The bot cannot be made from a seed: {told_error(error)}.") from error

    @property
    def watches(self) -> bool:
        """Whether it wants to be shown every change."""
        return callable(self._watch)

    def decide(self, view: View) -> str:
        """Its action, which is legal."""
        start = perf_counter()
        answer: object = self._asked(view, "to decide", lambda: self._bot.decide(view, self.milliseconds))
        self._decisions += 1
        self._overruns += overrun((perf_counter() - start) * 1000, self.milliseconds)
        action = plain_text(answer)
        if action is None:
            raise self.failure(view, f"answered with a {type_name(answer)}, not with an action text")
        if action not in view.legal:
            raise self.failure(view, f"answered {safe_text(action, 60)!r}, which is not legal")
        return action

    def observe(self, view: View) -> None:
        """Show it what its seat sees."""
        self._asked(view, "to observe", lambda: self._watch(view))

    def explain(self, view: View) -> None:
        """Ask it for reasons."""
        found: object = self._asked(view, "to explain", lambda: self._bot.explain(view, self.milliseconds))
        if not isinstance(found, list) or not found:
            raise self.failure(view, "suggested nothing")
        for suggestion in found:
            if not isinstance(suggestion, Suggestion):
                raise self.failure(view, f"suggested {safe_text(suggestion)}, which is not a Suggestion")
            self._check(suggestion, view)
        if len({suggestion.action for suggestion in found}) != len(found):
            raise self.failure(view, "suggested an action twice")

    def check_pace(self, view: View) -> None:
        """Whether most of its decisions came in time; programs, which forfeit late ones, and playouts aside."""
        slow = self._own_limit and not self._counted and self._overruns * 2 > self._decisions >= _ENOUGH
        if slow:
            told = f"{self._overruns} of {self._decisions} decisions"
            raise self.failure(view, f"took much longer than {self.milliseconds} ms for {told}")

    def failure(self, view: View, what: str) -> NevskyError:
        """A sentence with where it happened."""
        return NevskyError(
            f"The bot {self.name} {what}: {view.ruleset.edition} edition, {view.ruleset.players} players,"
            f" market {view.ruleset.market}, modules {list(view.ruleset.modules)}, round {view.round},"
            f" {view.phase} phase, decision {view.due!r}, seat {view.seat}, legal {list(view.legal)}."
        )

    def _asked(self, view: View, task: str, work: Callable[[], _Done]) -> _Done:
        before = view.to_bytes()
        start = perf_counter()
        try:
            with guarded(self._patience if self._own_limit else None):
                done = work()
        except KeyboardInterrupt:
            raise
        except PatienceError as error:
            raise self._late(view, task) from error
        except BaseException as error:
            raise self.failure(view, f"raised {told_error(error)} when asked {task}") from error
        if self._own_limit and perf_counter() - start > self._patience:  # nobody could interrupt it
            raise self._late(view, task)
        if view.to_bytes() != before:
            raise self.failure(view, f"changed the view when asked {task}")
        return done

    def _late(self, view: View, task: str) -> NevskyError:
        return self.failure(view, f"was not done after {self._patience:g} s when asked {task}")

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
