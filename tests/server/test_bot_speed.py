"""How long bots pause is what the players wish, and the slowest wish counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.support import Json, run, running
from tests.server.support import Table as Socket

pytestmark = pytest.mark.usefixtures("quick_bots")
LONG = 30.0


async def stands_still(socket: Socket) -> bool:
    """Nobody moves for a while; people may still come."""
    version = socket.state["version"]
    while not await socket.quiet(0.4):
        pass
    return bool(socket.state["version"] == version)


async def later(socket: Socket, version: int) -> Json:
    return await socket.until(lambda state: state["version"] > version)


def test_bots_do_not_pause_where_nobody_wants_to_follow(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", bot_pause=LONG) as server:
            anna = await server.visitor()
            made = await anna.create("easy easy")
            socket = await anna.open(made["table"])
            await socket.until(lambda _: True)
            assert await stands_still(socket)
            await socket.send(type="bot_speed", speed="instant")
            await socket.until(lambda state: state["status"] == "over")

    run(scenario())


def test_whoever_wants_to_follow_is_waited_for(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", bot_pause=LONG) as server:
            anna, boris, clara = [await server.visitor() for _ in range(3)]
            made = await anna.create("me open easy", edition="first")
            assert (await boris.http.post(f"/api/tables/{made['table']}/join", json={})).is_success
            players = [await visitor.open(made["table"]) for visitor in (anna, boris)]
            watching = await clara.open(made["table"])
            for socket in (*players, watching):
                await socket.until(lambda _: True)
            await watching.send(type="bot_speed", speed="slow")
            await players[0].send(type="bot_speed", speed="instant")
            state = watching.state
            while state["to_move"] != 2:
                player = players[state["to_move"]]
                await player.my_turn()
                await player.play(player.state["choices"][0]["action"])
                state = await later(watching, state["version"])
            assert await stands_still(watching), "the other player has said nothing"
            await players[1].send(type="bot_speed", speed="instant")
            await watching.until(lambda state: state["to_move"] != 2)

    run(scenario())


def test_an_unknown_speed_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", bot_pause=LONG) as server:
            anna = await server.visitor()
            socket = await anna.open((await anna.create("easy easy"))["table"])
            await socket.until(lambda _: True)
            await socket.send(type="bot_speed", speed="reckless")
            assert (await socket.error())["code"] == "bad_message"
            assert await stands_still(socket)

    run(scenario())
