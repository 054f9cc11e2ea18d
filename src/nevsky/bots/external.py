"""A bot that is a program of its own, in any language, over JSON lines (see docs/bots.md)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from nevsky.bots.guard import safe_text
from nevsky.bots.programs import BotFailureError, Program, give_back, split_command, take_program
from nevsky.bots.protocol import UNHURRIED, Suggestion
from nevsky.errors import NevskyError
from nevsky.rules.game import redeal
from nevsky.rules.view import View

__all__ = ["ExternalBot", "Introduction", "introduce", "time_limit"]

_MOST_STARTS: Final = 3
"""A program that fails so often to start is not started again in the same game."""
PATIENCE: Final = 60.0


def time_limit(milliseconds: int) -> float:
    """The seconds after which a decision is forfeited: a fifth and 50 ms more than what was asked for.

    >>> time_limit(200)
    0.29
    """
    return (milliseconds * 1.2 + 50) / 1000


def _prices(view: View) -> list[int | None]:
    """What each legal action costs that lays a card, None for any other."""
    guess = redeal(view, seed=0)  # a price depends on nothing that the seat does not know
    found = [guess.explain(text) for text in view.legal]
    return [None if price is None else price.price for price in found]


class Introduction(NamedTuple):
    """What a program says of itself."""

    name: str
    observes: bool
    """Whether it wants to be shown every change."""


def introduce(command: str) -> Introduction:
    """Start a program once to hear its name; one that cannot be played with raises."""
    words = split_command(command)
    try:
        program = take_program(words)
    except BotFailureError as error:
        raise NevskyError("bot.program_unplayable", program=words[0], why=error) from error
    give_back(program)
    return Introduction(program.name, program.observes)


class ExternalBot:
    """One seat of one game, played by a program.

    A question that it does not answer with a legal action in time raises `BotFailureError`. Whoever asks goes on
    with another action; the program is asked again at the next decision, and started anew where it ended or
    stayed silent for longer than ``patience`` seconds.
    """

    def __init__(
        self,
        command: str,
        seed: int | str = 0,
        *,
        introduction: Introduction | None = None,
        patience: float = PATIENCE,
        quiet: bool = True,
    ) -> None:
        self._words = split_command(command)
        self._seed = seed
        self._patience = patience
        self._quiet = quiet
        self._program: Program | None = None
        self._starts = 0
        self._computed: float | None = 0.0
        self._computed_before: float | None = 0.0
        self.playouts: int | None = None
        self.since: list[dict[str, Any]] = []
        """What the seat knows of the actions since its last decision: seat and text, None where that is secret."""
        known = introduction or introduce(command)
        self.name = known.name
        if known.observes:  # only then: views for somebody who does not look at them would cost time
            self.observe: Callable[[View], None] = self._observe

    def prepare(self, view: View) -> None:
        """Start the program and tell it of the game, so that its time begins when it can think."""
        self._ready(view)

    def waited(self) -> float:
        """Seconds for which the program was not let by a busy machine, since it began; 0 if there is none."""
        return 0.0 if self._program is None else self._program.waited()

    def computed(self) -> float | None:
        """Seconds of processor time since the program was told of the game, with what it started; None if unknown.

        What it does while others think counts, too. Where it was started again all of them count together.
        """
        if self._program is None or self._computed is None:
            return self._computed
        now = self._program.computed()
        return None if now is None or self._computed_before is None else self._computed + now - self._computed_before

    def decide(self, view: View, milliseconds: int) -> str:
        """What the program answers."""
        if not view.legal:
            raise NevskyError("bot.nothing_to_decide")
        program = self._ready(view)
        data = view.to_dict()
        question: dict[str, Any] = {"type": "decide", "milliseconds": milliseconds, "legal": data.pop("legal")}
        if self.playouts is not None:
            question["playouts"] = self.playouts
        question |= {"prices": _prices(view), "since": self.since}
        seconds = time_limit(milliseconds) if self.playouts is None else self._patience
        answer = self._asked(program, {**question, "view": data}, seconds)
        if "action" not in answer:
            raise BotFailureError("illegal", "bot.no_action", answer=safe_text(answer, 60))
        action = answer["action"]
        if not isinstance(action, str) or action not in view.legal:
            raise BotFailureError("illegal", "bot.program_illegal", action=repr(safe_text(action, 60)))
        return action

    def explain(self, view: View, milliseconds: int = UNHURRIED) -> list[Suggestion]:
        """Programs say what they do, not why."""
        if not view.legal:
            return []
        return [Suggestion(self.decide(view, milliseconds), None, None, "The program gives no reasons.")]

    def game_over(self, result: dict[str, Any]) -> None:
        """Tell the program how the game ended, and keep it for another one."""
        self._computed = self.computed()
        program, self._program = self._program, None
        if program is not None:
            with contextlib.suppress(BotFailureError):
                program.tell({"type": "game_over", "result": result})
            give_back(program, quiet=self._quiet)

    def _observe(self, view: View) -> None:
        data = view.to_dict()
        del data["legal"]
        self._told(self._ready(view), {"type": "observe", "view": data})

    def _ready(self, view: View) -> Program:
        if self._program is not None and self._program.silent() > self._patience:
            self._drop()
        if self._program is None:
            if self._starts >= _MOST_STARTS:
                raise BotFailureError("crash", "bot.no_restart")
            self._starts += 1
            self._program = take_program(self._words, quiet=self._quiet)
            self._starts = 0
            self._computed_before = self._program.computed()
            start = {"type": "new_game", "ruleset": view.ruleset.to_dict(), "seat": view.seat, "seed": str(self._seed)}
            self._told(self._program, start)
        return self._program

    def _told(self, program: Program, message: dict[str, Any]) -> None:
        try:
            program.tell(message)
        except BotFailureError:
            self._drop()
            raise

    def _asked(self, program: Program, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        try:
            return program.ask(question, seconds)
        except BotFailureError as error:
            if error.kind == "crash" or program.ended or (self.playouts is not None and error.kind == "timeout"):
                self._drop()
            raise

    def _drop(self) -> None:
        if self._program is not None:
            self._computed = self.computed()
            program, self._program = self._program, None
            program.stop(0.0)

    def __del__(self) -> None:
        if getattr(self, "_program", None) is not None:
            self.game_over({})
