"""Rated games: who may play them, what they change, once, and what is told of it."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from nevsky.arena.ratings import Rating, newcomer
from nevsky.server.ratings import boards, settling
from nevsky.server.ratings.model import changed
from nevsky.server.retention import Kept, clear_out, count_old
from nevsky.server.schema import rated_seats, rating_changes, ratings, tables
from nevsky.server.storage import now
from tests.server.ratings.club import PUBLIC, RATED, page_of, profile, resign, rows, sat_down, told
from tests.server.support import Json, Server, Visitor, play_randomly, run, running

pytestmark = pytest.mark.usefixtures("quick_bots")


async def refused(visitor: Visitor, method: str, path: str, words: str, **json: object) -> None:
    answer = await visitor.http.request(method, path, json=json or None)
    assert answer.status_code in (403, 422), answer.text
    assert words in answer.json()["message"]


def test_a_rated_game_changes_ratings_once(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere, **PUBLIC) as server:
            anna, boris = await profile(server, "Anna"), await profile(server, "Boris")
            table = await sat_down([anna, boris])
            assert (await told(anna, table))["seats"] == []
            seats = [await each.open(table) for each in (anna, boris)]
            rng = random.Random(3)
            await asyncio.gather(*(play_randomly(seat, rng) for seat in seats))
            assert seats[0].state["rated"] is True
            found = await told(anna, table)
            assert found["status"] == "done"
            winners = (await anna.http.get(f"/api/tables/{table}")).json()["winners"]
            for seat in found["seats"]:
                assert (seat["change"] > 0) == (winners == [seat["seat"]]) or len(winners) == 2
                assert seat["games"] == 1
                assert seat["uncertainty"] < 500
            await check_history(server)
            actor = await server.components.hub.get(table)
            before = await rows(server, ratings)
            actor.row = actor.row._replace(rating="due")  # as if nobody had heard of the answer
            await settling.settle(actor)
            assert await rows(server, ratings) == before
            assert actor.row.rating == "done"
            assert await rows(server, rated_seats) == []
            public = (await boris.http.get(f"/api/players/{await page_of(anna)}/ratings")).json()["ratings"]
            assert [(each["family"], each["players"], len(each["points"])) for each in public] == [("second", 2, 1)]

    run(scenario())


async def check_history(server: Server) -> None:
    """The ratings are what the results make of newcomers, in their order."""
    known: dict[str, Rating] = {}
    games: dict[str, list[Json]] = {}
    for row in sorted(await rows(server, rating_changes), key=lambda row: (row.number, row.seat)):
        games.setdefault(row.table_id, []).append(row._asdict())
    for game in games.values():
        before = [known.get(each["guest"], newcomer()) for each in game]
        after = changed(before, [each["place"] for each in game], game[0]["weight"])
        known.update((each["guest"], new) for each, new in zip(game, after, strict=True))
    assert {row.guest: (row.mu, row.sigma) for row in await rows(server, ratings)} == {
        guest: tuple(rating) for guest, rating in known.items()
    }


def test_a_crash_between_the_end_and_the_rating_loses_nothing(
    anywhere: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async def crash(*_: object) -> str:
            raise RuntimeError("killed")

        with monkeypatch.context() as broken:
            broken.setattr(settling, "_settle", crash)
            async with running(anywhere, **PUBLIC) as server:
                anna, boris = await profile(server, "Anna"), await profile(server, "Boris")
                table = await sat_down([anna, boris])
                await resign(boris, table)
                assert (await told(anna, table))["status"] == "due"
                assert await rows(server, ratings) == []
                cookies = dict(anna.http.cookies)
        async with running(anywhere, **PUBLIC) as server:
            anna = await server.visitor()
            anna.http.cookies.update(cookies)
            while (await told(anna, table))["status"] == "due":
                await asyncio.sleep(0.02)
            assert [seat["change"] > 0 for seat in (await told(anna, table))["seats"]] == [True, False]
            await check_history(server)

    run(scenario())


def test_who_may_sit_at_a_rated_table(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **PUBLIC) as server:
            anna, boris = await profile(server, "Anna"), await profile(server, "Boris")
            guest = await server.visitor()
            seats = [{"kind": "me"}, {"kind": "open"}]
            bots = [{"kind": "me"}, {"kind": "bot"}]
            two: Json = {"ruleset": {"players": 2}, "seats": seats, **RATED}
            await refused(guest, "POST", "/api/tables", "you need a profile", **two)
            await refused(anna, "POST", "/api/tables", "Only people", **{**two, "seats": bots})
            await refused(anna, "POST", "/api/tables", "needs a clock", **{**two, "pace": "none"})
            made = await anna.create("me open", **RATED)
            table = f"/api/tables/{made['table']}"
            await refused(guest, "POST", f"{table}/join", "you need a profile", name="Somebody")
            assert (await guest.http.get("/api/me")).json()["named"] is False
            await refused(anna, "PUT", f"{table}/seats/1", "Only people", kind="bot")
            await refused(anna, "POST", f"{table}/start", "Only people")
            await refused(anna, "PATCH", table, "needs a clock", pace="none")
            second = await profile(server, "Anna again")
            second.http.cookies.set("nevsky_browser", anna.http.cookies["nevsky_browser"])
            await refused(second, "POST", f"{table}/join", "browser of their own")
            assert (await boris.http.post(f"{table}/join")).status_code == 200
            await refused(anna, "PATCH", table, "already", rated=False)
            seat = await anna.open(made["table"])
            state = await seat.until(lambda state: state["status"] == "playing")
            for message, words in (
                ({"type": "hint", "version": state["version"]}, "no hints"),
                ({"type": "away", "away": True}, "no bot stands in"),
                ({"type": "end_game", "agree": True}, "has a result"),
            ):
                await seat.send(**message)
                assert words in (await seat.error())["message"]

    run(scenario())


def test_a_table_becomes_rated_while_its_owner_is_alone(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **PUBLIC) as server:
            anna, boris, guest = await profile(server, "Anna"), await profile(server, "Boris"), await server.visitor()
            plain = await guest.create("me open", pace="live")
            await refused(guest, "PATCH", f"/api/tables/{plain['table']}", "you need a profile", rated=True)
            made = await anna.create("me open", pace="live")
            path = f"/api/tables/{made['table']}"
            assert (await anna.http.patch(path, json={"rated": True})).json()["rated"] is True
            assert (await anna.http.patch(path, json={"rated": False})).json()["rated"] is False
            await boris.http.patch(path, json={"rated": True})
            three = await anna.create("me open open", pace="live")
            await boris.http.post(f"/api/tables/{three['table']}/join")
            await refused(anna, "PATCH", f"/api/tables/{three['table']}", "Others sit here", rated=True)

    run(scenario())


def test_rematches_from_one_address_count_twice_a_day(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **PUBLIC) as server:
            anna, boris = await profile(server, "Anna"), await profile(server, "Boris")
            table = await sat_down([anna, boris])
            status = []
            for _ in range(3):
                await resign(boris, table)
                status.append((await told(anna, table))["status"])
                again = await anna.http.post(f"/api/tables/{table}/rematch")
                table = again.json()["table"]
                assert (await boris.http.post(f"/api/tables/{table}/join")).status_code == 200
                assert (await anna.http.get(f"/api/tables/{table}")).json()["rated"] is True
            assert status == ["done", "done", "void"]
            assert [row.games for row in await rows(server, ratings)] == [2, 2]
            await check_history(server)

    run(scenario())


def test_a_deleted_profile_takes_its_ratings_along(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **PUBLIC) as server:
            anna, boris = await profile(server, "Anna"), await profile(server, "Boris")
            table = await sat_down([anna, boris])
            await resign(boris, table)
            export = (await boris.http.get("/api/profile/export")).json()
            who = export["guest"]["id"]
            assert who in {row.guest for row in await rows(server, ratings)}
            for asks, status in ((boris, 200), (anna, 404)):  # an id is no address, but for whom it belongs to
                assert (await asks.http.get(f"/api/players/{who}/ratings")).status_code == status
            assert [each["games"] for each in export["ratings"]] == [1]
            assert len(export["rating_changes"]) == 1
            late = await sat_down([anna, boris])
            assert (await boris.http.delete("/api/profile")).status_code == 204
            assert who not in {row.guest for row in (*await rows(server, ratings), *await rows(server, rating_changes))}
            assert [seat["seat"] for seat in (await told(anna, table))["seats"]] == [0]
            seat = await anna.open(late)  # a bot plays on for nobody, who comes last
            await play_randomly(seat, random.Random(1))
            assert [each["change"] > 0 for each in (await told(anna, late))["seats"]] == [True]
            assert [row.games for row in await rows(server, ratings)] == [2]

    run(scenario())


def test_whoever_is_away_at_the_end_comes_last(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **PUBLIC) as server:
            people = [await profile(server, name) for name in ("Anna", "Boris", "Clara")]
            table = await sat_down(people)
            actor = await server.components.hub.get(table)

            async def go(seat: int, away: bool) -> None:
                await actor.call(lambda: actor.save_seat(actor.seats[seat]._replace(away=away)))

            for gone in (1, 2):
                await go(gone, away=True)
            seat = await people[0].open(table)
            while (await seat.my_turn())["round"] < 3:
                await seat.play(seat.state["choices"][-1]["action"])
            await go(1, away=False)  # back again, after a bot has played for them
            back = await people[1].open(table)
            rng = random.Random(1)
            await asyncio.gather(*(play_randomly(each, rng) for each in (seat, back)))
            found = await rows(server, rating_changes)
            assert [row.place for row in sorted(found, key=lambda row: row.seat)] == [1, 2, 2]

    run(scenario())


def test_leaderboards_list_people_with_enough_games_and_bots(
    anywhere: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards, "LEAST_GAMES", 1)
    monkeypatch.setattr(boards, "_PAGE", 4)

    async def scenario() -> None:
        async with running(anywhere, **PUBLIC) as server:
            people = [await profile(server, name) for name in ("Anna", "Boris", "Clara")]
            for winner, loser in ((0, 1), (0, 2)):
                await resign(people[loser], await sat_down([people[winner], people[loser]]))
            pages = [
                (await people[0].http.get("/api/ratings", params={"players": 2, "page": page})).json()
                for page in (0, 1)
            ]
            assert [page["people"] for page in pages] == [3, 3]
            lines = [line for page in pages for line in page["lines"]]
            assert sorted(line["rating"] for line in lines) == [line["rating"] for line in reversed(lines)]
            assert next((line["rank"], line["you"]) for line in lines if line["name"]) == (1, True)
            assert {line["level"] for line in lines} == {None, "easy", "medium", "hard", "master"}
            for line in lines:
                if line["player"] is not None:
                    found = (await people[2].http.get(f"/api/players/{line['player']}")).json()
                    assert (found["id"], found["name"]) == (line["player"], line["name"])
            known = {line["player"] for line in lines} - {None}
            assert known == {await page_of(each) for each in people}
            await people[0].http.put("/api/profile", json={"public": False})
            hidden = (await people[1].http.get("/api/ratings", params={"players": 2})).json()
            assert hidden["people"] == 2
            assert (await people[1].http.get(f"/api/players/{await page_of(people[0])}/ratings")).status_code == 404
            assert (await people[1].http.get("/api/ratings", params={"players": 5})).status_code == 404

    run(scenario())


def test_ratings_can_be_switched_off(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **PUBLIC, ratings=False) as server:
            anna = await profile(server, "Anna")
            seats = [{"kind": "me"}, {"kind": "open"}]
            await refused(anna, "POST", "/api/tables", "not rated", ruleset={"players": 2}, seats=seats, **RATED)
            assert (await anna.http.get("/api/ratings")).status_code == 404
            assert (await anna.http.get("/api/meta")).json()["ratings"] is False
            assert [row.rating for row in await rows(server, tables)] == []

    run(scenario())


def test_a_game_that_everybody_left_counts_no_more(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere, **PUBLIC) as server:
            anna, boris = await profile(server, "Anna"), await profile(server, "Boris")
            left, played = await sat_down([anna, boris]), await sat_down([anna, boris])
            storage = server.components.storage
            async with storage.writing() as connection:
                await connection.execute(tables.update().where(tables.c.id == left).values(updated=now(91 * 86400.0)))
            kept = Kept(rated=90)
            assert await count_old(storage, kept) == await clear_out(storage, kept, lambda _: False) == {"rated": 1}
            assert {row.id: row.rating for row in await rows(server, tables)} == {left: "void", played: "due"}
            assert {row.table_id for row in await rows(server, rated_seats)} == {played}
            await resign(boris, left)
            assert await rows(server, ratings) == [], "it stays so when somebody ends it"

    run(scenario())
