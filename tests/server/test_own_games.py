"""One's own games: where one is waited for, and how much time is left."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from nevsky.server.clock import Pace, Times
from nevsky.server.summaries import summary
from tests.server.pairs import seated, two_players
from tests.server.support import Json, Visitor, run, running


async def turns(visitor: Visitor) -> Json:
    found: Json = (await visitor.http.get("/api/turns")).json()
    return found


def test_only_the_player_to_move_is_waited_for_and_the_most_urgent_game_comes_first(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            nobody = await server.visitor()
            assert await turns(nobody) == {"number": 0, "tables": [], "invited": 0}
            anna = await server.visitor()
            made = [await anna.create("me easy", pace="none", edition="first")]
            for hours in (30, 2, 20):
                wanted: Json = {"pace": "relaxed", "decision_seconds": 3600 * hours, "reserve_seconds": 0}
                made.append(await anna.create("me easy", edition="first", **wanted))
            tables = [await anna.open(each["table"]) for each in made]
            for table in tables:
                await table.my_turn()
            ids = [each["table"] for each in made]
            found = await turns(anna)
            assert found["tables"] == [ids[2], ids[3], ids[1], ids[0]]
            assert found["number"] == 4
            listed = {each["table"]: each for each in (await anna.http.get("/api/tables/mine")).json()["tables"]}
            left = datetime.fromisoformat(listed[ids[2]]["deadline"]) - datetime.now(UTC)
            assert 7100 < left.total_seconds() <= 7200
            assert listed[ids[0]]["deadline"] is None
            assert await turns(nobody) == {"number": 0, "tables": [], "invited": 0}

    run(scenario())


def test_a_turn_goes_to_the_other_player_and_to_every_device_of_theirs(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, boris, phone = [await server.visitor() for _ in range(3)]
            made = await anna.create("me open", pace="relaxed", edition="first")
            assert (await boris.http.post(f"/api/tables/{made['table']}/join", json={})).status_code == 200
            await phone.http.get("/api/me")
            await phone.http.post(f"/api/tables/{made['table']}/devices", params={"seat": made["seat_token"]})
            table = await anna.open(made["table"])
            await table.receive()
            mine = table.state["to_move"] == table.state["you"]
            expected = [1, 0, 1] if mine else [0, 1, 0]
            numbers = [(await turns(each))["number"] for each in (anna, boris, phone)]
            assert numbers == expected

    run(scenario())


def test_how_much_time_is_left_tells_nothing_of_a_secret_question(tmp_path: Path) -> None:
    """Whoever seems to be to move has their time in lists, whoever is asked secretly has only the free part."""

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            pair = await seated(await two_players(server, pace="relaxed"))
            stored = await server.components.storage.load(pair[0].state["table"])
            assert stored is not None
            times = Times.new(Pace(100.0, 1000.0), 2).to_dict()
            row = stored.table._replace(to_move=1, to_move_shown=0, clock=times)
            row = row._replace(updated="2026-01-01T00:00:00+00:00")
            places = list(stored.seats)
            told = [summary(row, places, you).deadline for you in (None, 0, 1)]
            assert told == ["2026-01-01T00:18:20+00:00"] * 2 + ["2026-01-01T00:01:40+00:00"]
            plain = row._replace(to_move=0)
            assert [summary(plain, places, you).deadline for you in (None, 0, 1)] == [told[0]] * 3

    run(scenario())
