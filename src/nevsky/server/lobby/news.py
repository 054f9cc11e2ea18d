"""What the lobby shows at one moment, made once for everybody: as a whole, and as what has changed."""

from __future__ import annotations

from typing import NamedTuple

from nevsky.server.ids import new_token
from nevsky.server.protocol import LobbyState, LobbyUpdate, TableSummary

__all__ = ["Figures", "News"]


class Figures(NamedTuple):
    """What is counted."""

    online: int = 0
    waiting: int = 0
    matching: bool = True
    """Whether one may wait to be matched."""


class News:
    """One edition; the next one is made from it."""

    def __init__(self, tables: list[TableSummary], figures: Figures, before: News | None = None) -> None:
        self.stamp = new_token()[:12]
        self.tables = tables
        self.figures = figures
        self._base = "" if before is None else before.stamp
        self._change = None if before is None else _change(before, self)
        self._whole: bytes | None = None

    def fits(self, tables: list[TableSummary] | None, figures: Figures) -> bool:
        """Whether nothing is new."""
        return figures == self.figures and (tables is None or tables == self.tables)

    def since(self, stamp: str) -> bytes:
        """The message for somebody who has an edition: what has changed, or all of it."""
        if self._change is not None and stamp == self._base:
            return self._change
        if self._whole is None:
            state = LobbyState(stamp=self.stamp, tables=self.tables, **self.figures._asdict())
            self._whole = state.model_dump_json().encode()
        return self._whole


def _change(before: News, after: News) -> bytes:
    old = {each.table: each for each in before.tables}
    there = {each.table for each in after.tables}
    change = LobbyUpdate(
        base=before.stamp,
        stamp=after.stamp,
        put=[each for each in after.tables if old.get(each.table) != each],
        gone=[each for each in old if each not in there],
        **after.figures._asdict(),
    )
    return change.model_dump_json().encode()
