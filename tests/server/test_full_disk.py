"""When the database cannot be written: everybody is told so, nothing has changed, and nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nevsky.errors import NevskyError
from nevsky.server import storage as storage_module
from nevsky.server.database_file import DatabaseFile, StartLock
from nevsky.server.errors import Refusal
from nevsky.server.sqlite_backend import SqliteBackend
from nevsky.server.storage import Storage
from tests.cli.command import COMMAND
from tests.server.support import Json, Server, Table, Visitor, run, running


@pytest.fixture(autouse=True)
def _always_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage_module, "_PROBED", 0.0)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes, where the tests may mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", place], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("only root can mount a small disk")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def fill(disk: Path) -> Path:
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"x" * 4096)
    return ballast


async def pair_at_a_table(server: Server) -> tuple[list[Table], list[Visitor], Json]:
    """Two players, the one to move first."""
    people = [await server.visitor(), await server.visitor()]
    made = await people[0].create("me open")
    await people[1].http.post(f"/api/tables/{made['table']}/join")
    pair = [await visitor.open(made["table"]) for visitor in people]
    for table in pair:
        await table.until(lambda state: state["status"] == "playing" and all(p["connected"] for p in state["players"]))
    order = sorted(range(2), key=lambda seat: pair[seat].state["to_move"] != pair[seat].state["you"])
    return [pair[seat] for seat in order], [people[seat] for seat in order], made


async def not_saved(table: Table, **message: Any) -> None:
    """Send something that changes the table: it is refused, and the same state follows."""
    before = table.state
    await table.send(**message)
    error = await table.error()
    assert (error["code"], error["message"].split(";")[0]) == ("storage", "It could not be saved")
    table.state = {}
    assert await table.until(lambda _: True) == before


async def everything_is_refused(table: Table, visitor: Visitor, open_table: str) -> None:
    version, action = table.state["version"], table.state["choices"][0]["action"]
    await not_saved(table, type="act", version=version, action=action)
    await not_saved(table, type="chat", text="hello")
    await not_saved(table, type="away", away=True)
    await not_saved(table, type="auto_pass", until="phase")
    for answer in (
        await visitor.http.put("/api/me", json={"name": "Somebody else"}),
        await visitor.http.post(f"/api/tables/{open_table}/join"),
        await visitor.http.post(
            "/api/tables", json={"ruleset": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "open"}]}
        ),
    ):
        assert (answer.status_code, answer.json()["code"]) == (503, "storage"), answer.text


async def use_up_what_is_left(visitor: Visitor) -> None:
    """The log beside the database may have some room left, which small writes may use."""
    for number in range(200):
        if (await visitor.http.put("/api/me", json={"name": f"Anna {number}"})).status_code == 503:
            return
    raise AssertionError("the disk is not full")


async def ready(visitor: Visitor) -> tuple[int, str | None]:
    answer = await visitor.http.get("/ready")
    return answer.status_code, answer.json()["reason"]


def test_a_full_disk(small_disk: Path) -> None:
    async def scenario() -> None:
        async with running(small_disk / "n.db") as server:
            (active, other), (anna, _), made = await pair_at_a_table(server)
            waiting = (await (await server.visitor()).create("me open"))["table"]
            assert await ready(anna) == (200, None)
            await active.play(active.state["choices"][0]["action"])
            await other.until(lambda state: state["version"] == 1)
            to_move = other if other.state["to_move"] == other.state["you"] else active
            acknowledged = await to_move.my_turn()
            ballast = fill(small_disk)
            assert await ready(anna) == (503, "full")
            await use_up_what_is_left(anna)
            await everything_is_refused(to_move, anna, waiting)
            assert (await anna.http.get(f"/api/tables/{waiting}")).json()["names"][1] is None
            ballast.unlink()
            assert await ready(anna) == (200, None)
            await to_move.play(acknowledged["choices"][0]["action"])
        async with running(small_disk / "n.db") as server:
            table = await server.components.hub.get(made["table"])
            assert table.match is not None
            assert table.match.entries == acknowledged["version"] + 1
            assert table.chat == []

    run(scenario())
    with contextlib.closing(sqlite3.connect(small_disk / "n.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("what", ["gone", "replaced", "truncated"])
def test_a_file_that_is_not_there_any_more(tmp_path: Path, what: str) -> None:
    path = tmp_path / "n.db"

    async def scenario() -> None:
        async with running(path) as server:
            (active, _), (anna, _), _ = await pair_at_a_table(server)
            waiting = (await (await server.visitor()).create("me open"))["table"]
            assert await ready(anna) == (200, None)
            if what == "truncated":
                with contextlib.closing(sqlite3.connect(path)) as connection:
                    connection.execute("PRAGMA wal_checkpoint")
                backend = server.components.storage.backend
                assert isinstance(backend, SqliteBackend)
                backend._file.check()
                with path.open("r+b") as file:
                    file.truncate(8192)
            else:
                path.unlink()
            if what == "replaced":
                path.write_bytes(b"")
            assert await ready(anna) == (503, what)
            await everything_is_refused(active, anna, waiting)

    run(scenario())
    assert path.exists() == (what != "gone")


def test_a_log_beside_the_database_that_was_deleted(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            (active, other), (anna, _), _ = await pair_at_a_table(server)
            await active.play(active.state["choices"][0]["action"])
            await other.until(lambda state: state["version"] == 1)
            (tmp_path / "n.db-wal").unlink()
            assert await ready(anna) == (503, "gone")
            to_move = other if other.state["to_move"] == other.state["you"] else active
            state = await to_move.my_turn()
            await not_saved(to_move, type="act", version=state["version"], action=state["choices"][0]["action"])

    run(scenario())


def test_a_database_that_somebody_else_locks_is_not_ready(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            with contextlib.closing(sqlite3.connect(tmp_path / "n.db", isolation_level=None)) as other:
                other.execute("BEGIN EXCLUSIVE")
                assert await ready(anna) == (503, "locked")
            assert await ready(anna) == (200, None)

    run(scenario())


def test_ready_asks_the_disk_once_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage_module, "_PROBED", 3600.0)
    probes = 0
    probe = DatabaseFile.probe

    def counted(file: DatabaseFile) -> None:
        nonlocal probes
        probes += 1
        probe(file)

    monkeypatch.setattr(DatabaseFile, "probe", counted)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            await asyncio.gather(*(ready(anna) for _ in range(20)))
        assert probes == 1

    run(scenario())


def test_a_probe_leaves_nothing_behind(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            for _ in range(3):
                assert await ready(await server.visitor()) == (200, None)

    run(scenario())
    with contextlib.closing(sqlite3.connect(tmp_path / "n.db")) as connection:
        assert connection.execute("SELECT COUNT(*) FROM audit").fetchone() == (0,)


def test_bots_wait_a_moment_before_they_try_again(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            storage, tries = server.components.storage, 0
            append = storage.append

            async def failing(*_: object, **__: object) -> None:
                nonlocal tries
                tries += 1
                raise Refusal("storage", "storage")

            storage.append = failing  # type: ignore[method-assign]
            made = await anna.create("easy easy")
            table = await anna.open(made["table"])
            await table.until(lambda _: True)
            await asyncio.sleep(0.4)
            assert 1 <= tries <= 2
            storage.append = append  # type: ignore[method-assign]
            await table.until(lambda state: state["version"] > 0)

    run(scenario())


def test_two_servers_do_not_share_a_database(tmp_path: Path) -> None:
    path = tmp_path / "n.db"
    command = [*COMMAND, "serve", "--port", "0", "--database", str(path)]
    with StartLock(path):
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 2
        assert "is already at work on" in done.stderr
        assert "Traceback" not in done.stderr
        with pytest.raises(NevskyError, match="already at work"):
            StartLock(path)
    StartLock(path).release()


def test_a_truncated_database_is_refused_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "n.db"

    async def scenario() -> None:
        await (await Storage.open(path)).close()

    run(scenario())
    with path.open("r+b") as file:
        file.truncate(file.seek(0, 2) - 4096)
    with pytest.raises(NevskyError, match="shorter than it should be"):
        run(scenario())


def test_a_file_that_was_vacuumed_is_still_the_same(tmp_path: Path) -> None:
    path = tmp_path / "n.db"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
        file = DatabaseFile(path)
        connection.execute("DELETE FROM t")
        before = path.stat().st_size
        connection.execute("VACUUM")
        assert path.stat().st_size < before
        file.check()
