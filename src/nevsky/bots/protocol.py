"""What a bot is: it gets a view and answers with one of its legal actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from nevsky.rules.view import View

if TYPE_CHECKING:
    from nevsky.bots.reasons import Reason

__all__ = ["UNHURRIED", "Bot", "Comparison", "Suggestion"]

UNHURRIED: Final = 1000
"""The milliseconds that our bots take to explain themselves if nobody says otherwise."""


class Comparison(NamedTuple):
    """What became of an action beside the best one, when both were played out equally often in the same deals."""

    behind: float
    """Points at the end of the game that are worth as much as what it costs to take it instead of the best action."""
    doubt: float
    """By how much this may be wrong (95 %)."""
    close: bool
    """Whether it may be as good as the best action, like all that stand before it."""
    chances: tuple[float, ...]
    """The chance to win of every seat, from 0 to 1."""
    playouts: int
    thorough: bool
    """False if time ran out before it was played out as often as planned."""


class Suggestion(NamedTuple):
    """What a bot thinks of one legal action."""

    action: str
    expected: float | None
    """The final score it expects after this action, if it estimates one."""
    win: float | None
    """The chance to win, from 0 to 1, if it estimates one."""
    reason: str
    """One short English sentence."""
    why: Reason | None = None
    """The same for other languages, if the bot has it."""
    comparison: Comparison | None = None
    """If the bot compares actions with each other."""


class Bot(Protocol):
    """A player. It never sees the game, only what its seat may know.

    A bot keeps to the time it is given as well as it can; ``milliseconds`` is a wish, not a deadline.
    It is made from a seed for one seat of one game and may remember what it saw there.

    Two things are looked for and may be missing. ``observe(view)`` is told the view of its seat at the start and
    whenever it changes, whoever acted: enough to count rubles that the table keeps secret. A bot that searches
    may have an attribute ``playouts``, None at first; a number set there replaces the clock, so that games can be
    repeated exactly.
    """

    @property
    def name(self) -> str:
        """The name in the registry."""

    def decide(self, view: View, milliseconds: int) -> str:
        """One of ``view.legal``."""

    def explain(self, view: View, milliseconds: int = UNHURRIED) -> list[Suggestion]:
        """The best legal actions, best first."""
