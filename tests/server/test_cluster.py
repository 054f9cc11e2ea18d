"""Three server processes on one PostgreSQL, as their visitors see them."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.cluster import Cluster, Process, Wanderer, clustered
from tests.server.engines import Postgres
from tests.server.support import Json, Table, run

SQL = Callable[[str], str]


@pytest.fixture
def sql(postgres: Postgres, database: str) -> SQL:
    return partial(postgres.sql, name=database.rsplit("/", 1)[1])


@asynccontextmanager
async def visited(
    database: str, number: int = 3, visitors: int = 1, **settings: object
) -> AsyncIterator[tuple[Cluster, list[Wanderer]]]:
    async with clustered(database, number, **settings) as cluster, AsyncExitStack() as stack:
        yield cluster, [Wanderer(cluster, random.Random(seed), stack) for seed in range(visitors)]


async def one_move(table: Table, rng: random.Random) -> str:
    """Make a move and wait for it; the action."""
    await table.my_turn()
    if table.state["status"] == "over":
        return ""
    action = str(rng.choice(table.state["choices"])["action"])
    await table.play(action)
    return action


def _knows(move: int, state: Json) -> bool:
    return bool(state["log"]) and state["log"][-1]["number"] >= move


async def one_move_of(tables: list[Table], rng: random.Random) -> int:
    """Whoever is to move does so, and everybody hears of it; the number of the move."""
    mover = next(each for each in tables if each.state["to_move"] == each.state["you"])
    await one_move(mover, rng)
    done: int = mover.state["log"][-1]["number"]
    for table in tables:
        await table.until(partial(_knows, done))
    return done


async def sent_away(table: Table) -> int:
    """The code that a connection ends with, whatever comes before."""
    try:
        while True:
            await table.receive(20)
    except ConnectionClosed as closed:
        assert closed.rcvd is not None
        return closed.rcvd.code


def others(cluster: Cluster, owner: Process) -> list[Process]:
    return [each for each in cluster.running if each is not owner]


def test_a_game_goes_to_its_end_at_whichever_process_is_asked(database: str, sql: SQL) -> None:
    async def scenario() -> None:
        async with visited(database, visitors=2) as (cluster, (anna, boris)):
            made = await anna.create("me open")
            path = f"/api/tables/{made['table']}"
            assert (await boris.ask("POST", f"{path}/join", json={"name": "Boris"})).status_code == 200
            owner = await cluster.owner_of(made["table"], sql)
            moves = 0
            while True:
                for who in (anna, boris):
                    table = await who.open(made["table"], among=others(cluster, owner))
                    await table.receive()
                    while table.state["status"] == "playing" and table.state["to_move"] == table.state["you"]:
                        await one_move(table, who.rng)
                        moves += 1
                    await table.socket.close()
                if table.state["status"] == "over":
                    break
            assert moves > 30
            answers = [await anna.ask("GET", f"{path}/record", [each]) for each in cluster.all]
            assert len({each.content for each in answers}) == 1
            assert {each.status_code for each in answers} == {200}
            lists = [await anna.ask("GET", "/api/tables/played", [each]) for each in cluster.all]
            assert {each.json()["tables"][0]["table"] for each in lists} == {made["table"]}
            again = [await who.ask("POST", f"{path}/rematch", [each]) for who in (anna, boris) for each in cluster.all]
            assert {each.status_code for each in again} == {200}
            assert {(each.json()["table"], each.json()["seat"]) for each in again} == {
                (again[0].json()["table"], seat) for seat in (0, 1)
            }
            assert sql("SELECT count(*) FROM tables").strip() == "2"

    run(scenario(), 180)


def test_a_killed_owner_is_replaced_within_five_seconds_with_every_move(database: str, sql: SQL) -> None:
    async def scenario() -> None:
        async with visited(database, visitors=2) as (cluster, (anna, boris)):
            made = await anna.create("me open", edition="first")
            path = f"/api/tables/{made['table']}"
            assert (await boris.ask("POST", f"{path}/join")).status_code == 200
            tables = [await who.open(made["table"]) for who in (anna, boris)]
            for table in tables:
                await table.receive()
            for _ in range(2):
                seen = await one_move_of(tables, anna.rng)
                owner = await cluster.owner_of(made["table"], sql)
                killed = time.monotonic()
                owner.kill()
                tables = list(await asyncio.gather(*(who.come_back(made["table"]) for who in (anna, boris))))
                took = time.monotonic() - killed
                for table in tables:
                    assert table.state["log"][-1]["number"] == seen
                await one_move_of(tables, anna.rng)
                print(f"playing again after {took:.1f} s")
                assert took < 5
            assert len(cluster.running) == 1

    run(scenario(), 180)


def test_a_paused_owner_is_replaced_and_says_nothing_wrong_afterwards(database: str, sql: SQL) -> None:
    """Its visitors came through another process, which notices that it is taken for dead."""

    async def scenario() -> None:
        async with visited(database) as (cluster, (anna,)):
            made = await anna.create("me easy", edition="first")
            owner = await cluster.owner_of(made["table"], sql)
            table = await anna.open(made["table"], among=others(cluster, owner))
            await table.receive()
            await one_move(table, anna.rng)
            await table.my_turn()
            owner.signal(signal.SIGSTOP)
            paused = time.monotonic()
            assert await sent_away(table) == 4421
            cluster_now = others(cluster, owner)
            again = await anna.open(made["table"], among=cluster_now)
            await again.receive()
            assert time.monotonic() - paused < 6
            assert again.state["log"] == table.state["log"]
            await again.my_turn()
            await one_move(again, anna.rng)
            owner.signal(signal.SIGCONT)
            await asyncio.sleep(1.5)
            through_it = await anna.open(made["table"], among=[owner])
            await through_it.receive()
            await again.my_turn()
            await through_it.until(lambda state: state["log"] == again.state["log"])
            assert await cluster.owner_of(made["table"], sql) is not owner

    run(scenario(), 180)


def test_a_stopped_process_hands_its_tables_over(database: str, sql: SQL) -> None:
    async def scenario() -> None:
        async with visited(database, 2) as (cluster, (anna,)):
            made = await anna.create("me easy", edition="first")
            owner = await cluster.owner_of(made["table"], sql)
            direct = await anna.open(made["table"], among=[owner])
            through = await anna.open(made["table"], among=others(cluster, owner))
            for table in (direct, through):
                await table.receive()
            await direct.my_turn()
            action = direct.state["choices"][0]["action"]
            await direct.act(action)
            stopping = asyncio.create_task(owner.stop())
            stopped = time.monotonic()
            for table in (direct, through):
                assert await sent_away(table) == 4421, table.seen[-1]
            made_known = any(message.get("log") for message in direct.seen if message["type"] == "state")
            again = await anna.open(made["table"], among=others(cluster, owner))
            await again.receive()
            assert time.monotonic() - stopped < 2, "nobody waits for a lease that was given back"
            if made_known:
                assert again.state["log"]
            await stopping
            assert owner.process.returncode == -signal.SIGTERM, owner.output

    run(scenario(), 120)


def test_an_upgrade_loses_no_move_and_no_player(database: str) -> None:
    """Every process is replaced while people play; a move that was not answered is sent again with its version."""

    async def scenario() -> None:
        async with visited(database, 2, visitors=4) as (cluster, people):
            done = asyncio.Event()
            lost: list[float] = []
            games: list[tuple[Json, list[str]]] = []

            async def play(who: Wanderer, acknowledged: list[str]) -> None:
                made = await who.create("me easy easy easy", edition="first")
                games.append((made, acknowledged))
                table = await who.come_back(made["table"])
                while not done.is_set():
                    try:
                        action = await one_move(table, who.rng)
                        if not action:
                            await play(who, [])
                            return
                        acknowledged.append(action)
                        await asyncio.sleep(0.2)
                    except (ConnectionClosed, ConnectionResetError):
                        gone = time.monotonic()
                        assert await sent_away(table) == 4421
                        table = await who.come_back(made["table"])
                        lost.append(time.monotonic() - gone)

            playing = [asyncio.create_task(play(who, [])) for who in people]
            await asyncio.sleep(1)
            for old in cluster.running:
                await cluster.start()
                await old.stop()
                assert old.process.returncode == -signal.SIGTERM, old.output
            await asyncio.sleep(1)
            done.set()
            await asyncio.gather(*playing)
            assert lost
            print(f"{len(lost)} came back, the slowest within {max(lost):.2f} s")
            assert max(lost) < 5
            assert sum(len(acknowledged) for _, acknowledged in games) > 20
            for made, acknowledged in games:
                log = (await people[0].ask("GET", f"/api/tables/{made['table']}/log")).json()
                assert len([line for line in log if line["seat"] == 0 and not line["auto"]]) >= len(acknowledged)

    run(scenario(), 240)


def test_spectators_and_players_get_what_the_owner_says(database: str, sql: SQL) -> None:
    """Byte for byte, at the owner and through another process; and nobody else's secrets."""

    async def scenario() -> None:
        async with visited(database, 2, visitors=2) as (cluster, (anna, stranger)):
            made = await anna.create("me easy", edition="first")
            owner = await cluster.owner_of(made["table"], sql)
            away = others(cluster, owner)
            own = [await anna.open(made["table"], "?states=full", among) for among in ([owner], away)]
            watching = [await stranger.open(made["table"], "?states=full", among) for among in ([owner], away)]
            texts: list[list[str]] = [[] for _ in range(4)]

            async def collect(table: Table, texts: list[str]) -> None:
                with contextlib.suppress(ConnectionClosed):
                    while True:
                        texts.append(str(await table.socket.recv()))

            collecting = [asyncio.create_task(collect(*each)) for each in zip([*own, *watching], texts, strict=True)]
            playing = await anna.open(made["table"])
            await playing.receive()
            for _ in range(8):
                await one_move(playing, anna.rng)
            await playing.my_turn()
            await asyncio.sleep(0.5)
            for task in collecting:
                task.cancel()
            await asyncio.gather(*collecting, return_exceptions=True)
            assert texts[0][-1] == texts[1][-1] != texts[2][-1] == texts[3][-1]
            assert not {*texts[0], *texts[1]} & {*texts[2], *texts[3]}
            assert len({*texts[0]} & {*texts[1]}) > 4

    run(scenario(), 120)


def test_limits_and_lists_are_those_of_all_processes(database: str, redis: str) -> None:
    async def scenario() -> None:
        limits = {"redis": redis, "table_rate": "4 per hour", "open_table_minutes": 1}
        async with visited(database, 2, visitors=2, **limits) as (cluster, (anna, boris)):
            one, two = ([each] for each in cluster.all)
            body = {"ruleset": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "open"}], "public": True}
            made = [await anna.ask("POST", "/api/tables", one, json=body) for _ in range(4)]
            assert {each.status_code for each in made} == {201}
            await asyncio.sleep(1.5)
            assert (await anna.ask("POST", "/api/tables", two, json=body)).status_code == 429
            assert (await boris.ask("POST", "/api/tables", two, json=body)).status_code == 201
            lists = [await boris.ask("GET", "/api/tables", each) for each in (one, two)]
            assert lists[0].json() == lists[1].json()
            assert len(lists[0].json()["tables"]) == 5

    run(scenario(), 120)


def test_somebody_who_waits_is_on_the_list_of_every_process(database: str, redis: str, sql: SQL) -> None:
    async def scenario() -> None:
        async with visited(database, 2, visitors=2, redis=redis) as (cluster, (anna, boris)):
            body = {"ruleset": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "open"}], "public": True}
            made = [(await anna.ask("POST", "/api/tables", json=body)).json()["table"] for _ in range(2)]
            table = await anna.open(made[0])
            await table.receive()
            sql("UPDATE tables SET updated = '2020-01-01T00:00:00+00:00'")
            await asyncio.sleep(1.5)
            for each in cluster.all:
                listed = (await boris.ask("GET", "/api/tables", [each])).json()["tables"]
                assert [shown["table"] for shown in listed] == [made[0]]
            await table.socket.close()
            await asyncio.sleep(1.5)
            for each in cluster.all:
                assert (await boris.ask("GET", "/api/tables", [each])).json()["tables"] == []

    run(scenario(), 120)
