"""Reviews of finished games: asked for once, done in small jobs, kept, and never of a game that goes on."""

from __future__ import annotations

import asyncio
import json
import random
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from nevsky import record
from nevsky.review import Effort, decisions, judge, luck_of_seats, review_seat, samples
from nevsky.rules.game import Game, redeal
from nevsky.rules.ruleset import Ruleset
from nevsky.server.judged import work
from nevsky.server.match import deal_data, deal_game
from tests.review.test_review import random_game
from tests.server.support import Server, Visitor, play_randomly, run, running

QUICK = 20


def judge_quickly(*given: Any) -> list[dict[str, Any]]:
    """In a worker: the same with fewer descents."""
    work.__dict__["judge"] = lambda ruleset, each: judge(ruleset, each, Effort(QUICK))
    return work.judge_part(*given)


@pytest.fixture
def quick(quick_bots: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nevsky.server.bot_pool.judge_part", judge_quickly)
    monkeypatch.setattr("nevsky.server.judged.reviewing._PATIENCE", 0.5)


async def finished_game(server: Server, anna: Visitor) -> str:
    made = await anna.create("easy easy")
    table = await anna.open(made["table"])
    await table.until(lambda state: state["status"] == "over")
    return f"/api/tables/{made['table']}"


async def whole(anna: Visitor, path: str) -> dict[str, Any]:
    async with asyncio.timeout(60):
        known = -1
        while True:
            answer: dict[str, Any] = (await anna.http.get(f"{path}/review?seat=1&known={known}")).json()
            known = len(answer["decisions"])
            assert not answer["failed"]
            if known >= answer["total"] and answer["luck"]:
                return answer


def test_the_server_says_what_the_terminal_says() -> None:
    game = random_game(Ruleset("second", 2), 3)
    actions = [action.id for action, _ in game.moves]
    here = [judge(game.ruleset, each) for each in list(decisions(game, 0))[3:5]]
    there = [work.judge_part(game.ruleset.to_dict(), deal_data(game), actions, 0, at, 0.0) for at in (3, 4)]
    assert [[each.to_dict()] for each in here] == there, "one at a time, however little time there is"


def test_a_review_is_asked_for_goes_on_and_survives_a_restart(tmp_path: Path, quick: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            path = await finished_game(server, anna)
            before = (await anna.http.get(f"{path}/review?seat=1")).json()
            assert not before["asked"] and not before["decisions"] and before["total"] > 10
            begun = (await anna.http.post(f"{path}/review?seat=1")).json()
            assert begun["asked"]
            text = (await anna.http.get(f"{path}/record")).text
        async with running(tmp_path / "n.db") as server:
            boris = await server.visitor()
            done = await whole(boris, path)
            game = record.from_json(text)
            told = review_seat(game, 1, Effort(QUICK))
            assert [each["mark"] for each in done["decisions"]] == [each.mark for each in told]
            assert [each["step"] for each in done["decisions"]] == [each.step for each in told]
            assert done["accuracy"] is not None and done["moments"]
            luck = luck_of_seats(game, [1])[1]
            assert (done["luck"]["luck"], done["luck"]["better"]) == (round(luck.luck, 1), round(luck.better, 2))
            assert done["luck"]["made"] == game.result.final[1].total and done["luck_done"] == 1  # type: ignore[union-attr]
            again = (await boris.http.get(f"{path}/review?seat=1&language=de")).json()
            assert again["accuracy"] == done["accuracy"] and again["luck"] == done["luck"]
            assert again["decisions"][0]["better_label"] != done["decisions"][0]["better_label"]
            assert (await boris.http.get(f"{path}/review?seat=2")).status_code == 422

    run(scenario())


def test_luck_is_found_out_part_by_part() -> None:
    game = random_game(Ruleset("second", 2), 3)
    given = game.ruleset.to_dict(), json.loads(json.dumps(deal_data(game)))
    assert [*work.luck_part(*given, 0, 0, 0.0), *work.luck_part(*given, 0, 1, 0.0)] == list(islice(samples(game, 0), 2))


def test_nothing_is_said_about_a_game_that_goes_on(tmp_path: Path, quick: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, thief = await server.visitor(), await server.visitor()
            made = await anna.create("me easy")
            table = await anna.open(made["table"])
            await table.until(lambda state: state["status"] == "playing")
            path = f"/api/tables/{made['table']}"
            for who in (anna, thief):
                for seat in range(2):
                    told = [
                        await who.http.get(f"{path}/review?seat={seat}"),
                        await who.http.post(f"{path}/review?seat={seat}"),
                    ]
                    assert {each.status_code for each in told} == {422}
                assert (await who.http.get(f"{path}/evaluation")).status_code == 422
                assert (await who.http.get(f"{path}/replay")).status_code == 422

    run(scenario())


def test_nobody_asks_for_more_than_their_share(tmp_path: Path, quick: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", review_rate="2 per hour") as server:
            anna, boris = await server.visitor(), await server.visitor()
            path = await finished_game(server, anna)
            told = [(await anna.http.post(f"{path}/review?seat={number % 2}")).status_code for number in range(4)]
            assert told == [200, 200, 429, 429]
            assert (await boris.http.post(f"{path}/review?seat=0")).status_code == 200

    run(scenario())


def test_a_deal_and_actions_make_the_game_again() -> None:
    game = random_game(Ruleset("second", 3), 8)
    deal = deal_data(game)
    again = Game.from_piles(game.ruleset, deal["piles"], deal["tokens"], **deal["deal"])
    for action, _ in game.moves:
        again.push(action)
    assert [each.move.number for each in decisions(again)] == [each.move.number for each in decisions(game)]


@pytest.mark.parametrize(
    "ruleset", [Ruleset("second", 2), Ruleset("second", 4, market=True, modules=(1, 2, 3, 4, 5, 6))]
)
def test_what_lies_on_the_table_is_kept_and_secrets_are_dealt_anew(ruleset: Ruleset) -> None:
    game = random_game(ruleset, 6)
    for played in list(decisions(game))[5::17]:
        seat = played.move.seat
        view = Game.from_position(played.before, ruleset).view(seat, memory=True)
        for number in range(2):
            other = Game.from_position(redeal(view, number).position, ruleset)
            deal = json.loads(json.dumps(deal_data(other)))
            again = deal_game(ruleset, deal, ["a", "b", "c", "d"][: ruleset.players])
            assert again.view(seat, memory=True) == view


def test_a_position_of_a_replay_is_played_on_to_the_end(tmp_path: Path, quick: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            path = await finished_game(server, anna)
            steps = (await anna.http.get(f"{path}/replay")).json()["steps"]
            step = steps // 2
            was = (await anna.http.get(f"{path}/replay?step={step}&seat=1")).json()["state"]
            wish = {"step": step, "seat": 1, "levels": ["easy"]}
            made = (await anna.http.post(f"{path}/play-on", json=wish)).json()
            assert made["seat"] == 1
            table = await anna.open(made["table"], made["seat_token"])
            state = await table.until(lambda state: state["status"] == "playing")
            assert state["round"] >= was["round"] and not state["public"]
            assert {each["bot"] for each in state["players"]} == {None, "easy"}
            for wrong in (
                {**wish, "step": steps},
                {**wish, "seat": 2},
                {**wish, "levels": ["godlike"]},
                {**wish, "levels": ["easy"] * 3},
            ):
                assert (await anna.http.post(f"{path}/play-on", json=wrong)).status_code == 422
            running_game = await anna.http.post(f"/api/tables/{made['table']}/play-on", json=wish)
            assert running_game.status_code == 422, "not of a game that goes on"
        async with running(tmp_path / "n.db") as server:  # it is still there after a restart
            boris = await server.visitor()
            table = await boris.open(made["table"], made["seat_token"])
            state = await table.until(lambda state: state["status"] == "playing")
            assert state["players"][1]["points"] >= was["players"][1]["points"]
            await play_randomly(table, random.Random(2))
            about = f"/api/tables/{made['table']}"
            parts = (await boris.http.get(f"{about}/race")).json()["parts"]
            totals = [sum(part["points"][seat] for part in parts) for seat in range(2)]
            assert totals == [line["total"] for line in table.state["final"]]
            record.from_json((await boris.http.get(f"{about}/record")).text)
            assert (await boris.http.get(f"{about}/replay?step=0")).status_code == 200
            begun = (await boris.http.post(f"{about}/review?seat=1")).json()
            assert begun["asked"] and begun["total"]
            assert (await boris.http.post(f"{about}/rematch?seat={made['seat_token']}")).status_code == 200

    run(scenario())
