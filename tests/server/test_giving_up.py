"""Resigning, ending a game without a result, deleting games against bots, and finished games with their scores."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from nevsky import Game, Ruleset
from nevsky.record import from_json
from nevsky.server.schema import tables
from nevsky.server.standing import conceded, standing
from tests.server.pairs import mine, seated, two_players
from tests.server.support import Server, Table, Visitor, play_randomly, run, running

pytestmark = pytest.mark.usefixtures("quick_bots")


async def refused(table: Table, code: str, words: str, **message: object) -> None:
    await table.send(**message)
    error = await table.error()
    assert error["code"] == code
    assert words in error["message"]


def finished_game(seed: int, players: int) -> Game:
    game, rng = Game(Ruleset("second", players), seed=seed, auto=True), random.Random(seed)
    while not game.over:
        game.push(rng.choice(game.legal_actions))
    return game


@given(st.integers(0, 20), st.integers(2, 4), st.sets(st.integers(0, 3), max_size=3))
def test_whoever_resigned_comes_last(seed: int, players: int, resigned: set[int]) -> None:
    result = finished_game(seed, players).result
    assert result is not None
    resigned = {seat for seat in resigned if seat < players - 1}
    found = standing(result, resigned)
    stayed = [entry for entry in found.final if entry.seat not in resigned]
    assert found.winners == tuple(entry.seat for entry in stayed if entry.place == 1)
    assert max(entry.place for entry in stayed) <= len(stayed)
    assert all(entry.place > len(stayed) for entry in found.final if entry.seat in resigned)
    order = sorted(stayed, key=lambda entry: (-entry.total, -entry.tie))
    assert [entry.place for entry in order] == sorted(entry.place for entry in stayed)
    assert [entry.total for entry in found.final] == [entry.total for entry in result.final]


@given(st.lists(st.integers(0, 150), min_size=2, max_size=5), st.data())
def test_whoever_is_left_has_won(points: list[int], data: st.DataObject) -> None:
    resigned = data.draw(st.sets(st.integers(0, len(points) - 1), max_size=len(points) - 1))
    result = conceded(points, resigned)
    if len(resigned) < len(points) - 1:
        assert result is None
        return
    assert result is not None
    assert result.winners == tuple(seat for seat in range(len(points)) if seat not in resigned)
    assert [entry.total for entry in result.final] == points
    assert sorted(entry.place for entry in result.final)[:2] == [1, 2]


async def people(server: Server, number: int, **ruleset: object) -> tuple[str, list[Visitor], list[Table]]:
    """So many people at a table, and their connections."""
    found = [await server.visitor() for _ in range(number)]
    name = (await found[0].create(" ".join(["me", *["open"] * (number - 1)]), **ruleset))["table"]
    for each in found[1:]:
        assert (await each.http.post(f"/api/tables/{name}/join")).status_code == 200
    tables = [await each.open(name) for each in found]
    for table in tables:
        await table.until(lambda state: state["status"] == "playing")
    return name, found, tables


def test_a_bot_plays_to_the_end_for_whoever_resigns(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            name, visitors, (first, second, third) = await people(server, 3)
            await first.send(type="resign")
            state = await first.until(lambda state: mine(state)["resigned"])
            assert mine(state)["away"]
            assert not state["can_undo"]
            for message in ({"type": "away", "away": False}, {"type": "resign"}, {"type": "end_game"}):
                await refused(first, "not_allowed", "You have resigned", **message)
            await asyncio.gather(*(play_randomly(each, random.Random(2)) for each in (second, third)))
            state = await second.until(lambda state: state["status"] == "over")
            assert not state["conceded"]
            assert 0 not in state["winners"]
            assert {line["seat"]: line["place"] for line in state["final"]}[0] == 3
            assert "wins" in state["question"] or "share" in state["question"]
            stored = await server.components.storage.load(name)
            assert stored is not None
            assert stored.table.winners == state["winners"]
            assert stored.table.scores == [line["total"] for line in state["final"]]
            listed = (await visitors[1].http.get("/api/tables/played")).json()["tables"]
            assert [(each["scores"], each["resigned"], each["deletable"]) for each in listed] == [
                (stored.table.scores, [True, False, False], False)
            ]
            await refused(second, "refused", "The game is over", type="end_game")

    run(scenario())


def test_of_two_players_the_other_wins_at_once_when_one_resigns(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            name, visitors, tables = await people(server, 2, edition="first")
            mover = next(each for each in tables if each.state["to_move"] == each.state["you"])
            await mover.play(mover.state["choices"][0]["action"])
            loser, winner = tables
            await loser.send(type="resign")
            for table in tables:
                state = await table.until(lambda state: state["status"] == "over")
                assert (state["conceded"], state["winners"], state["to_move"]) == (True, [1], None)
                assert [(line["total"], line["place"]) for line in state["final"]] == [(0, 2), (0, 1)]
                assert not state["choices"] and not state["can_undo"] and not state["may_pass"]
                assert state["question"] == f"{state['players'][1]['name']} wins by resignation."
                assert all(card["card"] is None for player in state["players"] for card in player["hand"])
            version = winner.state["version"]
            for message in (
                {"type": "act", "version": version, "action": "pass"},
                {"type": "undo", "version": version},
                {"type": "hint", "version": version},
            ):
                await refused(winner, "illegal", "The game is over", **message)
            for message in ({"type": "resign"}, {"type": "end_game"}):
                await refused(winner, "refused", "The game is over", **message)
            await asyncio.sleep(0.1)
            stored = await server.components.storage.load(name)
            assert stored is not None
            assert len(stored.log) == 1, "no bot plays on"
            told = (stored.table.status, stored.table.winners, stored.table.scores, stored.table.to_move)
            assert told == ("over", [1], [0, 0], None)
            again = (await visitors[1].http.post(f"/api/tables/{name}/rematch")).json()
            assert again["seat"] == 1
            cookies = dict(visitors[1].http.cookies)
        async with running(tmp_path / "n.db") as server:
            boris = await server.visitor()
            boris.http.cookies.update(cookies)
            state = await (await boris.open(name)).until(lambda _: True)
            assert (state["status"], state["winners"]) == ("over", [1])
            listed = (await boris.http.get("/api/tables/played")).json()["tables"]
            assert [(each["table"], each["winners"]) for each in listed] == [(name, [1])]
            assert name not in str((await boris.http.get("/api/tables/mine")).json())
            record = (await boris.http.get(f"/api/tables/{name}/record")).text
            game = from_json(record)
            assert (len(game.moves), game.result) == (len(stored_moves(record)), None)
            assert (await boris.http.get(f"/api/tables/{name}/race")).json()["parts"] == []
            for step, final in ((0, False), (None, True)):
                path = f"/api/tables/{name}/replay" + ("" if step is None else f"?step={step}")
                shown = (await boris.http.get(path)).json()["state"]
                assert (shown["final"] is not None) == final

    run(scenario())


def stored_moves(record: str) -> list[str]:
    actions: list[str] = json.loads(record)["actions"]
    return actions


RESIGNED = {"en": ("You resign.", "{} resigns."), "de": ("Du gibst auf.", "{} gibt auf.")}
RESIGNED |= {"fr": ("Vous abandonnez.", "{} abandonne."), "it": ("Abbandoni la partita.", "{} abbandona.")}


def test_the_log_tells_everybody_who_has_resigned_and_when(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            name, visitors, tables = await people(server, 3, edition="first")
            mover = next(each for each in tables if each.state["to_move"] == each.state["you"])
            await mover.play(mover.state["choices"][0]["action"])
            loser = tables[0]
            await loser.send(type="resign")
            await loser.until(lambda state: mine(state)["resigned"])
            who = loser.state["players"][0]["name"]
            await asyncio.gather(*(play_randomly(each, random.Random(3)) for each in tables[1:]))
            watching = await server.visitor()
            for language, (own, other) in RESIGNED.items():
                theirs = other.format(who)
                for visitor, words in ((visitors[0], own), (visitors[1], theirs), (watching, theirs)):
                    answer = await visitor.http.get(f"/api/tables/{name}/log?language={language}")
                    lines = answer.json()
                    place = [line["text"] for line in lines].index(words)
                    assert lines[place]["seat"] is None
                    assert lines[place + 1]["number"] == lines[place]["number"] + 1
                    replay = f"/api/tables/{name}/replay?language={language}&step="
                    told = [(await visitor.http.get(f"{replay}{step}")).json()["state"]["log"] for step in (0, 60)]
                    said = [sum(line["text"] == theirs for line in each) for each in told]
                    assert said == [0, 1]

    run(scenario())


def test_alone_with_bots_the_game_ends_at_once_and_without_a_result(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            made = await anna.create("me easy easy")
            table = await anna.open(made["table"])
            await table.until(lambda _: True)
            await refused(table, "refused", "End the game instead", type="resign")
            await refused_and_gone(table)
            assert not (await anna.http.get("/api/tables/mine")).json()["tables"]
            assert not (await anna.http.get("/api/tables/played")).json()["tables"]
            answer = await anna.http.get(f"/api/tables/{made['table']}")
            assert answer.status_code == 404
            assert "ended by its players" in answer.json()["message"]
            assert (await anna.http.get(f"/table/{made['table']}")).status_code == 404
            stored = await server.components.storage.load(made["table"])
            assert stored is not None
            assert (stored.table.status, stored.table.winners, stored.table.scores) == ("given_up", None, None)

    run(scenario())


async def refused_and_gone(table: Table) -> None:
    await table.send(type="end_game")
    error = await table.error()
    assert (error["code"], "ended by its players" in error["message"]) == ("not_found", True)
    await table.socket.wait_closed()
    assert table.socket.close_code == 4404


def test_among_people_all_must_agree_who_are_not_away(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            pair = await two_players(server)
            first, second = await seated(pair)
            seat = first.state["you"]
            await first.send(type="end_game")
            for table in (first, second):
                state = await table.until(lambda state: state["players"][seat]["wants_end"])
                assert state["status"] == "playing"
            await first.play(first.state["choices"][0]["action"])  # the game goes on meanwhile
            await first.send(type="end_game", agree=False)
            await second.until(lambda state: not state["players"][seat]["wants_end"])
            await first.send(type="end_game")
            await second.until(lambda state: state["players"][seat]["wants_end"])
            await refused_and_gone(second)
            assert (await first.error())["code"] == "not_found"

    run(scenario())


def test_who_is_away_is_not_asked_and_a_wish_survives_a_restart(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            pair = await two_players(server)
            cookies = [dict(each.http.cookies) for each in pair[:2]]
            first, second = await seated(pair)
            seats = first.state["you"], second.state["you"]
            await first.send(type="end_game")
            await first.until(lambda state: mine(state)["wants_end"])
        async with running(tmp_path / "n.db") as server:
            people = []
            for seat in seats:
                again = await server.visitor()
                again.http.cookies.update(cookies[seat])
                people.append(await again.open(pair[2]))
            first, second = people
            assert mine(await first.until(lambda _: True))["wants_end"]
            await second.send(type="away", away=True)
            await first.until(lambda state: state["players"][seats[1]]["away"])
            await refused_and_gone(first)

    run(scenario())


def test_spectators_end_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            made = await anna.create("me easy")
            stranger = await server.visitor()
            watching = await stranger.open(made["table"])
            await watching.until(lambda _: True)
            for message in ({"type": "resign"}, {"type": "end_game"}):
                await refused(watching, "not_allowed", "Spectators", **message)
            answer = await stranger.http.delete(f"/api/tables/{made['table']}")
            assert answer.status_code == 403
            assert len((await anna.http.get("/api/tables/mine")).json()["tables"]) == 1

    run(scenario())


def test_only_the_one_person_at_a_table_deletes_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            pair = await two_players(server)
            answer = await pair[0].http.delete(f"/api/tables/{pair[2]}")
            assert (answer.status_code, "Other people" in answer.json()["message"]) == (422, True)
            anna = await server.visitor()
            kept, gone = [await played(anna) for _ in range(2)]
            listed = (await anna.http.get("/api/tables/played")).json()["tables"]
            assert {each["table"] for each in listed} == {kept, gone}
            assert all(each["deletable"] and each["scores"] for each in listed)
            watching = await anna.open(gone)
            await watching.until(lambda _: True)
            assert (await anna.http.delete(f"/api/tables/{gone}")).status_code == 204
            assert (await watching.error())["code"] == "not_found"
            assert (await anna.http.delete(f"/api/tables/{gone}")).status_code == 404
            listed = (await anna.http.get("/api/tables/played")).json()["tables"]
            assert [each["table"] for each in listed] == [kept]
            assert await server.components.storage.load(gone) is None
            async with server.components.storage.reading() as connection:
                left = await connection.scalar(sa.text("SELECT count(*) FROM log WHERE table_id = :id"), {"id": gone})
                assert left == 0

    run(scenario())


async def played(visitor: Visitor) -> str:
    made = await visitor.create("me easy")
    await play_randomly(await visitor.open(made["table"]), random.Random(1))
    table: str = made["table"]
    return table


def test_played_games_come_page_by_page(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            made = {await played(anna) for _ in range(3)}
            first = (await anna.http.get("/api/tables/played?limit=2")).json()
            second = (await anna.http.get(f"/api/tables?which=played&limit=2&after={first['next']}")).json()
            assert second["next"] is None
            assert {each["table"] for each in first["tables"] + second["tables"]} == made
            assert not (await (await server.visitor()).http.get("/api/tables/played")).json()["tables"]

    run(scenario())


def test_scores_of_older_games_are_found_out_after_the_start(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            table = await played(anna)
            scores = (await anna.http.get("/api/tables/played")).json()["tables"][0]["scores"]
            async with server.components.storage.writing() as connection:
                await connection.execute(tables.update().values(scores=None))
            assert await server.components.storage.without_scores() == [table]
        async with running(tmp_path / "n.db") as server:
            await server.components.hub._waking
            stored = await server.components.storage.load(table)
            assert stored is not None
            assert stored.table.scores == scores

    run(scenario())
