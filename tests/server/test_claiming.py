"""A rematch at one process whose table another one has: its seat is asked for there."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa

from nevsky.server import http, own_api
from nevsky.server.actor import Table
from nevsky.server.ownership import ElsewhereError
from nevsky.server.ratings.marks import Mark, Visit
from nevsky.server.schema import SeatRow, guests, rated_seats
from nevsky.server.seating import Guest
from tests.server.ratings.club import PUBLIC, RATED, profile, rows
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

    async def claim(table: Table, _: Any, seat: int, *__: Any) -> SeatRow:
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


def test_where_people_come_from_is_known_at_a_rated_rematch_elsewhere(database: str) -> None:
    async def scenario() -> None:
        async with running(database, **PUBLIC) as one, running(database, **PUBLIC) as two:
            anna, boris = await profile(two, "Anna"), await profile(two, "Boris")
            table: str = (await anna.create("me open", **RATED))["table"]
            await two.components.hub.get(table)
            with pytest.raises(ElsewhereError) as elsewhere:
                await one.components.hub.get(table)
            async with two.components.storage.reading() as connection:
                who = await connection.scalar(sa.select(guests.c.id).where(guests.c.name == "Boris"))
            assert who is not None
            visit = Visit("secret", "browser", "network")
            sits = Guest(who, "Boris", True)
            made = await own_api.claim_elsewhere(one.components, elsewhere.value.owner, table, 1, sits, visit)
            assert made.seat == 1
            kept = {row.seat: Mark(row.browser, row.network) for row in await rows(two, rated_seats)}
            assert kept[1] == visit.at(table)
            assert (await boris.http.get(f"/api/tables/{table}")).json()["you"] == 1

    run(scenario())
