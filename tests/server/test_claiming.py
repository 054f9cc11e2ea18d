"""A rematch at one process whose table another one has: its seat is asked for there."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from nevsky.server import http, own_api
from nevsky.server.actor import Table
from nevsky.server.schema import SeatRow
from tests.server.support import Json, Server, Visitor, run, running

AT_ONCE = 6
"""Requests of one address that are worked on at the same time."""


async def _seated(visitor: Visitor, server: Server) -> Json:
    """A table of theirs that this server has."""
    direct = await server.visitor()
    direct.http.cookies.update(visitor.http.cookies)
    made = await direct.create("me open")
    assert (await direct.http.get(f"/api/tables/{made['table']}")).status_code == 200
    return made


def test_two_processes_that_ask_each_other_for_seats_have_time_for_others(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All turns of an address are taken on both by those who wait for the other."""
    rematches: dict[str, str] = {}
    asked: list[str] = []
    everybody, go_on = asyncio.Event(), asyncio.Event()

    async def rematch(table: Table, *_: Any) -> str:
        asked.append(table.row.id)
        if len(asked) == 2 * AT_ONCE:
            everybody.set()
        await everybody.wait()
        return rematches[table.row.id]

    async def claim(table: Table, _: Any, seat: int, __: Any) -> SeatRow:
        await go_on.wait()
        return table.seats[seat]

    monkeypatch.setattr(http, "rematch", rematch)
    monkeypatch.setattr(own_api, "claim", claim)

    async def scenario() -> None:
        async with running(database) as one, running(database) as two:
            asking = []
            for _ in range(AT_ONCE):
                anna = await one.visitor()
                await anna.http.get("/api/me")
                here, there = [await _seated(anna, server) for server in (one, two)]
                rematches.update({here["table"]: there["table"], there["table"]: here["table"]})
                for server, made in ((one, here), (two, there)):
                    direct = await server.visitor()
                    direct.http.cookies.update(anna.http.cookies)
                    asking.append(asyncio.create_task(direct.http.post(f"/api/tables/{made['table']}/rematch")))
            await asyncio.wait_for(everybody.wait(), 20)
            try:
                for server in (one, two):
                    boris = await server.visitor()
                    assert (await asyncio.wait_for(boris.http.get("/api/me"), 5)).status_code == 200
            finally:
                go_on.set()
                answers = await asyncio.gather(*asking)
            assert {each.status_code for each in answers} == {200}
            assert {each.json()["table"] for each in answers} == set(rematches)

    run(scenario())
