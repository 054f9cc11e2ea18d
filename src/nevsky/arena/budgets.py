"""What a bot has for a decision: one for all, or one of its own."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from nevsky.errors import NevskyError

__all__ = ["Budget", "check_budget", "split_budget"]

_MOST_MILLISECONDS: Final = 3_600_000
_OWN: Final = re.compile(r"(?P<spec>.+)@(?:(?P<number>\d{1,9})(?P<unit>ms|playouts)|no-memory)", re.DOTALL)
_UNITS: Final = {"ms": "milliseconds", "playouts": "playouts", None: "memory"}


class Budget(NamedTuple):
    """Milliseconds or playouts, neither for what all others have; and whether it is told what one can remember."""

    milliseconds: int | None = None
    playouts: int | None = None
    memory: bool = True

    def __str__(self) -> str:
        text = "" if self.milliseconds is None else f"@{self.milliseconds}ms"
        if self.playouts is not None:
            text += f"@{self.playouts}playouts"
        return text if self.memory else f"{text}@no-memory"


def split_budget(spec: str) -> tuple[str, Budget]:
    """What the command line names, and the budget behind it.

    >>> split_budget("master@500ms")
    ('master', Budget(milliseconds=500, playouts=None, memory=True))
    >>> split_budget("./steady --fast@60playouts@no-memory")
    ('./steady --fast', Budget(milliseconds=None, playouts=60, memory=False))
    >>> split_budget("master@100ms@500ms")
    ('master@100ms', Budget(milliseconds=500, playouts=None, memory=True))
    """
    budget = Budget()
    while (found := _OWN.fullmatch(spec)) is not None:
        what = _UNITS[found["unit"]]
        if getattr(budget, what) != getattr(Budget(), what):  # said before: so it belongs to a name, which nobody has
            break
        own: dict[str, Any] = {what: int(found["number"]) if found["unit"] else False}
        budget = budget._replace(**own)
        spec = found["spec"]
    check_budget(budget.milliseconds, budget.playouts, None)
    return spec, budget


def check_budget(milliseconds: int | None, playouts: int | None, patience: float | None) -> None:
    """Refuse a budget that makes no sense."""
    if milliseconds is not None and playouts is not None:
        raise NevskyError("budget.both")
    if milliseconds is not None and not 1 <= milliseconds <= _MOST_MILLISECONDS:
        raise NevskyError("budget.time", most=_MOST_MILLISECONDS, time=milliseconds)
    if playouts is not None and playouts < 1:
        raise NevskyError("budget.playouts", playouts=playouts)
    if patience is not None and not 0 < patience <= _MOST_MILLISECONDS:
        raise NevskyError("budget.patience", patience=patience)
