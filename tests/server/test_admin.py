"""nevsky admin on a running server: what it changes is seen at once by everybody, and stays."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import sqlite3
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed

from nevsky.errors import NevskyError
from nevsky.server.admin.asking import ask as ask_directly
from nevsky.server.admin.backup import check_backup
from nevsky.server.ids import new_guest_id, new_table_id, new_token
from nevsky.server.retention import Kept
from nevsky.server.schema import guests, seats
from nevsky.server.settings import Settings
from tests.cli.command import COMMAND
from tests.server.support import Json, Server, Table, Visitor, run, running


async def ask(database: Path, command: str, **options: Any) -> Any:
    """Ask the running server as the command line does, from another thread."""
    return await asyncio.to_thread(ask_directly, Settings(database=str(database)), command, **options)


async def guest_of(visitor: Visitor, server: Server) -> str:
    await visitor.http.get("/api/me")
    newest = sa.select(guests.c.id).order_by(sa.text("rowid DESC"))
    found = await server.components.storage._rows(newest)
    return str(found[0][0])


async def two_players(server: Server) -> tuple[list[Visitor], list[Table], list[str], Json]:
    people = [await server.visitor(), await server.visitor()]
    ids = [await guest_of(visitor, server) for visitor in people]
    for visitor, name in zip(people, ("Anna", "Boris"), strict=True):
        await visitor.http.put("/api/me", json={"name": name})
    made = await people[0].create("me open", public=True)
    await people[1].http.post(f"/api/tables/{made['table']}/join")
    tables = [await visitor.open(made["table"]) for visitor in people]
    for table in tables:
        await table.until(lambda state: state["status"] == "playing" and all(p["connected"] for p in state["players"]))
    return people, tables, ids, made


async def closed_with(table: Table, code: str, number: int) -> str:
    error = await table.error()
    assert error["code"] == code
    with pytest.raises(ConnectionClosed) as closed:
        await table.until(lambda _: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == number
    return str(error["message"])


def test_tables_are_listed_shown_ended_and_deleted(tmp_path: Path) -> None:
    path = tmp_path / "n.db"

    async def scenario() -> None:
        async with running(path) as server:
            people, tables, ids, made = await two_players(server)
            (listed,) = await ask(path, "tables.list", status="playing")
            assert (listed["id"], listed["seats"], listed["viewers"]) == (made["table"], "Anna, Boris", 2)
            assert await ask(path, "tables.list", status="over") == []
            shown = await ask(path, "tables.show", table=made["table"])
            assert [seat["guest"] for seat in shown["seats"]] == ids
            assert made["seat_token"] not in json.dumps(shown)
            assert "deal" not in shown
            await ask(path, "tables.end", table=made["table"])
            for table in tables:
                assert "stopped" in await closed_with(table, "not_found", 4404)
            answer = await people[0].http.get(f"/api/tables/{made['table']}")
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
            for which in ("open", "mine", "finished"):
                assert (await people[0].http.get(f"/api/tables?which={which}")).json()["tables"] == []
            with pytest.raises(NevskyError, match="no game is going on"):
                await ask(path, "tables.end", table=made["table"])
            made = await people[0].create("me open")
            table = await people[0].open(made["table"])
            await table.until(lambda _: True)
            await ask(path, "tables.delete", table=made["table"])
            await closed_with(table, "not_found", 4404)
            with pytest.raises(NevskyError, match="There is no table"):
                await ask(path, "tables.show", table=made["table"])

    run(scenario())


def test_a_bot_does_not_go_on_with_a_game_that_was_ended(tmp_path: Path, quick_bots: None) -> None:
    path = tmp_path / "n.db"

    async def scenario() -> None:
        async with running(path) as server:
            made = await (await server.visitor()).create("easy easy")
            await ask(path, "tables.end", table=made["table"])
            await asyncio.sleep(0.2)
            assert (await ask(path, "tables.show", table=made["table"]))["status"] == "ended"

    run(scenario())


def test_a_guest_is_renamed_everywhere(tmp_path: Path) -> None:
    path = tmp_path / "n.db"

    async def scenario() -> None:
        async with running(path) as server:
            people, (anna, boris), ids, _ = await two_players(server)
            await anna.send(type="chat", text="hello")
            await boris.until(lambda state: state["chat"] != [])
            await ask(path, "guests.rename", guest=ids[0], name=" Cl\x1bara ")
            await boris.until(lambda state: [p["name"] for p in state["players"]] == ["Clara", "Boris"])
            assert boris.state["chat"][0]["name"] == "Clara"
            assert (await people[0].http.get("/api/me")).json()["name"] == "Clara"
            with pytest.raises(NevskyError, match="at least one letter"):
                await ask(path, "guests.rename", guest=ids[0], name="\x1b")
            with pytest.raises(NevskyError, match="There is no guest"):
                await ask(path, "guests.rename", guest="nobody", name="x")

    run(scenario())


def test_muted_guests_play_and_do_not_write(tmp_path: Path) -> None:
    path = tmp_path / "n.db"

    async def scenario() -> None:
        async with running(path) as server:
            _, (anna, _), ids, made = await two_players(server)
            await ask(path, "guests.mute", guest=ids[0])
            await anna.send(type="chat", text="hello")
            error = await anna.error()
            assert (error["code"], error["message"]) == ("not_allowed", "You may not write here any more.")
            linked = await (await server.visitor()).open(made["table"], made["seat_token"])
            await linked.send(type="chat", text="hello")
            assert (await linked.error())["code"] == "not_allowed"
            await ask(path, "guests.unmute", guest=ids[0])
            await anna.send(type="chat", text="hello")
            await anna.until(lambda state: state["chat"] != [])

    run(scenario())


def test_banned_guests_and_addresses_are_sent_away(tmp_path: Path) -> None:
    path = tmp_path / "n.db"

    async def scenario() -> None:
        async with running(path) as server:
            people, (anna, boris), ids, made = await two_players(server)
            assert (await ask(path, "guests.ban", guest=ids[0]))["connections_closed"] == 1
            assert "does not let you in" in await closed_with(anna, "not_allowed", 4403)
            answer = await people[0].http.get("/api/me")
            assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
            await closed_with(await people[0].open(made["table"]), "not_allowed", 4403)
            stranger = await server.visitor()
            await closed_with(await stranger.open(made["table"], made["seat_token"]), "not_allowed", 4403)
            await boris.until(lambda state: not state["players"][0]["connected"])
            await ask(path, "guests.unban", guest=ids[0])
            assert (await people[0].http.get("/api/me")).status_code == 200
            banned = await ask(path, "addresses.ban", network="127.0.0.0/8", reason="a test")
            assert banned == {"network": "127.0.0.0/8", "connections_closed": 1}
            await closed_with(boris, "not_allowed", 4403)
            assert (await people[1].http.get("/api/meta")).status_code == 403
            assert (await people[1].http.get("/health")).status_code == 200
        async with running(path) as server:
            stranger = await server.visitor()
            assert (await stranger.http.get("/api/meta")).status_code == 403
            assert [row["reason"] for row in await ask(path, "addresses.list")] == ["a test"]
            await ask(path, "addresses.unban", network="127.0.0.1/8")
            assert (await stranger.http.get("/api/meta")).status_code == 200
            with pytest.raises(NevskyError, match="is not banned"):
                await ask(path, "addresses.unban", network="127.0.0.0/8")
            mapped = await ask(path, "addresses.ban", network="::ffff:127.0.0.1")
            assert mapped["network"] == "127.0.0.1/32"
            assert (await stranger.http.get("/api/meta")).status_code == 403
            await ask(path, "addresses.unban", network="127.0.0.1")
            with pytest.raises(NevskyError, match="neither an address nor a network"):
                await ask(path, "addresses.ban", network="here")

    run(scenario())


def test_seats_that_an_erased_guest_leaves_have_links_of_their_own(tmp_path: Path) -> None:
    """Else whoever sits down on one of them could play all others."""

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, boris, clara = [await server.visitor() for _ in range(3)]
            guest = await guest_of(anna, server)
            names = [(await anna.create("open me"))["table"] for _ in range(2)]
            for name in names:
                assert (await boris.http.post(f"/api/tables/{name}/join")).status_code == 200
            names += [(await anna.create("open me open"))["table"] for _ in range(2)]
            for name in names[2:]:
                assert (await boris.http.post(f"/api/tables/{name}/join")).status_code == 200
            await ask(tmp_path / "n.db", "guests.erase", guest=guest)
            for name in names[2:]:
                assert (await clara.http.post(f"/api/tables/{name}/join", json={"seat": 1})).status_code == 200
            found = await server.components.storage._rows(sa.select(seats.c.token))
            assert len(set(found)) == len(found) == 10

    run(scenario())


def test_ids_can_be_words_of_a_command() -> None:
    made = [make() for make in (new_guest_id, new_table_id, new_token) for _ in range(2000)]
    assert len(set(made)) == len(made)
    assert not any(each.startswith("-") for each in made)


def test_a_guest_who_is_erased_leaves_only_their_games(tmp_path: Path) -> None:
    path = tmp_path / "n.db"

    async def scenario() -> None:
        async with running(path, bot_pause=30.0) as server:
            people, (anna, boris), ids, made = await two_players(server)
            await anna.send(type="chat", text="my secret words")
            await boris.send(type="chat", text="nice")
            await boris.until(lambda state: len(state["chat"]) == 2)
            waiting = await people[0].create("me open", public=True)
            exported = await ask(path, "guests.export", guest=ids[0])
            assert exported["guest"]["name"] == "Anna"
            assert {row["table_id"] for row in exported["seats"]} == {made["table"], waiting["table"]}
            assert [row["text"] for row in exported["chat"]] == ["my secret words"]
            assert [(row["command"], row["target"]) for row in await ask(path, "audit")] == [("guests.export", ids[0])]
            await ask(path, "guests.erase", guest=ids[0])
            await closed_with(anna, "not_allowed", 4403)
            await boris.until(lambda state: state["players"][0]["away"])
            assert [line["text"] for line in boris.state["chat"]] == ["nice"]
            assert boris.state["players"][0]["name"].startswith("Former player")
            assert (await people[1].http.get("/api/tables")).json()["tables"] == []
            await closed_with(await people[0].open(made["table"], made["seat_token"]), "not_allowed", 4403)
            assert (await people[0].http.get(f"/api/tables/{made['table']}")).json()["you"] is None
            with pytest.raises(NevskyError, match="There is no guest"):
                await ask(path, "guests.show", guest=ids[0])

    run(scenario())
    with contextlib.closing(sqlite3.connect(path)) as connection:
        dump = "\n".join(connection.iterdump())
        assert "Anna" not in dump
        assert "my secret words" not in dump
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_everything_that_changes_something_is_in_the_audit_log(tmp_path: Path) -> None:
    path = tmp_path / "n.db"

    async def scenario() -> None:
        async with running(path) as server:
            _, _, ids, made = await two_players(server)
            await ask(path, "guests.mute", guest=ids[0])
            await ask(path, "tables.end", table=made["table"])
            await ask(path, "addresses.ban", network="192.0.2.7")
            await ask(path, "tables.list")
            log = await ask(path, "audit")
            done = [(row["command"], row["target"]) for row in log]
            assert done == [
                ("addresses.ban", "192.0.2.7/32"),
                ("tables.end", made["table"]),
                ("guests.mute", ids[0]),
            ]
            assert all(row["who"] for row in log)
            with pytest.raises(NevskyError, match="does not know the command"):
                await ask(path, "tables.burn")
            with pytest.raises(NevskyError, match="does not know the command"):
                await ask(path, "tables.show", colour="red")

    run(scenario())


def test_the_socket_is_the_owners_alone_and_goes_with_the_server(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 60) / ("y" * 60) / "n.db"
    path.parent.mkdir(parents=True)

    async def scenario() -> None:
        async with running(path):
            socket = Path(f"{path}.admin")
            assert stat.S_IMODE(socket.stat().st_mode) == 0o600
            assert await ask(path, "tables.list") == []
        assert not socket.exists()

    run(scenario())


def command(path: Path, *words: str, code: int = 0) -> str:
    done = subprocess.run(
        [*COMMAND, "admin", "--database", str(path), *words], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stderr


def test_backup_and_restore(tmp_path: Path) -> None:
    path, backups = tmp_path / "n.db", tmp_path / "backups"

    async def scenario() -> None:
        async with running(path) as server:
            _, (anna, _), _, _ = await two_players(server)
            await asyncio.to_thread(command, path, "backup", str(backups), "--keep", "2")
            refused = await asyncio.to_thread(command, path, "restore", str(next(backups.glob("*.db"))), code=2)
            assert "is already at work" in refused
            await anna.send(type="chat", text="after the backup")
            await anna.until(lambda state: state["chat"] != [])
            assert [row["command"] for row in await ask(path, "audit")] == ["backup"]

    run(scenario())
    assert stat.S_IMODE(backups.stat().st_mode) == 0o700
    (backup,) = backups.glob("*.db")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert Path(f"{backup}.secret").read_text() == Path(f"{path}.secret").read_text()
    counts = check_backup(backup)
    assert (counts["tables"], counts["chat"]) == (1, 0)
    assert "kept:" in command(path, "restore", str(backup))
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT COUNT(*) FROM chat").fetchone() == (0,)
        assert connection.execute("SELECT command FROM audit").fetchall() == [("restore",)]
    (kept,) = tmp_path.glob("n.db.before-*")
    with contextlib.closing(sqlite3.connect(kept)) as connection:
        assert connection.execute("SELECT text FROM chat").fetchall() == [("after the backup",)]
    assert "it is not text" in command(path, "backup", str(tmp_path / "\udcff.db"), code=2)
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(backup.read_bytes()[:20000] + b"\xff" * 8000)
    assert "damaged" in command(path, "restore", str(damaged), code=2)
    assert "There is no database" in command(tmp_path / "none.db", "tables", "list", code=2)


def test_the_command_line_speaks_to_people(tmp_path: Path) -> None:
    path = tmp_path / "n.db"

    async def scenario() -> None:
        async with running(path) as server:
            await two_players(server)

    run(scenario())
    assert "Anna, Boris" in command(path, "tables", "list")
    assert json.loads(command(path, "guests", "list", "--json"))[0]["games"] == 1
    listed = json.loads(command(path, "guests", "list", "--name", "nna", "--json"))
    assert [row["name"] for row in listed] == ["Anna"]
    assert "muted: 20" in command(path, "guests", "mute", listed[0]["id"])
    assert "guests.mute" in command(path, "audit")
    assert "is not a number of days" in command(path, "purge", "--older-than", "soon", code=2)
    assert "would_delete" in command(path, "purge", "--older-than", "90d", "--dry-run")
    assert set(Kept._fields) <= set(re.findall(r"\w+", command(path, "purge", "--help")))
    assert "would_delete" in command(path, "purge", *Kept._fields, "--older-than", "90d", "--dry-run")
