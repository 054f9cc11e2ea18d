"""The lobby as it changes: what everybody sees at once, at one process and at several."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from pathlib import Path

from nevsky.server.lobby.news import Figures, News
from nevsky.server.lobby.presence import SILENT, Presence
from nevsky.server.protocol import LobbyState
from tests.server.cluster import Wanderer, clustered
from tests.server.lobbying import Looker, looking
from tests.server.support import Server, Visitor, run, running


async def looks(server: Server, visitor: Visitor | None = None, since: str = "") -> Looker:
    visitor = visitor or await server.visitor()
    return await looking(visitor.http, server.port, server.stack, since)


def test_tables_and_people_come_and_go_before_everybodys_eyes(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna, boris = await server.visitor(), await server.visitor()
            await boris.http.get("/api/me")
            look = await looks(server, boris)
            await look.until(lambda: look.state["online"] == 1 and not look.tables)
            made = await anna.create("me open open", public=True)
            await anna.create("me open")
            await look.until(lambda: look.tables == [made["table"]])
            at_table = await anna.open(made["table"])
            await look.until(lambda: look.state["online"] == 2)
            for name in ("Vera", "Gleb"):
                assert look.state["tables"][0]["names"].count(None) > 0
                other = await server.visitor()
                joined = await other.http.post(f"/api/tables/{made['table']}/join", json={"name": name})
                assert joined.status_code == 200
                if name == "Vera":
                    await look.until(lambda: "Vera" in look.state["tables"][0]["names"])
            await look.until(lambda: look.tables == [])
            await at_table.socket.close()
            await look.until(lambda: look.state["online"] == 1)
            assert look.wholes == 1

    run(scenario())


def test_a_cut_connection_goes_on_where_it_was(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            await anna.create("me open", public=True)
            look = await looks(server)
            await look.until(lambda: len(look.tables) == 1)
            stamp = look.state["stamp"]
            await look.socket.close()
            again = await looks(server, since=stamp)
            await again.say(type="ping")
            kinds = [(await again.receive())["type"] for _ in range(2)]
            assert kinds == ["own", "pong"]  # nothing has changed, so nothing else was sent
            await again.socket.close()
            await anna.create("me open", public=True)
            later = await looks(server, since=stamp)
            later.state = look.state
            await later.until(lambda: len(later.tables) == 2)

    run(scenario())


def test_a_hundred_changes_are_a_few_editions(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            look = await looks(server)
            await look.until(lambda: True)
            people = [await server.visitor() for _ in range(5)]
            began = asyncio.get_running_loop().time()
            await asyncio.gather(*(person.create("me open", public=True) for person in people for _ in range(10)))
            await look.until(lambda: len(look.tables) == 50)
            took = asyncio.get_running_loop().time() - began
            assert look.changes <= 2 + took / 0.4
            lobby = server.components.lobby
            before = lobby._news
            await asyncio.sleep(1.0)
            assert lobby._news is before
            assert lobby._timer is None
            assert lobby._task is None

    run(scenario())


def test_one_address_has_only_so_many_places_and_none_of_somebody_elses(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", sockets_per_address=4) as server:
            anna = await server.visitor()
            made = await anna.create("me open")
            lookers = [await looks(server) for _ in range(4)]
            for look in lookers:
                await look.until(lambda look=look: bool(look.state))  # type: ignore[misc]
            assert await (await looks(server)).sent_away() == 4503
            playing = await anna.open(made["table"])  # whoever plays comes first: a looker goes
            assert (await playing.receive())["type"] == "state"

    run(scenario())


def test_who_never_reads_holds_nobody_up_and_costs_little(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            slow = await looking(anna.http, server.port, server.stack, max_queue=1)
            slow.socket.transport.pause_reading()
            look = await looks(server)
            people = [await server.visitor() for _ in range(8)]
            for turn in range(3):
                made = [await person.create("me open", public=True) for person in people]
                await look.until(lambda: len(look.tables) == 8)
                for person, table in zip(people, made, strict=True):
                    await person.http.post(f"/api/tables/{table['table']}/leave")
                await look.until(lambda: not look.tables)
                assert turn < 3
            for visitor in server.components.lobby._visitors:
                assert len(visitor._waiting) <= 1

    run(scenario())


def test_the_lobby_can_be_switched_off(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", lobby=False) as server:
            assert await (await looks(server)).sent_away() == 4404

    run(scenario())


def test_whatever_is_missed_the_next_edition_is_whole() -> None:
    rng = random.Random(7)
    news = News([], Figures())
    known = {"": news}
    for number in range(50):
        news = News([], Figures(online=number + 1), news)
        known[news.stamp] = news
        stamp = rng.choice(list(known))
        text = news.since(stamp)
        if b'"lobby_update"' not in text:
            assert LobbyState.model_validate_json(text).online == number + 1
        else:
            assert f'"base":"{stamp}"'.encode() in text


def test_people_elsewhere_are_counted_once_and_forgotten_with_their_process() -> None:
    time = [0.0]
    presence = Presence(lambda: time[0])
    with presence.of("anna"), presence.of("anna"), presence.of(None):
        presence.hear("two", ["anna", "boris"], [])
        presence.hear_all("three", ["vera"], last=False)
        assert presence.online() == {"anna", "boris"}
        presence.hear_all("three", ["gleb"], last=True)
        assert len(presence) == 4
        presence.hear_all("three", [], last=True)
        assert presence.online() == {"anna", "boris"}
        time[0] = SILENT + 1
        presence.hear("three", ["vera"], ["nobody"])
        assert presence.online() == {"anna", "vera"}
        presence.forget("three")
        assert "vera" not in presence
    assert len(presence) == 0


def test_lobbies_of_several_processes_show_the_same(database: str) -> None:
    async def scenario() -> None:
        async with clustered(database, 2) as cluster, AsyncExitStack() as stack:
            people = [Wanderer(cluster, random.Random(seed), stack) for seed in range(2)]
            lookers = []
            for person, process in zip(people, cluster.running, strict=True):
                await person.ask("GET", "/api/me")
                lookers.append(await looking(person.http, process.port, stack))
            for look in lookers:
                await look.until(lambda look=look: look.state["online"] == 2)  # type: ignore[misc]
            body = {"ruleset": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "open"}], "public": True}
            for process in cluster.running:
                made = await people[0].ask("POST", "/api/tables", [process], json=body)
                table = made.json()["table"]
                for look in lookers:
                    await look.until(lambda look=look, table=table: table in look.tables)  # type: ignore[misc]
            await lookers[0].socket.close()
            await lookers[1].until(lambda: lookers[1].state["online"] == 1)

    run(scenario(), 120)
