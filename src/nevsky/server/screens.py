"""What viewers are shown: a screen for each seat and language, updated when something has changed.

All viewers of a screen get the same texts. Somebody who has the state before gets a patch of it, anybody else the
whole state. What all viewers see alike is made once, and so is what has changed of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast

import orjson

from nevsky.rules.view import as_seen
from nevsky.server.context import Sitting
from nevsky.server.patches import json_patch
from nevsky.server.present import (
    Common,
    Presenter,
    TableContext,
    common_state,
    open_common,
    open_own,
    whole_state,
)
from nevsky.server.protocol import OwnState, PatchOperation, PlayerState, StatePatch, TableState
from nevsky.server.shared import Shared
from nevsky.server.table_log import Window
from nevsky.texts.sentences import Wording

if TYPE_CHECKING:
    from pydantic import JsonValue

    from nevsky.server.actor import Table

__all__ = ["Moment", "Screen", "Screens", "Shown"]

_MOVES_SHOWN: Final = 60
_CLOCKS: Final = ("/clock_seconds", "/reserve_seconds")
_NO_LINES: Final = Window([], 0, 0)
_FIRST_LINE_GOES: Final[PatchOperation] = {"op": "remove", "path": "/log/0"}
_LARGE: Final = 8_000
"""Bytes; a patch of this size may be larger than the whole state."""


class Shown(NamedTuple):
    """A state in its parts."""

    common: Common
    own: OwnState
    log: Window
    player: PlayerState | None
    """How the viewer sees themselves; None for spectators."""

    def whole(self) -> TableState:
        """The state that the parts make."""
        return whole_state(self.common, self.own, self.log.lines(), self.player)


class _Changes(NamedTuple):
    """What has changed of what everybody sees."""

    fields: list[PatchOperation]
    players: list[list[PatchOperation]]
    """By seat, since nobody sees themselves as others do."""


class _Alike(NamedTuple):
    """What several viewers see alike."""

    common: Common
    context: TableContext
    wording: Wording


class Moment:
    """A table as it is now: what several of its screens share is made once."""

    def __init__(self, table: Table, presenters: dict[str, Presenter], shared: Shared) -> None:
        self._table = table
        self._presenters = presenters
        """By language: those of somebody who only watches."""
        self._shared = shared
        self.sitting = Sitting(table)
        self._asked = _asked_in_secret(table)
        self._alike: dict[tuple[str, int | None], _Alike] = {}
        self._changes: dict[tuple[int, int], tuple[Common, Common, _Changes | None]] = {}
        """By the ids of both, which it keeps alive."""

    def alike(self, seat: int | None, language: str) -> _Alike:
        """What this viewer sees as others do: whoever is asked in secret sees another game than all others."""
        key = (language, seat if seat is not None and seat == self._asked else None)
        found = self._alike.get(key)
        if found is None:
            found = self._alike[key] = self._make(*key)
        return found

    def _make(self, language: str, seat: int | None) -> _Alike:
        table, match = self._table, self._table.match
        wording = Wording(language, table.ruleset.edition, table.names)
        if match is None:
            context = self.sitting.context(None)
            return _Alike(open_common(table.ruleset, context), context, wording)
        view, game = match.view(seat), match.game
        context = self.sitting.context(view.to_move)
        presenter = self._presenters.get(language) if seat is None else Presenter(self._shared)
        if presenter is None:
            presenter = self._presenters[language] = Presenter(self._shared)
        board = presenter.look(view, context, wording, lambda: game.without_secrets(seat))
        return _Alike(common_state(board, context, self._shared), context, wording)

    def changes(self, old: Common, new: Common) -> _Changes | None:
        """What has changed of what everybody sees; None if other seats are there now."""
        key = (id(old), id(new))
        found = self._changes.get(key)
        if found is None:
            found = self._changes[key] = (old, new, _changes(old, new))
        return found[2]


def _asked_in_secret(table: Table) -> int | None:
    if table.match is None:
        return None
    position = table.match.game.position
    return None if as_seen(position, table.ruleset, None) is position else position.seat


def _changes(old: Common, new: Common) -> _Changes | None:
    if len(old.players) != len(new.players):
        return None
    players = [
        [] if was is now or was is None or now is None else json_patch(was, now, f"/players/{seat}")
        for seat, (was, now) in enumerate(zip(old.players, new.players, strict=True))
    ]
    return _Changes(json_patch(old.fields, new.fields), players)


def _more_lines(old: Window, new: Window) -> list[PatchOperation]:
    """What has changed of the log: mostly lines have come in at its end, and perhaps some have gone at the front."""
    if old.all is not new.all or new.start > old.end or new.end < old.end:
        return json_patch({"log": old.lines()}, {"log": new.lines()})
    operations: list[PatchOperation] = [_FIRST_LINE_GOES] * (new.start - old.start)
    operations += [
        {"op": "add", "path": "/log/-", "value": cast("JsonValue", line)} for line in new.all[old.end : new.end]
    ]
    return operations


class Screen:
    """One seat, or the spectators, in one language."""

    def __init__(self, table: Table, seat: int | None, language: str, moment: Moment, shared: Shared) -> None:
        self._table = table
        self._seat = seat
        self._language = language
        self._presenter = Presenter(shared)
        self.shown = self._look(moment)
        self._whole = b""
        self._patch: _Patch | None = None

    @property
    def state(self) -> TableState:
        """The whole state."""
        return self.shown.whole()

    def update(self, moment: Moment) -> None:
        """Look at the table again. Clocks run by themselves: if nothing else has changed there is nothing to tell."""
        old, new = self.shown, self._look(moment)
        serial = new.own["serial"] = old.own["serial"]
        operations = self._since(old, new, moment)
        for each in operations:
            if not each["path"].endswith(_CLOCKS):
                break
        else:
            return
        new.own["serial"] = serial + 1
        self.shown = new
        self._whole = b""
        self._patch = _Patch(old, {"type": "patch", "base": serial, "serial": serial + 1, "patch": operations})

    def _since(self, old: Shown, new: Shown, moment: Moment) -> list[PatchOperation]:
        changes = moment.changes(old.common, new.common)
        if changes is None:
            return json_patch(old.whole(), new.whole())
        operations = changes.fields.copy()
        for seat, each in enumerate(changes.players):
            if each and seat != self._seat:
                operations += each
        operations += json_patch(old.own, new.own)
        operations += _more_lines(old.log, new.log)
        if old.player is not new.player and old.player is not None and new.player is not None:
            operations += json_patch(old.player, new.player, f"/players/{self._seat}")
        return operations

    def whole(self) -> bytes:
        """The state as a message."""
        if not self._whole:
            self._whole = orjson.dumps(self.state)
        return self._whole

    def since(self, shown: Shown) -> bytes:
        """A message for somebody who was shown another state of this screen last."""
        if self._patch is None or self._patch.old is not shown:
            operations = [each for each in json_patch(shown.whole(), self.state) if each["path"] != "/serial"]
            return self._shorter(orjson.dumps(_message(shown, self.shown, operations)))
        if not self._patch.text:
            text = orjson.dumps(self._patch.message)
            self._patch = self._patch._replace(text=self._shorter(text))
        return self._patch.text

    def _shorter(self, patch: bytes) -> bytes:
        return patch if len(patch) < _LARGE or len(patch) < len(self.whole()) else self.whole()

    def _look(self, moment: Moment) -> Shown:
        table, seat, match = self._table, self._seat, self._table.match
        common, context, wording = moment.alike(seat, self._language)
        if match is None:
            own = open_own(context, seat, sum(place.free for place in table.seats), self._language)
            return Shown(common, own, _NO_LINES, None if seat is None else common.players[seat])
        log = match.log.newest(seat, wording, _MOVES_SHOWN)
        game = match.game
        self._presenter.look(match.view(seat), context, wording, lambda: game.without_secrets(seat))
        own = self._presenter.own(common, context, moment.sitting.own(seat, match))
        return Shown(common, own, log, self._presenter.player(context))


def _message(old: Shown, new: Shown, operations: list[PatchOperation]) -> StatePatch:
    return {"type": "patch", "base": old.own["serial"], "serial": new.own["serial"], "patch": operations}


class _Patch(NamedTuple):
    """How the newest state came from the one before."""

    old: Shown
    message: StatePatch
    text: bytes = b""


class Screens:
    """All screens of a table that somebody looks at."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._shared = Shared()
        self._presenters: dict[str, Presenter] = {}
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
        changed = len(made_of) != len(self._seen) or any(a is not b for a, b in zip(made_of, self._seen, strict=True))
        coming = looking - self._screens.keys()
        updated = len(coming)
        if changed or coming:
            moment = Moment(table, self._presenters, self._shared)
            if changed:
                self._seen = made_of
                updated += len(self._screens)
                for screen in self._screens.values():
                    screen.update(moment)
            for key in coming:
                self._screens[key] = Screen(table, *key, moment, self._shared)
        for viewer in table.viewers:
            viewer.show(self._screens[viewer.seat, viewer.language])
        return updated

    def clear(self) -> None:
        """Forget everything: nobody looks any more. The table itself is only found by the garbage collector."""
        self._screens.clear()
        self._presenters.clear()
        self._shared = Shared()
        self._seen = ()

    def _made_of(self) -> tuple[object, ...]:
        """Everything that states depend on. None of it is ever changed, only replaced, so looking at it is cheap."""
        table = self._table
        present = {viewer.seat for viewer in table.viewers}
        game = None if table.match is None else table.match.game
        return (game, table.row, table.chat, *table.seats, *(seat in present for seat in range(len(table.seats))))
