"""Play someone now: who is matched with whom, and that nobody is matched twice."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from nevsky.rules.ruleset import Ruleset
from nevsky.server.lobby.matching import GAMES, Waiting, find
from nevsky.server.lobby.queue import Queue
from nevsky.server.protocol import Wish
from nevsky.server.schema import seats, tables, ties, wishes
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage, now
from tests.server.cluster import Wanderer, clustered
from tests.server.lobbying import Looker, looking
from tests.server.support import Json, Server, Visitor, run, running

ANY: Json = {"type": "wish", "editions": ["first", "second"], "market": None, "seats": [2, 3, 4, 5], "bots_after": None}
TWO: Json = {**ANY, "seats": [2]}


@st.composite
def crowds(draw: st.DrawFn) -> tuple[list[Waiting], set[frozenset[str]]]:
    names = [f"guest {number}" for number in range(draw(st.integers(0, 9)))]
    editions = st.frozensets(st.sampled_from(["first", "second"]), min_size=1)
    sizes = st.frozensets(st.integers(2, 5), min_size=1)
    markets = st.sampled_from([None, True, False])
    patience = st.sampled_from([None, 0.0, 30.0])
    crowd = [
        Waiting(name, draw(editions), draw(markets), draw(sizes), draw(st.floats(0, 60)), draw(patience))
        for name in names
    ]
    if len(names) < 2:
        return crowd, set()
    pairs = st.frozensets(st.sampled_from(names), min_size=2, max_size=2)
    return crowd, draw(st.sets(pairs, max_size=6))


@given(crowds())
def test_a_group_wants_what_it_plays(crowd: tuple[list[Waiting], set[frozenset[str]]]) -> None:
    waiting, apart = crowd
    group = find(waiting, apart)
    by_name = {each.guest: each for each in waiting}
    if group is None:
        assert not any(each.impatient and any(map(each.accepts, GAMES)) for each in waiting)
        fits = [(a, b) for a in waiting for b in waiting if a is not b and frozenset((a.guest, b.guest)) not in apart]
        assert not any(a.accepts(game) and b.accepts(game) for a, b in fits for game in GAMES if game.players == 2)
        return
    members = [by_name[guest] for guest in group.guests]
    assert len(set(group.guests)) == len(members) <= group.game.players
    assert all(member.accepts(group.game) for member in members)
    assert not any(frozenset((a, b)) in apart for a in group.guests for b in group.guests)
    if len(members) < group.game.players:
        assert any(member.impatient for member in members)
        assert all(member.bots_after is not None for member in members)
    Ruleset(group.game.edition, players=group.game.players, market=group.game.market)


def test_whoever_waits_longest_comes_first_and_larger_tables_before_smaller() -> None:
    every = frozenset({"first", "second"})
    crowd = [Waiting(str(age), every, None, frozenset({2, 3}), age) for age in (1.0, 9.0, 5.0, 3.0)]
    found = find(crowd)
    assert found is not None
    assert found.guests == ("9.0", "5.0", "3.0")


def _wish(**more: Any) -> Wish:
    return Wish.model_validate({**ANY, **more})


def test_nobody_is_matched_twice_whoever_claims_at_once(anywhere: Path | str) -> None:
    """Property: many processes at once, people who come, change their minds and leave, and each is at one table."""

    async def scenario() -> None:
        rng = random.Random(11)
        stores = [await Storage.open(anywhere) for _ in range(1 if isinstance(anywhere, Path) else 3)]
        names = [f"g{number:02}" for number in range(40)]
        for name in names:
            await stores[0].add_guest(name, "Anna")
        blocked = [tuple(rng.sample(names, 2)) for _ in range(30)]
        async with stores[0].writing() as connection:
            for one, other in {frozenset(pair): pair for pair in blocked}.values():
                await connection.execute(ties.insert().values(guest=one, other=other, kind="block", at=now()))
            if not isinstance(anywhere, Path):
                running = "INSERT INTO processes VALUES ('one', '', '', now(), now() + interval '1 hour')"
                await connection.execute(sa.text(running))
        settings = Settings(waiting_per_address=1000)
        queues = []
        for storage in stores:
            storage.backend.process = "" if isinstance(anywhere, Path) else "one"
            queues.append(Queue(storage, settings, "secret"))
        told: Counter[str] = Counter()

        async def person(name: str) -> None:
            own = random.Random(name)
            for turn in range(3):
                await asyncio.sleep(own.random() / 20)
                queue = own.choice(queues)
                sizes = own.sample([2, 3, 4], own.randrange(1, 4))
                bots = own.choice([None, None, 0])
                matched = await queue.enter(name, f"t{turn}", _wish(seats=sizes, bots_after=bots), "192.0.2.1")
                if matched is not None:
                    told.update(matched.guests)
                place = await queue.place_of(name)
                if place is not None and place.table is not None:
                    return
                if own.random() < 0.2:
                    await queue.leave(name, f"t{turn}")

        await asyncio.gather(*(person(name) for name in names))
        async with stores[0].reading() as connection:
            sitting = (await connection.execute(sa.select(seats.c.table_id, seats.c.guest))).all()
            placed = dict(list(await connection.execute(sa.select(wishes.c.guest, wishes.c.table_id))))
            status = set((await connection.execute(sa.select(tables.c.status))).scalars())
        at = Counter(guest for _, guest in sitting if guest is not None)
        assert at
        assert set(at.values()) == {1}
        assert told == at
        assert status == {"playing"}
        assert all(placed[guest] == table for table, guest in sitting if guest in placed and placed[guest] is not None)
        for one, other in blocked:
            together = [{guest for where, guest in sitting if where == table} for table, _ in sitting]
            assert not any({one, other} <= people for people in together)
        for storage in stores:
            await storage.close()

    run(scenario(), 100)


async def waits(server: Server, visitor: Visitor | None = None, name: str = "", **wish: Any) -> Looker:
    visitor = visitor or await server.visitor()
    await visitor.http.get("/api/me")
    if name:
        await visitor.http.put("/api/me", json={"name": name})
    look = await looking(visitor.http, server.port, server.stack)
    await look.until(lambda: True)
    if wish:
        await look.say(**wish)
    return look


async def told(look: Looker) -> str:
    """The table that somebody is sent to."""
    await look.until(lambda: bool(look.own.get("table")))
    return str(look.own["table"])


def test_two_who_wait_play(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna, boris = await server.visitor(), await server.visitor()
            first = await waits(server, anna, "Anna", **TWO)
            await first.until(lambda: first.state["waiting"] == 1 and bool(first.own.get("wish")))
            second = await waits(server, boris, "Anna", **ANY)
            table = await told(first)
            assert await told(second) == table
            await first.until(lambda: first.state["waiting"] == 0)
            sits = (await anna.http.get(f"/api/tables/{table}")).json()
            assert (sits["status"], sits["clock"]["pace"], sorted(sits["names"])) == (
                "playing",
                "live",
                ["Anna", "Anna 2"],
            )
            assert (await (await boris.open(table)).receive())["you"] is not None
            assert (await (await server.visitor()).http.get("/api/tables/mine")).json()["tables"] == []

    run(scenario())


def test_two_tabs_are_one_person_and_who_leaves_is_not_matched(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            first = await waits(server, anna, **TWO)
            second = await waits(server, anna, **TWO)
            await second.until(lambda: second.state["waiting"] == 1 and bool(second.own))
            await first.socket.close()  # the wish is the second tab's now
            boris = await waits(server, **TWO)
            await told(boris)
            await told(second)
            vera = await waits(server, **TWO)
            await vera.until(lambda: vera.state["waiting"] == 1)
            await vera.socket.close()
            gleb = await waits(server, **TWO)
            await gleb.until(lambda: gleb.state["waiting"] == 1 and bool(gleb.own))
            await gleb.say(type="unwish")
            await gleb.until(lambda: gleb.state["waiting"] == 0 and gleb.own["wish"] is None)

    run(scenario())


def test_what_is_told_says_which_of_ones_words_it_knows(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            first = await waits(server, anna, **TWO, number=1)
            await first.until(lambda: first.own.get("number") == 1)
            other = await looking(anna.http, server.port, server.stack)
            await other.until(lambda: bool(other.own))
            assert other.own["wish"] and other.own["number"] == 0, "each tab counts its own"
            for word in ({"type": "unwish", "number": 2}, {**TWO, "number": 3}):
                await first.say(**word)
            heard = []
            while first.own["number"] < 3:
                await first.receive()
                heard.append((first.own["number"], first.own["wish"] is not None))
            assert set(heard) <= {(1, True), (1, False), (2, False), (3, True)}
            assert heard[-1] == (3, True)
            boris = await waits(server, **TWO)
            assert await told(first) == await told(boris)

    run(scenario())


def test_bots_fill_up_only_where_all_want_them(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            proud = await waits(server, **{**ANY, "seats": [4]})
            patient = await waits(server, **{**ANY, "seats": [4], "bots_after": 600})
            anna = await server.visitor()
            eager = await waits(server, anna, **{**ANY, "seats": [4], "bots_after": 0})
            table = await told(eager)
            assert await told(patient) == table
            sits = (await anna.http.get(f"/api/tables/{table}")).json()
            assert sum(each is not None for each in sits["bots"]) == 2
            await proud.until(lambda: proud.state["waiting"] == 1)
            assert not proud.own.get("table")

    run(scenario())


def test_a_flood_of_wishes_ends_at_its_address(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", waiting_per_address=3) as server:
            wish = {**ANY, "editions": ["first"], "seats": [5]}
            for _ in range(3):
                look = await waits(server, **wish)
                await look.until(lambda look=look: bool(look.own))  # type: ignore[misc]
            late = await waits(server, **wish)
            assert (await late.error())["about"] == "wish"
            nobody = await looking((await server.visitor()).http, server.port, server.stack)
            await nobody.say(**wish)
            assert (await nobody.error())["code"] == "not_allowed"
            wrong: list[Json] = [{"seats": []}, {"seats": [6]}, {"editions": ["third"]}, {"bots_after": -1}]
            for bad in [*wrong, {"market": False}]:
                await late.say(**{**wish, **bad})
                assert (await late.error())["code"] in ("bad_message", "refused")

    run(scenario())


def test_people_at_two_processes_are_matched_and_those_of_a_dead_one_are_not(database: str) -> None:
    async def scenario() -> None:
        async with clustered(database, 2) as cluster, AsyncExitStack() as stack:
            one, two = cluster.running
            people = [Wanderer(cluster, random.Random(seed), stack) for seed in range(4)]
            for person in people:
                await person.ask("GET", "/api/me")
            first = await looking(people[0].http, one.port, stack)
            await first.say(**TWO)
            await first.until(lambda: first.state["waiting"] == 1)
            second = await looking(people[1].http, two.port, stack)
            await second.until(lambda: second.state["waiting"] == 1)
            await second.say(**TWO)
            assert await told(first) == await told(second)
            lost = await looking(people[2].http, one.port, stack)
            await lost.say(**TWO)
            await lost.until(lambda: bool(lost.own))
            one.kill()
            await asyncio.sleep(4)
            last = await looking(people[3].http, two.port, stack)
            await last.say(**TWO)
            await last.until(lambda: last.state["waiting"] == 1 and bool(last.own))
            assert last.own["table"] is None

    run(scenario(), 120)
