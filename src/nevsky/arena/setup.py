"""Everything that decides how an arena's games go: the same setup gives the same games."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from nevsky._version import __version__
from nevsky.arena.budgets import check_budget
from nevsky.arena.entrants import Entrant
from nevsky.arena.schedule import Schedule, make_schedule
from nevsky.bots.guard import usual_patience
from nevsky.rules.ruleset import RULES_VERSION, Ruleset

__all__ = ["Setup", "make_setup"]

MILLISECONDS: Final = 200


class Setup(NamedTuple):
    """What is played. Plain data, so that it can be sent to other processes and machines."""

    entrants: tuple[Entrant, ...]
    ruleset: Ruleset
    schedule: Schedule
    seed: str
    milliseconds: int
    """What a bot is told, also with playouts, in case it does not count them."""
    playouts: int | None
    patience: float
    """Seconds after which a bot that says nothing is given up."""
    records: bool

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the entrants."""
        return tuple(entrant.label for entrant in self.entrants)

    def to_dict(self) -> dict[str, Any]:
        """The configuration as it stands in the head of the results; how many games is not part of it."""
        return {
            "version": __version__,
            "rules": RULES_VERSION,
            "ruleset": self.ruleset.to_dict(),
            "bots": [entrant.to_dict() for entrant in self.entrants],
            "matchups": self.schedule.matchups,
            "seed": self.seed,
            "milliseconds": None if self.playouts is not None else self.milliseconds,
            "playouts": self.playouts,
            "patience": self.patience,
            "records": self.records,
        }


def make_setup(
    entrants: tuple[Entrant, ...],
    ruleset: Ruleset,
    games: int,
    *,
    seed: int | str = 0,
    milliseconds: int | None = None,
    playouts: int | None = None,
    patience: float | None = None,
    form: str = "",
    both_ways: bool | None = None,
    records: bool = False,
) -> Setup:
    """A setup, checked; without a budget a decision has 200 ms."""
    check_budget(milliseconds, playouts, patience)
    schedule = make_schedule(len(entrants), ruleset.players, games, form, both_ways)
    wish = milliseconds if milliseconds is not None else MILLISECONDS
    if patience is None:
        longest = max([wish, *(entrant.milliseconds or 0 for entrant in entrants)])
        counted = playouts is not None or any(entrant.playouts is not None for entrant in entrants)
        patience = usual_patience(longest, counted=counted)
    if playouts is not None:
        wish = min(wish, int(patience * 1000))
    return Setup(entrants, ruleset, schedule, str(seed), max(1, wish), playouts, patience, records)
