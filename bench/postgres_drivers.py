"""asyncpg beside psycopg 3 for what a server does most: writing a batch of moves, and loading a table.

Both need to be there (pip install asyncpg "psycopg[binary]"), and PostgreSQL. Run from the root of the repository:
python -m bench.postgres_drivers
"""

from __future__ import annotations

import json
import resource
import time
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import psycopg
import sqlalchemy as sa
import uvloop
from sqlalchemy.ext.asyncio import create_async_engine
from tests.server.engines import Postgres

from nevsky.server.schema import Entry, TableRow, log, metadata

TABLES = 400
COLUMNS = ("text[]", "int[]", "int[]", "text[]", "text[]", "text[]", "jsonb[]")
STATEMENT = """
WITH wanted AS (
  SELECT * FROM unnest({0}) AS w (table_id, number, seat, action, by, at, changes)
), written AS (
  INSERT INTO log (table_id, number, seat, action, by, at)
  SELECT table_id, number, seat, action, by, at FROM wanted ON CONFLICT DO NOTHING RETURNING table_id
), changed AS (
  UPDATE tables SET round = (changes->>'round')::int, to_move = (changes->>'to_move')::int,
    updated = changes->>'updated'
  FROM wanted JOIN written USING (table_id) WHERE tables.id = wanted.table_id
) SELECT table_id FROM written
"""
CHANGES = json.dumps({"round": 3, "to_move": 1, "updated": "2026-01-01T00:00:00+00:00"})


def batch(number: int, size: int) -> list[list[Any]]:
    rows = [(f"t{n}", number, 1, "buy:7", "player", "2026-01-01T00:00:00+00:00", CHANGES) for n in range(size)]
    return [list(column) for column in zip(*rows, strict=True)]


async def measured(name: str, times: int, work: Callable[[int], Awaitable[object]]) -> None:
    for n in range(20):
        await work(-1 - n)
    cpu, began = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    for n in range(times):
        await work(n + 1)
    took, done = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF)
    spent = done.ru_utime + done.ru_stime - cpu.ru_utime - cpu.ru_stime
    print(f"{name:44} {1000 * took / times:7.3f} ms, processor {1000 * spent / times:7.3f} ms")


async def write(url: str) -> None:
    raw = await asyncpg.connect(url)
    words = STATEMENT.format(", ".join(f"${n + 1}::{kind}" for n, kind in enumerate(COLUMNS)))
    prepared = await raw.prepare(words)
    other = await psycopg.AsyncConnection.connect(url, autocommit=True, prepare_threshold=0)
    percent = STATEMENT.format(", ".join(f"%s::{kind}" for kind in COLUMNS))

    async def with_psycopg(columns: list[list[Any]]) -> object:
        cursor = other.cursor(binary=True)
        return await (await cursor.execute(percent, columns)).fetchall()

    for size in (1, 10, 100):
        await raw.execute("TRUNCATE log")
        await measured(f"asyncpg, {size} moves", 1000, lambda n, s=size: prepared.fetch(*batch(n, s)))
        await raw.execute("TRUNCATE log")
        await measured(f"psycopg, {size} moves", 1000, lambda n, s=size: with_psycopg(batch(n, s)))
    await raw.close()
    await other.close()


async def load(url: str) -> None:
    engines = {
        name: create_async_engine(url.replace("postgresql://", f"postgresql+{name}://"))
        for name in ("asyncpg", "psycopg")
    }
    async with engines["asyncpg"].begin() as connection:
        await connection.execute(sa.text("TRUNCATE log"))
        rows = [
            {"table_id": f"t{n}", **Entry(k, 1, "buy:7", "player", "2026-01-01T00:00:00+00:00")._asdict()}
            for n in range(50)
            for k in range(200)
        ]
        await connection.execute(log.insert(), rows)
    for name, engine in engines.items():

        async def read(n: int, engine: Any = engine) -> object:
            async with engine.connect() as connection:
                table = f"t{n % 50}"
                await connection.execute(sa.text("SELECT * FROM tables WHERE id = :t"), {"t": table})
                found = await connection.execute(
                    sa.select(*[log.c[each] for each in Entry._fields])
                    .where(log.c.table_id == table)
                    .order_by(log.c.number)
                )
                return [Entry(*each) for each in found]

        await measured(f"{name} under SQLAlchemy, a table of 200 moves", 500, read)
        await engine.dispose()


async def main() -> None:
    postgres = Postgres()
    try:
        postgres.start()
        url = postgres.url(postgres.new_database())
        engine = create_async_engine(url.replace("postgresql://", "postgresql+asyncpg://"))
        async with engine.begin() as connection:
            await connection.run_sync(
                lambda sync: metadata.create_all(sync, [metadata.tables["tables"], metadata.tables["log"]])
            )
            await connection.execute(
                metadata.tables["tables"].insert(),
                [TableRow(f"t{n}", "x", "x", "playing", {}, True, "none", True)._asdict() for n in range(TABLES)],
            )
        await engine.dispose()
        for _ in range(2):
            await write(url)
            await load(url)
    finally:
        postgres.remove()


if __name__ == "__main__":
    uvloop.run(main())
