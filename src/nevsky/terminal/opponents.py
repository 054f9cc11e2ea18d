"""The other players: who they are, and how long one waits for them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, NamedTuple

from nevsky.bots import LEVELS, Bot, make_bot
from nevsky.bots.driver import Driver, play_on
from nevsky.bots.names import PEOPLE
from nevsky.bots.protocol import Suggestion
from nevsky.errors import NevskyError
from nevsky.record import result_dict
from nevsky.rules.game import Game
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import View, make_view

__all__ = ["DEFAULT_LEVEL", "Opponent", "Opponents", "at_level", "new_game", "opponent_names", "think_about"]

DEFAULT_LEVEL: Final = "medium"
_NOTICED: Final = 200
"""Milliseconds from which on it is worth saying that somebody thinks."""
_HINT: Final = 1000


class Opponent(NamedTuple):
    """What makes a bot for one game, and the time it gets for a decision."""

    make: Callable[[int | str], Bot]
    milliseconds: int
    name: str = ""
    """As it sits at the table; otherwise a name of the time is found for it."""


def at_level(level: str) -> Opponent:
    """A bot of this level.

    >>> at_level("hard").milliseconds
    500
    >>> at_level("tsar")
    Traceback (most recent call last):
    nevsky.errors.NevskyError: There is no level 'tsar': choose easy, medium, hard or master.
    """
    if level not in LEVELS:
        *others, last = LEVELS
        raise NevskyError("bot.level", level=repr(level), others=", ".join(others), last=last)
    return Opponent(partial(make_bot, level), LEVELS[level].milliseconds)


def new_game(ruleset: Ruleset, seed: str | None, name: str, opponents: Sequence[Opponent] = ()) -> Game:
    """A game for one person, who sits on seat 0, and opponents."""
    if not name.isprintable():
        raise NevskyError("game.name_printable")
    short_seed = seed if seed is not None else secrets.token_hex(4)  # short enough to be typed again
    found = opponent_names(ruleset.players - 1, short_seed, name)
    named = [opponent.name for opponent in opponents] + [""] * (len(found) - len(opponents))
    return Game(ruleset, short_seed, seats=[name, *(own or other for own, other in zip(named, found, strict=True))])


def opponent_names(number: int, seed: str, taken: str) -> list[str]:
    """Names for the opponents, none of them like the person's own."""
    names = [name for name in PEOPLE if name.casefold() != taken.strip().casefold()]
    order = list(range(len(names)))
    Rng.of(seed, "names").shuffle(order)
    return [names[i] for i in order[:number]]


def think_about(view: View) -> list[Suggestion]:
    """What the best bot would do, best first; the same whenever it is asked."""
    best = list(LEVELS)[-1]
    return Driver(partial(make_bot, best), "advice", milliseconds=_HINT).explain(view, _HINT)


class Opponents:
    """The bots on all seats but the person's; those that nobody chose play at the usual level."""

    def __init__(self, game: Game, seat: int, chosen: Sequence[Opponent], waiting: Callable[[str], None]) -> None:
        self._game = game
        seats = [(seat + i) % game.ruleset.players for i in range(1, game.ruleset.players)]
        usual = [at_level(DEFAULT_LEVEL)] * (len(seats) - len(chosen))
        self._chosen = dict(zip(seats, [*chosen, *usual], strict=True))
        self._answers: dict[bytes, str] = {}
        self._waiting = waiting
        self._drivers = self._seated()

    def _seated(self) -> dict[int, Driver]:
        return {
            seat: _Steady(self, opponent, f"{self._game.seed}-{seat}", self._game.seats[seat])
            for seat, opponent in self._chosen.items()
        }

    def play_on(self) -> None:
        """Until the person has a choice or the game is over."""
        play_on(self._game, self._drivers)
        if self._game.over:
            for driver in self._drivers.values():
                driver.game_over(result_dict(self._game) or {})

    def rewind(self) -> None:
        """After decisions were taken back: new bots, which are shown what has happened up to here."""
        before = self._drivers
        self._drivers = self._seated()
        for seat, driver in self._drivers.items():  # their answers stay, and so do their failures
            driver.forfeits.update(before[seat].forfeits)
            driver.last_failure = driver.last_failure or before[seat].last_failure
        for position in (self._game.start_position, *(after for _, after in self._game.replay())):
            for seat, driver in self._drivers.items():
                driver.observe(make_view(position, self._game.ruleset, seat))

    def failures(self) -> list[tuple[int, int, str]]:
        """Seats whose bots failed, how many decisions that cost them, and the last reason."""
        return [
            (seat, driver.forfeits.total(), driver.last_failure)
            for seat, driver in self._drivers.items()
            if driver.forfeits
        ]

    def answer(self, driver: Driver, view: View, decide: Callable[[View], str]) -> str:
        """What a bot decides; the same question has the same answer also after an undo."""
        key = view.to_bytes()
        if key not in self._answers:
            with self._announced(driver):
                self._answers[key] = decide(view)
        return self._answers[key]

    @contextmanager
    def _announced(self, driver: Driver) -> Iterator[None]:
        slow = driver.milliseconds >= _NOTICED
        if slow:
            self._waiting(driver.name)
        try:
            yield
        finally:
            if slow:
                self._waiting("")


class _Steady(Driver):
    """A driver at a table where decisions can be taken back."""

    def __init__(self, table: Opponents, opponent: Opponent, seed: str, name: str) -> None:
        self._table = table
        super().__init__(opponent.make, seed, milliseconds=opponent.milliseconds, name=name)

    def decide(self, view: View) -> str:
        return self._table.answer(self, view, super().decide)
