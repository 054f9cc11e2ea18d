"""People who are not there are told, over a push service that reads what browsers would read."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from nevsky.server.notices.store import MOST_DEVICES
from nevsky.server.schema import notices, push_devices
from tests.server.notices.endpoint import push_service, subscribe
from tests.server.support import Json, Server, Table, Visitor, run, running

SOON: Json = {"push_anywhere": True, "notice_seconds": 0.2}


async def together(server: Server, pace: str = "relaxed") -> tuple[Visitor, Visitor, str]:
    anna, boris = await server.visitor(), await server.visitor()
    made = await anna.create("me open", pace=pace, edition="first")
    return anna, boris, made["table"]


async def until_asked(table: Table, other: int) -> None:
    """Decide until it is the other's turn."""
    while table.state["to_move"] != other:
        await table.play(table.state["choices"][-1]["action"])


async def devices(server: Server) -> int:
    async with server.components.storage.reading() as connection:
        return int(await connection.scalar(sa.select(sa.func.count()).select_from(push_devices)) or 0)


def test_whoever_is_to_move_is_told_once_in_their_language(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with push_service() as service, running(tmp_path / "n.db", **SOON) as server:
            anna, boris, table = await together(server)
            await boris.http.get("/api/me")
            await subscribe(boris, service, kinds=["turn"], language="de", zone="Europe/Berlin")
            await boris.http.post(f"/api/tables/{table}/join", json={})
            here = await anna.open(table)
            await here.receive()
            await until_asked(here, 1)
            await service.wait(1)
            message = service.messages[-1]
            assert message["title"] == "Du bist am Zug"
            assert message["url"] == f"/table/{table}"
            assert set(message) == {"title", "body", "url", "tag", "language", "stop"}
            first = len(service.requests)
            for _ in range(3):  # taking back and moving again is no new turn of the other
                if here.state["can_undo"]:
                    await here.send(type="undo", version=here.state["version"])
                    await here.until(lambda state: state["to_move"] == 0)
                    await until_asked(here, 1)
            await asyncio.sleep(1.0)
            assert len(service.requests) == first
            line, headers, _ = service.requests[-1]
            assert line.startswith("POST /push/one ")
            assert headers["authorization"].startswith("vapid t=")
            assert len(headers["topic"]) <= 32

    run(scenario())


def test_nobody_is_told_what_they_see_or_what_is_no_more_so(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with push_service() as service, running(tmp_path / "n.db", **{**SOON, "notice_seconds": 1.0}) as server:
            anna, boris, table = await together(server)
            await boris.http.get("/api/me")
            await subscribe(boris, service, kinds=["turn"])
            await boris.http.post(f"/api/tables/{table}/join", json={})
            here = await anna.open(table)
            await here.receive()
            await until_asked(here, 1)
            there = await boris.open(table)  # comes before it is time to tell
            await there.my_turn()
            await asyncio.sleep(2.0)
            assert service.requests == []

    run(scenario())


def test_a_message_is_not_sent_again_after_a_restart(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with push_service() as service:
            async with running(tmp_path / "n.db", **SOON) as server:
                anna, boris, table = await together(server)
                await boris.http.get("/api/me")
                await subscribe(boris, service, kinds=["turn"])
                await boris.http.post(f"/api/tables/{table}/join", json={})
                here = await anna.open(table)
                await here.receive()
                await until_asked(here, 1)
                await service.wait(1)
            for _ in range(2):
                async with running(tmp_path / "n.db", **SOON) as server:
                    await server.components.hub.get(table)
                    await asyncio.sleep(0.7)
            assert len(service.requests) == 1

    run(scenario())


def test_a_message_waits_for_the_end_of_the_quiet_hours(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with push_service() as service, running(tmp_path / "n.db", **SOON) as server:
            anna, boris, table = await together(server)
            await boris.http.get("/api/me")
            now = datetime.now(UTC)
            minute = now.hour * 60 + now.minute
            quiet = [(minute - 60) % 1440, (minute + 120) % 1440]
            await subscribe(boris, service, kinds=["turn"], quiet=quiet)
            await boris.http.post(f"/api/tables/{table}/join", json={})
            here = await anna.open(table)
            await here.receive()
            await until_asked(here, 1)
            await asyncio.sleep(1.0)
            assert service.requests == []
            async with server.components.storage.reading() as connection:
                due = await connection.scalar(sa.select(notices.c.due))
            assert 100 < (datetime.fromisoformat(str(due)) - now).total_seconds() / 60 <= 121

    run(scenario())


@pytest.mark.parametrize(("status", "left"), [(410, 0), (201, 1), (301, 1)])
def test_a_browser_that_is_gone_is_forgotten(tmp_path: Path, status: int, left: int) -> None:
    async def scenario() -> None:
        async with push_service() as service, running(tmp_path / "n.db", **SOON) as server:
            service.status = status
            anna, boris, table = await together(server, "none")
            await anna.http.get("/api/me")
            await subscribe(anna, service)
            await boris.http.post(f"/api/tables/{table}/join", json={})  # anna is not there when it starts
            await service.wait(1)
            await asyncio.sleep(0.3)
            assert await devices(server) == left
            assert len(service.requests) == 1, "no redirect is followed, and nothing refused is tried again"

    run(scenario())


def test_one_click_stops_everything(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with push_service() as service, running(tmp_path / "n.db", **SOON) as server:
            anna, boris, table = await together(server, "none")
            await subscribe(anna, service)
            guest = server.components.sessions._serializer.loads(anna.http.cookies["nevsky_guest"])
            nobody = await server.visitor()
            assert (await nobody.http.post("/api/notices/stop")).status_code == 403
            assert (await nobody.http.post("/api/notices/stop", params={"token": "forged"})).status_code == 403
            token = server.components.notices.stop_token(guest)
            answer = await nobody.http.post(
                "/api/notices/stop", params={"token": token}, data={"List-Unsubscribe": "One-Click"}
            )
            assert answer.status_code == 204, answer.text
            await boris.http.post(f"/api/tables/{table}/join", json={})
            await asyncio.sleep(0.8)
            assert service.requests == []
            assert await devices(server) == 0

    run(scenario())


def test_a_hundred_endpoints_of_one_guest_are_a_few(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with push_service() as service, running(tmp_path / "n.db", **SOON) as server:
            anna, boris, table = await together(server, "none")
            await subscribe(anna, service)
            for number in range(100):
                sub = service.subscription(f"n{number}")
                assert (await anna.http.post("/api/notices/devices", json=sub)).status_code == 204
            assert await devices(server) == MOST_DEVICES
            service.status = 0  # none of them ever answers
            await boris.http.post(f"/api/tables/{table}/join", json={})
            await service.wait(MOST_DEVICES)
            answer = await asyncio.wait_for(boris.http.get("/api/turns"), 5)
            assert answer.status_code == 200

    run(scenario())


NOT_PUSH_SERVICES = [
    "http://push.example.com/x",
    "https://127.0.0.1/x",
    "https://[::1]/x",
    "https://[::ffff:10.0.0.1]/x",
    "https://2130706433/x",
    "https://localhost/x",
    "https://printer.local/x",
    "https://push.example.com:8443/x",
    "https://user@push.example.com/x",
    "https://push.example.com\\@evil/x",
    "https://push.example.com:port/x",
    "file:///etc/passwd",
    "https://",
    "x" * 1001,
]


def test_no_message_goes_into_our_own_network(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with push_service() as service, running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            for endpoint in NOT_PUSH_SERVICES:
                wanted = {**service.subscription(), "endpoint": endpoint}
                answer = await anna.http.post("/api/notices/devices", json=wanted)
                assert answer.status_code in (400, 422), (endpoint, answer.text)
            assert await devices(server) == 0

    run(scenario())
