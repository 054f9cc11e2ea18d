"""One bot on one seat of one game: views go in, action texts come out, and one rule holds for whatever goes wrong."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from nevsky.bots.external import ExternalBot
from nevsky.bots.guard import (
    MAKING,
    PatienceError,
    guarded,
    overrun,
    plain_text,
    safe_text,
    type_name,
    usual_patience,
)
from nevsky.bots.programs import BotFailureError
from nevsky.bots.protocol import UNHURRIED, Bot, Suggestion
from nevsky.bots.waiting import own_waiting
from nevsky.rules.game import Game
from nevsky.rules.rng import Rng
from nevsky.rules.view import View
from nevsky.telling import HIDDEN, UNNAMED, Telling

__all__ = ["FAILURES", "Driver", "StrictDriver", "limit_playouts", "play_on", "show"]

FAILURES: Final = ("timeout", "crash", "illegal", "garbage")
"""Why a decision is forfeited."""
_Done = TypeVar("_Done")


class Driver:
    """Plays like its bot. A decision that the bot does not make is forfeited to a random legal one.

    The bot is made once, from the seed, and may remember what it saw in this game. There need not be a `Game` at
    hand: whoever has one shows views to drivers that observe, and asks for decisions with views of the deciding seat.

    >>> from nevsky.bots import make_bot
    >>> game = Game(seed=1)
    >>> driver = Driver(lambda seed: make_bot("novice", seed), "neva", milliseconds=50)
    >>> driver.decide(game.view(game.to_move, memory=True)) in game.view(game.to_move).legal
    True
    """

    def __init__(
        self,
        make: Callable[[int | str], Bot],
        seed: int | str,
        *,
        milliseconds: int,
        patience: float | None = None,
        name: str = "",
        clocked: bool = True,
        memory: bool = True,
    ) -> None:
        self.memory = memory
        """Whether it is given what somebody remembers who saw everything: rubles, changes, and actions of others."""
        self.name = name
        """As the bot calls itself, unless it was given another one."""
        self.milliseconds = milliseconds
        """What the bot is asked to take for a decision."""
        self.bot: Bot | None = None
        """None if it could not even be made."""
        self.decisions = 0
        self.forfeits: Counter[str] = Counter()
        """How many decisions were forfeited, by the kind of failure."""
        self.last_failure = ""
        self.time_taken = 0.0
        """Milliseconds, all in all."""
        self._processor = 0.0
        self.longest = 0.0
        self.overruns = 0
        self._clocked = clocked
        self._rng = Rng.of(seed, "forfeit")
        self._watch: Callable[[View], object] | None = None
        self._seen = b""
        self._begun = False
        self._telling: Telling | None = None
        self._heard = 0
        self._counted = False
        self._patience = max(patience or usual_patience(milliseconds, counted=False), MAKING)
        self._own_limit = True
        try:
            self._call(lambda: self._seat(make(seed)))
        except BotFailureError as failure:
            self._failed(failure, None, "make")
        self._patience = patience or usual_patience(milliseconds, counted=self._counted)
        self._own_limit = not isinstance(self.bot, ExternalBot)  # a program's time is limited where it is asked

    def _seat(self, bot: Bot) -> None:
        watch = getattr(bot, "observe", None)
        self._counted = getattr(bot, "playouts", None) is not None
        self.name = self.name or safe_text(bot.name)
        self._watch = watch if callable(watch) else None
        self.bot = bot

    @property
    def processor(self) -> float | None:
        """Milliseconds of processor time, all in all: of this process, or of a program; None where nobody can tell."""
        if not isinstance(self.bot, ExternalBot):
            return self._processor
        seconds = self.bot.computed()
        return None if seconds is None else seconds * 1000

    @property
    def waits(self) -> bool:
        """Whether its bot would like to hear that the game begins."""
        return not self._begun and isinstance(self.bot, ExternalBot)

    @property
    def observes(self) -> bool:
        """Whether its bot wants to be shown every change, and may be."""
        return self.memory and self._watch is not None

    def observe(self, view: View) -> None:
        """Show the bot what its seat sees; the view is the bot's to keep or to spoil.

        A view that is as before is not shown again: that something was decided at all can be a secret (12.2).
        A failure is remembered, but costs no decision.
        """
        watch = self._watch
        if watch is None:
            return
        seen = view.to_bytes()
        if seen == self._seen:
            return
        self._seen = seen
        start, used = time.perf_counter(), time.process_time()
        try:
            self._asked(view, "observe", lambda _: watch(view))
        except BotFailureError as failure:
            self._failed(failure, view, "observe")
        self.time_taken += (time.perf_counter() - start) * 1000
        self._processor += (time.process_time() - used) * 1000

    def decide(self, view: View) -> str:
        """The bot's action, or a random one if it fails."""
        self.decisions += 1
        start, used = time.perf_counter(), time.process_time()
        waited = self._waited()
        failure: BotFailureError | None = None
        try:
            start = self._prepared(view, start)
            waited = self._waited()
            action = self._legal(self._asked(view, "decide", lambda bot: bot.decide(view, self.milliseconds)), view)
        except BotFailureError as error:
            failure = error
        passed = time.perf_counter() - start
        taken = max(0.0, passed - max(0.0, self._waited() - waited)) * 1000
        self.time_taken += taken
        self._processor += (time.process_time() - used) * 1000
        self.longest = max(self.longest, taken)
        self.overruns += self._clocked and overrun(taken, self.milliseconds)
        if failure is None:
            return action
        self._failed(failure, view, "decide")
        self.forfeits[failure.kind] += 1
        return view.legal[self._rng.below(len(view.legal))]

    def _waited(self) -> float:
        """Seconds for which whoever thinks was not let by a busy machine; the same clock for all kinds of bots."""
        if not self._clocked:
            return 0.0
        return self.bot.waited() if isinstance(self.bot, ExternalBot) else own_waiting()

    def begin(self, view: View) -> None:
        """The game begins: a program is started and told of it before anybody asks; if it fails that shows later."""
        if not self._begun:
            self._begun = True
            with contextlib.suppress(BotFailureError):
                self._prepared(view, 0.0)

    def hear(self, game: Game, seat: int) -> None:
        """Before a decision: a program is told which actions it could see since its last one."""
        bot = self.bot
        if not isinstance(bot, ExternalBot) or not self.memory:
            return
        if self._telling is None or game.made < self._telling.number:
            self._telling = Telling(game)
        telling = self._telling
        telling.catch_up(game)
        new = [(facts, telling.secrecy(facts, seat)) for facts in telling.moves[self._heard :]]
        bot.since = [
            {"seat": facts.move.seat, "action": None if secret == UNNAMED else facts.move.action.text}
            for facts, secret in new
            if secret != HIDDEN
        ]
        self._heard = telling.number + 1  # the decision that comes now is its own

    def _prepared(self, view: View, start: float) -> float:
        """When the time of a decision began to count: starting a program is not thinking."""
        bot = self.bot
        if not isinstance(bot, ExternalBot):
            return start
        self._call(lambda: bot.prepare(view))
        return time.perf_counter()

    def explain(self, view: View, milliseconds: int = UNHURRIED) -> list[Suggestion]:
        """What the bot thinks of its legal actions, best first; nothing if it fails."""
        try:
            found: object = self._asked(view, "explain", lambda bot: bot.explain(view, milliseconds))
        except BotFailureError as failure:
            self._failed(failure, view, "explain")
            return []
        if not isinstance(found, list):
            return []
        return [entry for entry in found if isinstance(entry, Suggestion) and plain_text(entry.action) in view.legal]

    def game_over(self, result: dict[str, Any]) -> None:
        """Tell a program how the game ended; it can then be used for another one."""
        if isinstance(self.bot, ExternalBot):
            self.bot.game_over(result)

    def _failed(self, failure: BotFailureError, view: View | None, task: str) -> None:  # noqa: ARG002
        """What becomes of a failure: here it is only remembered."""
        self.last_failure = str(failure)

    def _legal(self, answer: object, view: View) -> str:
        action = plain_text(answer)
        if action is None:
            raise BotFailureError("illegal", "bot.answer_type", type=type_name(answer))
        if action not in view.legal:
            raise BotFailureError("illegal", "bot.answer_illegal", action=repr(safe_text(action, 60)))
        return action

    def _asked(self, view: View, task: str, work: Callable[[Bot], _Done]) -> _Done:  # noqa: ARG002
        bot = self.bot
        if bot is None:
            raise BotFailureError("crash", "bot.told", told=self.last_failure)
        return self._call(lambda: work(bot))

    def _call(self, work: Callable[[], _Done]) -> _Done:
        """Do something of the bot's; whatever goes wrong is a `BotFailureError`."""
        limit = self._patience if self._own_limit else None
        start = time.perf_counter()
        try:
            with guarded(limit):
                done = work()
        except KeyboardInterrupt:
            raise
        except BotFailureError as error:
            raise BotFailureError(error.kind, "bot.told", told=safe_text(error)) from error
        except PatienceError as error:
            raise BotFailureError("timeout", "bot.not_done", seconds=limit) from error
        except BaseException as error:  # a bot may raise anything, even SystemExit
            raise BotFailureError("crash", "bot.raised", error=type_name(error), told=safe_text(error)) from error
        if limit is not None and time.perf_counter() - start > limit:  # nobody could interrupt it
            raise BotFailureError("timeout", "bot.not_done", seconds=limit) from PatienceError()
        return done


class StrictDriver(Driver):
    """Raises `BotFailureError` where others forfeit: for games in which a bot that fails would spoil everything."""

    def _failed(self, failure: BotFailureError, view: View | None, task: str) -> None:
        super()._failed(failure, view, task)
        raise failure


def limit_playouts(make: Callable[[int | str], Bot], playouts: int | None) -> Callable[[int | str], Bot]:
    """Makes the same bots; those that search count playouts instead of time, if there is a number.

    A bot that was made with a number of its own keeps it.
    """

    def limited(seed: int | str) -> Bot:
        bot = make(seed)
        if playouts is not None and hasattr(bot, "playouts") and bot.playouts is None:
            bot.playouts = playouts
        return bot

    return limited


def show(game: Game, drivers: Mapping[int, Driver]) -> None:
    """Let those that observe see what is new on their seats."""
    for seat, driver in drivers.items():
        if driver.waits:
            driver.begin(game.view(seat))
        if driver.observes:
            driver.observe(game.view(seat))


def play_on(game: Game, drivers: Mapping[int, Driver], *, forced: bool = True) -> None:
    """Play until somebody without a driver has a choice, or the game is over.

    Decisions that leave no choice are made one by one, as those that observe may see something in between; with
    ``forced`` also those of seats without a driver.
    """
    while (seat := game.to_move) is not None:
        show(game, drivers)
        legal = game.legal_ids
        if len(legal) == 1 and (forced or seat in drivers):
            game.push_auto(legal[0])
        elif seat in drivers:
            drivers[seat].hear(game, seat)
            game.push(drivers[seat].decide(game.view(seat, memory=drivers[seat].memory)))
        else:
            return
    show(game, drivers)
