"""Bots do not play for nobody: games pause when all that are left are bots and nobody watches."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from nevsky.server.actor import Table
from tests.server.support import Json, Server, Visitor, run, running
from tests.server.support import Table as Socket

pytestmark = pytest.mark.usefixtures("quick_bots")


async def settled(table: Table) -> int:
    """How many entries there are once nobody is left and nothing is going on at the table."""
    while table.viewers or table.bots.thinking or table.mailbox.waiting:
        await asyncio.sleep(0.01)
    await table.call(nothing)  # what it began to do is done
    assert table.match is not None
    return table.match.entries


async def nothing() -> None:
    pass


async def stays_settled(table: Table) -> int:
    """The same, and nothing happens later either."""
    entries = await settled(table)
    await asyncio.sleep(0.1)
    assert await settled(table) == entries
    return entries


async def a_table(server: Server, visitor: Visitor, seats: str, **options: object) -> tuple[Json, Table]:
    made = await visitor.create(seats, **options)
    return made, await server.components.hub.get(made["table"])


async def watch(socket: Socket, moves: int) -> None:
    """Look until some more moves were made."""
    state = await socket.until(lambda _: True)
    version = state["version"] + moves
    await socket.until(lambda state: state["version"] >= version or state["status"] == "over")


def test_bots_among_themselves_play_only_while_somebody_watches(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", bot_pause=0.005) as server:
            anna = await server.visitor()
            made, table = await a_table(server, anna, "easy easy easy")
            assert await stays_settled(table) == 0, "nobody has ever looked"
            socket = await anna.open(made["table"])
            await watch(socket, 5)
            await socket.socket.close()
            entries = await stays_settled(table)
            assert entries >= 5
            assert table.status == "playing" and table.idle
            again = await anna.open(made["table"])
            await again.until(lambda state: state["status"] == "over")

    run(scenario())


def test_only_tables_where_a_person_waits_wake_after_a_restart(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", bot_pause=30.0) as server:
            anna = await server.visitor()
            unwatched = {(await anna.create("easy easy", pace=pace))["table"] for pace in ("none", "live", "relaxed")}
            away = await anna.create("me easy")
            socket = await anna.open(away["table"])
            await socket.send(type="away", away=True)
            await socket.until(lambda state: state["players"][0]["away"])
            waiting, _ = await a_table(server, anna, "me easy easy easy")
            while (await anna.http.get(f"/api/tables/{waiting['table']}")).json()["your_turn"]:
                waiting, _ = await a_table(server, anna, "me easy easy easy")
            storage = server.components.storage
            found = await storage.unfinished_bots()
            assert waiting["table"] in found
            assert not {*unwatched, away["table"]} & set(found)
            assert not await storage.due_before("9999")
        async with running(tmp_path / "n.db", idle_seconds=0.2) as server:
            hub = server.components.hub
            while waiting["table"] not in hub._tables:
                await asyncio.sleep(0.01)
            await asyncio.wait_for(hub._waking, 10)
            assert not {*unwatched, away["table"]} & set(hub._tables)

    run(scenario())


def test_a_game_whose_people_are_all_away_pauses_and_goes_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", bot_pause=0.005) as server:
            anna = await server.visitor()
            made, table = await a_table(server, anna, "me easy")
            socket = await anna.open(made["table"])
            await socket.send(type="away", away=True)
            await watch(socket, 3)
            await socket.socket.close()
            entries = await stays_settled(table)
            assert table.status == "playing"
            boris = await (await server.visitor()).open(made["table"])
            state = await boris.until(lambda state: state["paused"])
            assert state["question"] == "The game pauses until one of its players is back."
            assert await boris.quiet(0.2), "a stranger does not make it go on"
            again = await anna.open(made["table"])
            await watch(again, 3)
            assert table.match is not None
            assert table.match.entries > entries
            await boris.until(lambda state: not state["paused"])

    run(scenario())


def test_a_game_with_one_person_left_goes_on_though_nobody_watches(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, boris = await server.visitor(), await server.visitor()
            made, table = await a_table(server, anna, "me open easy")
            await boris.http.post(f"/api/tables/{made['table']}/join")
            socket = await anna.open(made["table"])
            await socket.until(lambda state: state["status"] == "playing")
            await socket.send(type="away", away=True)
            await socket.socket.close()
            await settled(table)
            assert table.match is not None
            assert table.match.game.to_move == 1, "the bots have played up to Boris"

    run(scenario())
