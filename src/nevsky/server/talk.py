"""What is said at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nevsky.server.errors import Refusal
from nevsky.server.protocol import ChatLine
from nevsky.server.sanitize import clean
from nevsky.server.schema import CHAT_SHOWN, ChatRow
from nevsky.server.storage import now
from nevsky.server.viewer import Viewer

if TYPE_CHECKING:
    from nevsky.server.actor import Table

__all__ = ["chat_line", "say"]


async def say(table: Table, viewer: Viewer, words: str) -> None:
    """A player says something, or a spectator who has a name."""
    text = clean(words, 300)
    if not text:
        raise Refusal("bad_message", "words")
    owner = None if viewer.seat is None else table.seats[viewer.seat].guest
    table.services.bans.check_writing(viewer.guest, owner)
    line = ChatRow(viewer.seat, await _name(table, viewer), text, now(), owner or viewer.guest)
    await table.services.storage.say(table.lease, line)
    table.chat = [*table.chat, chat_line(table, line)][-CHAT_SHOWN:]


def chat_line(table: Table, row: ChatRow) -> ChatLine:
    """A line as it is shown."""
    speaker = table.services.speakers.of(table.row.id, row)
    return {"seat": row.seat, "name": row.name, "text": row.text, "at": row.at, "speaker": speaker}


async def _name(table: Table, viewer: Viewer) -> str:
    if viewer.seat is not None:
        return table.seats[viewer.seat].name or ""
    name = None if viewer.guest is None else await table.services.storage.guest_name(viewer.guest)
    if name is None:
        raise Refusal("not_allowed", "name_to_write")
    return name
