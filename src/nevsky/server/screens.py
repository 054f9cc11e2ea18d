"""What viewers are shown: a screen for each seat and language, updated when something has changed.

All viewers of a screen get the same texts. Somebody who has the state before gets a patch of it, anybody else the
whole state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import orjson

from nevsky.server.context import Sitting, table_context
from nevsky.server.patches import PatchMemory, json_patch
from nevsky.server.present import Presenter, present_open
from nevsky.server.protocol import PatchOperation, StatePatch, TableState
from nevsky.server.shared import Shared
from nevsky.texts.sentences import Wording

if TYPE_CHECKING:
    from nevsky.server.actor import Table

__all__ = ["Screen", "Screens"]

_MOVES_SHOWN: Final = 60
_CLOCKS: Final = ("/clock_seconds", "/reserve_seconds")
_LARGE: Final = 8_000
"""Bytes; a patch of this size may be larger than the whole state."""


class Screen:
    """One seat, or the spectators, in one language."""

    def __init__(self, table: Table, seat: int | None, language: str, shared: Shared) -> None:
        self._table = table
        self._seat = seat
        self._language = language
        self._presenter = Presenter(shared)
        self.state: TableState = self._present(Sitting(table))
        self._whole = ""
        self._patch: _Patch | None = None

    def update(self, sitting: Sitting, memory: PatchMemory) -> None:
        """Look at the table again. Clocks run by themselves: if nothing else has changed there is nothing to tell."""
        old, new = self.state, self._present(sitting)
        new["serial"] = old["serial"]
        operations = json_patch(old, new, memory)
        if all(each["path"].endswith(_CLOCKS) for each in operations):
            return
        new["serial"] += 1
        self.state = new
        self._whole = ""
        self._patch = _Patch(
            old, {"type": "patch", "base": old["serial"], "serial": new["serial"], "patch": operations}
        )

    def whole(self) -> str:
        """The state as a message."""
        if not self._whole:
            self._whole = orjson.dumps(self.state).decode()
        return self._whole

    def since(self, shown: TableState) -> str:
        """A message for somebody who was shown another state of this screen last."""
        if self._patch is None or self._patch.old is not shown:
            operations = [each for each in json_patch(shown, self.state) if each["path"] != "/serial"]
            return self._shorter(orjson.dumps(_message(shown, self.state, operations)).decode())
        if not self._patch.text:
            text = orjson.dumps(self._patch.message).decode()
            self._patch = self._patch._replace(text=self._shorter(text))
        return self._patch.text

    def _shorter(self, patch: str) -> str:
        return patch if len(patch) < _LARGE or len(patch) < len(self.whole()) else self.whole()

    def _present(self, sitting: Sitting) -> TableState:
        table, seat, language, match = self._table, self._seat, self._language, self._table.match
        if match is None:
            context = table_context(table, seat, sitting, [])
            return present_open(table.ruleset, context, seat, sum(place.free for place in table.seats), language)
        wording = Wording(language, table.ruleset.edition, table.names)
        context = table_context(table, seat, sitting, match.log.lines(seat, wording, _MOVES_SHOWN))
        known = lambda: match.game.without_secrets(seat)  # noqa: E731
        return self._presenter.present(match.view(seat), context, language, known)


def _message(old: TableState, new: TableState, operations: list[PatchOperation]) -> StatePatch:
    return {"type": "patch", "base": old["serial"], "serial": new["serial"], "patch": operations}


class _Patch(NamedTuple):
    """How the newest state came from the one before."""

    old: TableState
    message: StatePatch
    text: str = ""


class Screens:
    """All screens of a table that somebody looks at."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._shared = Shared()
        self._screens: dict[tuple[int | None, str], Screen] = {}
        self._seen: tuple[object, ...] = ()
        """What the table was made of when the screens were updated."""

    def __len__(self) -> int:
        return len(self._screens)

    def show(self) -> int:
        """Show every viewer the table as they may see it; returns how many screens had to be updated."""
        table = self._table
        looking = {(viewer.seat, viewer.language) for viewer in table.viewers}
        for key in self._screens.keys() - looking:
            del self._screens[key]
        made_of = self._made_of()
        updated = 0
        if len(made_of) != len(self._seen) or any(a is not b for a, b in zip(made_of, self._seen, strict=True)):
            self._seen = made_of
            sitting, memory = Sitting(table), PatchMemory()
            for screen in self._screens.values():
                screen.update(sitting, memory)
            updated = len(self._screens)
        for key in looking - self._screens.keys():
            self._screens[key] = Screen(table, *key, self._shared)
            updated += 1
        for viewer in table.viewers:
            viewer.show(self._screens[viewer.seat, viewer.language])
        return updated

    def clear(self) -> None:
        """Forget everything: nobody looks any more. The table itself is only found by the garbage collector."""
        self._screens.clear()
        self._shared = Shared()
        self._seen = ()

    def _made_of(self) -> tuple[object, ...]:
        """Everything that states depend on. None of it is ever changed, only replaced, so looking at it is cheap."""
        table = self._table
        present = {viewer.seat for viewer in table.viewers}
        game = None if table.match is None else table.match.game
        return (game, table.row, table.chat, *table.seats, *(seat in present for seat in range(len(table.seats))))
