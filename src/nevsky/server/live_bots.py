"""In a worker process: the bots that live there, one for each seat that a bot plays.

A bot gets views of its seat and nothing else. What it remembers is never the only copy: one that is missing, because
its process died or too many others came since, is made anew and shown the whole game as its seat saw it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from nevsky.rules.rng import Rng
from nevsky.rules.view import View

if TYPE_CHECKING:
    from nevsky.bots.driver import Driver
    from nevsky.bots.protocol import Suggestion

__all__ = ["BotAnswer", "BotCall", "Fixed", "LiveBots", "decide", "explain", "release"]

_MOST: Final = 200
"""Bots that live in one process; the one that was asked longest ago makes room."""
_PATIENCE: Final = 600.0
"""Seconds for a decision in which the clock has no say; whoever waits for it loses patience first."""


class Fixed(NamedTuple):
    """A decision that has to be the same whoever makes it, wherever and however often: nothing is remembered for it."""

    seed: str
    playouts: int
    """Descents, for a bot that searches."""

    def choice(self, legal: Sequence[str]) -> str:
        """Any action, and the same one for everybody: where nobody is able to think."""
        return legal[Rng.of(self.seed, "anything").below(len(legal))]


class BotCall(NamedTuple):
    """A decision that a bot is asked for."""

    bot: str
    """The id of the bot, also its seed: it belongs to one seat of one game."""
    level: str
    milliseconds: int
    view: View
    news: tuple[View, ...] = ()
    """What the seat has seen since the last call, for a bot that observes."""
    whole: bool = False
    """The news are all that the seat has seen since the start of the game."""
    after: int | None = None
    """How much a bot that observes must have been shown before the news: one that missed something, since it thought
    elsewhere in the meantime, has to see it all again. None: as much as it was."""
    fixed: Fixed | None = None
    """For deals that everybody plays alike: neither the clock nor the bot's own luck has a say."""


class BotAnswer(NamedTuple):
    """What came of it."""

    action: str | None
    """None: the bot observes, and has to be shown the whole game first."""
    failure: str = ""
    """Why the action is not the bot's own."""


class _Living:
    """A bot that lives here."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.shown = 0
        """How many views it was shown, equal ones in a row included."""

    def lags(self, after: int | None) -> bool:
        return self.driver.observes and after is not None and after != self.shown


class LiveBots:
    """The bots of one process."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._bots: OrderedDict[str, _Living] = OrderedDict()

    def __len__(self) -> int:
        return len(self._bots)

    def decide(self, call: BotCall) -> BotAnswer:
        """Let a bot decide; one that is not here is made."""
        if call.fixed is not None:
            return _answer(_fixed_driver(call.level, call.fixed), call.view)
        living = None if call.whole else self._bots.get(call.bot)
        if living is None or living.lags(call.after):
            living = _Living(_driver(call.level, call.bot, call.milliseconds))
            if living.driver.observes and not call.whole:
                return BotAnswer(None)
        self._bots[call.bot] = living
        self._bots.move_to_end(call.bot)
        while len(self._bots) > self._most:
            self._bots.popitem(last=False)
        driver = living.driver
        for view in call.news:
            driver.observe(view)
        living.shown += len(call.news)
        return _answer(driver, call.view)

    def release(self, bot: str) -> None:
        """A bot is not needed any more."""
        self._bots.pop(bot, None)


def _answer(driver: Driver, view: View) -> BotAnswer:
    failures = driver.forfeits.total()
    action = driver.decide(view)
    return BotAnswer(action, driver.last_failure if driver.forfeits.total() > failures else "")


def _fixed_driver(level: str, fixed: Fixed) -> Driver:
    from nevsky.bots import LEVELS, make_bot
    from nevsky.bots.driver import Driver, limit_playouts

    make = limit_playouts(partial(make_bot, level), fixed.playouts)
    return Driver(make, fixed.seed, milliseconds=LEVELS[level].milliseconds, patience=_PATIENCE, clocked=False)


def _driver(level: str, seed: str, milliseconds: int) -> Driver:
    from nevsky.bots import LEVELS, make_bot
    from nevsky.bots.driver import Driver

    return Driver(partial(make_bot, level), seed, milliseconds=min(milliseconds, LEVELS[level].milliseconds))


_here: Final = LiveBots()


def decide(call: BotCall) -> BotAnswer:
    """Let a bot of this process decide."""
    return _here.decide(call)


def release(bot: str) -> None:
    """Let a bot of this process go."""
    _here.release(bot)


def explain(level: str, view: View, milliseconds: int) -> list[Suggestion]:
    """What a bot would advise the player of a seat; it has no part in the game itself.

    Its seed is the same for everybody, so that the same view has the same answer.
    """
    driver = _driver(level, "advice", milliseconds)
    found = driver.explain(view, milliseconds)
    if not found:
        raise RuntimeError(driver.last_failure or "The bot has no advice.")
    return found
