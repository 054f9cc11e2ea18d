"""How well policy weights do, update by update: as lines of JSON and as a plot."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from nevsky.arena.svg import courses, standalone
from nevsky.training.curves import read_lines
from nevsky.training.home import PolicyHome

__all__ = ["Update", "Updates"]

_MOST_POINTS: Final = 60


class Update(NamedTuple):
    """An update, as it is kept."""

    update: int
    games: int
    """Games up to now."""
    winning_score: float
    """The winner's score on average."""
    seconds: float
    win_rate: float | None = None
    """Of the averaged weights against the plain heuristic policy, where it was measured."""


class Updates:
    """What has been learned so far in a directory."""

    def __init__(self, home: PolicyHome, number: int) -> None:
        """Go on after so many updates; what was written of later ones is forgotten."""
        self._home = home
        self.updates = [each for each in read_lines(home.updates, Update) if each.update <= number]
        self._home.write(home.updates, "".join(f"{_line(each)}\n" for each in self.updates).encode())

    def add(self, update: Update) -> None:
        """Keep an update."""
        self.updates.append(update)
        self._home.append(self._home.updates, _line(update))

    def draw(self) -> None:
        """Draw the plot."""
        rates = [100 * each.win_rate for each in self.updates if each.win_rate is not None]
        panels = [
            ("The winner's score", [_thinned([each.winning_score for each in self.updates])]),
            ("Wins against the plain heuristic policy, in %", [rates]),
        ]
        label = f"updates 1 to {self.updates[-1].update}" if self.updates else ""
        self._home.write(self._home.plot, standalone(courses(panels, [label], "What the policy learned")).encode())


def _line(update: Update) -> str:
    return json.dumps({name: value for name, value in update._asdict().items() if value is not None})


def _thinned(values: Sequence[float]) -> list[float]:
    """The mean of values next to each other where there are more values than a plot can show."""
    size = -(-len(values) // _MOST_POINTS) or 1
    groups = [values[at : at + size] for at in range(0, len(values), size)]
    return [sum(group) / len(group) for group in groups]
