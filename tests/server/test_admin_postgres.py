"""nevsky admin beside servers on PostgreSQL: it works on the database itself, and the servers hear of it at once."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from nevsky.errors import NevskyError
from nevsky.server.admin.asking import ask as ask_directly
from nevsky.server.schema import guests, log
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage
from tests.cli.command import COMMAND
from tests.server.engines import Postgres
from tests.server.support import Json, Server, Table, Visitor, run, running
from tests.server.test_ownership import sent_away


async def ask(database: str, command: str, **options: Any) -> Any:
    return await asyncio.to_thread(ask_directly, Settings(database=database), command, **options)


async def guest_called(database: str, name: str) -> str:
    (found,) = await ask(database, "guests.list", name=name)
    return str(found["id"])


async def two_players(server: Server) -> tuple[list[Visitor], list[Table], Json]:
    people = [await server.visitor(), await server.visitor()]
    for visitor, name in zip(people, ("Anna", "Boris"), strict=True):
        await visitor.http.get("/api/me")
        await visitor.http.put("/api/me", json={"name": name})
    made = await people[0].create("me open", public=True)
    await people[1].http.post(f"/api/tables/{made['table']}/join")
    tables = [await visitor.open(made["table"]) for visitor in people]
    for table in tables:
        await table.until(lambda state: state["status"] == "playing" and all(p["connected"] for p in state["players"]))
    return people, tables, made


def test_a_game_is_ended_and_another_deleted_while_they_are_played(database: str) -> None:
    async def scenario() -> None:
        async with running(database) as server:
            people, tables, made = await two_players(server)
            (listed,) = await ask(database, "tables.list", status="playing")
            assert (listed["id"], listed["seats"]) == (made["table"], "Anna, Boris")
            await ask(database, "tables.end", table=made["table"])
            assert [await sent_away(table) for table in tables] == [4421, 4421]
            again = await people[0].open(made["table"])
            assert "stopped" in (await again.error())["message"]
            assert await sent_away(again) == 4404
            made = await people[0].create("me open")
            table = await people[0].open(made["table"])
            await table.until(lambda _: True)
            await ask(database, "tables.delete", table=made["table"])
            assert await sent_away(table) == 4421
            assert (await people[0].http.get(f"/api/tables/{made['table']}")).status_code == 404
            assert [row["command"] for row in await ask(database, "audit")] == ["tables.delete", "tables.end"]

    run(scenario())


def test_guests_are_renamed_muted_banned_and_erased_while_they_play(database: str) -> None:
    async def scenario() -> None:
        async with running(database) as server:
            people, tables, made = await two_players(server)
            anna, boris = await guest_called(database, "ANNA"), await guest_called(database, "boris")
            await ask(database, "guests.rename", guest=anna, name="Clara")
            assert [await sent_away(table) for table in tables] == [4421, 4421]
            tables = [await visitor.open(made["table"]) for visitor in people]
            for table in tables:
                await table.until(lambda state: [each["name"] for each in state["players"]] == ["Clara", "Boris"])
            await ask(database, "guests.mute", guest=boris)
            await tables[1].send(type="chat", text="hello")
            while (await tables[1].receive()).get("code") != "not_allowed":
                await tables[1].send(type="chat", text="hello")
            await ask(database, "guests.ban", guest=boris)
            assert await sent_away(tables[1]) == 4403
            erased = await ask(database, "guests.erase", guest=anna)
            assert await sent_away(tables[0]) == 4421
            assert (await people[0].open(made["table"])).state.get("you") is None
            shown = await ask(database, "tables.show", table=made["table"])
            assert shown["seats"][0]["guest"] == erased["now"]
            await ask(database, "addresses.ban", network="127.0.0.1")
            while (await people[1].http.get("/api/meta")).status_code != 403:
                await asyncio.sleep(0.02)
            await ask(database, "addresses.unban", network="127.0.0.1")

    run(scenario())


@pytest.mark.usefixtures("quick_bots")
def test_what_a_server_has_in_memory_is_not_purged(database: str) -> None:
    async def scenario() -> None:
        async with running(database, idle_seconds=0.2) as server:
            anna = await server.visitor()
            made = await anna.create("me open")
            table = await anna.open(made["table"])
            await table.until(lambda _: True)
            async with server.components.storage.writing() as connection:
                await connection.execute(sa.text("UPDATE tables SET updated = '2020'"))
            assert await ask(database, "purge", days=30, kinds=["open"]) == {"deleted": {"open": 0}}
            await table.socket.close()
            while len(server.components.hub):
                await asyncio.sleep(0.02)
            assert await ask(database, "purge", days=30, kinds=["open"]) == {"deleted": {"open": 1}}
            assert (await anna.http.get(f"/api/tables/{made['table']}")).status_code == 404

    run(scenario())


@pytest.mark.usefixtures("quick_bots")
def test_a_dump_holds_everything(database: str, postgres: Postgres, tmp_path: Path) -> None:
    """The example of docs/server.md."""
    name, copy = database.rpartition("/")[2], postgres.new_database()

    async def play() -> None:
        async with running(database) as server:
            anna = await server.visitor()
            table = await anna.open((await anna.create("me easy"))["table"])
            for _ in range(5):
                await table.my_turn()
                await table.play(table.state["choices"][0]["action"])

    async def rows(where: str) -> list[list[tuple[Any, ...]]]:
        storage = await Storage.open(where)
        found = [await storage._rows(sa.select(table).order_by(*table.primary_key)) for table in (guests, log)]
        await storage.close()
        return found

    run(play())
    file = str(postgres.folder / "nevsky.dump")
    postgres.tool("pg_dump", "--format=custom", f"--file={file}", postgres.url(name))
    postgres.tool("pg_restore", "--exit-on-error", f"--dbname={postgres.url(copy)}", file)
    before, after = asyncio.run(rows(database)), asyncio.run(rows(postgres.url(copy)))
    assert before == after
    assert len(before[1]) >= 5


def test_commands_that_are_for_files_say_what_to_use_instead(database: str, tmp_path: Path) -> None:
    def admin(*words: str) -> subprocess.CompletedProcess[str]:
        command = [*COMMAND, "admin", "--database", database, *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    for word in ("backup", "restore"):
        done = admin(word, str(tmp_path / "x.db"))
        assert done.returncode != 0
        assert "pg_dump" in done.stderr
    done = admin("audit")
    assert (done.returncode, done.stdout) == (0, "none\n")
    with pytest.raises(NevskyError, match="nobody answers"):
        ask_directly(Settings(database="postgresql://nevsky:x@127.0.0.1:1/nevsky"), "audit")
