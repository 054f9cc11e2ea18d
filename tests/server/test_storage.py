"""The database: migrations, restarts, and tables that come and go."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from nevsky.errors import NevskyError
from nevsky.server import storage as storage_module
from nevsky.server.schema import Entry, SeatRow, metadata, seats
from nevsky.server.storage import NEWEST, Storage, now
from tests.server.support import play_randomly, run, running


def test_migrations_lead_to_the_tables_that_the_code_knows(tmp_path: Path) -> None:
    async def scenario() -> None:
        storage = await Storage.open(tmp_path / "n.db")
        await storage.close()

    run(scenario())
    config = Config()
    config.set_main_option("script_location", str(Path(storage_module.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == NEWEST
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'n.db'}")
    with engine.connect() as connection:
        found = compare_metadata(MigrationContext.configure(connection), metadata)
        assert connection.scalar(sa.text("PRAGMA journal_mode")) == "wal"
    engine.dispose()
    assert [each for each in found if each[0] not in ("remove_index", "remove_fk")] == []


def test_a_database_of_an_older_version_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "n.db"
    config = Config()
    config.set_main_option("script_location", str(Path(storage_module.__file__).parent / "migrations"))
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.execute(sa.text("INSERT INTO seats (table_id, seat, token, away) VALUES ('t', 0, 'x', 0)"))
    engine.dispose()

    async def scenario() -> None:
        storage = await Storage.open(path)
        place = SeatRow(0, "x", passing={"until": "phase"})
        await storage.save_seat("t", place)
        await storage.close()

    run(scenario())
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        assert connection.scalar(sa.select(seats.c.passing)) == {"until": "phase"}
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(NevskyError, match="newer version"):
        run(scenario())


def test_a_game_goes_on_after_a_restart(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            made = await anna.create("me easy", market=True, modules=[1, 2, 3, 4, 5, 6])
            cookies = dict(anna.http.cookies)
            table = await anna.open(made["table"])
            for _ in range(12):
                state = await table.my_turn()
                await table.send(type="chat", text=f"round {state['round']}")
                await table.play(state["choices"][0]["action"])
            state = await table.my_turn()
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            anna.http.cookies.update(cookies)
            again = await anna.open(made["table"])
            assert await again.until(lambda _: True) == {**state, "can_undo": again.state["can_undo"]}
            await play_randomly(again, random.Random(1))
            assert again.state["final"]

    run(scenario())


def test_bots_go_on_by_themselves_after_a_restart(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", bot_pause=30.0) as server:
            made = await (await server.visitor()).create("easy easy", public=True)
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            while not (await anna.http.get("/api/tables/finished")).json()["tables"]:
                await asyncio.sleep(0.05)
            assert (await anna.http.get(f"/api/tables/{made['table']}")).json()["winners"]

    run(scenario())


def test_an_idle_table_leaves_memory_and_comes_back(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", idle_seconds=0.2) as server:
            anna = await server.visitor()
            made = await anna.create("me easy")
            table = await anna.open(made["table"])
            state = await table.my_turn()
            state = await table.play(state["choices"][0]["action"])
            await table.my_turn()
            assert server.components.hub._tables
            await asyncio.sleep(0.5)
            assert server.components.hub._tables
            await table.socket.close()
            while server.components.hub._tables:
                await asyncio.sleep(0.05)
            again = await anna.open(made["table"])
            assert await again.my_turn() == {**table.state, "can_undo": again.state["can_undo"]}

    run(scenario())


def test_the_log_takes_no_number_twice(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, boris = await server.visitor(), await server.visitor()
            made = await anna.create("me open")
            await boris.http.post(f"/api/tables/{made['table']}/join")
            pair = [await anna.open(made["table"]), await boris.open(made["table"])]
            for table in pair:
                await table.until(lambda state: state["status"] == "playing")
            active = next(table for table in pair if table.state["to_move"] == table.state["you"])
            storage, choices = server.components.storage, active.state["choices"]
            entry = Entry(1, active.state["you"], choices[-1]["action"], "player", now())
            await storage.append(made["table"], entry)  # another process was faster
            with pytest.raises(sqlite3.IntegrityError):
                await storage.append(made["table"], entry)
            await active.act(choices[0]["action"])
            assert (await active.error())["code"] == "stale"
            await active.until(lambda state: state["version"] == 1)
            stored = await storage.load(made["table"])
            assert stored is not None
            assert [each.action for each in stored.log] == [choices[-1]["action"]]

    run(scenario())
