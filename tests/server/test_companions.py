"""One seat on several devices: its link, and a new one that ends the old."""

from __future__ import annotations

from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.support import Json, Server, Table, Visitor, run, running


async def lists(visitor: Visitor) -> list[tuple[str, int | None]]:
    answer = await visitor.http.get("/api/tables/mine")
    return [(table["table"], table["you"]) for table in answer.json()["tables"]]


async def opened_elsewhere(server: Server, made: Json) -> Visitor:
    """The same seat on a second device."""
    second = await server.visitor()
    answer = await second.http.post(f"/api/tables/{made['table']}/devices?seat={made['seat_token']}")
    assert (answer.status_code, answer.json()["seat"]) == (200, made["seat"])
    return second


async def closed(table: Table, word: str) -> None:
    assert word in (await table.error())["message"]
    with pytest.raises(ConnectionClosed) as end:
        await table.receive()
    assert end.value.rcvd is not None and end.value.rcvd.code == 4403


def test_a_seat_link_puts_the_game_among_those_of_the_second_device(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna = await server.visitor()
            made = await anna.create("me bot")
            second = await opened_elsewhere(server, made)
            here = [(made["table"], 0)]
            assert await lists(second) == await lists(anna) == here
            again = await second.open(made["table"])  # the cookie is enough from now on
            assert (await again.receive())["you"] == 0
            stranger = await server.visitor()
            await stranger.http.get("/api/me")
            assert await lists(stranger) == []
        async with running(anywhere) as server:  # after a restart, too
            same = await server.visitor()
            same.http.cookies = second.http.cookies
            assert await lists(same) == here
            assert (await (await same.open(made["table"])).receive())["you"] == 0

    run(scenario())


def test_a_wrong_link_gives_nothing_away(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, other = await server.visitor(), await server.visitor()
            made = await anna.create("me bot")
            for path in ("devices?seat=wrong", "link", "link?seat=wrong"):
                answer = await other.http.post(f"/api/tables/{made['table']}/{path}")
                assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
            assert (await other.http.post(f"/api/tables/{made['table']}/devices")).status_code == 400
            assert await lists(other) == []
            kept = (await anna.http.get(f"/api/tables/{made['table']}")).json()["seat_token"]
            assert kept == made["seat_token"], "nothing has changed"

    run(scenario())


def test_a_new_link_ends_the_old_one(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna = await server.visitor()
            made = await anna.create("me bot")
            second = await opened_elsewhere(server, made)
            nobody = await server.visitor()  # with the link, but without a cookie
            tables = [await visitor.open(made["table"], made["seat_token"]) for visitor in (anna, second, nobody)]
            for table in tables:
                assert (await table.receive())["you"] == 0
            answer = await anna.http.post(f"/api/tables/{made['table']}/link")
            new = answer.json()["seat_token"]
            assert answer.status_code == 200 and new != made["seat_token"]
            await closed(tables[1], "replaced")
            await closed(tables[2], "replaced")
            await tables[0].send(type="ping")
            assert (await tables[0].receive())["type"] in ("pong", "state")
            assert await lists(second) == []
            assert (await (await second.open(made["table"])).receive())["you"] is None
            await closed(await second.open(made["table"], made["seat_token"]), "no longer")
            back = await anna.open(made["table"], made["seat_token"])
            assert (await back.receive())["you"] == 0, "the owner has their cookie"
            fresh = await server.visitor()
            assert (await (await fresh.open(made["table"], new)).receive())["you"] == 0

    run(scenario())


def test_whoever_renews_the_link_stays_and_so_does_the_owner(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            made = await anna.create("me bot")
            second, third = await opened_elsewhere(server, made), await opened_elsewhere(server, made)
            assert (await second.http.post(f"/api/tables/{made['table']}/link")).status_code == 200
            assert await lists(second) == await lists(anna) == [(made["table"], 0)]
            assert await lists(third) == []

    run(scenario())


def test_leaving_a_table_ends_its_link_and_a_ninth_device_the_oldest(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna = await server.visitor()
            made = await anna.create("me open")
            boris = await server.visitor()
            assert (await boris.http.get("/api/me")).status_code == 200
            devices = [await opened_elsewhere(server, made) for _ in range(9)]
            assert await lists(devices[0]) == []
            assert all([await lists(device) for device in devices[1:]])
            assert (await devices[-1].http.post(f"/api/tables/{made['table']}/leave")).status_code == 204
            assert not any([await lists(visitor) for visitor in (anna, *devices)])

    run(scenario())
