"""What viewers are shown: a screen for each seat and language, updated when something has changed.

All viewers of a screen get the same texts. Somebody who has the state before gets a patch of it, anybody else the
whole state. What all viewers see alike is made once, and so is what has changed of it: a patch is put together from
pieces of text, most of which several viewers get.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import orjson
import structlog

from nevsky.rules.view import as_seen
from nevsky.server.common_part import CommonPart
from nevsky.server.context import Sitting, spoken
from nevsky.server.errors import close_code
from nevsky.server.own_part import OwnPart, leaves_in
from nevsky.server.patches import NO_PIECE, Piece, patch_piece
from nevsky.server.present import (
    Common,
    Presenter,
    TableContext,
    common_state,
    open_common,
    open_own,
    turn_state,
    whole_state,
)
from nevsky.server.protocol import LogLine, OwnState, PlayerState, TableState
from nevsky.server.shared import Shared
from nevsky.server.table_log import Window
from nevsky.texts.sentences import Wording

if TYPE_CHECKING:
    from nevsky.server.actor import Table
    from nevsky.server.viewer import Viewer

__all__ = ["Moment", "Screen", "Screens", "Shown"]

_MOVES_SHOWN: Final = 60
_NO_LINES: Final = Window([], 0, 0)
_FIRST_LINE_GOES: Final = b'{"op":"remove","path":"/log/0"}'
_NEW_LINE: Final = b'{"op":"add","path":"/log/-","value":%b}'
_MESSAGE: Final = b'{"type":"patch","base":%d,"serial":%d,"patch":[%b]}'
_LARGE: Final = 8_000
"""Bytes; a patch of this size may be larger than the whole state."""
log = structlog.get_logger()


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

    fields: Piece
    players: list[Piece]
    """By seat, since nobody sees themselves as others do."""


class _Alike(NamedTuple):
    """What several viewers see alike."""

    common: Common
    context: TableContext
    wording: Wording


class Moment:
    """A table as it is now: what several of its screens share is made once."""

    def __init__(
        self, table: Table, presenters: dict[str, Presenter], parts: dict[str, CommonPart], shared: Shared
    ) -> None:
        self._table = table
        self._presenters = presenters
        """By language: those of somebody who only watches."""
        self._parts = parts
        """The same of turns of the base game."""
        self._shared = shared
        self.sitting = Sitting(table, shared)
        self._asked = _asked_in_secret(table)
        self._alike: dict[tuple[str, int | None], _Alike] = {}
        self._changes: dict[tuple[int, int], tuple[Common, Common, _Changes | None]] = {}
        """By the ids of both, which it keeps alive."""
        self._lines: dict[int, tuple[LogLine, bytes]] = {}
        """The same of lines of the log, each with the operation that adds it."""

    def alike(self, seat: int | None, language: str) -> _Alike:
        """What this viewer sees as others do: whoever is asked in secret sees another game than all others."""
        key = (language, seat if seat is not None and seat == self._asked else None)
        found = self._alike.get(key)
        if found is None:
            found = self._alike[key] = self._make(*key)
        return found

    def _make(self, language: str, seat: int | None) -> _Alike:
        table, match = self._table, self._table.match
        wording = Wording(language, table.ruleset.edition, table.names_in(language))
        if match is None:
            context = spoken(self.sitting.context(None), language)
            return _Alike(open_common(table.ruleset, context), context, wording)
        game = match.game
        part = self._parts.get(language)
        if part is None:
            part = self._parts[language] = CommonPart(table.ruleset)
        if part.shows(game.looked_at) and not self.sitting.conceded:
            context = spoken(self.sitting.context(game.looked_at.seat), language)
            return _Alike(part.look(game.looked_at, context), context, wording)
        view = match.view(seat)
        context = spoken(self.sitting.context(view.to_move), language)
        presenter = self._presenters.get(language) if seat is None else Presenter(self._shared)
        if presenter is None:
            presenter = self._presenters[language] = Presenter(self._shared)
        board = presenter.look(view, context, wording, lambda: game.without_secrets(seat))
        return _Alike(common_state(board, context, self._shared), context, wording)

    def takes_turns(self, seat: int | None) -> bool:
        """Whether whoever looks from a seat is asked what they do at their turn: nobody who has left the game."""
        return not self.sitting.conceded and (seat is None or not self.sitting.absent(seat))

    def changes(self, old: Common, new: Common) -> _Changes | None:
        """What has changed of what everybody sees; None if other seats are there now."""
        key = (id(old), id(new))
        found = self._changes.get(key)
        if found is None:
            found = self._changes[key] = (old, new, _changes(old, new))
        return found[2]

    def more_lines(self, old: Window, new: Window) -> Piece:
        """What has changed of the log: mostly lines have come in at its end, and perhaps some have gone at the front.

        Most viewers read the same lines.
        """
        if old.all is not new.all or new.start > old.end or new.end < old.end:
            return patch_piece({"log": old.lines()}, {"log": new.lines()})
        if old.start == new.start and old.end == new.end:
            return NO_PIECE
        texts = [_FIRST_LINE_GOES] * (new.start - old.start)
        texts += [self._line(line) for line in new.all[old.end : new.end]]
        return Piece(b",".join(texts), True)

    def _line(self, line: LogLine) -> bytes:
        found = self._lines.get(id(line))
        if found is None:
            found = self._lines[id(line)] = (line, _NEW_LINE % orjson.dumps(line))
        return found[1]


def _write(viewers: Sequence[Viewer]) -> None:
    """To one after the other; who cannot be written to must not hold up the others."""
    for viewer in viewers:
        try:
            viewer.write()
        except Exception:
            log.exception("viewer_failed")
            viewer.close(close_code("broken"))


def _asked_in_secret(table: Table) -> int | None:
    if table.match is None:
        return None
    position = table.match.game.looked_at
    return None if as_seen(position, table.ruleset, None) is position else position.seat


def _changes(old: Common, new: Common) -> _Changes | None:
    if len(old.players) != len(new.players):
        return None
    players = [
        NO_PIECE if was is now or was is None or now is None else patch_piece(was, now, f"/players/{seat}")
        for seat, (was, now) in enumerate(zip(old.players, new.players, strict=True))
    ]
    return _Changes(patch_piece(old.fields, new.fields), players)


class Screen:
    """One seat, or the spectators, in one language."""

    def __init__(self, table: Table, seat: int | None, language: str, moment: Moment, shared: Shared) -> None:
        self._table = table
        self._seat = seat
        self._language = language
        self._presenter = Presenter(shared)
        self._own = OwnPart(leaves_in(language, table.ruleset.edition))
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
        pieces = self._since(old, new, moment)
        if not any(piece.tells for piece in pieces):
            return
        new.own["serial"] = serial + 1
        self.shown = new
        self._whole = b""
        self._patch = _Patch(old, _MESSAGE % (serial, serial + 1, b",".join([piece.text for piece in pieces])))

    def _since(self, old: Shown, new: Shown, moment: Moment) -> list[Piece]:
        changes = moment.changes(old.common, new.common)
        if changes is None:
            return [patch_piece(old.whole(), new.whole())]
        pieces = [each for seat, each in enumerate(changes.players) if each.text and seat != self._seat]
        pieces += [changes.fields, patch_piece(old.own, new.own), moment.more_lines(old.log, new.log)]
        if old.player is not new.player and old.player is not None and new.player is not None:
            pieces.append(patch_piece(old.player, new.player, f"/players/{self._seat}"))
        return [each for each in pieces if each.text]

    def whole(self) -> bytes:
        """The state as a message."""
        if not self._whole:
            self._whole = orjson.dumps(self.state)
        return self._whole

    def since(self, shown: Shown) -> bytes:
        """A message for somebody who was shown another state of this screen last."""
        if self._patch is None or self._patch.old is not shown:
            serials = shown.own["serial"], self.shown.own["serial"]
            piece = patch_piece({**shown.whole(), "serial": 0}, {**self.state, "serial": 0})
            return self._shorter(_MESSAGE % (*serials, piece.text))
        return self._shorter(self._patch.text)

    def _shorter(self, patch: bytes) -> bytes:
        return patch if len(patch) < _LARGE or len(patch) < len(self.whole()) else self.whole()

    def _look(self, moment: Moment) -> Shown:
        table, seat, match = self._table, self._seat, self._table.match
        common, context, wording = moment.alike(seat, self._language)
        if match is None:
            fields = open_own(context, seat, sum(place.free for place in table.seats), self._language)
            return Shown(common, fields, _NO_LINES, None if seat is None else common.players[seat])
        log, own = match.log.newest(seat, wording, _MOVES_SHOWN), moment.sitting.own(seat, match)
        game, part = match.game, self._own
        if moment.takes_turns(seat) and part.look(
            game.looked_at, -1 if seat is None else seat, context.show_seen, table.ruleset.open_hands
        ):
            seen = None if seat is None else common.players[seat]
            player = None if seen is None else part.player(seen)
            return Shown(common, turn_state(part, seat, context, own, wording), log, player)
        self._presenter.look(match.view(seat), context, wording, lambda: game.without_secrets(seat))
        return Shown(common, self._presenter.own(common, context, own), log, self._presenter.player(context))


class _Patch(NamedTuple):
    """How the newest state came from the one before."""

    old: Shown
    text: bytes


class Screens:
    """All screens of a table that somebody looks at."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._shared = Shared()
        self._presenters: dict[str, Presenter] = {}
        self._parts: dict[str, CommonPart] = {}
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
            moment = Moment(table, self._presenters, self._parts, self._shared)
            if changed:
                self._seen = made_of
                updated += len(self._screens)
                for screen in self._screens.values():
                    screen.update(moment)
            for key in coming:
                self._screens[key] = Screen(table, *key, moment, self._shared)
        due = [viewer for viewer in table.viewers if viewer.show(self._screens[viewer.seat, viewer.language])]
        if due:
            asyncio.get_running_loop().call_soon(_write, due)
        return updated

    def clear(self) -> None:
        """Forget everything: nobody looks any more. The table itself is only found by the garbage collector."""
        self._screens.clear()
        self._presenters.clear()
        self._parts.clear()
        self._shared = Shared()
        self._seen = ()

    def _made_of(self) -> tuple[object, ...]:
        """Everything that states depend on. None of it is ever changed, only replaced, so looking at it is cheap."""
        table = self._table
        present = {viewer.seat for viewer in table.viewers}
        game = None if table.match is None else table.match.game
        away = [table.services.vacations.of(place.guest) for place in table.seats]
        there = [seat in present for seat in range(len(table.seats))]
        return (game, table.row, table.chat, *table.seats, *there, *away)
