"""The message that a viewer of a table gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, cast

from nevsky.server.present import SeatInfo, TableContext, present, present_open
from nevsky.server.protocol import ChatLine, TableState
from nevsky.texts.sentences import Wording

if TYPE_CHECKING:
    from nevsky.server.actor import Table

__all__ = ["Shown", "state_for", "table_context"]

_MOVES_SHOWN: Final = 60
_CHAT_SHOWN: Final = 50
_WITHOUT_CLOCKS: Final = {"players": {"__all__": {"clock_seconds"}}}


class Shown(NamedTuple):
    """A state as text, and a key that is equal for states that look alike."""

    text: str
    key: str


def state_for(table: Table, seat: int | None, language: str) -> Shown:
    """The state for a seat or a spectator."""
    state = _state(table, seat, language)
    text = state.model_dump_json()
    return Shown(text, text if table.clock.left() is None else state.model_dump_json(exclude=_WITHOUT_CLOCKS))


def table_context(table: Table, seat: int | None) -> TableContext:
    """What belongs to the state besides the game."""
    match, passing = table.match, table.passing.get(seat)
    left = table.clock.left()
    to_move = None if match is None else match.view(seat).to_move
    return TableContext(
        table=table.row.id,
        version=0 if match is None else match.version(seat),
        status=table.status,
        seats=[
            SeatInfo(
                name=place.name or "",
                bot=place.level,
                connected=place.level is not None or table.connected(place.seat),
                away=place.away,
                clock=left if place.seat == to_move else None,
            )
            for place in table.seats
        ],
        chat=[ChatLine(seat=c.seat, name=c.name, text=c.text, at=c.at) for c in table.chat[-_CHAT_SHOWN:]],
        can_undo=match is not None and match.can_undo(seat),
        auto_pass="off" if passing is None else cast(Literal["change", "phase"], passing.until),
        rematch=table.row.rematch,
        show_seen=table.row.show_seen_cards,
    )


def _state(table: Table, seat: int | None, language: str) -> TableState:
    context = table_context(table, seat)
    if table.match is None:
        return present_open(table.ruleset, context, seat, sum(place.free for place in table.seats), language)
    game = table.match.game
    wording = Wording(language, table.ruleset.edition, table.names)
    lines = table.match.log.lines(seat, wording, _MOVES_SHOWN)
    return present(table.match.view(seat), context._replace(log=lines), language, game.without_secrets(seat))
