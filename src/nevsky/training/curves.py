"""How well the networks do, epoch by epoch: as lines of JSON and as a plot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from nevsky.arena.svg import courses, standalone
from nevsky.errors import NevskyError, Words
from nevsky.training.home import Home
from nevsky.training.learning import Fit

__all__ = ["Curves", "Epoch", "read_lines"]

_Line = TypeVar("_Line", bound=Any)


class Epoch(NamedTuple):
    """An epoch of a generation, as it is kept."""

    generation: int
    epoch: int
    win_loss: float
    score_error: float
    seconds: float


class Curves:
    """What has been learned so far in a directory."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self.epochs = read_lines(home.curves, Epoch)

    def restart(self, generation: int) -> None:
        """Forget what a generation began to learn: it learns again from its start."""
        self.epochs = [epoch for epoch in self.epochs if epoch.generation != generation]
        self._home.write(self._home.curves, "".join(f"{_line(epoch)}\n" for epoch in self.epochs).encode())

    def add(self, generation: int, fit: Fit) -> None:
        """Keep an epoch and draw the plot again."""
        epoch = Epoch(generation, fit.epoch, round(fit.win_loss, 6), round(fit.score_error, 4), round(fit.seconds, 3))
        self.epochs.append(epoch)
        self._home.append(self._home.curves, _line(epoch))
        self.draw()

    def draw(self) -> None:
        """Draw the plot."""
        generations = sorted({epoch.generation for epoch in self.epochs})
        runs = [sorted(epoch for epoch in self.epochs if epoch.generation == number) for number in generations]
        labels = [str(number) for number in generations]
        panels = [
            ("Loss of the chances to win, by generation", [[epoch.win_loss for epoch in run] for run in runs]),
            ("Points by which scores are missed", [[epoch.score_error for epoch in run] for run in runs]),
        ]
        self._home.write(self._home.plot, standalone(courses(panels, labels, "What the networks learned")).encode())


def _line(epoch: Epoch) -> str:
    return json.dumps(epoch._asdict())


def read_lines(path: Path, kind: type[_Line]) -> list[_Line]:
    """The lines of a file that are whole; a crash may have left half of one."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        what = getattr(error, "strerror", None) or Words("file.no_text")
        raise NevskyError("file.unreadable", path=path, reason=what) from error
    found = []
    for line in lines:
        try:
            data = json.loads(line)
            known = kind(**{name: data[name] for name in kind._fields if name in data})
        except (ValueError, RecursionError, TypeError):
            continue
        if all(isinstance(data[name], int | float) for name in kind._fields if name in data):
            found.append(known)
    return found
