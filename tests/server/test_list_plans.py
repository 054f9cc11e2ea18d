"""Lists of tables are found by an index, however many games were ever played here."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from nevsky.server.lists import Page, listed, listed_of, turns_of
from nevsky.server.storage import Storage

LISTS = {
    "open": Page().of(listed("open")),
    "finished": Page().of(listed("over")),
    "the next page": Page(60, "2026-01-01T00:00:00+00:00", "a" * 12).of(listed("over")),
    "one's own": Page().of(listed_of("anna", "open", "playing")),
    "one's finished": Page().of(listed_of("anna", "over")),
    "one's turns": turns_of("anna"),
}


@pytest.mark.parametrize("which", LISTS)
def test_nobody_looks_at_all_tables(which: str, tmp_path: Path) -> None:
    """A public list comes in the order of its index; for one's own only the tables of one guest are looked at."""

    async def plan() -> str:
        storage = await Storage.open(tmp_path / "n.db")
        try:
            async with storage.reading() as connection:
                sql = str(LISTS[which].compile(storage.backend.engine, compile_kwargs={"literal_binds": True}))
                found = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}")
                return "\n".join(row["detail"] for row in found.mappings())
        finally:
            await storage.close()

    steps = asyncio.run(plan())
    assert "SCAN" not in steps
    if which.startswith("one's"):
        assert "SEARCH tables USING INDEX sqlite_autoindex_tables_1 (id=?)" in steps
    else:
        assert "SEARCH tables USING INDEX tables_o" in steps
        assert "TEMP B-TREE" not in steps
