"""When there is no room left, whoever holds the most makes room: strangers always come in."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nevsky.server import admission, components, connections, conversation
from nevsky.server.connections import Connections
from nevsky.server.errors import Refusal
from nevsky.server.places import CANNOT_YIELD, PLAYS_ALONE, WATCHES, Held, Socket
from nevsky.server.settings import Settings
from tests.server.support import Table, run, running
from tests.server.test_connections import from_address, sent
from tests.server.test_errors import alone, turned_away
from tests.server.test_wire import gone, upgraded

FILES: Final = 64
FEW: Final = Settings(sockets=6, sockets_per_address=4)


@given(st.lists(st.sampled_from("abcde")), st.sampled_from("abcdef"))
def test_the_greediest_yields_only_to_those_who_have_less(holders: list[str], newcomer: str) -> None:
    held = Held((holder, (holder, number)) for number, holder in enumerate(holders))
    yielding = held.too_much(newcomer)
    if yielding:
        greediest = yielding[0][0]
        assert len(yielding) == holders.count(greediest) == max(map(holders.count, holders))
        assert holders.count(greediest) - 1 >= holders.count(newcomer) + 1
        assert yielding == sorted(yielding, key=lambda each: each[1])
    else:
        assert all(holders.count(holder) <= holders.count(newcomer) + 1 for holder in holders)


def _fill(stack: contextlib.ExitStack, here: Connections, ranks: list[tuple[str, int]], left: list[Socket]) -> None:
    for number, (address, rank) in enumerate(ranks):
        socket = stack.enter_context(here.socket(address, f"guest {number}"))
        here.may_yield(socket, rank, lambda socket=socket: left.append(socket))  # type: ignore[misc]


def test_spectators_go_first_then_those_who_play_alone_and_players_never() -> None:
    here, left = Connections(FEW, FILES), list[Socket]()
    with contextlib.ExitStack() as stack:
        greedy = [("a", CANNOT_YIELD), ("a", WATCHES), ("a", WATCHES), ("b", PLAYS_ALONE), ("b", PLAYS_ALONE)]
        _fill(stack, here, [*greedy, ("c", CANNOT_YIELD)], left)
        for number, expected in enumerate([("a", WATCHES), ("b", PLAYS_ALONE)]):
            stack.enter_context(here.socket(f"newcomer {number}", "somebody"))
            assert (left[-1].address, left[-1].rank) == expected
        assert [socket.who for socket in left] == ["guest 2", "guest 4"]
        with pytest.raises(Refusal, match="no room"):
            stack.enter_context(here.socket("newcomer 2", "somebody"))
        with pytest.raises(Refusal, match="no room"):
            stack.enter_context(here.socket("a", "somebody"))
    assert not here._sockets
    assert all(not held._held for held in here._yielding)


def test_sockets_make_room_for_requests_where_nothing_is_idle() -> None:
    here, left = Connections(Settings(), FILES), list[Socket]()
    with contextlib.ExitStack() as stack:
        while (connection := here.arrive("192.0.2.1")) is not None:
            socket = stack.enter_context(here.socket("192.0.2.1", "boris", connection))
            here.may_yield(socket, WATCHES, lambda socket=socket: left.append(socket))  # type: ignore[misc]
            if here._sockets.total() == here.most_sockets:
                break
        while here._open.total() < here._most:
            here.work(here.arrive(f"198.51.100.{here._open.total()}"))
        assert here.arrive("192.0.2.1") is None
        for number in range(30):
            assert (here.arrive("203.0.113.1") is not None) == (number < FILES // 8)  # what is left of the reserve
        assert len(left) == FILES // 8


def test_behind_one_address_the_greediest_guest_makes_room() -> None:
    here, left = Connections(FEW, FILES), list[Socket]()
    with contextlib.ExitStack() as stack:
        for who in ("anna", "boris", "boris", "boris"):
            socket = stack.enter_context(here.socket("a", who))
            here.may_yield(socket, WATCHES, lambda socket=socket: left.append(socket))  # type: ignore[misc]
        with pytest.raises(Refusal, match="from your address"):
            stack.enter_context(here.socket("a", "boris"))
        stack.enter_context(here.socket("a", "clara"))
        assert [socket.who for socket in left] == ["boris"]


def test_sockets_of_many_addresses_lock_no_stranger_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(components, "raise_file_limit", lambda: FILES)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server, contextlib.AsyncExitStack() as stack:
            anna, made = await alone(server)
            attackers: list[Table] = []
            lines: list[str] = []
            logged = SimpleNamespace(warning=lambda event, **_: lines.append(event))
            monkeypatch.setattr(connections, "log", logged)
            for number in range(server.components.connections.most_sockets):
                source = from_address(server, f"127.0.0.{10 + number % 5}", made["table"])
                attackers.append(await stack.enter_async_context(source))
                assert (await attackers[-1].receive())["type"] == "state"
            own = await anna.open(made["table"])
            assert (await own.receive())["you"] == 0
            for number in range(6):
                watching = from_address(server, f"127.0.0.{100 + number}", made["table"])
                assert (await (await stack.enter_async_context(watching)).receive())["type"] == "state"
            await turned_away(attackers[-1], "busy", 4503)
            one_more = await stack.enter_async_context(from_address(server, "127.0.0.10", made["table"]))
            await turned_away(one_more, "busy", 4503)
            await own.send(type="ping")
            while (await own.receive())["type"] != "pong":
                pass
            assert lines == ["sockets_nearly_exhausted", "sockets_exhausted"]  # and not one for each of them

    run(scenario())


def test_spectators_of_few_addresses_lock_no_spectator_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "_MOST_SPECTATORS", 6)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server, contextlib.AsyncExitStack() as stack:
            _, made = await alone(server)
            watching: list[Table] = []
            for number in range(9):
                source = from_address(
                    server, f"127.0.0.{10 + number % 2 if number < 6 else 20 + number}", made["table"]
                )
                watching.append(await stack.enter_async_context(source))
                assert (await watching[-1].receive())["type"] == "state"
            for number in (4, 5):
                await turned_away(watching[number], "busy", 4503)
            one_more = await stack.enter_async_context(from_address(server, "127.0.0.10", made["table"]))
            await turned_away(one_more, "refused", 1008)

    run(scenario())


@pytest.mark.parametrize("each", [3, 25])
def test_connections_that_say_nothing_lock_no_stranger_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, each: int
) -> None:
    monkeypatch.setattr(components, "raise_file_limit", lambda: FILES)

    async def scenario() -> None:
        async with running(tmp_path / "n.db", connections_per_address=20) as server:
            silent = []
            for number in range(75):
                source = (f"127.0.0.{10 + number // each}", 0)
                _, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=source)
                writer.write(b"GET /api/me HTTP/1.1\r\nhost: ")
                silent.append(writer)
            for number in range(3):
                asked = b"GET /api/me HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
                assert (await sent(server, asked, f"127.0.0.{100 + number}")).startswith(b"HTTP/1.1 200")
            assert server.components.connections._open.total() < FILES
            for writer in silent:
                writer.transport.abort()

    run(scenario())


def test_whoever_is_sent_away_and_stays_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "GOODBYE_SECONDS", 0.3)

    async def scenario() -> None:
        async with running(tmp_path / "n.db", sockets=1) as server:
            anna, made = await alone(server)
            table = await anna.open(made["table"])
            await table.receive()
            async with upgraded(server, made["table"]):  # refused, and does not say goodbye
                await gone(server)
            await table.send(type="ping")
            assert (await table.receive())["type"] == "pong"

    run(scenario())
