"""Reading whole tables from PostgreSQL: one question, one answer, in which all that belongs to a table is JSON."""

from __future__ import annotations

from typing import Any, Final

import orjson
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.server.schema import CHAT_SHOWN, ChatRow, Entry, SeatRow, Stored, TableRow

__all__ = ["load_table"]


def _rows(source: str, order: str, most: int | None = None) -> str:
    rows = f"SELECT * FROM {source} WHERE table_id = :table ORDER BY {order} LIMIT {most or 'ALL'}"  # noqa: S608
    return f"(SELECT coalesce(json_agg(r), '[]') FROM ({rows}) r)"  # noqa: S608


_LOAD: Final = sa.text(
    f"SELECT json_build_array((SELECT row_to_json(t) FROM tables t WHERE id = :table), {_rows('seats', 'seat')}, "  # noqa: S608
    f"{_rows('log', 'number')}, {_rows('chat', 'id DESC', CHAT_SHOWN)}, {_rows('companions', 'at, guest')})::text"
)


async def load_table(connection: AsyncConnection, table: str) -> Stored | None:
    """Everything about a table, None if there is none."""
    row, places, entries, lines, came = orjson.loads(await connection.scalar(_LOAD, {"table": table}))
    if row is None:
        return None
    return Stored(
        TableRow(*_values(row, TableRow._fields)),
        tuple(SeatRow(*_values(each, SeatRow._fields)) for each in places),
        tuple(Entry(*_values(each, Entry._fields)) for each in entries),
        tuple(ChatRow(*_values(each, ChatRow._fields)) for each in reversed(lines)),
        tuple((each["guest"], each["seat"]) for each in came),
    )


def _values(found: dict[str, Any], names: tuple[str, ...]) -> list[Any]:
    return [found[name] for name in names]
