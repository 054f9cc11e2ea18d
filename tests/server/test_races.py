"""Two things at once: whatever is asked in the same moment, one comes after the other, and both hear the truth."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from nevsky.rules.actions import parse_action
from nevsky.server.actor import Table as ServerTable
from nevsky.server.errors import Refusal
from tests.server.support import Server, Table, Visitor, play_randomly, run, running
from tests.server.test_admin import ask
from tests.server.test_errors import alone, started, turned_away

pytestmark = pytest.mark.usefixtures("quick_bots")


class _Queue:
    """What is asked of a table, in an order that the test knows, before any of it is done."""

    def __init__(self, table: ServerTable) -> None:
        self._table = table
        self._tasks: list[asyncio.Task[Any]] = []

    async def add(self, *works: Awaitable[Any]) -> None:
        for work in works:
            before = self._table.mailbox.waiting
            self._tasks.append(asyncio.ensure_future(work))
            async with asyncio.timeout(5):
                while self._table.mailbox.waiting == before:
                    await asyncio.sleep(0.002)

    async def answers(self) -> list[Any]:
        return await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def queueing(server: Server, name: str) -> AsyncIterator[_Queue]:
    """The table does nothing within the block; everything waits behind each other."""
    table = await server.components.hub.get(name)
    gate = asyncio.Event()
    table.mailbox.post(gate.wait)
    await asyncio.sleep(0.01)
    try:
        yield _Queue(table)
    finally:
        gate.set()


async def seen(visitor: Visitor, name: str, token: str | None = None) -> Table:
    table = await visitor.open(name, token)
    await table.receive()
    return table


def test_nobody_comes_in_on_a_seat_that_they_are_leaving(tmp_path: Path) -> None:
    """Else they would see the cards of whoever sits there next, and play them."""

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, boris, clara = [await server.visitor() for _ in range(3)]
            made = await anna.create("me open open")
            name = made["table"]
            await boris.http.post(f"/api/tables/{name}/join", json={"seat": 1})
            async with queueing(server, name) as queue:
                await queue.add(boris.http.post(f"/api/tables/{name}/leave"), seen(boris, name))
            left, table = await queue.answers()
            assert left.status_code == 204
            assert table.state["you"] is None
            for visitor in (clara, await server.visitor()):
                assert (await visitor.http.post(f"/api/tables/{name}/join")).status_code == 200
            state = await table.until(lambda state: state["status"] == "playing")
            assert state["players"][1]["rubles"] is None
            await table.act("pass")
            assert (await table.error())["code"] == "not_allowed"

    run(scenario())


def test_nobody_gets_the_link_of_a_seat_that_is_another_ones_by_then(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, boris, clara = [await server.visitor() for _ in range(3)]
            name = (await anna.create("me open open"))["table"]
            await boris.http.post(f"/api/tables/{name}/join", json={"seat": 1})
            await clara.http.get("/api/me")
            async with queueing(server, name) as queue:
                await queue.add(
                    boris.http.post(f"/api/tables/{name}/leave"),
                    clara.http.post(f"/api/tables/{name}/join", json={"seat": 1}),
                    boris.http.post(f"/api/tables/{name}/link"),
                )
            assert [each.status_code for each in await queue.answers()] == [204, 200, 403]

    run(scenario())


def test_a_link_that_is_being_replaced_lets_no_further_device_in(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, made = await alone(server, "me bot")
            other = await server.visitor()
            await other.http.get("/api/me")
            path = f"/api/tables/{made['table']}"
            async with queueing(server, made["table"]) as queue:
                await queue.add(
                    anna.http.post(f"{path}/link"), other.http.post(f"{path}/devices?seat={made['seat_token']}")
                )
            assert [each.status_code for each in await queue.answers()] == [200, 403]
            assert (await other.http.get("/api/tables/mine")).json()["tables"] == []

    run(scenario())


def test_whoever_comes_behind_the_last_to_leave_is_sent_away(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, made = await alone(server)
            boris = await server.visitor()
            async with queueing(server, made["table"]) as queue:
                await queue.add(anna.http.post(f"/api/tables/{made['table']}/leave"), boris.open(made["table"]))
            await turned_away((await queue.answers())[1], "not_found", 4404)

    run(scenario())


async def before_the_end(server: Server) -> tuple[ServerTable, Table, str, Table]:
    """A game of two before its last move: who is to make it, which it is, and the other."""
    first, second, made = await started(server)
    table = await server.components.hub.get(made["table"])
    pair = {each.state["you"]: each for each in (first, second)}
    rng = random.Random(1)
    while True:
        assert table.match is not None
        seat = table.match.game.to_move
        assert seat is not None
        mover = pair[seat]
        await mover.until(lambda state: state["to_move"] == state["you"])
        action = rng.choice(mover.state["choices"])["action"]
        if table.match.tried(seat, parse_action(action)).game.over:
            return table, mover, action, pair[1 - seat]
        await mover.play(action)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_game_that_is_over_for_anybody_is_over_for_all(tmp_path: Path, order: tuple[int, int]) -> None:
    """The last move, and the last one who agrees to end the game without a result."""

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            table, mover, action, other = await before_the_end(server)
            name = table.row.id
            await mover.send(type="end_game", agree=True)
            await mover.until(lambda state: state["players"][state["you"]]["wants_end"])
            works = [mover.act(action), other.send(type="end_game", agree=True)]
            async with queueing(server, name) as queue:
                await queue.add(*(works[number] for number in order))
            for each in (mover, other):
                with contextlib.suppress(ConnectionClosed):
                    while each.state["status"] != "over":
                        await each.receive()
            stored = await server.components.storage.load(name)
            assert stored is not None
            assert stored.table.status == ("over" if order[0] == 0 else "given_up")
            assert {each.state["status"] for each in (mover, other)} == {"over" if order[0] == 0 else "playing"}

    run(scenario())


def test_a_wish_to_end_that_was_taken_back_in_time_counts(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            first, second, made = await started(server)
            await first.send(type="end_game", agree=True)
            await first.until(lambda state: state["players"][state["you"]]["wants_end"])
            async with queueing(server, made["table"]) as queue:
                await queue.add(
                    first.send(type="end_game", agree=False),
                    second.send(type="end_game", agree=True),
                )
            state = await second.until(lambda state: state["players"][state["you"]]["wants_end"])
            assert [player["wants_end"] for player in state["players"]].count(True) == 1
            assert state["status"] == "playing"

    run(scenario())


def test_a_finished_game_cannot_be_stopped_any_more(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            table, mover, action, _ = await before_the_end(server)
            async with queueing(server, table.row.id) as queue:
                await queue.add(mover.act(action), ask(tmp_path / "n.db", "tables.end", table=table.row.id))
            assert "no game is going on" in str((await queue.answers())[1])
            await mover.until(lambda state: state["status"] == "over")
            assert (await table.services.storage.load(table.row.id)).table.status == "over"  # type: ignore[union-attr]

    run(scenario())


@pytest.mark.parametrize("command", ["tables.delete", "tables.end"])
def test_what_waits_behind_a_deletion_hears_of_it_and_nothing_goes_on(tmp_path: Path, command: str) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            first, second, made = await started(server)
            name = made["table"]
            table = await server.components.hub.get(name)
            async with queueing(server, name) as queue:
                await queue.add(
                    ask(tmp_path / "n.db", command, table=name),
                    first.act(first.state["choices"][0]["action"]),
                    second.send(type="chat", text="hello"),
                )
            await queue.answers()
            for each in (first, second):
                assert (await each.error())["code"] == "not_found"
                with pytest.raises(ConnectionClosed) as closed:
                    await each.until(lambda _: False)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 4404
            assert (await (await server.visitor()).http.get(f"/api/tables/{name}")).status_code == 404
            assert server.components.hub.viewers(name) is None
            assert not table.bots.thinking
            stored = await server.components.storage.load(name)
            assert (stored is None) == (command == "tables.delete")
            assert stored is None or not stored.log

    run(scenario())


def test_a_table_goes_on_if_it_could_not_be_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, made = await alone(server, "me bot")
            table = await anna.open(made["table"])
            await table.my_turn()

            async def fails(_: str) -> None:
                raise Refusal("storage", "storage")

            with monkeypatch.context() as patch:
                patch.setattr(server.components.storage, "delete_table", fails)
                answer = await anna.http.delete(f"/api/tables/{made['table']}")
                assert (answer.status_code, answer.json()["code"]) == (503, "storage")
            await play_randomly(table, random.Random(3))
            assert table.state["status"] == "over"

    run(scenario())


def test_of_two_who_resign_at_once_one_stays(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            first, second, made = await started(server)
            async with queueing(server, made["table"]) as queue:
                await queue.add(first.send(type="resign"), second.send(type="resign"))
            assert (await second.error())["code"] == "refused"
            over = first.until(lambda state: state["status"] == "over")
            await asyncio.gather(play_randomly(second, random.Random(4)), over)
            assert second.state["winners"] == [second.state["you"]]

    run(scenario())


def test_from_two_pages_of_one_seat_one_of_two_decisions_counts(tmp_path: Path) -> None:
    """Acting twice, and acting while the decision before is taken back on the other page."""

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, made = await alone(server, "me bot")
            pages = [await anna.open(made["table"]) for _ in range(2)]
            rng, undone = random.Random(5), 0
            for _ in range(60):
                state = await pages[0].my_turn()
                if state["status"] == "over":
                    break
                version = state["version"]
                await pages[1].until(lambda state: state["version"] == version)  # noqa: B023
                choices = [choice["action"] for choice in state["choices"]]
                acts = [{"type": "act", "version": version, "action": rng.choice(choices)} for _ in pages]
                if state["can_undo"]:
                    acts[rng.randrange(2)] = {"type": "undo", "version": version}
                order = rng.sample(range(2), 2)
                async with queueing(server, made["table"]) as queue:
                    for which in order:
                        await queue.add(pages[which].send(**acts[which]))
                assert (await pages[order[1]].error())["code"] == "stale"
                await pages[order[0]].until(lambda state: state["version"] > version)  # noqa: B023
                stored = await server.components.storage.load(made["table"])
                assert stored is not None
                written = stored.log[version]
                assert (written.seat, written.action) == (0, acts[order[0]].get("action"))
                undone += written.action is None
            assert undone

    run(scenario())
