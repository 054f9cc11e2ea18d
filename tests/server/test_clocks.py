"""Clocks that run out, reserves, and tables without their players."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from tests.server.pairs import mine, seated, two_players
from tests.server.support import Json, play_randomly, run, running

QUICK_CLOCK: Json = {"live_seconds": 1.0, "live_reserve_seconds": 0.0}


def test_when_the_time_is_over_a_bot_makes_only_this_decision(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **QUICK_CLOCK, bot_pause=0.3) as server:
            late, other = await seated(await two_players(server, pace="live"))
            seat, version = late.state["you"], late.state["version"]
            state = await late.until(lambda state: mine(state)["missed"] == 1)
            assert state["version"] == version
            await late.act(state["choices"][0]["action"])
            assert "time" in (await late.error())["message"]
            for table in (late, other):
                state = await table.until(lambda state: state["version"] > version)
                assert not state["players"][seat]["away"]
                line = next(line for line in state["log"] if line["seat"] == seat)
                assert line["late"]
            stored = await server.components.storage.load(late.state["table"])
            assert stored is not None
            assert (stored.log[0].seat, stored.log[0].by) == (seat, "time")
            while late.state["to_move"] != seat:
                if other.state["to_move"] == other.state["you"]:
                    await other.play(other.state["choices"][0]["action"])
                version = other.state["version"]
                await late.until(lambda state, version=version: state["version"] >= version)  # type: ignore[misc]
            await late.play(late.state["choices"][0]["action"])  # they are not away
            state = await late.until(lambda state: mine(state)["missed"] == 0)
            assert [line["late"] for line in state["log"] if line["seat"] == seat and not line["auto"]][-1] is False

    run(scenario())


def test_after_two_in_a_row_somebody_is_away_until_they_come_back(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **QUICK_CLOCK) as server:
            anna = await server.visitor()
            made = await anna.create("me easy", pace="live", edition="first")
            table = await anna.open(made["table"])
            state = await table.until(lambda state: mine(state)["missed"] == 2 and mine(state)["away"])
            assert "One click" in state["question"]
            await table.until(lambda state: state["paused"] and sum(line["late"] for line in state["log"]) == 2)
            assert await table.quiet(0.5), "with nobody there, nothing plays by itself"
            stored = await server.components.storage.load(made["table"])
            assert stored is not None
            assert [entry.by for entry in stored.log if entry.seat == 0] == ["time", "time"]
            await table.send(type="away", away=False)
            state = await table.until(lambda state: not mine(state)["away"] and not state["paused"])
            assert mine(state)["missed"] == 0

    run(scenario())


def test_a_reserve_is_used_when_the_free_part_is(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", live_seconds=0.5, live_reserve_seconds=30.0) as server:
            pair = await seated(await two_players(server, pace="live"))
            active, other = pair
            seat = active.state["you"]
            assert active.state["clock"] == {"pace": "live", "decision_seconds": 0.5, "reserve_seconds": 30.0}
            assert active.state["players"][seat]["reserve_seconds"] == 30.0
            await asyncio.sleep(1.5)
            state = await active.play(active.state["choices"][0]["action"])
            assert 28.0 <= state["players"][seat]["reserve_seconds"] <= 29.2
            assert state["players"][1 - seat]["reserve_seconds"] == 30.0
            assert not state["players"][seat]["missed"]
            version = state["version"]
            await other.until(lambda state: state["version"] == version)
            stored = await server.components.storage.load(state["table"])
            assert stored is not None
            assert stored.table.clock is not None
            assert stored.table.clock["left"][seat] == state["players"][seat]["reserve_seconds"]

    run(scenario())


def test_taking_back_gives_no_more_time(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", live_seconds=60.0) as server:
            anna, boris, name = await two_players(server, pace="live", edition="first")
            active, _ = await seated((anna, boris, name))
            await asyncio.sleep(1.0)
            state = await active.play(active.state["choices"][0]["action"])
            assert state["can_undo"]
            await active.send(type="undo", version=state["version"])
            version = state["version"]
            state = await active.until(lambda state: state["version"] > version)
            assert mine(state)["clock_seconds"] <= 59.1

    run(scenario())


def test_a_live_table_without_its_players_stands_still(tmp_path: Path, quick_bots: None) -> None:
    """Also for strangers who watch, and also after a restart."""

    async def scenario() -> None:
        async with running(tmp_path / "n.db", live_seconds=2.0, live_reserve_seconds=0.0, idle_seconds=0.2) as server:
            pair = await two_players(server, pace="live")
            cookies = [dict(each.http.cookies) for each in pair[:2]]
            active, other = await seated(pair)
            seat = active.state["you"]
            await asyncio.sleep(1.0)
            for table in (active, other):
                await table.socket.close()
            watching = await (await server.visitor()).open(pair[2])
            state = await watching.until(lambda state: state["paused"])
            left = state["players"][seat]["clock_seconds"]
            assert 0.0 < left <= 1.1
            assert await watching.quiet(1.5)
        async with running(tmp_path / "n.db", live_seconds=2.0, live_reserve_seconds=0.0) as server:
            stored = await server.components.storage.load(pair[2])
            assert stored is not None
            assert not stored.log
            assert not await server.components.storage.due_before("9999")
            again = await server.visitor()
            again.http.cookies.update(cookies[seat])
            table = await again.open(pair[2])
            state = await table.until(lambda state: not state["paused"])
            assert mine(state)["clock_seconds"] <= left, "it goes on where it stood"
            await table.until(lambda state: mine(state)["missed"] == 1)

    run(scenario())


def test_a_clock_is_no_hurry_for_those_who_keep_to_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **QUICK_CLOCK) as server:
            pair = await seated(await two_players(server, pace="live"))
            for _ in range(4):
                active = next(table for table in pair if table.state["to_move"] == table.state["you"])
                await asyncio.sleep(0.4)
                state = await active.play(active.state["choices"][0]["action"])
                for table in pair:
                    version = state["version"]
                    await table.until(lambda state, version=version: state["version"] == version)  # type: ignore[misc]
            assert not any(player["away"] for player in pair[0].state["players"])

    run(scenario())


@pytest.mark.parametrize(
    ("pace", "decision", "reserve", "words"),
    [
        ("live", 14, None, "15 seconds to 1 hour"),
        ("live", 3601, None, "15 seconds to 1 hour"),
        ("live", None, -1, "at most 2 hours"),
        ("relaxed", 60, 0, "1 hour to 14 days"),
        ("relaxed", None, 31 * 86400, "at most 30 days"),
        ("none", 60, None, "without a clock"),
    ],
)
def test_times_out_of_bounds_are_refused(
    tmp_path: Path, pace: str, decision: float | None, reserve: float | None, words: str
) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            body = {"seats": [{"kind": "me"}, {"kind": "open"}], "ruleset": {"players": 2}, "pace": pace}
            times = {"decision_seconds": decision, "reserve_seconds": reserve}
            answer = await anna.http.post("/api/tables", json={**body, **times})
            assert answer.status_code == 422
            assert words in answer.json()["message"]
            assert not (await anna.http.get("/api/tables/mine")).json()["tables"]

    run(scenario())


def test_the_owner_sets_the_times_and_a_rematch_keeps_them(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            usual = (await anna.http.get("/api/meta")).json()["paces"]
            assert usual == [
                {"pace": "live", "decision_seconds": 120.0, "reserve_seconds": 300.0},
                {"pace": "relaxed", "decision_seconds": 172800.0, "reserve_seconds": 259200.0},
            ]
            made = await anna.create("me easy", pace="live", decision_seconds=45, reserve_seconds=0)
            table = await anna.open(made["table"])
            await table.until(lambda state: state["status"] == "playing")
            assert table.state["clock"] == {"pace": "live", "decision_seconds": 45.0, "reserve_seconds": 0.0}
            await play_randomly(table, random.Random(1))
            again = (await anna.http.post(f"/api/tables/{made['table']}/rematch")).json()
            other = await anna.open(again["table"])
            state = await other.until(lambda _: True)
            assert state["clock"] == table.state["clock"]

    run(scenario())
