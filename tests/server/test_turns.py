"""Requests of one address take turns, and so do the visitors behind it."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest

from nevsky.server import rate_limits
from nevsky.server import turns as turns_module
from nevsky.server.errors import Refusal, moved
from nevsky.server.rates import Rate
from nevsky.server.turns import Turn, Turns
from tests.server import support
from tests.server.support import run, running
from tests.server.test_connections import sent


def test_so_many_of_one_address_and_others_at_once() -> None:
    async def scenario() -> None:
        turns = Turns(2)
        first, second = await turns.take("a", "anna"), await turns.take("a", "anna")
        third = asyncio.create_task(turns.take("a", "anna"))
        elsewhere = await asyncio.wait_for(turns.take("b", "boris"), 1)
        await asyncio.sleep(0)
        assert not third.done()
        first.give_back()
        first.give_back()
        later = await asyncio.wait_for(third, 1)
        fourth = asyncio.create_task(turns.take("a", "anna"))
        await asyncio.sleep(0)
        assert not fourth.done()
        for turn in (second, later, elsewhere):
            turn.give_back()
        (await fourth).give_back()
        assert len(turns) == 0

    run(scenario())


def test_visitors_of_one_address_go_round() -> None:
    async def scenario() -> None:
        turns, order = Turns(1), []

        async def visit(who: str) -> None:
            turn = await turns.take("a", who)
            order.append(who)
            await asyncio.sleep(0)
            turn.give_back()

        busy = await turns.take("a", "")
        visits = [asyncio.create_task(visit(who)) for who in [*["flood"] * 50, "anna", "boris"]]
        await asyncio.sleep(0)
        busy.give_back()
        await asyncio.gather(*visits)
        assert order[:4] == ["flood", "anna", "boris", "flood"]
        assert len(turns) == 0

    run(scenario())


@pytest.mark.parametrize("when", ["waiting", "called"])
def test_whoever_goes_away_keeps_nobody_waiting(when: str) -> None:
    async def scenario() -> None:
        turns = Turns(1)
        busy: Turn = await turns.take("a", "anna")
        leaving = asyncio.create_task(turns.take("a", "boris"))
        staying = asyncio.create_task(turns.take("a", "clara"))
        await asyncio.sleep(0)
        if when == "called":
            busy.give_back()
        leaving.cancel()
        if when == "waiting":
            await asyncio.sleep(0)
            busy.give_back()
        (await asyncio.wait_for(staying, 1)).give_back()
        assert leaving.cancelled()
        assert len(turns) == 0

    run(scenario())


def test_when_the_server_stops_nobody_waits_any_longer() -> None:
    async def scenario() -> None:
        turns = Turns(1)
        busy = await turns.take("a", "anna")
        waiting = [asyncio.create_task(turns.take("a", who)) for who in ("boris", "boris", "clara")]
        await asyncio.sleep(0)
        turns.close(moved)
        answers = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 1)
        assert [isinstance(each, Refusal) and each.code for each in answers] == ["moved"] * 3
        with pytest.raises(Refusal):
            await turns.take("a", "boris")
        (await turns.take("b", "boris")).give_back()
        busy.give_back()
        assert len(turns) == 0

    run(scenario())


@pytest.mark.parametrize("politely", [True, False])
def test_whoever_is_not_answered_before_the_server_stops_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, politely: bool
) -> None:
    """Many of one address, while the database hangs: most of them wait for a turn."""
    monkeypatch.setattr(support, "GRACE", 1)

    async def hang(*_: object) -> None:
        await asyncio.Event().wait()

    async def scenario() -> None:
        asked = b"GET /api/me HTTP/1.1\r\nhost: x\r\naccept-language: fr\r\nconnection: close\r\n\r\n"
        async with running(tmp_path / "n.db") as server:
            monkeypatch.setattr(server.components.storage, "add_guest", hang)
            answers = [asyncio.create_task(sent(server, asked)) for _ in range(15)]
            anna = await server.visitor()
            while not any(line.waiting for line in server.components.turns._lines.values()):
                await asyncio.sleep(0.01)
            socket = await anna.open("nowhere", **{"X-Forwarded-For": "127.0.0.2"})
            gone = asyncio.create_task(sent(server, asked))
            await asyncio.sleep(0.1)
            gone.cancel()
            if politely:
                await server.components.stop()
                assert (await socket.receive())["code"] == "shutting_down"
        for answer in await asyncio.gather(*answers):
            assert answer.startswith(b"HTTP/1.1 503"), answer
            assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "shutting_down"

    run(scenario())
    assert not [each for each in caplog.records if each.exc_info]


def test_bodies_that_do_not_come_and_answers_that_nobody_reads_take_no_turn(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            slow = b"PUT /api/me HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{"
            writers = []
            for _ in range(20):
                _, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=("127.0.0.2", 0))
                writer.write(slow)
                writers.append(writer)
            for _ in range(20):
                _, writer = await asyncio.open_connection(
                    "127.0.0.1", server.port, local_addr=("127.0.0.2", 0), limit=1
                )
                writer.write(b"GET /api/rules HTTP/1.1\r\nhost: x\r\n\r\n" * 5)
                writers.append(writer)
            await asyncio.sleep(0.3)
            answer = await sent(server, b"GET /api/me HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 200")
            for writer in writers:
                writer.transport.abort()

    run(scenario())


def test_a_body_in_small_pieces_arrives_whole(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            text = json.dumps({"name": "Anna"}).encode()
            chunks = b"".join(b"1\r\n" + text[at : at + 1] + b"\r\n" for at in range(len(text))) + b"0\r\n\r\n"
            head = b"PUT /api/me HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n"
            answer = await sent(server, head + b"transfer-encoding: chunked\r\n\r\n" + chunks)
            assert answer.startswith(b"HTTP/1.1 200")
            assert b'"Anna"' in answer

    run(scenario())


def test_whoever_asks_too_often_waits_for_the_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns_module, "REST_SECONDS", 0.3)

    async def scenario() -> None:
        async with running(tmp_path / "n.db", request_rate="2 per hour") as server:
            anna = await server.visitor()
            answers = [await anna.http.get("/api/meta") for _ in range(2)]
            started = time.monotonic()
            answers.append(await anna.http.get("/api/meta"))
            assert [answer.status_code for answer in answers] == [200, 200, 429]
            assert time.monotonic() - started >= 0.3

    run(scenario())


def test_pages_for_operators_and_files_have_a_limit_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns_module, "REST_SECONDS", 0.0)
    monkeypatch.setattr(rate_limits, "_FILES", Rate(3, 3600))

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            for path in ("/health", "/metrics", "/assets/nothing.js"):
                asked = f"GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode()
                address = f"127.0.0.{len(path)}"
                answers = [(await sent(server, asked, address))[9:12] for _ in range(7)]
                assert answers[:3] == [b"404" if "nothing" in path else b"200"] * 3
                assert answers[-3:] == [b"429"] * 3
            anna = await server.visitor()
            assert (await anna.http.get("/health")).status_code == 200

    run(scenario())
