"""People who know each other: following, blocking, inviting, and what strangers cannot do with it."""

from __future__ import annotations

import random
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import sqlalchemy as sa

from nevsky.server.people.inviting import Invited
from nevsky.server.schema import guests, invitations, ties
from nevsky.server.storage import now
from tests.server.cluster import Wanderer, clustered
from tests.server.lobbying import Looker, looking
from tests.server.support import Json, Server, Visitor, run, running


async def called(server: Server, name: str) -> Visitor:
    visitor = await server.visitor()
    assert (await visitor.http.put("/api/me", json={"name": name})).status_code == 200
    return visitor


async def looks(server: Server, visitor: Visitor) -> Looker:
    look = await looking(visitor.http, server.port, server.stack)
    await look.until(lambda: bool(look.own))
    return look


async def people(visitor: Visitor) -> Json:
    found: Json = (await visitor.http.get("/api/people")).json()
    return found


def names(some: list[Json]) -> list[str]:
    return [each["name"] for each in some]


async def find(visitor: Visitor, name: str) -> str:
    """The handle of somebody whom a visitor sees."""
    lists = await people(visitor)
    every = [each for part in ("friends", "recent", "here", "blocked") for each in lists[part]]
    return str(next(each["person"] for each in every if each["name"] == name))


async def tie(visitor: Visitor, person: str, kind: str | None) -> httpx.Response:
    return await visitor.http.put(f"/api/people/{person}", json={"tie": kind})


async def invite(visitor: Visitor, table: str, person: str) -> httpx.Response:
    return await visitor.http.post(f"/api/tables/{table}/invitations", json={"person": person})


def test_whom_one_follows_is_seen_and_whom_one_blocks_sees_nothing(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna, boris = await called(server, "Anna"), await called(server, "<b>Boris</b>")
            await looks(server, anna)
            look = await looks(server, boris)
            who = await find(anna, "<b>Boris</b>")
            assert (await tie(anna, who, "follow")).status_code == 204
            friend = (await people(anna))["friends"][0]
            assert (friend["online"], friend["invitable"], friend["tie"]) == (True, True, "follow")
            await look.socket.close()
            while server.components.lobby.presence.here() and (await people(anna))["friends"][0]["online"]:
                pass
            await looks(server, boris)
            anna_handle = await find(boris, "Anna")
            assert (await tie(boris, anna_handle, "block")).status_code == 204
            after = await people(anna)
            assert (after["friends"], after["recent"]) == ([], [])
            assert not any(each["online"] or each["invitable"] for each in after["here"])
            assert (await tie(anna, who, "follow")).status_code == 422
            assert names((await people(boris))["blocked"]) == ["Anna"]
            assert (await tie(boris, anna_handle, None)).status_code == 204
            assert (await tie(anna, who, "follow")).status_code == 204
            assert (await tie(anna, "nobody", "follow")).status_code == 404
            own = await server.components.ties.known(
                [r[0] for r in await server.components.storage._rows(sa.select(guests.c.id))]
            )
            mine = next(allowed.handle for name, allowed in own.values() if name == "Anna")
            assert (await tie(anna, mine, "block")).status_code == 422

    run(scenario())


def test_an_invitation_is_seen_at_once_and_taken_up(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            heard: list[Invited] = []
            server.components.inviting.on_invited.append(heard.append)
            anna, boris = await called(server, "Anna"), await called(server, "Boris")
            look = await looks(server, boris)
            made = await anna.create("me open")
            who = await find(anna, "Boris")
            assert (await invite(boris, made["table"], who)).status_code == 403  # only those who sit there
            assert (await invite(anna, made["table"], who)).status_code == 204
            assert (await invite(anna, made["table"], who)).status_code == 204  # once is enough
            await look.until(lambda: len(look.own["invitations"]) == 1)
            asked = look.own["invitations"][0]
            assert (asked["name"], asked["table"], asked["ruleset"]["players"]) == ("Anna", made["table"], 2)
            assert [(each.table, each.sender_name) for each in heard] == [(made["table"], "Anna")]
            other = await called(server, "Vera")
            path = f"/api/invitations/{asked['invitation']}"
            assert (await other.http.post(f"{path}/accept")).status_code == 404
            assert (await boris.http.post(f"{path}/accept")).json() == {"table": made["table"]}
            await look.until(lambda: not look.own["invitations"])
            assert (await boris.http.post(f"/api/tables/{made['table']}/join")).status_code == 200
            assert (await invite(anna, made["table"], who)).status_code == 422  # it has started
            assert names((await people(anna))["recent"]) == ["Boris"]

    run(scenario())


def test_who_sits_at_a_table_hears_of_an_invitation(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, boris = await called(server, "Anna"), await called(server, "Boris")
            game = await boris.create("me open")
            assert (await anna.http.post(f"/api/tables/{game['table']}/join")).status_code == 200
            table = await boris.open(game["table"])
            await table.until(lambda state: state["status"] == "playing")
            assert (await boris.http.get("/api/turns")).json()["invited"] == 0
            made = await anna.create("me open")
            assert (await invite(anna, made["table"], await find(anna, "Boris"))).status_code == 204
            while (await table.receive())["type"] != "nudge":
                pass
            assert (await boris.http.get("/api/turns")).json()["invited"] == 1
            (asked,) = (await boris.http.get("/api/invitations")).json()
            assert (await boris.http.post(f"/api/invitations/{asked['invitation']}/decline")).status_code == 204
            assert (await boris.http.get("/api/turns")).json()["invited"] == 0

    run(scenario())


def test_nobody_is_pestered(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            boris = await called(server, "Boris")
            look = await looks(server, boris)
            anna = await called(server, "Anna")
            tables = [(await anna.create("me open"))["table"] for _ in range(2)]
            who = await find(anna, "Boris")
            assert (await invite(anna, tables[0], who)).status_code == 204
            await look.until(lambda: bool(look.own["invitations"]))
            declined = look.own["invitations"][0]["invitation"]
            assert (await boris.http.post(f"/api/invitations/{declined}/decline")).status_code == 204
            assert (await boris.http.post(f"/api/invitations/{declined}/accept")).status_code == 404
            assert (await invite(anna, tables[1], who)).status_code == 422
            async with server.components.storage.writing() as connection:
                await connection.execute(invitations.update().values(until=now(1)))
            assert (await invite(anna, tables[1], who)).status_code == 204
            crowd = [await called(server, f"Guest {number}") for number in range(14)]
            answers = [await invite(each, (await each.create("me open"))["table"], who) for each in crowd]
            assert [each.status_code for each in answers].count(204) == 9
            vera = await called(server, "Vera")
            await looks(server, vera)
            assert (await tie(boris, await find(boris, "Vera"), "follow")).status_code == 204
            assert (await invite(vera, (await vera.create("me open"))["table"], who)).status_code == 204  # a friend
            for allowed, status in (("friends", 422), ("nobody", 422), ("all", 204)):
                async with server.components.storage.writing() as connection:
                    await connection.execute(invitations.delete())
                await boris.http.patch("/api/people", json={"invitations": allowed})
                assert (await invite(anna, tables[0], who)).status_code == status
            asked = (await boris.http.get("/api/invitations")).json()
            assert names(asked) == ["Anna"]
            assert (await tie(boris, asked[0]["person"], "block")).status_code == 204
            assert (await boris.http.get("/api/invitations")).json() == []
            refused = await invite(anna, tables[1], who)
            assert (refused.status_code, "blocked" in refused.text) == (422, False)
            stranger = await called(server, "Gleb")
            await boris.http.patch("/api/people", json={"shown": False})
            assert "Boris" not in names((await people(stranger))["here"])
            assert (await invite(stranger, (await stranger.create("me open"))["table"], who)).status_code == 422

    run(scenario())


def test_invitations_have_a_rate_and_a_number(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", invitation_rate="3 per minute") as server:
            anna = await called(server, "Anna")
            made = (await anna.create("me open"))["table"]
            codes = [(await invite(anna, made, "nobody")).status_code for _ in range(5)]
            assert codes == [404, 404, 404, 429, 429]
        async with running(tmp_path / "n.db", people=False) as server:
            assert (await (await server.visitor()).http.get("/api/people")).status_code == 404

    run(scenario())


def test_whoever_wrote_something_can_be_blocked_at_all_tables(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, boris = await called(server, "Anna"), await called(server, "Boris")
            marks = []
            for _ in range(2):
                table = (await anna.create("me open open"))["table"]
                await boris.http.post(f"/api/tables/{table}/join")
                view = await boris.open(table)
                await view.receive()
                await view.send(type="chat", text="Well")
                await view.until(lambda state: bool(state["chat"]))
                marks.append((table, view.state["chat"][0]["speaker"]))
            (one, here), (two, there) = marks
            assert here != there
            block = {"speaker": here, "blocked": True}
            assert (await anna.http.put(f"/api/tables/{one}/speakers", json=block)).status_code == 204
            assert (await anna.http.get(f"/api/tables/{two}/speakers")).json() == {"speakers": [there]}
            assert (await anna.http.put(f"/api/tables/{two}/speakers", json=block)).status_code == 404
            block = {"speaker": there, "blocked": False}
            assert (await anna.http.put(f"/api/tables/{two}/speakers", json=block)).status_code == 204
            assert (await anna.http.get(f"/api/tables/{one}/speakers")).json() == {"speakers": []}

    run(scenario())


def test_ties_and_invitations_go_with_the_guest(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna, boris = await called(server, "Anna"), await called(server, "Boris")
            await looks(server, boris)
            who = await find(anna, "Boris")
            await tie(anna, who, "follow")
            await invite(anna, (await anna.create("me open"))["table"], who)
            async with server.components.storage.writing() as connection:
                await connection.execute(guests.delete().where(guests.c.name == "Boris"))
            async with server.components.storage.reading() as connection:
                for kept in (ties, invitations):
                    assert await connection.scalar(sa.select(sa.func.count()).select_from(kept)) == 0

    run(scenario())


def test_an_invitation_reaches_people_at_another_process(database: str) -> None:
    async def scenario() -> None:
        async with clustered(database, 2) as cluster, AsyncExitStack() as stack:
            one, two = cluster.running
            anna, boris = (Wanderer(cluster, random.Random(seed), stack) for seed in range(2))
            for person, name in ((anna, "Anna"), (boris, "Boris")):
                await person.ask("PUT", "/api/me", json={"name": name})
            look = await looking(boris.http, two.port, stack)
            await look.until(lambda: bool(look.own))
            made = await anna.create("me open")
            here: list[Json] = []
            while not here:
                here = (await anna.ask("GET", "/api/people", [one])).json()["here"]
            path = f"/api/tables/{made['table']}/invitations"
            assert (await anna.ask("POST", path, [one], json={"person": here[0]["person"]})).status_code == 204
            await look.until(lambda: bool(look.own["invitations"]))

    run(scenario(), 120)
