"""What a bot has for a decision: one for all, or one of its own."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from nevsky.errors import NevskyError

__all__ = ["Budget", "check_budget", "split_budget"]

_MOST_MILLISECONDS: Final = 3_600_000
_OWN: Final = re.compile(r"(?P<spec>.+)@(?P<number>\d{1,9})(?P<unit>ms|playouts)", re.DOTALL)


class Budget(NamedTuple):
    """Milliseconds or playouts; neither for what all others have."""

    milliseconds: int | None = None
    playouts: int | None = None

    def __str__(self) -> str:
        if self.milliseconds is not None:
            return f"@{self.milliseconds}ms"
        return "" if self.playouts is None else f"@{self.playouts}playouts"


def split_budget(spec: str) -> tuple[str, Budget]:
    """What the command line names, and the budget behind it.

    >>> split_budget("master@500ms"), split_budget("./steady --fast@60playouts"), split_budget("greedy")
    (('master', Budget(milliseconds=500, playouts=None)), ('./steady --fast', Budget(milliseconds=None, playouts=60)), \
('greedy', Budget(milliseconds=None, playouts=None)))
    """
    found = _OWN.fullmatch(spec)
    if found is None:
        return spec, Budget()
    number = int(found["number"])
    budget = Budget(milliseconds=number) if found["unit"] == "ms" else Budget(playouts=number)
    check_budget(budget.milliseconds, budget.playouts, None)
    return found["spec"], budget


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
