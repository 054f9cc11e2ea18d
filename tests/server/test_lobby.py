"""The list of tables: page by page, without what nobody waits for, and nobody fills it alone."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from nevsky.server.errors import Refusal
from nevsky.server.lists import LISTED, OpenTables, Page, cursor, listed
from nevsky.server.schema import SeatRow, TableRow, tables
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage, now
from tests.server.support import PLAIN, Json, Server, Visitor, run, running

OPEN: Json = {"ruleset": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "open"}], "public": True}


def _listed(answer: httpx.Response) -> list[str]:
    return [each["table"] for each in answer.json()["tables"]]


async def paged(visitor: Visitor, which: str, limit: int) -> list[str]:
    """A whole list, page by page."""
    found: list[str] = []
    after = ""
    for _ in range(100):
        answer = await visitor.http.get("/api/tables", params={"which": which, "limit": limit, "after": after})
        assert len(_listed(answer)) <= limit
        found += _listed(answer)
        after = answer.json()["next"]
        if after is None:
            return found
    raise AssertionError("the list does not end")


async def elsewhere(server: Server, address: str) -> Visitor:
    transport = httpx.AsyncHTTPTransport(local_address=address, verify=PLAIN)
    client = httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", timeout=20, transport=transport)
    return Visitor(server, await server.stack.enter_async_context(client))


def test_seventy_tables_of_one_address_leave_the_honest_one_on_the_first_page(tmp_path: Path) -> None:
    async def scenario() -> None:
        limits = {name: Settings._field_defaults[name] for name in Settings._fields if "tables_per" in name}
        async with running(tmp_path / "n.db", **limits) as server:
            anna = await server.visitor()
            made = await anna.create("me open", public=True)
            await (await anna.open(made["table"])).receive()
            flood = [await elsewhere(server, "127.0.0.2") for _ in range(14)]
            answers = await asyncio.gather(*(each.http.post("/api/tables", json=OPEN) for each in flood * 5))
            codes = [each.status_code for each in answers]
            assert codes.count(201) == limits["public_tables_per_address"] < LISTED
            assert codes.count(422) == 70 - codes.count(201)
            assert made["table"] in _listed(await (await server.visitor()).http.get("/api/tables"))
            boris = await elsewhere(server, "127.0.0.3")
            assert (await boris.http.post("/api/tables", json=OPEN)).status_code == 201

    run(scenario())


def test_one_guest_keeps_so_many_tables_open(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", open_tables_per_guest=2) as server:
            server.components.open_tables._clock = lambda: 0.0
            anna = await server.visitor()
            made = [await anna.create("me open") for _ in range(2)]
            answer = await anna.http.post("/api/tables", json=OPEN)
            assert (answer.status_code, answer.json()["code"]) == (422, "refused")
            assert "2 tables" in answer.json()["message"]
            assert (await anna.create("me easy"))["seat"] == 0  # that one waits for nobody
            await anna.http.post(f"/api/tables/{made[0]['table']}/leave")
            server.components.open_tables._clock = lambda: 60.0
            await anna.create("me open")

    run(scenario())


def test_what_is_remembered_of_open_tables_has_an_end() -> None:
    async def nothing(_: Any) -> set[str]:
        return set()

    async def scenario() -> None:
        here = OpenTables(Settings(), nothing, lambda: 0.0)
        row = TableRow("t", now(), now(), "open", {}, True, "none", True)
        for number in range(6000):
            await here.add(row, f"guest {number}", f"address {number}")
        assert len(here._made) == 5000
        for _ in range(10):
            await here.add(row, "anna", "192.0.2.1")
        with pytest.raises(Refusal, match="10 tables"):
            await here.add(row, "anna", "192.0.2.1")

    run(scenario())


def test_tables_where_nobody_waits_leave_the_list(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna = await server.visitor()
            left, waited = await anna.create("me open", public=True), await anna.create("me open", public=True)
            watched, young = await anna.create("me open", public=True), await anna.create("me open", public=True)
            socket = await anna.open(waited["table"])
            await socket.receive()
            boris = await server.visitor()
            await (await boris.open(watched["table"])).receive()  # a spectator is nobody to play with
            async with server.components.storage.writing() as connection:
                old = tables.update().where(tables.c.id != young["table"])
                await connection.execute(old.values(updated=now(16 * 60)))
            assert _listed(await boris.http.get("/api/tables")) == [young["table"], waited["table"]]
            await socket.socket.close()
            while server.components.hub.waiting():
                await asyncio.sleep(0.01)
            assert _listed(await boris.http.get("/api/tables")) == [young["table"]]
            assert set(_listed(await anna.http.get("/api/tables/mine"))) >= {left["table"], waited["table"]}
            assert (await boris.http.post(f"/api/tables/{left['table']}/join")).status_code == 200

    run(scenario())


def test_lists_come_page_by_page(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna = await server.visitor()
            await anna.http.get("/api/me")
            guest = (await server.components.storage._rows(sa.text("SELECT id FROM guests")))[0][0]  # type: ignore[arg-type]
            for number in range(30):
                at = now(600 - number // 4)  # some at the same second
                status = ("open", "over")[number % 2]
                row = TableRow(f"t{number:02}", at, at, status, {"players": 2}, number % 3 != 0, "none", True)
                await server.components.storage.add_table(row, [SeatRow(0, "x", guest if number % 5 == 0 else None)])
            for which in ("open", "mine", "finished"):
                whole = _listed(await anna.http.get(f"/api/tables/{which}" if which != "open" else "/api/tables"))
                assert whole
                for limit in (1, 2, 3, 7, 60):
                    assert await paged(anna, which, limit) == whole
            everything = [f"t{number:02}" for number in range(30)]
            shown = {each for which in ("open", "mine", "finished") for each in await paged(anna, which, 4)}
            assert shown == {each for each in everything if int(each[1:]) % 3 != 0 or int(each[1:]) % 5 == 0}

    run(scenario())


WRONG = [{"after": each} for each in ("x", "%00", "é", "eHg=", "!!!!", "IA==", "//8=", "x" * 300)]


def test_pages_that_cannot_be_are_refused(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna = await server.visitor()
            for wrong in (*WRONG, *({"limit": each} for each in ("0", "-1", "61", "many"))):
                answer = await anna.http.get("/api/tables", params=wrong)
                assert (answer.status_code, answer.json()["code"]) == (400, "bad_message"), wrong

    run(scenario())


def test_the_next_page_is_found_without_sorting(tmp_path: Path) -> None:
    async def scenario() -> None:
        await (await Storage.open(tmp_path / "n.db")).close()

    run(scenario())
    row = TableRow("t", now(), now(), "open", {}, True, "none", True)
    query = Page.read(20, cursor(row)).of(listed("over"))
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'n.db'}")
    with engine.connect() as connection:
        words = str(query.compile(engine, compile_kwargs={"literal_binds": True}))
        plan = [row[-1] for row in connection.execute(sa.text(f"EXPLAIN QUERY PLAN {words}"))]
    engine.dispose()
    assert len(plan) == 1
    assert "USING INDEX tables_over (public=? AND updated<?)" in plan[0]
