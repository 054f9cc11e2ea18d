"""A table is played at a process that does not have it: everything is passed on, and nothing is different."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from nevsky.server import peers
from nevsky.server.forwarding import table_of
from nevsky.server.ownership import Elsewhere, ElsewhereError
from tests.server.passing_on import Pair, pair
from tests.server.support import Table, play_randomly, run
from tests.server.test_errors import turned_away


@pytest.mark.usefixtures("quick_bots")
def test_a_game_is_played_to_its_end_through_another_process(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as both:
            anna, made = await both.somebody()
            table = await anna.open(made["table"])
            await table.receive()
            await play_randomly(table, random.Random(3))
            assert table.state["status"] == "over"
            assert table.patches > 5
            assert len(both.front.components.hub) == 0
            assert len(both.owner.components.hub) == 1

    run(scenario())


def _comparable(answer: httpx.Response) -> tuple[Any, ...]:
    headers = [(name, value) for name, value in answer.headers.multi_items() if name != "date"]
    return answer.status_code, sorted(headers), answer.content


@pytest.mark.usefixtures("quick_bots")
def test_every_answer_is_byte_for_byte_that_of_the_owner(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as both:
            anna, made = await both.somebody()
            direct = await both.directly(anna)
            table = await anna.open(made["table"])
            await table.receive()
            await play_randomly(table, random.Random(4))
            path = f"/api/tables/{made['table']}"
            paths = [path, f"{path}?seat={made['seat_token']}", f"{path}?seat=wrong&language=fr", f"{path}/log"]
            paths += [f"{path}/record", f"{path}/race?x=%2F%20%C3%A9", f"{path}/nothing", "/api/tables/nowhere/log"]
            paths += [f"{path}/replay?step=9&seat=0", f"{path}/replay?step=x"]
            for each in paths:
                for encoding in ("identity", "gzip"):
                    headers = {"Accept-Encoding": encoding, "Accept-Language": "it"}
                    answers = [await who.http.get(each, headers=headers) for who in (anna, direct)]
                    assert _comparable(answers[0]) == _comparable(answers[1]), each
                    assert len(answers[0].headers.get_list("date")) == 1
            head = await anna.http.head(path)
            assert head.content == b""

    run(scenario())


@pytest.mark.usefixtures("quick_bots")
def test_what_is_seen_and_what_stays_secret_is_the_same(tmp_path: Path) -> None:
    """The texts themselves, of a player and of a spectator, who get whole states."""

    async def scenario() -> None:
        async with pair(tmp_path) as both:
            anna, made = await both.somebody("me open")
            boris = await both.front.visitor()
            await boris.http.post(f"/api/tables/{made['table']}/join", json={"name": "Boris"})
            stranger = await both.front.visitor()
            seen: list[list[str]] = []

            async def collect(table: Table) -> None:
                texts: list[str] = []
                seen.append(texts)
                with contextlib.suppress(ConnectionClosed):
                    while True:
                        texts.append(str(await table.socket.recv()))

            watching = []
            for who in (anna, stranger):
                for visitor in (who, await both.directly(who)):
                    watching.append(await visitor.open(made["table"], states="full"))
            collecting = [asyncio.create_task(collect(table)) for table in watching]
            playing = [await who.open(made["table"]) for who in (anna, boris)]
            for table in playing:
                await table.receive()
            await asyncio.gather(*(play_randomly(table, random.Random(5)) for table in playing))
            await asyncio.sleep(0.3)
            for table in watching:
                await table.socket.close()
            await asyncio.gather(*collecting)
            own, own_direct, others, others_direct = seen
            assert own[-1] == own_direct[-1] != others[-1] == others_direct[-1]
            # several changes may come as one state, but nothing comes that the owner did not say
            assert len(set(own) & set(own_direct)) > 10
            assert len(set(others) & set(others_direct)) > 10
            assert not set(own) & set(others)

    run(scenario())


def test_cookies_are_set_by_the_owner_and_kept(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as both:
            _, made = await both.somebody("me open")
            boris = await both.front.visitor()
            answer = await boris.http.post(f"/api/tables/{made['table']}/join", json={"name": "Boris"})
            assert (answer.status_code, answer.json()["seat"]) == (200, 1)
            assert boris.http.cookies["nevsky_guest"]
            assert (await boris.http.get(f"/api/tables/{made['table']}")).json()["you"] == 1
            large = await boris.http.post(f"/api/tables/{made['table']}/join", content=b"x" * 40_000)
            assert large.status_code == 400

    run(scenario())


def test_the_owner_closes_with_its_own_codes(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as both:
            anna, made = await both.somebody()
            await turned_away(await anna.open("nowhere"), "not_found", 4404)
            await turned_away(await (await both.front.visitor()).open(made["table"], "wrong"), "not_allowed", 4403)
            await turned_away(await anna.open(made["table"], states="none"), "bad_message", 1008)
            tabs = []
            for _ in range(9):
                tabs.append(await anna.open(made["table"]))
                await tabs[-1].receive()
            await turned_away(tabs[0], "replaced", 4409)

    run(scenario())


def test_whoever_leaves_has_left_at_the_owner(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as both:
            anna, made = await both.somebody()
            polite, rude = await anna.open(made["table"]), await anna.open(made["table"])
            await polite.receive()
            await rude.receive()
            table = await both.owner.components.hub.get(made["table"])
            assert len(table.viewers) == 2
            await polite.socket.close(4321, "enough")
            rude.socket.transport.abort()
            while table.viewers:
                await asyncio.sleep(0.01)
            assert both.front.components.forwarding is not None
            while len(both.front.components.forwarding):
                await asyncio.sleep(0.01)
            assert not both.front.components.connections._sockets

    run(scenario())


def test_limits_and_bans_are_by_the_address_of_the_visitor(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path, spectators_per_address=2) as both:
            _, made = await both.somebody()
            stranger = await both.front.visitor()
            here = {"X-Forwarded-For": "203.0.113.7"}
            for _ in range(2):
                await (await stranger.open(made["table"], **here)).receive()
            await turned_away(await stranger.open(made["table"], **here), "refused", 1008)
            elsewhere = {"X-Forwarded-For": "203.0.113.8"}
            await (await stranger.open(made["table"], **elsewhere)).receive()
            from nevsky.server.bans import network_of

            both.owner.components.bans._networks["203.0.113.7/32"] = network_of("203.0.113.7")
            await turned_away(await stranger.open(made["table"], **here), "not_allowed", 4403)
            path = f"/api/tables/{made['table']}"
            assert (await stranger.http.get(path, headers=here)).status_code == 403
            assert (await stranger.http.get(path, headers=elsewhere)).status_code == 200

    run(scenario())


def test_the_front_counts_sockets_and_a_spectator_makes_room_for_a_player(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path, sockets_per_address=3) as both:
            anna, made = await both.somebody()
            stranger = await both.front.visitor()
            await stranger.http.get("/api/me")
            watching = []
            for _ in range(3):  # each has come in before the next one comes
                watching.append(await stranger.open(made["table"]))
                await watching[-1].receive()
            own = await anna.open(made["table"])
            assert (await own.receive())["you"] == 0
            await turned_away(watching[-1], "busy", 4503)

    run(scenario())


def test_connections_of_other_processes_have_no_limit_of_an_address(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path, trusted_proxies="192.0.2.1", connections_per_address=12) as both:
            both.front.components.connections._settings = both.front.components.settings._replace(
                connections_per_address=1000
            )
            anna, made = await both.somebody()
            tables = [await anna.open(made["table"]) for _ in range(8)]
            for table in tables:
                await table.receive()
            answers = await asyncio.gather(*(anna.http.post(f"/api/tables/{made['table']}/join") for _ in range(20)))
            assert {each.status_code for each in answers} == {200}
            assert both.owner.components.connections._open[""] >= 8

    run(scenario())


def test_whoever_only_seems_to_be_another_process_has_the_limit_of_an_address(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path, trusted_proxies="192.0.2.1", connections_per_address=3) as both:
            asked = "GET /api/meta HTTP/1.1\r\nhost: x\r\n"
            held = [await asyncio.open_connection("127.0.0.1", both.owner.port) for _ in range(3)]
            connections = both.owner.components.connections
            while len(connections) < len(held):
                await asyncio.sleep(0.01)
            for each in list(connections._idle.of("127.0.0.1")):
                connections.work(each)  # none of them can make room
            for headers, status in (("", b"503"), ("x-nevsky-forwarded: forged\r\n", b"403")):
                reader, writer = await asyncio.open_connection("127.0.0.1", both.owner.port)
                writer.write(f"{asked}{headers}\r\n".encode())
                answer = await asyncio.wait_for(reader.read(), 5)  # until it is closed
                assert answer[9:12] == status
                writer.close()
            for _, writer in held:
                writer.transport.abort()

    run(scenario())


@contextlib.asynccontextmanager
async def instead(
    both: Pair, behave: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]
) -> AsyncIterator[list[bytes]]:
    """Something that is no owner at all is found in its place; the requests that it gets."""
    asked: list[bytes] = []

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            asked.append(await reader.readuntil(b"\r\n\r\n"))
            await behave(reader, writer)
        writer.close()

    assert both.front.components.forwarding is not None
    both.front.components.forwarding._owners.clear()
    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    before, both.address = both.address, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield asked
    finally:
        both.address = before if both.address is not None else None
        server.close()


async def _nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    pass


async def _hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def _half(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nonly a part of it")
    await writer.drain()


def test_a_request_that_may_have_been_carried_out_is_not_sent_again(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as both:
            anna, made = await both.somebody("me open")
            path = f"/api/tables/{made['table']}"
            async with instead(both, _nothing) as asked:
                answer = await anna.http.post(f"{path}/join")
                assert (answer.status_code, answer.json()["code"]) == (503, "shutting_down")
                assert "Look at the table" in answer.json()["message"]
                assert len(asked) == 1
                reading = asyncio.create_task(anna.http.get(path))
                while len(asked) < 4:  # what only reads is asked again
                    await asyncio.sleep(0.01)
                both.address = f"http://127.0.0.1:{both.owner.port}"
                assert (await reading).status_code == 200
            async with instead(both, _half):
                with pytest.raises(httpx.RemoteProtocolError):
                    await anna.http.get(path)

    run(scenario())


def test_while_the_owner_cannot_be_reached_a_request_waits_for_the_table_to_come(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as both:
            anna, made = await both.somebody("me open")
            path = f"/api/tables/{made['table']}/join"
            both.address = "http://127.0.0.1:1"
            joining = asyncio.create_task(anna.http.post(path))
            opening = asyncio.create_task(anna.open(made["table"]))
            await asyncio.sleep(0.5)
            assert not joining.done()
            both.address = None  # the lease is over, and the front has the table: here that is another database
            assert (await joining).status_code == 404
            await turned_away(await opening, "not_found", 4404)
            both.address = "http://127.0.0.1:1"
            answer = await anna.http.post(path)
            assert (answer.status_code, answer.json()["code"]) == (503, "moved")
            assert answer.headers["x-nevsky-untouched"]
            await turned_away(await anna.open(made["table"]), "moved", 4421)

    run(scenario())


def test_when_the_owner_dies_its_visitors_come_back_at_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as both:

            async def die(owner: ServerConnection) -> None:
                await owner.send("2")
                await owner.send('{"type": "state"}')
                owner.transport.abort()

            anna, made = await both.somebody()
            async with serve(die, "127.0.0.1", 0) as dying:
                both.address = f"http://127.0.0.1:{next(iter(dying.sockets)).getsockname()[1]}"
                table = await anna.open(made["table"])
                assert await table.receive() == {"type": "state"}
                await turned_away(table, "moved", 4421)

    run(scenario())


def test_an_owner_that_hangs_is_left_when_its_lease_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "LOOK_SECONDS", 0.1)

    async def scenario() -> None:
        async with pair(tmp_path) as both:
            anna, made = await both.somebody()

            async def hang(owner: ServerConnection) -> None:
                await owner.send('{"type": "state"}')
                await owner.wait_closed()

            path = f"/api/tables/{made['table']}"
            async with serve(hang, "127.0.0.1", 0) as hanging:
                both.address = f"http://127.0.0.1:{next(iter(hanging.sockets)).getsockname()[1]}"
                table = await anna.open(made["table"])
                await table.receive()
                async with instead(both, _hang) as asked:
                    reading = asyncio.create_task(anna.http.get(path))
                    joining = asyncio.create_task(anna.http.post(f"{path}/join"))
                    while len(asked) < 2:
                        await asyncio.sleep(0.01)
                    assert await table.quiet(0.3)
                    both.address = None
                    both.gone.add("at http")
                    await turned_away(table, "moved", 4421)
                    assert (await reading).status_code == 404  # it was asked here: another database
                    assert (await joining).json()["code"] == "shutting_down"

    run(scenario())


def test_somebody_who_does_not_read_stops_the_owner_and_not_the_memory(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as both:
            _, made = await both.somebody()
            sent = 0

            async def flood(owner: ServerConnection) -> None:
                nonlocal sent
                await owner.send("0")
                for number in range(2000):
                    await owner.send(f"{number} " + "x" * 65_536)
                    sent += 1
                await owner.send("end")
                await owner.wait_closed()

            async with serve(flood, "127.0.0.1", 0, compression=None) as flooding:
                both.address = f"http://127.0.0.1:{next(iter(flooding.sockets)).getsockname()[1]}"
                url = f"ws://127.0.0.1:{both.front.port}/api/tables/{made['table']}/ws"
                async with connect(url, max_queue=1, max_size=None, compression=None) as slow:
                    before = -1
                    while before != sent:
                        before = sent
                        await asyncio.sleep(0.5)
                    stopped = sent
                    assert stopped * 65_536 < 20_000_000, "most of it in the kernel, and 2000 were to come"
                    for number in range(2000):
                        assert str(await slow.recv()).startswith(f"{number} ")
                    assert await slow.recv() == "end"

    run(scenario())


def test_a_process_that_stops_sends_its_visitors_to_another_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as both:
            anna, made = await both.somebody()
            table = await anna.open(made["table"])
            await table.receive()
            assert both.front.components.forwarding is not None
            both.front.components.forwarding.dismiss()
            await turned_away(table, "moved", 4421)

    run(scenario())


def test_whose_a_table_is_is_not_looked_up_each_time(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as both:
            anna, made = await both.somebody()
            path = f"/api/tables/{made['table']}"
            for _ in range(5):
                assert (await anna.http.get(path)).status_code == 200
            assert both.asked == 1
            asked = both.owner.components.hub.get

            async def moved(table: str) -> None:
                raise ElsewhereError(Elsewhere("front", "http://nowhere"))

            both.owner.components.hub.get = moved  # type: ignore[method-assign, assignment]
            both.address = None
            assert (await anna.http.get(path)).status_code == 404  # it was asked here: another database
            both.owner.components.hub.get = asked  # type: ignore[method-assign]
            assert both.front.components.forwarding is not None
            assert not both.front.components.forwarding._owners

    run(scenario())


@pytest.mark.parametrize(
    ("path", "table"),
    [
        ("/api/tables/abc", "abc"),
        ("/api/tables/abc/seats/1", "abc"),
        ("/api/tables/abc/", "abc"),
        ("/api/tables", None),
        ("/api/tables/", None),
        ("/api/tables/mine", None),
        ("/api/tables/finished", None),
        ("/api/me", None),
        ("/table/abc", None),
        ("/x/api/tables/abc", None),
    ],
)
def test_which_table_a_request_is_about(path: str, table: str | None) -> None:
    assert table_of(path) == table
