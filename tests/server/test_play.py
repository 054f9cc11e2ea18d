"""Whole games over the WebSocket."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from nevsky import record
from nevsky.server import evaluating
from nevsky.server.evaluating import Measured
from tests.server.support import Json, Server, Table, Visitor, play_randomly, run, running

ALL_MODULES = {"market": True, "modules": [1, 2, 3, 4, 5, 6]}


async def play_out(*tables: Table, seed: int = 1) -> None:
    """All of them choose at random until the game is over."""
    await asyncio.gather(*(play_randomly(table, random.Random(seed + i)) for i, table in enumerate(tables)))


def test_a_person_against_bots_that_think_in_processes(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            await anna.http.put("/api/me", json={"name": "Anna"})
            made = await anna.create("me medium easy")
            table = await anna.open(made["table"])
            rng = random.Random(1)
            while (state := await table.my_turn())["status"] != "over":
                assert state["you"] == 0
                assert state["choices"]
                await table.play(rng.choice(state["choices"])["action"])
            assert len(state["final"]) == 3
            assert state["winners"]
            answer = await anna.http.get(f"/api/tables/{made['table']}/record")
            game = record.from_json(answer.text)
            assert game.result is not None
            assert list(game.result.winners) == state["winners"]
            assert game.seats[0] == "Anna"
            assert len(game.seed) == 32
            log = (await anna.http.get(f"/api/tables/{made['table']}/log?language=de")).json()
            assert any(line["text"].startswith("Du ") for line in log)
            listed = (await anna.http.get("/api/tables/finished")).json()["tables"]
            assert [each["table"] for each in listed] == [made["table"]]
            assert (await anna.http.get("/api/tables?which=mine")).json()["tables"] == []

    run(scenario())


def test_two_people_and_their_rematch(anywhere: Path | str, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna, boris = await server.visitor(), await server.visitor()
            made = await anna.create("me open easy", public=True, **ALL_MODULES)
            table = await anna.open(made["table"])
            waiting = await table.until(lambda state: state["status"] == "open")
            assert [player["name"] == "" for player in waiting["players"]] == [False, True, False]
            assert "free" in waiting["question"]
            listed = (await boris.http.get("/api/tables")).json()["tables"]
            assert [each["table"] for each in listed] == [made["table"]]
            await boris.http.get("/api/me")
            watching = await boris.open(made["table"])
            assert (await watching.receive())["you"] is None
            joined = (await boris.http.post(f"/api/tables/{made['table']}/join")).json()
            assert joined["seat"] == 1
            await watching.until(lambda state: state["you"] == 1)
            await watching.socket.close()
            again = (await boris.http.post(f"/api/tables/{made['table']}/join", json={"seat": 0})).json()
            assert again == joined
            other = await boris.open(made["table"], joined["seat_token"], "fr")
            await table.until(lambda state: state["status"] == "playing")
            await play_out(table, other)
            assert table.state["final"] == other.state["final"]
            await rematch(anna, boris, table, made)

    async def rematch(anna: Visitor, boris: Visitor, table: Table, made: Json) -> None:
        first = (await anna.http.post(f"/api/tables/{made['table']}/rematch")).json()
        assert first["seat"] == 0
        await table.until(lambda state: state["rematch"] == first["table"])
        stranger = await table_visitor(boris)
        refused = await stranger.http.post(f"/api/tables/{first['table']}/join")
        assert refused.json()["code"] == "refused"
        second = (await boris.http.post(f"/api/tables/{made['table']}/rematch")).json()
        assert (second["table"], second["seat"]) == (first["table"], 1)
        assert second["seat_token"] != first["seat_token"]
        assert (await anna.http.get(f"/api/tables/{first['table']}")).json()["status"] == "playing"

    async def table_visitor(boris: Visitor) -> Visitor:
        return await boris.server.visitor()

    run(scenario())


def test_a_spectator_sees_the_game_but_no_hand(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, boris = await server.visitor(), await server.visitor()
            made = await anna.create("easy easy easy")
            assert made["seat"] is None
            table = await boris.open(made["table"])
            state = await table.until(lambda state: state["status"] == "over")
            assert state["you"] is None
            playing = [seen for seen in table.seen if seen["status"] == "playing"]
            assert all(player["rubles"] is None for seen in playing for player in seen["players"])
            assert not any(seen["choices"] for seen in playing)

    run(scenario())


def test_replay_shows_every_step_with_everything_open(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            made = await anna.create("easy easy", **ALL_MODULES)
            table = await anna.open(made["table"])
            await table.until(lambda state: state["status"] == "over")
            path = f"/api/tables/{made['table']}/replay"
            steps = (await anna.http.get(path)).json()["steps"]
            for step in (0, 1, steps // 2, steps):
                answer = (await anna.http.get(f"{path}?step={step}&seat=1&language=it")).json()
                assert answer["step"] == step
                state = answer["state"]
                assert all(player["rubles"] is not None for player in state["players"])
                assert all(card["card"] for player in state["players"] for card in player["hand"])
                assert sum(line["seat"] is not None for line in state["log"]) == step
            assert state["final"] == table.state["final"]

    run(scenario())


def evaluate_quickly(*given: Any) -> list[Measured]:
    """In a worker: the same with fewer descents."""
    evaluating._DESCENTS = 5  # type: ignore[misc]
    return evaluating.evaluate(*given)


def test_a_finished_game_is_evaluated_step_by_step(
    tmp_path: Path, quick_bots: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nevsky.server.bot_pool.evaluate", evaluate_quickly)
    monkeypatch.setattr("nevsky.server.bot_pool.REVIEW_PART", 0.05)
    monkeypatch.setattr("nevsky.server.reviews._PATIENCE", 0.2)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            made = await anna.create("easy easy")
            table = await anna.open(made["table"])
            path = f"/api/tables/{made['table']}/evaluation"
            state = await table.until(lambda state: state["status"] == "over")
            known = [0]
            while known[-1] <= (answer := (await anna.http.get(path)).json())["steps"]:
                known.append(len(answer["scores"]))
                assert len(answer["chances"]) == known[-1] <= answer["steps"] + 1
            assert known == sorted(known)
            assert answer["scores"][-1] == [line["total"] for line in state["final"]]
            assert all(sum(shares) == pytest.approx(1, abs=0.01) for shares in answer["chances"])

    run(scenario())


async def a_pair(server: Server, **options: object) -> tuple[Table, Table]:
    """Two people at a new table, both connected."""
    anna, boris = await server.visitor(), await server.visitor()
    made = await anna.create("me open", **options)
    joined = (await boris.http.post(f"/api/tables/{made['table']}/join")).json()
    pair = await anna.open(made["table"]), await boris.open(made["table"], joined["seat_token"])
    for table in pair:
        await table.until(lambda state: state["status"] == "playing" and all(p["connected"] for p in state["players"]))
    return pair


def mover(pair: tuple[Table, Table]) -> tuple[Table, Table]:
    first, second = pair
    return (first, second) if first.state["to_move"] == first.state["you"] else (second, first)


async def both(pair: tuple[Table, Table], action: str) -> None:
    """The one to move acts, and both know."""
    active, other = mover(pair)
    state = await active.play(action)
    await other.until(lambda seen: seen["version"] >= state["version"])


def test_undo_until_another_player_has_acted(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            auto = True
            while auto:  # a rare deal leaves nobody else a choice and shows new cards at once
                pair = await a_pair(server)
                active, other = mover(pair)
                before = active.state
                assert not before["can_undo"]
                await both(pair, before["choices"][0]["action"])
                auto = any(line["auto"] for line in active.state["log"])
            assert active.state["can_undo"]
            assert not other.state["can_undo"]
            await other.send(type="undo", version=other.state["version"])
            assert (await other.error())["code"] == "illegal"
            await active.send(type="undo", version=active.state["version"])
            state = await active.until(lambda seen: seen["version"] == 2)
            await other.until(lambda seen: seen["version"] == 2)
            assert state["choices"] == before["choices"]
            assert state["players"] == before["players"]
            assert state["log"] == []
            await both(pair, before["choices"][0]["action"])
            await both(pair, other.state["choices"][0]["action"])
            assert not active.state["can_undo"]

    run(scenario())


def test_no_undo_once_new_cards_were_seen(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            pair = await a_pair(server)
            while pair[0].state["phase"] == "worker":
                active, _ = mover(pair)
                await both(pair, active.state["choices"][-1]["action"])
            assert not any(table.state["can_undo"] for table in pair)

    run(scenario())


async def to_building_phase(pair: tuple[Table, Table]) -> None:
    while pair[0].state["phase"] != "building":
        active, _ = mover(pair)
        await both(pair, active.state["choices"][0 if active.state["round"] == 0 else -1]["action"])


def test_passing_without_being_asked_lasts_for_the_phase(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            pair = await a_pair(server)
            await to_building_phase(pair)
            active, other = mover(pair)
            await active.send(type="auto_pass", until="phase")
            await other.until(lambda state: state["to_move"] == other.state["you"])
            await active.until(lambda state: state["auto_pass"] == "phase")
            take = next(c["action"] for c in other.state["choices"] if c["verb"] == "take")
            version = other.state["version"]
            await other.act(take)
            await other.until(lambda state: state["version"] == version + 2)
            assert "passes" in other.state["log"][-1]["text"]
            await other.play("pass")
            state = await active.until(lambda state: state["phase"] == "noble")
            assert state["auto_pass"] == "off"

    run(scenario())


def test_passing_until_a_change_ends_with_a_better_choice(tmp_path: Path) -> None:
    from nevsky import Game, Ruleset
    from nevsky.server.passing import AutoPassing

    view = Game(Ruleset("second", 2), 3).view(Game(Ruleset("second", 2), 3).to_move)
    view = view._replace(legal=("take wharf", "pass"), must_buy=False)
    mode = AutoPassing.start("change", view)
    assert mode.lasts(view)
    assert mode.passes(view)
    assert mode.lasts(view._replace(legal=("pass",)))
    assert not mode.lasts(view._replace(legal=("buy wharf", "take wharf", "pass")))
    assert not mode.lasts(view._replace(phase="noble"))
    assert not mode.passes(view._replace(due="pub", legal=("pub 0",)))


def test_a_bot_plays_for_who_is_away_until_he_comes_back(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", away_seconds=0.2) as server:
            pair = await a_pair(server)
            active, other = mover(pair)
            seat = active.state["you"]
            await other.send(type="away", away=True, seat=seat)
            assert (await other.error())["code"] == "refused"
            await active.send(type="away", away=True)
            await other.until(lambda state: state["to_move"] == other.state["you"])
            assert other.state["players"][seat]["away"]
            await active.send(type="away", away=False)
            await active.until(lambda state: not state["players"][seat]["away"])
            await other.play(other.state["choices"][0]["action"])
            await active.until(lambda state: state["to_move"] == seat)
            await active.socket.close()
            await other.until(lambda state: not state["players"][seat]["connected"])
            await other.quiet(0.3)
            await other.send(type="away", away=True, seat=seat)
            await other.until(lambda state: state["to_move"] == other.state["you"])

    run(scenario())


def test_chat_language_hint_and_ping(anywhere: Path | str, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            pair = await a_pair(server)
            active, other = mover(pair)
            await other.send(type="chat", text="Good  luck\n!")
            state = await active.until(lambda state: state["chat"] != [])
            assert state["chat"][0]["text"] == "Good luck !"
            await active.send(type="language", language="de")
            await active.until(lambda state: "Du bist am Zug" in state["question"])
            await active.send(type="hint", version=active.state["version"])
            while (message := await active.receive())["type"] != "hint":
                pass
            legal = [choice["action"] for choice in active.state["choices"]]
            assert message["suggestions"][0]["action"] in legal
            await other.send(type="hint", version=other.state["version"])
            assert (await other.error())["code"] == "not_your_turn"
            await active.send(type="ping")
            while (await active.receive())["type"] != "pong":
                pass

    run(scenario())


@pytest.mark.parametrize("pace", ["live", "relaxed"])
def test_a_clock_runs_for_the_player_to_move(tmp_path: Path, pace: str) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            active, _ = mover(await a_pair(server, pace=pace))
            clocks = [player["clock_seconds"] for player in active.state["players"]]
            assert clocks.pop(active.state["you"]) > 0
            assert clocks == [None]

    run(scenario())


def test_leaving_before_the_start(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            anna, boris = await server.visitor(), await server.visitor()
            made = await anna.create("me open open")
            address = f"/api/tables/{made['table']}"
            joined = (await boris.http.post(f"{address}/join", json={"seat": 2})).json()
            assert joined["seat"] == 2
            assert (await boris.http.post(f"{address}/leave")).status_code == 204
            assert (await boris.http.get(f"{address}?seat={joined['seat_token']}")).status_code == 403
            assert (await anna.http.get(address)).json()["names"][2] is None
            assert (await anna.http.post(f"{address}/leave")).status_code == 204
            assert (await anna.http.get(address)).status_code == 404

    run(scenario())
