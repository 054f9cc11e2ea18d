"""The database at the end, in plain SQL."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cluster.checker import Stored, Write
from tests.cluster.replaying import Line, StoredTable
from tests.server.engines import Postgres

__all__ = ["WATCH", "from_postgres", "from_sqlite"]

Rows = Callable[[str], list[list[Any]]]
"""Carries out a query."""
WATCH = """
CREATE TABLE watched_writes (table_id text, number integer, writer text, owner text, epoch integer);
CREATE TABLE watched_leases (table_id text, epoch integer, writer text, owner text);
CREATE FUNCTION watch_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watched_writes
        SELECT NEW.table_id, NEW.number, session_user, held.owner, held.epoch
        FROM (SELECT 1) AS one LEFT JOIN leases AS held ON held.table_id = NEW.table_id;
    RETURN NULL;
END $$;
CREATE FUNCTION watch_lease() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watched_leases VALUES (NEW.table_id, NEW.epoch, session_user, NEW.owner);
    RETURN NULL;
END $$;
CREATE TRIGGER watch_write AFTER INSERT ON log FOR EACH ROW EXECUTE FUNCTION watch_write();
CREATE TRIGGER watch_lease AFTER INSERT OR UPDATE ON leases FOR EACH ROW EXECUTE FUNCTION watch_lease();
"""
"""Lets the database itself write down who adds to a log, and who says that a table is theirs."""


def from_sqlite(path: Path) -> Stored:
    """A file of one server."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        return Stored(_tables(lambda query: [list(row) for row in database.execute(query)]))


def from_postgres(engine: Postgres, name: str) -> Stored:
    """The database of several servers, with what it has noted itself."""

    def rows(query: str) -> list[list[Any]]:
        return [json.loads(line) for line in engine.sql(_as_json(query), name).splitlines()]

    claims: dict[tuple[str, int], list[tuple[str, str]]] = defaultdict(list)
    for table, epoch, writer, owner in rows("SELECT table_id, epoch, writer, owner FROM watched_leases"):
        if owner is not None:
            claims[table, epoch].append((writer, owner))
    writes = [Write(*row) for row in rows("SELECT table_id, number, writer, owner, epoch FROM watched_writes")]
    return Stored(_tables(rows), writes, dict(claims))


def _as_json(query: str) -> str:
    columns = query.removeprefix("SELECT ").partition(" FROM ")[0]
    return query.replace(columns, f"json_build_array({columns})", 1)


def _tables(rows: Rows) -> dict[str, StoredTable]:
    logs: dict[str, list[Line]] = defaultdict(list)
    for table, *line in rows('SELECT table_id, number, seat, action, "by" FROM log ORDER BY table_id, number'):
        logs[table].append(Line(*line))
    chats: dict[str, list[str]] = defaultdict(list)
    for table, text in rows("SELECT table_id, text FROM chat ORDER BY id"):
        chats[table].append(text)
    seats: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for table, token, resigned in rows("SELECT table_id, token, resigned FROM seats ORDER BY table_id, seat"):
        seats[table].append((token, bool(resigned)))
    return {
        table: StoredTable(
            status=status,
            ruleset=_json(ruleset),
            deal=_json(deal),
            rematch=rematch,
            winners=_json(winners),
            tokens=[token for token, _ in seats[table]],
            resigned=[resigned for _, resigned in seats[table]],
            log=logs[table],
            chat=chats[table],
        )
        for table, status, ruleset, deal, rematch, winners in rows(
            "SELECT id, status, ruleset, deal, rematch, winners FROM tables"
        )
    }


def _json(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value
