"""People join by a link, play round after round, and see who has won; at any process, and over a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from nevsky.server.profiles.erasing import erase
from nevsky.server.retention import Kept, clear_out
from nevsky.server.schema import guests, tables, tournament_players, tournament_tables, tournaments
from nevsky.server.storage import now
from tests.server.notices.endpoint import push_service, subscribe
from tests.server.notices.test_pushing import SOON
from tests.server.support import Json, Server, Visitor, run, running

pytestmark = pytest.mark.usefixtures("quick_bots")


async def make(maker: Visitor, players: int = 2, rounds: int = 2, **options: Any) -> str:
    wanted = {"name": "Cup", "ruleset": {"edition": "first", "players": players}, "rounds": rounds, **options}
    answer = await maker.http.post("/api/tournaments", json=wanted)
    assert answer.status_code == 201, answer.text
    found: str = answer.json()["tournament"]
    return found


async def named(server: Server, *names: str) -> list[Visitor]:
    found = []
    for name in names:
        found.append(await server.visitor())
        await found[-1].http.put("/api/me", json={"name": name})
    return found


async def ask(someone: Visitor, tournament: str, what: str = "", method: str = "GET", **options: Any) -> Json:
    answer = await someone.http.request(method, f"/api/tournaments/{tournament}{what}", **options)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def joined(server: Server, tournament: str, *names: str) -> list[Visitor]:
    found = await named(server, *names)
    for someone in found:
        await ask(someone, tournament, "/join", "POST")
    return found


def own_table(state: Json) -> str | None:
    for game in state["games"]:
        if game["status"] == "playing" and any(seat["player"] == state["you"] for seat in game["seats"]):
            table: str = game["table"]
            return table
    return None


async def resign(someone: Visitor, tournament: str) -> None:
    table = own_table(await ask(someone, tournament))
    assert table is not None
    seat = await someone.open(table)
    await seat.until(lambda state: state["status"] == "playing")
    await seat.send(type="resign")
    await seat.until(lambda state: state["status"] == "over")
    await seat.socket.close()


async def give_up(someone: Visitor, tournament: str) -> None:
    """Alone with a bot: that brings nothing."""
    table = own_table(await ask(someone, tournament))
    assert table is not None
    seat = await someone.open(table)
    await seat.until(lambda state: state["status"] == "playing")
    await seat.send(type="end_game", agree=True)
    async with asyncio.timeout(10):
        while own_table(await ask(someone, tournament)) == table:
            await asyncio.sleep(0.02)


async def all_resign(people: list[Visitor], tournament: str) -> None:
    """At every table the one who joined later gives up."""
    for someone in reversed(people):
        if own_table(await ask(someone, tournament)) is not None:
            await resign(someone, tournament)


def test_four_people_play_two_rounds(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            (maker,) = await named(server, "Maker")
            tournament = await make(maker)
            people = await joined(server, tournament, "Anna", "Boris", "Anna", "Dora")
            state = await ask(maker, tournament, "/round", "POST")
            assert [each["name"] for each in state["players"]] == ["Anna", "Boris", "Anna 2", "Dora"]
            assert (state["info"]["round"], len(state["games"]), state["you"]) == (1, 2, None)
            late = await server.visitor()
            assert (await late.http.post(f"/api/tournaments/{tournament}/join")).status_code == 422
            early = await maker.http.post(f"/api/tournaments/{tournament}/round")
            assert early.status_code == 422
            assert (await people[0].http.post(f"/api/tournaments/{tournament}/round")).status_code == 403
            mine = (await people[0].http.get("/api/tables/mine")).json()["tables"]
            assert [each["table"] for each in mine] == [own_table(await ask(people[0], tournament))]
            await all_resign(people, tournament)
            cookies = [dict(each.http.cookies) for each in (maker, *people)]
        async with running(anywhere) as server:  # in between it goes down and comes back
            maker, *people = [await server.visitor() for _ in cookies]
            for someone, theirs in zip((maker, *people), cookies, strict=True):
                someone.http.cookies.update(theirs)
            both = await asyncio.gather(*(maker.http.post(f"/api/tournaments/{tournament}/round") for _ in range(2)))
            assert 200 in {answer.status_code for answer in both}
            state = await ask(people[0], tournament)
            assert (state["info"]["round"], len(state["games"])) == (2, 4)
            pairs = [frozenset(seat["player"] for seat in game["seats"]) for game in state["games"]]
            assert len(set(pairs)) == 4
            await all_resign(people, tournament)
            state = await ask(maker, tournament)
            assert state["info"]["status"] == "over"
            # who gave up lost, so whoever joined first has won twice, and whoever joined last has lost twice
            assert state["standings"][0]["player"] == 1 and state["standings"][0]["points"] == 24
            assert state["standings"][-1]["player"] == 4 and state["standings"][-1]["points"] == 0
            assert sum(line["points"] for line in state["standings"]) == 48
            async with server.components.storage.writing() as connection:
                await connection.execute(tables.delete())
            assert (await ask(maker, tournament))["standings"] == state["standings"]  # the result stays

    run(scenario())


def test_rounds_follow_by_themselves_and_only_once_at_several_processes(database: str) -> None:
    async def scenario() -> None:
        async with running(database) as one, running(database) as two:
            (maker,) = await named(one, "Maker")
            tournament = await make(maker, rounds=3, automatic=True)
            people = [*await joined(one, tournament, "A", "B"), *await joined(two, tournament, "C")]
            await ask(maker, tournament, "/round", "POST")
            for number in range(1, 4):
                state = await ask(maker, tournament)
                assert state["info"]["round"] == number
                assert len(state["games"]) == 2 * number
                latest = [game for game in state["games"] if game["round"] == number]
                (alone,) = [game for game in latest if None in [seat["player"] for seat in game["seats"]]]
                lone = next(seat["player"] for seat in alone["seats"] if seat["player"] is not None)
                await give_up(people[lone - 1], tournament)
                await resign(people[lone % 3], tournament)
                elsewhere = await two.visitor()
                await asyncio.gather(*(ask(each, tournament) for each in (maker, elsewhere, maker, elsewhere)))
                for each in (one, two):
                    await each.components.tournaments.look(tournament)
            assert (await ask(maker, tournament))["info"]["status"] == "over"

    run(scenario(), 90)


def test_dropping_out_coming_back_and_never_coming(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            (maker,) = await named(server, "Maker")
            tournament = await make(maker, rounds=4)
            people = await joined(server, tournament, "A", "B", "C", "D", "E")
            await ask(people[4], tournament, "/leave", "POST")
            assert len((await ask(maker, tournament))["players"]) == 4
            await ask(maker, tournament, "/round", "POST")
            state = await ask(people[0], tournament, "/leave", "POST")
            assert state["players"][0]["dropped"]
            await all_resign(people[:4], tournament)
            state = await ask(maker, tournament, "/round", "POST")
            playing = [seat["player"] for game in state["games"] if game["round"] == 2 for seat in game["seats"]]
            assert sorted(playing, key=lambda player: player or 0) == [None, 2, 3, 4]
            state = await ask(people[0], tournament, "/join", "POST")
            assert not state["players"][0]["dropped"]
            for game in [game for game in state["games"] if game["status"] == "playing"]:  # nobody came
                state = await ask(maker, tournament, f"/tables/{game['table']}", "DELETE")
            assert [each["dropped"] for each in state["players"]] == [False, True, True, True]
            table = state["games"][-1]["table"]
            gone = await people[1].http.get(f"/api/tables/{table}")
            assert (gone.status_code, "tournament" in gone.json()["message"]) == (404, True)
            few = await maker.http.post(f"/api/tournaments/{tournament}/round")
            assert few.status_code == 422
            assert (await maker.http.delete(f"/api/tournaments/{tournament}")).status_code == 204
            assert (await ask(maker, tournament))["info"]["status"] == "ended"

    run(scenario())


def test_nobody_gets_help_or_deletes_a_game(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            (maker,) = await named(server, "Maker")
            tournament = await make(maker)
            await ask(maker, tournament, "/join", "POST", json={"name": "Katharina"})
            people = await joined(server, tournament, "B", "C")
            state = await ask(maker, tournament, "/round", "POST")
            assert state["players"][0]["name"] == "Katharina"
            lone = next(game for game in state["games"] if None in [seat["player"] for seat in game["seats"]])
            number = next(seat["player"] for seat in lone["seats"] if seat["player"] is not None)
            someone = [maker, *people][number - 1]
            assert (await someone.http.delete(f"/api/tables/{lone['table']}")).status_code == 422
            table = await someone.open(lone["table"])
            state = await table.my_turn()
            assert state["tournament"] == tournament
            await table.send(type="hint", version=state["version"])
            assert (await table.error())["code"] == "not_allowed"
            await table.socket.close()
            await give_up(someone, tournament)
            state = await ask(maker, tournament)
            game = next(game for game in state["games"] if game["table"] == lone["table"])
            assert game["status"] == "given_up"
            assert {seat["points"] for seat in game["seats"]} == {0.0}

    run(scenario())


async def refused(answer: httpx.Response, words: str) -> None:
    assert answer.status_code == 422, answer.text
    assert words in answer.json()["message"]


def test_one_guest_and_one_address_have_limits(tmp_path: Path) -> None:
    async def scenario() -> None:
        limits = {"tournaments_per_guest": 2, "tournaments_per_address": 3, "tournament_players": 3}
        async with running(tmp_path / "n.db", **limits, tournament_players_per_address=2) as server:
            maker, other = await named(server, "Maker", "Other")
            wanted = {"name": "Cup", "rounds": 1}
            first = await make(maker, public=True)
            await make(maker)
            await refused(await maker.http.post("/api/tournaments", json=wanted), "End one of them first")
            await make(other)
            await refused(await other.http.post("/api/tournaments", json=wanted), "from your address")
            await joined(server, first, "A", "B")
            (late,) = await named(server, "C")
            await refused(await late.http.post(f"/api/tournaments/{first}/join"), "from your address")
            for bad in ({"rounds": 13}, {"pace": "none"}, {"name": ""}, {"ruleset": {"players": 6}}):
                answer = await other.http.post("/api/tournaments", json={**wanted, **bad})
                assert answer.status_code in (400, 422)
            five = await other.http.post("/api/tournaments", json={**wanted, "ruleset": {"players": 5}})
            assert five.status_code == 422
            listed = (await late.http.get("/api/tournaments")).json()
            assert ([each["tournament"] for each in listed["public"]], listed["mine"]) == ([first], [])
            assert len((await maker.http.get("/api/tournaments")).json()["mine"]) == 2
            assert (await late.http.get("/api/tournaments/nowhere")).status_code == 404
            assert (await late.http.get("/api/tournaments/a%00b")).status_code == 404
            assert (await late.http.post("/api/tournaments/a%00b/round")).status_code == 404
            assert (await maker.http.delete(f"/api/tournaments/{first}")).status_code == 204
            assert (await late.http.get(f"/api/tournaments/{first}")).status_code == 404
        async with running(tmp_path / "off.db", tournaments=False) as server:
            (someone,) = await named(server, "A")
            assert (await someone.http.get("/api/tournaments")).status_code == 404

    run(scenario())


def test_whoever_is_not_there_is_told_that_the_round_begins(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with push_service() as service, running(tmp_path / "n.db", **SOON) as server:
            (maker,) = await named(server, "Maker")
            tournament = await make(maker)
            people = await joined(server, tournament, "A", "B")
            await subscribe(people[1], service, kinds=["start"])
            state = await ask(maker, tournament, "/round", "POST")
            await service.wait(1)
            assert service.messages[0]["url"] == f"/table/{state['games'][0]['table']}"

    run(scenario())


def test_people_and_old_tournaments_are_forgotten(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            storage = server.components.storage
            (maker,) = await named(server, "Maker")
            begun, waiting = await make(maker), await make(maker)
            people = await joined(server, begun, "Anna", "Boris")
            await ask(people[0], waiting, "/join", "POST")
            await ask(maker, begun, "/round", "POST")
            mine = (await people[0].http.get("/api/profile/export")).json()
            assert len(mine["tournament_players"]) == 2
            assert len((await maker.http.get("/api/profile/export")).json()["tournaments_made"]) == 2
            async with storage.reading() as connection:
                ids = {row.name: row.id for row in await connection.execute(sa.select(guests.c.name, guests.c.id))}
            for name in ("Anna", "Maker"):
                await erase(storage, server.components.hub, ids[name])
            state = await ask(people[1], begun)
            assert [(each["name"], each["dropped"]) for each in state["players"]] == [
                ("Former player", True),
                ("Boris", False),
            ]
            assert (await ask(people[1], waiting))["players"] == []
            async with storage.writing() as connection:
                await connection.execute(tournaments.update().values(updated=now(61 * 86400.0)))
            assert await clear_out(storage, Kept(dead=60, tournaments=400), lambda _: False) == {
                "tournaments": 0,
                "dead": 2,
            }
            async with storage.reading() as connection:
                for table in (tournament_players, tournament_tables):
                    assert (await connection.execute(sa.select(table))).first() is None

    run(scenario())
