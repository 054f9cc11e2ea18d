"""The database: migrations, restarts, and tables that come and go."""

from __future__ import annotations

import asyncio
import contextlib
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
from nevsky.server.lists import LISTED, listed, listed_of
from nevsky.server.migrating import NEWEST
from nevsky.server.postgres_log import ConflictError
from nevsky.server.schema import Entry, SeatRow, TableRow, chat, guests, metadata, seats, tables
from nevsky.server.storage import Storage, now
from tests.server.engines import Postgres
from tests.server.support import Server, play_randomly, run, running


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
        connection.execute(sa.text("INSERT INTO guests (id, name, created) VALUES ('g', 'Anna', '2026-01-01')"))
        connection.execute(
            sa.text("INSERT INTO seats (table_id, seat, token, away, guest) VALUES ('t', 0, 'x', 0, 'g')")
        )
        chatting = "INSERT INTO chat (table_id, seat, name, text, at) VALUES ('t', :seat, 'Anna', 'hello', '2026')"
        connection.execute(sa.text(chatting), [{"seat": 0}, {"seat": None}])
    engine.dispose()

    async def scenario() -> None:
        storage = await Storage.open(path)
        place = SeatRow(0, "x", guest="g", passing={"until": "phase"})
        await storage.save_seat("t", place)
        await storage.close()

    run(scenario())
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        assert connection.scalar(sa.select(seats.c.passing)) == {"until": "phase"}
        assert connection.scalar(sa.select(guests.c.last_seen)) == "2026-01-01"
        assert connection.scalars(sa.select(chat.c.guest).order_by(chat.c.id)).all() == ["g", None]
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(NevskyError, match="newer version"):
        run(scenario())


class KilledError(Exception):
    pass


def test_a_start_that_ends_within_the_migrations_can_be_tried_again(tmp_path: Path) -> None:
    left = 0

    def count(*_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise KilledError

    async def scenario() -> None:
        nonlocal left
        for statements in range(1, 200, 3):
            path = tmp_path / f"{statements}.db"
            left = statements
            try:
                await (await Storage.open(path)).close()
            except KilledError:
                await (await Storage.open(path)).close()
            else:
                assert statements > 20
                return
        raise AssertionError

    sa.event.listen(sa.Engine, "before_cursor_execute", count)
    try:
        run(scenario())
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", count)


def test_a_start_that_ends_within_the_migrations_of_postgresql_can_be_tried_again(postgres: Postgres) -> None:
    left = 0

    def count(*_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise KilledError

    async def scenario() -> None:
        nonlocal left
        for statements in range(1, 400, 20):
            url = postgres.url(postgres.new_database())
            left = statements
            try:
                await (await Storage.open(url)).close()
            except KilledError:
                await (await Storage.open(url)).close()
            else:
                assert statements > 20
                return
        raise AssertionError

    sa.event.listen(sa.Engine, "before_cursor_execute", count)
    try:
        run(scenario())
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", count)


def test_games_of_the_version_before_go_on(tmp_path: Path, quick_bots: None) -> None:
    path = tmp_path / "n.db"

    async def scenario() -> None:
        async with running(path) as server:
            anna = await server.visitor()
            made = await anna.create("me easy")
            cookies = dict(anna.http.cookies)
            table = await anna.open(made["table"])
            for _ in range(4):
                await table.my_turn()
                await table.play(table.state["choices"][0]["action"])
            await table.my_turn()
        with contextlib.closing(sqlite3.connect(path)) as file, file:
            file.executescript(
                "DROP TABLE tournament_tables; DROP TABLE tournament_players; DROP TABLE tournaments;"
                "ALTER TABLE tables DROP COLUMN tournament;"
                "DROP TABLE rated_seats; DROP TABLE rating_changes; DROP TABLE ratings; DROP INDEX tables_rating_due;"
                "ALTER TABLE tables DROP COLUMN rating;"
                "DROP TABLE puzzle_tries; DROP TABLE puzzle_ratings; DROP TABLE daily_tries; DROP TABLE daily_deals;"
                "DROP TABLE vacations;"
                "ALTER TABLE tables DROP COLUMN daily; ALTER TABLE tables DROP COLUMN practice;"
                "DROP TABLE notices; DROP TABLE push_devices; DROP TABLE notice_wishes;"
                "DROP TABLE profiles; DROP TABLE passkeys; DROP TABLE mail_addresses; DROP TABLE devices;"
                "DROP TABLE mail_links; DROP TABLE used_challenges; DROP TABLE reviews;"
                "DROP TABLE wishes; DROP TABLE people; DROP TABLE ties; DROP TABLE invitations;"
                "DROP TABLE leases; DROP TABLE processes; DROP INDEX tables_rematch;"
                "UPDATE alembic_version SET version_num = '0007'"
            )
        async with running(path) as server:
            anna = await server.visitor()
            anna.http.cookies.update(cookies)
            again = await anna.open(made["table"])
            assert (await again.my_turn())["version"] == table.state["version"]
            await play_randomly(again, random.Random(1))

    run(scenario())


def test_a_game_goes_on_after_a_restart(anywhere: Path | str, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna = await server.visitor()
            made = await anna.create("me easy", market=True, modules=[1, 2, 3, 4, 5, 6])
            cookies = dict(anna.http.cookies)
            table = await anna.open(made["table"])
            for _ in range(12):
                state = await table.my_turn()
                await table.send(type="chat", text=f"round {state['round']}")
                await table.play(state["choices"][0]["action"])
            state = await table.my_turn()
        async with running(anywhere) as server:
            anna = await server.visitor()
            anna.http.cookies.update(cookies)
            again = await anna.open(made["table"])
            assert await again.until(lambda _: True) == {
                **state,
                **{key: again.state[key] for key in ("serial", "can_undo")},
            }
            await play_randomly(again, random.Random(1))
            assert again.state["final"]

    run(scenario())


def test_bots_go_on_by_themselves_after_a_restart(anywhere: Path | str, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(anywhere, bot_pause=30.0) as server:
            anna = await server.visitor()
            made = await anna.create("me easy easy")
            while await moving(server, made["table"]) == 0:
                made = await anna.create("me easy easy")
        async with running(anywhere) as server:
            while await moving(server, made["table"]) != 0:
                await asyncio.sleep(0.05)
            stored = await server.components.storage.load(made["table"])
            assert stored is not None
            assert {entry.by for entry in stored.log} == {"bot"}

    run(scenario())


async def moving(server: Server, table: str) -> int | None:
    """The seat that is to move, as the database knows it."""
    stored = await server.components.storage.load(table)
    assert stored is not None
    return stored.table.to_move


def test_an_idle_table_leaves_memory_and_comes_back(anywhere: Path | str, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(anywhere, idle_seconds=0.2) as server:
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
            assert await again.my_turn() == {**table.state, **{key: again.state[key] for key in ("serial", "can_undo")}}

    run(scenario())


def test_the_log_takes_no_number_twice(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
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
            with pytest.raises((sqlite3.IntegrityError, ConflictError)):
                await storage.append(made["table"], entry)
            await active.act(choices[0]["action"])
            assert (await active.error())["code"] == "stale"
            await active.until(lambda state: state["version"] == 1)
            stored = await storage.load(made["table"])
            assert stored is not None
            assert [each.action for each in stored.log] == [choices[-1]["action"]]

    run(scenario())


def _table(number: int, status: str, public: bool) -> TableRow:
    at = f"2026-01-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}"
    return TableRow(f"t{number:05}", at, at, status, {}, public, "none", True, deal={"piles": {}})


def test_what_many_tables_write_at_once_is_kept_whole(anywhere: Path | str) -> None:
    """One entry that cannot be written, of a table that is no more, takes no other with it."""
    number = 250
    ids = [f"table{n}" for n in range(number)]

    def changes(n: int) -> dict[str, object]:
        more: dict[str, object] = {"status": "over", "scores": [n, 1]} if n % 3 == 0 else {"clock": {"left": [n / 2]}}
        return {"to_move": None if n % 3 == 0 else n % 4, "updated": f"2026-01-01T00:00:{n % 60:02}", **more}

    async def scenario() -> None:
        storage = await Storage.open(anywhere)
        try:
            for table in ids:
                row = TableRow(table, now(), now(), "playing", {"players": 2}, False, "none", True)
                await storage.add_table(row, [SeatRow(0, "token", None, "Bot", "easy")])
            written = await asyncio.gather(
                *(
                    storage.append(table, Entry(1, n % 2, None, "player", now()), **changes(n))
                    for n, table in enumerate(ids)
                ),
                storage.append("nowhere", Entry(1, 0, "pass", "player", now()), **changes(1)),
                return_exceptions=True,
            )
            assert written[:-1] == [None] * number
            assert isinstance(written[-1], Exception)
            for n, table in enumerate(ids):
                stored = await storage.load(table)
                assert stored is not None
                assert [(entry.number, entry.seat, entry.action) for entry in stored.log] == [(1, n % 2, None)]
                assert {name: getattr(stored.table, name) for name in changes(n)} == changes(n)
        finally:
            await storage.close()

    run(scenario())


def test_lists_of_tables_are_read_in_their_order_and_not_sorted(tmp_path: Path) -> None:
    path = tmp_path / "n.db"

    async def scenario() -> None:
        storage = await Storage.open(path)
        await storage.add_guest("anna", "Anna")
        rows = [_table(n, ("open", "over", "playing")[n % 3], n % 2 == 0) for n in range(900)]
        async with storage.writing() as connection:
            await connection.execute(tables.insert(), [row._asdict() for row in rows])
            mine = [{"table_id": row.id, **SeatRow(0, "x", "anna")._asdict()} for row in rows[:30]]
            await connection.execute(seats.insert(), mine)
        newest = sorted(rows, key=lambda row: row.updated, reverse=True)
        for status, found in (("open", await storage.list_open()), ("over", await storage.list_finished(None))):
            wanted = [row.id for row in newest if row.status == status and row.public]
            assert [row.id for row, _ in found] == wanted[:LISTED]
            assert all(row.deal is None for row, _ in found)
        assert {row.id for row, _ in await storage.list_of("anna")} == {
            row.id for row in rows[:30] if row.status != "over"
        }
        await storage.close()

    run(scenario())
    engine = sa.create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        for query in (listed("open"), listed("over")):
            words = str(query.compile(engine, compile_kwargs={"literal_binds": True}))
            plan = [row[-1] for row in connection.execute(sa.text(f"EXPLAIN QUERY PLAN {words}"))]
            assert len(plan) == 1
            assert "USING INDEX tables_o" in plan[0]
        mine = listed_of("anna", "over").compile(engine, compile_kwargs={"literal_binds": True})
        plan = [row[-1] for row in connection.execute(sa.text(f"EXPLAIN QUERY PLAN {mine}"))]
        assert any("ix_seats_guest" in step for step in plan)
        assert not any(step.startswith("SCAN") for step in plan)
    engine.dispose()


def test_own_finished_games_stand_among_the_public_ones(anywhere: Path | str) -> None:
    async def scenario() -> None:
        storage = await Storage.open(anywhere)
        await storage.add_guest("anna", "Anna")
        rows = [_table(n, "over", n % 2 == 0) for n in range(10)]
        for row in rows:
            await storage.add_table(row, [SeatRow(0, "x", "anna" if row.id in ("t00003", "t00004") else None)])
        shown = [row.id for row, _ in await storage.list_finished("anna")]
        assert shown == ["t00008", "t00006", "t00004", "t00003", "t00002", "t00000"]
        assert [row.id for row, _ in await storage.list_finished("boris")] == [
            each for each in shown if each != "t00003"
        ]
        await storage.close()

    run(scenario())
