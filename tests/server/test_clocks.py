"""Clocks that run out, wishes that outlive the server, and spectators who have something to say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from nevsky import Ruleset
from nevsky.rules.actions import ACTIONS, PASS
from nevsky.rules.view import View
from nevsky.server import components as components_module
from nevsky.server.bot_pool import SeatBot
from nevsky.server.clock import Clock
from nevsky.server.match import Match
from nevsky.server.passing import AutoPassing
from nevsky.server.schema import tables
from nevsky.server.storage import now
from tests.server.support import Json, QuickBots, Server, Table, Visitor, run, running
from tests.server.test_secrecy import secret_questions

Pair = tuple[Visitor, Visitor, str]


async def two_players(server: Server, **options: Any) -> Pair:
    anna, boris = await server.visitor(), await server.visitor()
    made = await anna.create("me open", **options)
    await boris.http.post(f"/api/tables/{made['table']}/join")
    return anna, boris, made["table"]


async def seated(pair: Pair, **options: Any) -> tuple[Table, Table]:
    """Who is to move, and the other one."""
    found = [await each.open(pair[2], **options) for each in pair[:2]]
    for table in found:
        await table.until(lambda state: state["status"] == "playing" and all(p["connected"] for p in state["players"]))
    found.sort(key=lambda table: table.state["to_move"] != table.state["you"])
    return found[0], found[1]


def mine(state: Json) -> Json:
    found: Json = state["players"][state["you"]]
    return found


def test_when_the_time_is_over_a_bot_decides_and_the_seat_can_be_taken_back(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", live_seconds=1.0, bot_pause=0.3) as server:
            late, _ = await seated(await two_players(server, pace="live"))
            seat, version = late.state["you"], late.state["version"]
            state = await late.until(lambda state: mine(state)["away"])
            assert state["version"] == version
            assert "One click" in state["question"]
            await late.act(state["choices"][0]["action"])
            assert (await late.error())["message"].startswith("A bot is playing for you.")
            await late.send(type="away", away=False)  # this decision is lost all the same
            await late.until(lambda state: not mine(state)["away"])
            await late.act(state["choices"][0]["action"], version)
            assert "time" in (await late.error())["message"]
            state = await late.until(lambda state: state["version"] > version)
            assert not state["players"][seat]["away"]
            stored = await server.components.storage.load(late.state["table"])
            assert stored is not None
            assert (stored.log[0].seat, stored.log[0].by) == (seat, "bot")

    run(scenario())


def test_a_clock_is_no_hurry_for_those_who_keep_to_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", live_seconds=1.0) as server:
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


def test_a_clock_goes_on_while_the_server_does_not(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            pair = await two_players(server, pace="relaxed")
            cookies = [dict(each.http.cookies) for each in pair[:2]]
            active, _ = await seated(pair)
            seat = active.state["you"]
            async with server.components.storage.writing() as connection:
                await connection.execute(tables.update().values(updated=now(47 * 3600)))
        async with running(tmp_path / "n.db") as server:
            again = await server.visitor()
            again.http.cookies.update(cookies[seat])
            table = await again.open(pair[2])
            state = await table.until(lambda _: True)
            assert 3500 < mine(state)["clock_seconds"] <= 3600
            assert not mine(state)["away"]
        engine = sa.create_engine(f"sqlite:///{tmp_path / 'n.db'}")
        with engine.begin() as writing:
            writing.execute(tables.update().values(updated=now(49 * 3600)))
        engine.dispose()
        async with running(tmp_path / "n.db") as server:  # nobody comes, and still it happens
            while not (stored := await server.components.storage.load(pair[2])) or not stored.log:
                await asyncio.sleep(0.05)
            assert (stored.log[0].seat, stored.log[0].by) == (seat, "bot")
            assert [place.away for place in stored.seats] == [place.seat == seat for place in stored.seats]

    run(scenario())


def test_a_table_that_left_memory_comes_back_for_its_clock(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", idle_seconds=0.4, relaxed_seconds=3.0) as server:
            pair = await two_players(server, pace="relaxed")
            while pair[2] in server.components.hub._tables:
                await asyncio.sleep(0.05)
            stored = await server.components.storage.load(pair[2])
            assert stored is not None
            assert not stored.log
            while not stored.log:
                await asyncio.sleep(0.1)
                stored = await server.components.storage.load(pair[2])
                assert stored is not None
            assert stored.log[0].by == "bot"

    run(scenario())


def test_the_clock_tells_nothing_of_a_secret_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is asked in secret gets a bot's answer, but only the player whom everybody sees to move is marked (11.1)."""
    ruleset = Ruleset("second", 2, modules=(1,))

    def quiet_question(match: Match) -> bool:
        return match.game.to_move is not None and not match.tried(match.game.to_move, ACTIONS[PASS]).game.moves[-1][1]

    match = next(m for seed in range(130, 400) for m in secret_questions(ruleset, seed) if quiet_question(m))
    owner = match.game.to_move
    assert owner is not None

    class KeepsThePickPocket(QuickBots):
        async def decide(self, bot: SeatBot, view: View, history: Callable[[], Sequence[View]]) -> str:
            return "pass"

    monkeypatch.setattr(components_module, "BotPool", KeepsThePickPocket)

    async def scenario() -> None:
        async with running(tmp_path / "n.db", live_seconds=1.5) as server:
            pair = await two_players(server, pace="live", modules=[1])
            table = await server.components.hub.get(pair[2])
            asked, early = [await pair[:2][seat].open(pair[2]) for seat in (owner, 1 - owner)]
            await table.call(lambda: put(table, match))
            for each in (asked, early):
                await each.until(lambda state: state["version"] > 0)
            version, action = early.state["version"], early.state["choices"][-1]["action"]
            await early.act(action)
            state = await early.until(lambda state: state["version"] > version)
            assert [player["away"] for player in state["players"]] == [seat != owner for seat in range(2)]
            stored = await server.components.storage.load(pair[2])
            assert stored is not None
            done = [(entry.seat, entry.action) for entry in stored.log]
            assert done[:2] == [(owner, "pass"), (1 - owner, action)]  # they had chosen in time

    async def put(table: Any, match: Match) -> None:
        table.match = match
        table.clock.restart()

    run(scenario())


def test_a_secret_answer_does_not_move_the_time_of_the_last_change(tmp_path: Path) -> None:
    found = 0
    for seed in range(130, 400):
        for match in secret_questions(Ruleset("second", 2, modules=(1,)), seed):
            owner = match.game.to_move
            assert owner is not None
            if match.tried(owner, ACTIONS[PASS]).game.moves[-1][1]:
                continue
            found += 1

            async def scenario(match: Match = match, owner: int = owner, seed: int = seed) -> None:
                async with running(tmp_path / f"{seed}.db") as server:
                    pair = await two_players(server, modules=[1])
                    table = await server.components.hub.get(pair[2])
                    table.match = match
                    table.row = table.row._replace(updated="before")
                    asked = await pair[:2][owner].open(pair[2])
                    await asked.until(lambda state: state["to_move"] == state["you"])
                    await asked.play("pass")
                    assert table.row.updated == "before"
                    other = await pair[:2][1 - owner].open(pair[2])
                    state = await other.my_turn()
                    await other.play(state["choices"][-1]["action"])
                    assert table.row.updated > "2000"

            run(scenario())
        if found:
            return
    raise AssertionError("no secret question came up")


def test_passing_without_being_asked_survives_a_restart(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            pair = await two_players(server)
            cookies = [dict(each.http.cookies) for each in pair[:2]]
            active, other = await seated(pair)
            while active.state["phase"] == "worker":  # the first workers must be bought (3.6)
                await active.play(active.state["choices"][0]["action"])
                version = active.state["version"]
                await other.until(lambda state, version=version: state["version"] >= version)  # type: ignore[misc]
                if active.state["to_move"] != active.state["you"]:
                    active, other = other, active
            active_seat, passing_seat = active.state["you"], other.state["you"]
            await other.send(type="auto_pass", until="phase")
            await other.until(lambda state: state["auto_pass"] == "phase")
            assert active.state["auto_pass"] == "off"
        async with running(tmp_path / "n.db") as server:
            people = []
            for each in cookies:
                people.append(await server.visitor())
                people[-1].http.cookies.update(each)
            other = await people[passing_seat].open(pair[2])
            assert (await other.until(lambda _: True))["auto_pass"] == "phase"
            active = await people[active_seat].open(pair[2])
            state = await active.my_turn()
            await active.play(next(each["action"] for each in state["choices"] if each["action"] != "pass"))
            await active.my_turn()
            stored = await server.components.storage.load(pair[2])
            assert stored is not None
            assert [entry.by for entry in stored.log[-2:]] == ["player", "auto"]
            await other.send(type="auto_pass", until="off")
            await other.until(lambda state: state["auto_pass"] == "off")
        async with running(tmp_path / "n.db") as server:
            again = await server.visitor()
            again.http.cookies.update(cookies[passing_seat])
            assert (await (await again.open(pair[2])).until(lambda _: True))["auto_pass"] == "off"

    run(scenario())


def test_a_wish_to_pass_is_stored_as_it_is() -> None:
    for known in (None, frozenset({"pass", "buy wharf"})):
        wish = AutoPassing("change", 3, "noble", known)
        assert AutoPassing.from_dict(wish.to_dict()) == wish


def test_a_clock_counts_from_the_last_change() -> None:
    assert Clock(None, now()).left() is None
    assert not Clock(None, now(9999)).run_out()
    left = Clock(120.0, now(60)).left()
    assert left is not None
    assert 58 <= left <= 60
    late = Clock(120.0, now(130))
    assert late.run_out()
    late.restart()
    assert late.left() == 120.0
    assert Clock(120.0, now(-500)).left() == 120.0


def test_spectators_with_a_name_can_write(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", chat_rate="2 per minute") as server:
            active, other = await seated(pair := await two_players(server))
            clara = await server.visitor()
            await clara.http.put("/api/me", json={"name": "Clara"})
            watching = await clara.open(pair[2])
            await watching.receive()
            await watching.send(type="chat", text="Good luck!")
            await active.send(type="chat", text="Thank you.")
            for table in (active, other, watching):
                state = await table.until(lambda state: len(state["chat"]) == 2)
                assert {(line["seat"], line["name"], line["text"]) for line in state["chat"]} == {
                    (None, "Clara", "Good luck!"),
                    (active.state["you"], mine(active.state)["name"], "Thank you."),
                }
            again = await clara.open(pair[2])  # a second connection is no second chance
            await again.receive()
            await again.send(type="chat", text="one")
            await again.send(type="chat", text="two")
            assert (await again.error())["code"] == "too_fast"

    run(scenario())
