"""How long things are kept."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from nevsky.server import retention
from nevsky.server.retention import Kept, clear_out, count_old
from nevsky.server.schema import ChatRow, Entry, SeatRow, TableRow, chat, guests, log, seats, tables
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage, now
from tests.server.support import run, running

DAY = 24 * 3600.0


async def filled(path: Path | str) -> Storage:
    """For every age a guest without games, a guest with one, and tables of every status with chat and a move."""
    storage = await Storage.open(path)
    for days in (1, 10, 100, 1000):
        then = now(days * DAY)
        async with storage.writing() as connection:
            rows = [
                {"id": f"{kind}{days}", "name": "x", "created": then, "last_seen": then} for kind in ("idle", "plays")
            ]
            await connection.execute(guests.insert(), rows)
        for status in ("open", "playing", "over", "ended"):
            row = TableRow(f"{status}{days}", then, then, status, {}, True, "none", True)
            await storage.add_table(row, [SeatRow(0, "x", f"plays{days}", "x")])
            await storage.append(row.id, Entry(1, 0, "pass", "player", then))
            await storage.say(row.id, ChatRow(0, "x", "hello", then, f"plays{days}"))
    return storage


async def left(storage: Storage, table: sa.Table, key: str = "id") -> set[str]:
    return {str(row[0]) for row in await storage._rows(sa.select(table.c[key]))}


def test_what_is_old_goes_and_what_belongs_to_games_stays(anywhere: Path | str) -> None:
    async def scenario() -> None:
        storage = await filled(anywhere)
        kept = Kept(guests=30, chat=90, open=7, ended=30)
        assert await count_old(storage, kept) == {"guests": 2, "chat": 2, "open": 3, "ended": 2}
        gone = await clear_out(storage, kept, lambda table: table == "open1000", 0.0)
        assert gone == {"guests": 2, "chat": 2, "open": 2, "ended": 2}
        assert await left(storage, guests) == {"idle1", "idle10", "plays1", "plays10", "plays100", "plays1000"}
        stay = {f"{status}{days}" for status in ("playing", "over") for days in (1, 10, 100, 1000)}
        assert await left(storage, tables) == stay | {"open1", "open1000", "ended1", "ended10"}
        assert await left(storage, log, "table_id") == await left(storage, tables)
        assert await left(storage, seats, "table_id") == await left(storage, tables)
        assert await left(storage, chat, "table_id") == await left(storage, tables) - {"over100", "over1000"}
        assert await clear_out(storage, Kept(games=30), lambda _: False) == {"games": 2}
        assert {"over1", "over10"} == {each for each in await left(storage, tables) if each.startswith("over")}
        assert not {"over100"} & await left(storage, log, "table_id")
        await storage.close()

    run(scenario())


def test_by_default_finished_games_stay_for_ever() -> None:
    kept = Kept.of(Settings())
    assert kept.games == 0
    assert min(kept._replace(games=1)) > 0


def test_a_visit_is_remembered_once_a_day(anywhere: Path | str) -> None:
    async def scenario() -> None:
        storage = await filled(anywhere)
        assert await storage.greet("nobody") is None
        assert await storage.greet("idle100") == ("x", False)
        await clear_out(storage, Kept(guests=30), lambda _: False)
        assert "idle100" in await left(storage, guests)
        await storage.close()

    run(scenario())


def test_the_server_does_it_by_itself_in_small_steps(anywhere: Path | str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "_FIRST", 0.0)
    monkeypatch.setattr(retention, "_AT_ONCE", 1)

    async def scenario() -> None:
        storage = await filled(anywhere)
        await storage.close()
        async with running(anywhere) as server:
            storage = server.components.storage
            while {"idle100", "idle1000"} & await left(storage, guests) or "ended1000" in await left(storage, tables):
                await asyncio.sleep(0.02)
            assert {"idle1", "idle10", "plays1000"} <= await left(storage, guests)

    run(scenario())
