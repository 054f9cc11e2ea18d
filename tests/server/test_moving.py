"""nevsky migrate-database: everything goes from a SQLite file into PostgreSQL, and is checked there."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from nevsky.errors import NevskyError
from nevsky.server import components as components_module
from nevsky.server import moving
from nevsky.server.database_file import StartLock
from nevsky.server.moving import Moved
from nevsky.server.postgres import connect
from nevsky.server.storage import Storage
from tests.cli.command import COMMAND
from tests.server.engines import Postgres, free_port
from tests.server.support import QuickBots, Table, Visitor, play_randomly, run, running


def quiet(_: str) -> None:
    pass


def moved(source: Path, target: str) -> Moved:
    return asyncio.run(moving.move(source, target, quiet))


async def begun(visitor: Visitor, name: str, moves: int) -> Table:
    table = await visitor.open(name)
    for _ in range(moves):
        await table.my_turn()
        await table.play(table.state["choices"][0]["action"])
    await table.my_turn()
    return table


@pytest.fixture
def filled(played: tuple[Path, dict[str, str], str], tmp_path: Path) -> tuple[Path, dict[str, str], str]:
    """A copy for each test."""
    for end in ("", ".secret"):
        shutil.copy2(f"{played[0]}{end}", tmp_path / f"n.db{end}")
    return (tmp_path / "n.db", *played[1:])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str], str]:
    """A file with finished games, games that go on, chat and links; cookies and the table of somebody."""
    path = tmp_path_factory.mktemp("played") / "n.db"
    kept: dict[str, Any] = {}

    async def scenario() -> None:
        async with running(path) as server:
            anna, boris = await server.visitor(), await server.visitor()
            await boris.http.get("/api/me")
            for options in ({}, {"market": True, "modules": [1, 2, 3, 4, 5, 6]}, {"public": True, "pace": "relaxed"}):
                made = await anna.create("me easy", **options)
                table = await begun(anna, made["table"], 3)
                await table.send(type="chat", text="Prost! ü 🂡 \\u0000")
                await play_randomly(table, random.Random(3))
            made = await anna.create("me easy hard", pace="live")
            await begun(anna, made["table"], 4)
            await boris.http.post(f"/api/tables/{made['table']}/devices?seat={made['seat_token']}")
            await anna.create("me open", public=True)
            storage = server.components.storage
            for number in range(300):
                await storage.add_guest(f"guest{number:04}", f"Guest {number}")
            kept.update(cookies=dict(anna.http.cookies), table=made["table"])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(components_module, "BotPool", QuickBots)
        run(scenario())
    return path, kept["cookies"], kept["table"]


def test_everything_is_there_and_games_go_on(
    filled: tuple[Path, dict[str, str], str], database: str, quick_bots: None
) -> None:
    path, cookies, name = filled
    done = subprocess.run(
        [*COMMAND, "migrate-database", str(path), database], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "4 games were replayed with the same end" in done.stdout
    assert f"Set NEVSKY_SECRET to what stands in {path}.secret" in done.stdout
    secret = Path(f"{path}.secret").read_text(encoding="ascii")

    async def scenario() -> None:
        async with running(path) as server:
            anna = await server.visitor()
            anna.http.cookies.update(cookies)
            before = [(await anna.http.get(f"/api/tables/{which}")).json() for which in ("mine", "played", "finished")]
        async with running(database, secret=secret) as server:
            anna = await server.visitor()
            anna.http.cookies.update(cookies)
            after = [(await anna.http.get(f"/api/tables/{which}")).json() for which in ("mine", "played", "finished")]
            assert before == after
            table = await anna.open(name)
            await table.my_turn()
            await table.send(type="chat", text="here we are")
            await play_randomly(table, random.Random(5))
            assert table.state["final"]

    run(scenario())
    with pytest.raises(NevskyError, match="rows that are not in the file"):
        moved(path, database)


def test_it_goes_on_where_it_was_interrupted(
    filled: tuple[Path, dict[str, str], str], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "_AT_ONCE", 20)
    path = filled[0]
    left = 0

    async def connected(url: str) -> Any:
        connection: Any = await connect(url)
        copy = connection.copy_records_to_table

        async def counted(*words: Any, **options: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                raise ConnectionResetError("the cable was cut")
            return await copy(*words, **options)

        class Counted:
            copy_records_to_table = staticmethod(counted)

            def __getattr__(self, name: str) -> Any:
                return getattr(connection, name)

        return Counted()

    monkeypatch.setattr(moving, "connect", connected)
    interrupted = 0
    while True:
        left = 6
        try:
            found = moved(path, database)
        except NevskyError as error:
            assert "was interrupted: the cable was cut" in str(error)
            interrupted += 1
        else:
            break
    assert interrupted > 5
    assert found.games == 4
    assert found.rows["guests"] >= 302
    monkeypatch.undo()
    assert moved(path, database) == found


def test_a_process_that_is_killed_leaves_a_beginning(
    filled: tuple[Path, dict[str, str], str], database: str, postgres: Postgres
) -> None:
    path, name = filled[0], database.rpartition("/")[2]
    with closing(sqlite3.connect(path)) as file, file:
        rows = [(f"more{n:06}", "x" * 40, "2026", "2026") for n in range(150_000)]
        file.executemany("INSERT INTO guests (id, name, created, last_seen) VALUES (?, ?, ?, ?)", rows)
    command = [*COMMAND, "migrate-database", str(path), database]
    copying = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    count, until = 0, time.monotonic() + 60
    while count < 10_000 and time.monotonic() < until:
        there = postgres.sql("SELECT to_regclass('guests') IS NOT NULL", name)
        count = int(postgres.sql("SELECT count(*) FROM guests", name)) if there == "t\n" else 0
    copying.kill()
    copying.communicate()
    count = int(postgres.sql("SELECT count(*) FROM guests", name))
    assert 10_000 <= count < 150_300
    assert moved(path, database).rows["guests"] > 150_300


def test_whatever_cannot_be_moved_is_told_in_a_sentence(
    filled: tuple[Path, dict[str, str], str], database: str, postgres: Postgres, tmp_path: Path
) -> None:
    path = filled[0]

    def refused(words: str, source: Path = path, target: str = database) -> None:
        with pytest.raises(NevskyError, match=words) as error:
            moved(source, target)
        assert "ruble" not in str(error.value)

    refused("There is no database", tmp_path / "nothing.db")
    refused("cannot be used: it is not a file", tmp_path)
    (tmp_path / "text.db").write_text("hello " * 1000)
    refused("cannot be used: file is not a database", tmp_path / "text.db")
    refused("from a SQLite file into PostgreSQL", target=str(tmp_path / "other.db"))
    refused("from a SQLite file into PostgreSQL", Path(database))
    refused("nobody answers there", target=postgres.url(port=free_port()))
    with StartLock(path):
        refused("is already at work")

    async def beside() -> None:
        async with running(database):
            with pytest.raises(NevskyError, match="A server is at work"):
                await moving.move(path, database, quiet)
        storage = await Storage.open(database)
        await storage.add_guest("somebody", "Somebody")
        await storage.close()

    run(beside())
    refused("In guests, PostgreSQL has rows that are not in the file")
    postgres.sql("DELETE FROM guests", database.rpartition("/")[2])
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("INSERT INTO guests (id, name, created, last_seen) VALUES ('aaa', ?, '', '')", ("long" * 30,))
    refused("Rows of guests from .* cannot be moved: value too long")


def test_a_game_that_was_broken_before_is_no_obstacle(filled: tuple[Path, dict[str, str], str], database: str) -> None:
    path = filled[0]
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE log SET action = 'nonsense' WHERE number = 2 AND table_id = ?", (filled[2],))
    assert moved(path, database)[1:] == (3, 1)


def test_a_row_that_changes_on_the_way_is_found(
    filled: tuple[Path, dict[str, str], str], database: str, postgres: Postgres
) -> None:
    moved(filled[0], database)
    name = database.rpartition("/")[2]
    postgres.sql("UPDATE log SET action = 'pass' WHERE number = 1", name)
    with pytest.raises(NevskyError, match="In log, PostgreSQL has rows"):
        moved(filled[0], database)
