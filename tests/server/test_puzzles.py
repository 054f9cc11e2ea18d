"""Puzzles: nobody learns the solution before an answer, and only the first answer counts."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from nevsky.puzzles import Puzzle, shipped
from nevsky.rules.game import redeal
from nevsky.server.puzzles import tries
from nevsky.server.puzzles.rating import START, changes
from nevsky.server.puzzles.telling import shown
from nevsky.server.schema import puzzle_ratings, puzzle_tries
from nevsky.server.storage import Storage
from tests.server.support import Server, Visitor, run, running


def some(number: int = 0) -> Puzzle:
    puzzle = shipped().get(list(shipped().kept)[number])
    assert puzzle is not None
    return puzzle


def wrong(puzzle: Puzzle) -> str:
    return puzzle.proof.values[-1].action


async def answer(someone: Visitor, puzzle: Puzzle, action: str, code: int = 200) -> dict[str, Any]:
    got = await someone.http.post(f"/api/puzzles/{puzzle.id}", json={"action": action})
    assert got.status_code == code, got.text
    data: dict[str, Any] = got.json()
    return data


async def solved(server: Server) -> int:
    async with server.components.storage.reading() as connection:
        return len((await connection.execute(sa.select(puzzle_tries))).all())


def test_what_is_asked_follows_from_the_view_alone() -> None:
    for number in range(0, len(shipped()), 40):
        puzzle = some(number)
        view = redeal(puzzle.view, "another deal").view(puzzle.view.seat, memory=True)
        values = puzzle.proof.values
        other = Puzzle(0, 0, view, puzzle.proof._replace(values=(values[-1], *values[1:-1], values[0])), ())
        assert shown(other, "en") == shown(puzzle, "en"), "neither hidden cards nor what is best change anything"


def test_nobody_learns_the_solution_before_an_answer(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "a.db") as server:
            anna, boris = await server.visitor(), await server.visitor()
            puzzle = some()
            path = f"/api/puzzles/{puzzle.id}"
            asked = (await anna.http.get(path)).json()
            assert asked["solution"] is None
            assert asked["state"] == json.loads(json.dumps(shown(puzzle, "en")))
            assert sorted(choice["action"] for choice in asked["state"]["choices"]) == sorted(puzzle.view.legal)
            early = await anna.http.post(f"{path}/play-on", json={})
            assert early.status_code == 403
            await answer(anna, puzzle, "buy the_moon", 409)
            assert await solved(server) == 0
            told = await answer(anna, puzzle, wrong(puzzle))
            assert told["solution"]["best"] == puzzle.proof.best
            assert not told["solution"]["solved"]
            assert len(told["solution"]["values"]) == len(puzzle.view.legal)
            assert (await anna.http.get(path)).json()["solution"] == told["solution"]
            assert (await boris.http.get(path)).json()["solution"] is None
            made = await anna.http.post(f"{path}/play-on", json={"levels": ["easy"]})
            assert made.status_code == 201
            table = await anna.open(made.json()["table"])
            state = await table.my_turn()
            assert state["you"] == puzzle.view.seat
            assert [card["card"] for card in state["row1"]] == list(puzzle.view.row1)
            assert (await anna.http.get("/api/puzzles/nowhere")).status_code == 404

    run(scenario())


def test_only_the_first_answer_counts(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "a.db") as server:
            anna, puzzle = await server.visitor(), some()
            await anna.http.get("/api/me")
            both = await asyncio.gather(*(answer(anna, puzzle, puzzle.proof.best) for _ in range(5)))
            assert sum(each["change"] is not None for each in both) == 1
            own, other = changes(START, 0, puzzle.rating, 0, solved=True)
            again = await answer(anna, puzzle, wrong(puzzle))
            assert again["change"] is None
            assert again["solver"] == {"rating": round(START + own), "tries": 1, "solved": 1}
            told = (await anna.http.get(f"/api/puzzles/{puzzle.id}")).json()
            assert (told["rating"], told["tries"], told["solved"]) == (round(puzzle.rating + other), 1, 1)
            assert told["solution"]["action"] == puzzle.proof.best

    run(scenario())


def test_the_next_one_fits_and_was_not_tried(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "a.db") as server:
            anna = await server.visitor()
            kept = shipped().kept
            for _ in range(4):
                found = (await anna.http.get("/api/puzzles/next?plain=true")).json()
                assert kept[found["puzzle"]].plain
                rating = found["solver"]["rating"]
                nearer = [name for name, each in kept.items() if abs(each.rating - rating) < 60]
                assert abs(kept[found["puzzle"]].rating - rating) < 60 or len(nearer) < 8
                assert (await anna.http.get(f"/api/puzzles/next?not={found['puzzle']}")).json()["puzzle"] in kept
                puzzle = shipped().get(found["puzzle"])
                assert puzzle is not None
                told = await answer(anna, puzzle, puzzle.proof.best)
                assert told["solver"]["rating"] > rating
            assert found["left"] == sum(each.plain for each in kept.values()) - 3
            async with server.components.storage.writing() as connection:
                me = (await connection.execute(sa.select(puzzle_tries.c.guest))).scalars().first()
                known = set((await connection.execute(sa.select(puzzle_tries.c.puzzle))).scalars())
                rest = [
                    {"guest": me, "puzzle": name, "action": "pass", "solved": False, "change": 0.0, "at": ""}
                    for name in kept
                    if name not in known
                ]
                await connection.execute(puzzle_tries.insert(), rest)
            assert (await anna.http.get("/api/puzzles/next")).json()["puzzle"] is None

    run(scenario())


def test_they_can_be_switched_off_and_answers_are_limited(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "a.db", puzzles=False) as server:
            anna = await server.visitor()
            assert (await anna.http.get("/api/puzzles/next")).status_code == 404
            await answer(anna, some(), "pass", 404)
        async with running(tmp_path / "b.db", puzzle_rate="2 per minute") as server:
            anna = await server.visitor()
            await anna.http.get("/api/me")
            for number, code in enumerate((200, 200, 429)):
                await answer(anna, some(number), some(number).proof.best, code)

    run(scenario())


def test_tries_are_kept_brought_along_and_forgotten(anywhere: Path | str) -> None:
    async def scenario() -> None:
        storage = await Storage.open(anywhere)
        for name in ("anna", "phone"):
            await storage.add_guest(name, name)
        one, two = some(0), some(1)
        assert await tries.write(storage, "anna", one, one.proof.best)
        assert await tries.write(storage, "phone", one, wrong(one))
        assert await tries.write(storage, "phone", two, two.proof.best)
        assert not await tries.write(storage, "phone", two, wrong(two))
        asked = await tries.asked(storage, one.id)
        assert (asked.tries, asked.solved) == (2, 1)
        async with storage.writing() as connection:
            await tries.bring(connection, "phone", "anna")
        both = await tries.solver(storage, "anna")
        assert (both.tries, both.solved) == (2, 2) and both.rating > START
        assert await tries.tried(storage, "anna") == {one.id, two.id}
        assert await tries.solver(storage, "phone") == tries.Solver()
        async with storage.writing() as connection:
            await connection.execute(sa.text("DELETE FROM guests"))
        assert await tries.tried(storage, "anna") == set()
        async with storage.reading() as connection:
            assert len((await connection.execute(sa.select(puzzle_ratings))).all()) == 2
        await storage.close()

    run(scenario())


@pytest.mark.parametrize("solved_it", [True, False])
def test_ratings_move_less_and_less(solved_it: bool) -> None:
    moves = [abs(changes(1500, number, 1500, number, solved=solved_it)[0]) for number in (0, 5, 50, 500)]
    assert moves == sorted(moves, reverse=True)
    assert changes(1500, 9, 1900, 9, solved=True)[0] > changes(1500, 9, 1100, 9, solved=True)[0]
