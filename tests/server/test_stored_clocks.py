"""Clocks that go on while the server or the table does not, and how they are stored."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from nevsky.server.clock import Clock, Pace, Times
from nevsky.server.schema import tables
from nevsky.server.storage import Storage, now
from tests.server.pairs import mine, seated, two_players
from tests.server.support import run, running


def test_a_clock_goes_on_while_the_server_does_not(anywhere: Path | str, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            pair = await two_players(server, pace="relaxed")
            cookies = [dict(each.http.cookies) for each in pair[:2]]
            active, _ = await seated(pair)
            seat = active.state["you"]
            async with server.components.storage.writing() as connection:
                await connection.execute(tables.update().values(updated=now(47 * 3600), deadline=None))
        async with running(anywhere) as server:
            again = await server.visitor()
            again.http.cookies.update(cookies[seat])
            table = await again.open(pair[2])
            state = await table.until(lambda _: True)
            assert 3500 < mine(state)["clock_seconds"] <= 3600
            assert mine(state)["reserve_seconds"] == 72 * 3600
            assert not mine(state)["away"]
        storage = await Storage.open(anywhere)
        async with storage.writing() as writing:
            await writing.execute(tables.update().values(updated=now(121 * 3600), deadline=now(3600)))
        await storage.close()
        async with running(anywhere) as server:  # nobody comes, and still it happens
            while not (stored := await server.components.storage.load(pair[2])) or not stored.log:
                await asyncio.sleep(0.05)
            assert (stored.log[0].seat, stored.log[0].by) == (seat, "time")
            assert not any(place.away for place in stored.seats)
            assert stored.table.clock is not None
            assert stored.table.clock["missed"] == [int(place.seat == seat) for place in stored.seats]
            assert stored.table.clock["left"] == [0.0 if place.seat == seat else 72 * 3600 for place in stored.seats]

    run(scenario())


def test_a_table_that_left_memory_comes_back_for_its_clock(anywhere: Path | str, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(anywhere, idle_seconds=0.4, relaxed_seconds=3.0, relaxed_reserve_seconds=0.0) as server:
            pair = await two_players(server, pace="relaxed")
            while pair[2] in server.components.hub._tables:
                await asyncio.sleep(0.05)
            stored = await server.components.storage.load(pair[2])
            assert stored is not None
            assert not stored.log
            while not stored.log:
                await asyncio.sleep(0.1)
                stored = await server.components.storage.load(pair[2])
                assert stored is not None
            assert stored.log[0].by == "time"

    run(scenario())


def test_a_clock_counts_from_the_last_change() -> None:
    times = Times.new(Pace(120.0, 30.0), 2)

    def clock(ago: float, **more: Any) -> Clock:
        return Clock(times._replace(**more), live=False, since=now(ago))

    assert 58 <= clock(60).free() <= 60
    assert clock(60).reserve(0) == 30.0
    assert clock(130).free() == 0.0
    assert 18 <= clock(130).reserve(1) <= 20
    late = clock(160)
    assert late.left(0) == 0.0
    late.restart()
    assert late.left(0) == 150.0
    assert clock(-500).free() == 120.0
    assert not clock(10, stopped=50.0).running
    assert clock(10, stopped=50.0).free() == 70.0
    live = Clock(times, live=True, since=now(9999))
    assert not live.running
    assert live.free() == 120.0


def test_times_are_stored_as_they_are() -> None:
    times = Times.new(Pace(120.0, 30.0), 3).spend(1, 125.0).miss(2, 7)._replace(stopped=3.5)
    assert times.left == (30.0, 25.0, 30.0)
    assert times.missed == (0, 0, 1)
    assert Times.from_dict(times.to_dict()) == times
    assert times.forgive(2).missed == (0, 0, 0)
    assert times.spend(1, 10**6).left[1] == 0.0
