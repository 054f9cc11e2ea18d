"""Whoever fills the queue of the bots waits for themselves. Counted is what the workers did before, not the time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from nevsky.server.actor import Table
from nevsky.server.schema import tables
from tests.server.gated import Gate, gate
from tests.server.support import Server, Visitor, run, running
from tests.server.support import Table as Socket

__all__ = ["gate"]

SLOWLY = {"bot_milliseconds": 2000, "bot_queue": 1000}
BOTS = {"ruleset": {"players": 2}, "seats": [{"kind": "bot", "level": "slow"}] * 2}


async def person(server: Server, seats: str, address: str) -> tuple[Socket, Table]:
    """Somebody at a new table of theirs, to move."""
    visitor = await server.visitor()
    made = await visitor.create(seats)
    socket = await visitor.open(made["table"], **{"X-Forwarded-For": address})
    await socket.my_turn()
    return socket, await server.components.hub.get(made["table"])


async def until_a_bot_is_asked(socket: Socket, table: Table) -> None:
    """Play until it is a bot's turn; it thinks or waits until it may."""
    while not table.bots.thinking:
        assert table.match is not None
        while socket.state["version"] != table.match.version(0):
            await socket.receive()
        await socket.act(socket.state["choices"][-1]["action"])
        await socket.receive()
        while table.mailbox.waiting:
            await asyncio.sleep(0.01)


async def by_nobody(server: Server, seats: str, number: int) -> set[str]:
    """Tables of somebody who does not keep cookies, so that each is of another guest."""
    attacker = await server.visitor()
    made = set()
    for _ in range(number):
        made.add((await attacker.create(seats))["table"])
        attacker.http.cookies.clear()
    return made


async def watched_table(server: Server, visitor: Visitor, address: str) -> Socket:
    made = await visitor.create("slow slow slow slow")
    return await visitor.open(made["table"], **{"X-Forwarded-For": address})


async def noted(gate: Gate, note: str) -> None:
    while note not in gate.notes():
        await asyncio.sleep(0.01)


def test_a_hundred_hints_of_one_address_delay_a_bot_elsewhere_by_one(tmp_path: Path, gate: Gate) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **SLOWLY) as server:
            honest, table = await person(server, "me quick", "192.0.2.1")
            attackers = [(await person(server, "me easy", "192.0.2.2"))[0] for _ in range(10)]
            before = len(gate.notes())
            for _ in range(10):
                for socket in attackers:
                    await socket.send(type="hint", version=socket.state["version"])
            await noted(gate, "slow explain")
            for socket in attackers:
                await socket.send(type="ping")
                while (await socket.receive())["type"] != "pong":
                    pass
            await until_a_bot_is_asked(honest, table)
            gate.open()
            while gate.notes().count("quick decide") == gate.notes()[:before].count("quick decide"):
                await asyncio.sleep(0.01)
            assert gate.notes()[before : before + 2] == ["slow explain", "quick decide"]
            answers = [await answered(socket, 10) for socket in attackers]
            assert all(sorted(kinds) == ["error"] * 9 + ["hint"] for kinds in answers), "one at a time for each guest"
            assert gate.notes().count("slow explain") == 10

    run(scenario())


async def answered(socket: Socket, number: int) -> list[str]:
    """The kinds of so many answers to hints."""
    while True:
        found = [each for each in socket.seen if each["type"] in ("hint", "error")]
        if len(found) == number:
            assert {each["code"] for each in found if each["type"] == "error"} == {"too_fast"}
            return [each["type"] for each in found]
        await socket.receive()


def test_a_hundred_tables_of_masters_play_for_nobody(tmp_path: Path, gate: Gate) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **SLOWLY) as server:
            honest, table = await person(server, "me quick", "192.0.2.1")
            before = len(gate.notes())
            made = await by_nobody(server, "slow slow slow slow", 100)
            await until_a_bot_is_asked(honest, table)
            gate.open()
            await honest.my_turn()
            assert set(gate.notes()[before:]) == {"quick decide"}
        async with running(tmp_path / "n.db", **SLOWLY) as server:
            await server.components.hub._waking
            assert not made & set(server.components.hub._tables)

    run(scenario())


@pytest.mark.usefixtures("gate")
def test_one_address_keeps_so_many_games_of_bots(anywhere: Path | str) -> None:
    """Nobody sits there and nobody can end them, so they would fill the disk."""

    async def scenario() -> None:
        async with running(anywhere, bot_tables_per_address=3, open_tables_per_address=1) as server:
            server.components.open_tables._clock = lambda: 0.0
            made = await by_nobody(server, "slow slow", 3)
            server.components.open_tables._clock = lambda: 60.0
            attacker = await server.visitor()
            answer = await attacker.http.post("/api/tables", json=BOTS)
            assert (answer.status_code, answer.json()["code"]) == (422, "refused")
            assert "that only bots play" in answer.json()["message"]
            assert (await attacker.create("me slow"))["seat"] == 0, "games of people are another matter"
            assert (await attacker.create("me open"))["seat"] == 0, "and so are tables that wait for them"
            stranger = await attacker.http.post("/api/tables", json=BOTS, headers={"X-Forwarded-For": "192.0.2.9"})
            assert stranger.status_code == 201
            async with server.components.storage.writing() as connection:
                over = tables.update().where(tables.c.id == min(made))
                await connection.execute(over.values(status="over"))
            assert (await attacker.http.post("/api/tables", json=BOTS)).status_code == 201
            assert (await attacker.http.post("/api/tables", json=BOTS)).status_code == 422

    run(scenario())


def test_tables_that_one_address_watches_share_one_place(tmp_path: Path, gate: Gate) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **SLOWLY) as server:
            honest, table = await person(server, "me quick", "192.0.2.1")
            before = len(gate.notes())
            attacker = await server.visitor()
            for _ in range(20):
                await watched_table(server, attacker, "192.0.2.2")
                attacker.http.cookies.clear()
            await the_next_is_honest(gate, before, honest, table)

    run(scenario())


def test_tables_that_people_have_left_share_one_place(tmp_path: Path, gate: Gate) -> None:
    """They sit there and are not away, so bots play up to their turns; but nobody waits at the table."""

    async def scenario() -> None:
        async with running(tmp_path / "n.db", **SLOWLY) as server:
            honest, table = await person(server, "me quick", "192.0.2.1")
            before = len(gate.notes())
            await by_nobody(server, "me slow slow slow", 20)
            await the_next_is_honest(gate, before, honest, table)

    run(scenario())


async def the_next_is_honest(gate: Gate, before: int, honest: Socket, table: Table) -> None:
    await noted(gate, "slow decide")
    await until_a_bot_is_asked(honest, table)
    gate.open()
    count = gate.notes()[:before].count("quick decide")
    while gate.notes().count("quick decide") == count:
        await asyncio.sleep(0.01)
    begun = gate.notes()[before:].index("quick decide")
    assert begun <= 2, "one that had begun, and one whose turn it was"


def test_everybody_behind_one_address_gets_their_hint(tmp_path: Path, gate: Gate) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", bot_milliseconds=2000) as server:
            people = [(await person(server, "me easy", "192.0.2.2"))[0] for _ in range(50)]
            gate.open()
            for socket in people:
                await socket.send(type="hint", version=socket.state["version"])
            for socket in people:
                while (await socket.receive())["type"] != "hint":
                    pass

    run(scenario())


def test_nobody_is_slow_because_of_who_else_sits_there(tmp_path: Path, gate: Gate) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **SLOWLY) as server:
            greedy, honest = await server.visitor(), await server.visitor()
            made = await greedy.create("me open quick")
            await honest.http.post(f"/api/tables/{made['table']}/join")
            shared = await server.components.hub.get(made["table"])
            for visitor, address in ((greedy, "192.0.2.2"), (honest, "192.0.2.1")):
                await visitor.open(made["table"], **{"X-Forwarded-For": address})
            await watched_table(server, greedy, "192.0.2.2")
            await noted(gate, "slow decide")
            assert shared.bots._owner() == "192.0.2.1"
            gate.open()

    run(scenario())


def test_advice_that_comes_too_late_is_not_thought_out(tmp_path: Path, gate: Gate) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", **SLOWLY) as server:
            queue = server.components.own_bots._scheduler._queue
            people = [await person(server, "me easy", "192.0.2.2") for _ in range(3)]
            for number, (socket, _) in enumerate(people):
                await socket.send(type="hint", version=socket.state["version"])
                while queue.length("hint") != number or "slow explain" not in gate.notes():
                    await asyncio.sleep(0.01)
            (_, _), (mover, _), (leaver, _) = people
            await mover.act(mover.state["choices"][-1]["action"])
            while queue.length("hint") > 1:
                await asyncio.sleep(0.01)
            await leaver.socket.close()
            while queue.length("hint"):
                await asyncio.sleep(0.01)
            gate.open()
            while server.components.own_bots._hints._waiting:
                await asyncio.sleep(0.01)
            assert gate.notes().count("slow explain") == 1

    run(scenario())
