"""Rematches: one for each game, whoever asks for it and whenever, and another one if it was lost."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from nevsky.server.schema import seats, tables
from tests.server.support import Server, Visitor, play_randomly, run, running
from tests.server.test_admin import ask
from tests.server.test_errors import turned_away
from tests.server.test_races import seen

pytestmark = pytest.mark.usefixtures("quick_bots")


async def status(answer: Awaitable[httpx.Response]) -> int:
    return (await answer).status_code


class _Finished:
    """A game of two that is over, and its players."""

    def __init__(self, people: list[Visitor], name: str) -> None:
        self.people = people
        self.name = name

    def again(self, number: int) -> Awaitable[httpx.Response]:
        return self.people[number].http.post(f"/api/tables/{self.name}/rematch")


async def finished(server: Server) -> _Finished:
    people = [await server.visitor(), await server.visitor()]
    made = await people[0].create("me open")
    await people[1].http.post(f"/api/tables/{made['table']}/join")
    await play_out(people, made["table"])
    return _Finished(people, made["table"])


async def play_out(people: list[Visitor], name: str) -> None:
    tables = [await each.open(name) for each in people]
    await asyncio.gather(*(play_randomly(table, random.Random(6)) for table in tables))
    await asyncio.gather(*(table.socket.close() for table in tables))


def test_a_rematch_that_everybody_has_left_is_made_anew(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            game = await finished(server)
            watching = await seen(await server.visitor(), game.name)
            first = (await game.again(0)).json()["table"]
            await watching.until(lambda state: state["rematch"] == first)
            assert await status(game.people[0].http.post(f"/api/tables/{first}/leave")) == 204
            await watching.until(lambda state: state["rematch"] is None)
            answer = await game.again(1)
            assert answer.status_code == 200
            assert answer.json()["table"] != first
            assert (await game.again(0)).json()["table"] == answer.json()["table"]
            state = await watching.until(lambda state: state["rematch"] is not None)
            assert state["rematch"] == answer.json()["table"]

    run(scenario())


@pytest.mark.parametrize("how", ["tables.delete", "tables.end", "given_up"])
def test_a_rematch_that_was_stopped_can_be_made_anew(tmp_path: Path, how: str) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            game = await finished(server)
            first = [(await game.again(number)).json()["table"] for number in range(2)]
            assert first[0] == first[1]
            if how == "given_up":
                tables = [await each.open(first[0]) for each in game.people]
                for table in tables:
                    await table.send(type="end_game", agree=True)
                await turned_away(tables[1], "not_found", 4404)
            else:
                await ask(tmp_path / "n.db", how, table=first[0])
            answers = await asyncio.gather(game.again(0), game.again(1))
            new: set[str] = {answer.json()["table"] for answer in answers}
            assert len(new) == 1
            assert first[0] not in new
            await play_out(game.people, new.pop())

    run(scenario())


def test_no_seat_is_kept_for_whoever_was_forgotten(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            game = await finished(server)
            (gone,) = await server.components.storage._rows(
                sa.select(seats.c.guest).where((seats.c.table_id == game.name) & (seats.c.seat == 1))
            )
            await ask(tmp_path / "n.db", "guests.erase", guest=gone[0])
            new = (await game.again(0)).json()["table"]
            short = (await game.people[0].http.get(f"/api/tables/{new}")).json()
            assert short["reserved"] == [None, None]
            assert await status((await server.visitor()).http.post(f"/api/tables/{new}/join")) == 200

    run(scenario())


def test_both_ask_for_a_rematch_while_one_of_them_leaves_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            game = await finished(server)
            for number in range(20):
                made = (await game.again(number % 2)).json()["table"]
                leave = game.people[number % 2].http.post(f"/api/tables/{made}/leave")
                left, joined = await asyncio.gather(leave, game.again(1 - number % 2))
                assert (left.status_code, joined.status_code) in ((204, 200), (422, 200))
                name = joined.json()["table"]
                assert await status(game.people[1].http.get(f"/api/tables/{name}")) == 200
                if left.status_code == 422:  # it had begun
                    await ask(tmp_path / "n.db", "tables.delete", table=name)
                else:
                    await game.people[1 - number % 2].http.post(f"/api/tables/{name}/leave")

    run(scenario())


async def _play_out_quickly(server: Server, name: str) -> None:
    """To the end, at random, without going over the wire; in one go, since a table where nobody looks is put away."""
    table = await server.components.hub.get(name)
    rng = random.Random(7)

    async def play() -> None:
        assert table.match is not None
        while (seat := table.match.game.to_move) is not None:
            await table.append(seat, rng.choice(table.match.game.legal_actions), "player")

    await table.call(play)


async def _many_rematches(path: Path, number: int) -> None:
    """Both ask at once, twice each, while somebody else tries to take a seat that is not theirs."""
    async with running(path, idle_seconds=1.0) as server:
        game, stranger = await finished(server), await server.visitor()
        names = [game.name]
        for _ in range(number):
            asked = [asyncio.ensure_future(game.again(person)) for person in (0, 1, 1, 0)]
            answers = await asyncio.gather(*asked)
            assert {answer.status_code for answer in answers} == {200}
            assert len({answer.json()["table"] for answer in answers}) == 1
            assert [answer.json()["seat"] for answer in answers] == [0, 1, 1, 0]
            name = answers[0].json()["table"]
            assert (await stranger.http.post(f"/api/tables/{name}/join")).status_code == 422
            await _play_out_quickly(server, name)
            names.append(name)
            game.name = name
        rows = dict(await server.components.storage._rows(sa.select(tables.c.id, tables.c.rematch)))
        assert rows == dict(zip(names, [*names[1:], None], strict=True))
        async with asyncio.timeout(20):
            while server.components.hub._tables:
                await asyncio.sleep(0.1)


def test_a_dozen_rematches(tmp_path: Path) -> None:
    run(_many_rematches(tmp_path / "n.db", 12))


@pytest.mark.long
def test_a_hundred_rematches(tmp_path: Path) -> None:
    run(_many_rematches(tmp_path / "n.db", 100), 600)
