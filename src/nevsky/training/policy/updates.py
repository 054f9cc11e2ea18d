"""How well habits do, update by update: as lines of JSON and as a plot."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from nevsky.arena.svg import courses, standalone
from nevsky.training.curves import read_lines
from nevsky.training.home import PolicyHome

__all__ = ["Step", "Steps"]

_MOST_POINTS: Final = 60


class Step(NamedTuple):
    """An update, as it is kept."""

    update: int
    games: int
    """Games up to now."""
    winning_score: float
    """The winner's score on average."""
    seconds: float
    win_rate: float | None = None
    """Of the averaged habits against the plain instinct, where it was measured."""


class Steps:
    """What has been learned so far in a directory."""

    def __init__(self, home: PolicyHome, number: int) -> None:
        """Go on after so many updates; what was written of later ones is forgotten."""
        self._home = home
        self.steps = [step for step in read_lines(home.steps, Step) if step.update <= number]
        self._home.write(home.steps, "".join(f"{_line(step)}\n" for step in self.steps).encode())

    def add(self, step: Step) -> None:
        """Keep an update."""
        self.steps.append(step)
        self._home.append(self._home.steps, _line(step))

    def draw(self) -> None:
        """Draw the plot."""
        rates = [100 * step.win_rate for step in self.steps if step.win_rate is not None]
        panels = [
            ("The winner's score", [_thinned([step.winning_score for step in self.steps])]),
            ("Wins against the plain instinct, in %", [rates]),
        ]
        label = f"updates 1 to {self.steps[-1].update}" if self.steps else ""
        self._home.write(self._home.plot, standalone(courses(panels, [label], "What practice taught")).encode())


def _line(step: Step) -> str:
    return json.dumps({name: value for name, value in step._asdict().items() if value is not None})


def _thinned(values: Sequence[float]) -> list[float]:
    """The mean of neighbours where there are more values than a plot can show."""
    size = -(-len(values) // _MOST_POINTS) or 1
    groups = [values[at : at + size] for at in range(0, len(values), size)]
    return [sum(group) / len(group) for group in groups]
