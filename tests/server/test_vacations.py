"""Whoever is away loses nothing in games over days, and holds nobody up for ever."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from nevsky.server.schema import TableRow, notices, tables, vacations
from nevsky.server.storage import now
from nevsky.server.vacations.days import Allowance, Stretch, days_left, days_of
from tests.server.notices.endpoint import push_service, subscribe
from tests.server.notices.test_pushing import SOON, together, until_asked
from tests.server.pairs import seated, two_players
from tests.server.support import Server, Visitor, run, running

pytestmark = pytest.mark.usefixtures("quick_bots")
START = datetime(2026, 1, 1, tzinfo=UTC)
USUAL = Allowance(14, 30)


async def go(someone: Visitor, days: float) -> httpx.Response:
    until = (datetime.now(UTC) + timedelta(days=days)).isoformat()
    return await someone.http.put("/api/vacation", json={"until": until})


async def row_of(server: Server, table: str) -> TableRow:
    stored = await server.components.storage.load(table)
    assert stored is not None
    return stored.table


async def until_stored(server: Server, table: str, stopped: bool) -> TableRow:
    async with asyncio.timeout(10):
        while True:
            row = await row_of(server, table)
            assert row.clock is not None
            if (row.clock["stopped"] is not None) == stopped:
                return row
            await asyncio.sleep(0.02)


async def change(server: Server, **values: Any) -> None:
    async with server.components.storage.writing() as connection:
        await connection.execute(tables.update().values(**values))


def test_the_clock_waits_and_a_move_ends_the_vacation(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere, away_seconds=0.1) as server:
            pair = await two_players(server, pace="relaxed")
            active, other = await seated(pair)
            seat = active.state["you"]
            gone = pair[:2][seat]
            answer = await go(gone, 6.5)
            assert answer.status_code == 200, answer.text
            until = answer.json()["until"]
            state = await other.until(lambda state: state["players"][seat]["vacation"] is not None)
            assert state["players"][seat]["vacation"] == until
            assert not state["paused"]
            row = await until_stored(server, pair[2], stopped=True)
            assert row.deadline == until
            await active.socket.close()
            await other.until(lambda state: not state["players"][seat]["connected"])
            await asyncio.sleep(0.15)
            await other.send(type="away", away=True, seat=seat)
            assert "vacation" in (await other.error())["message"]
            cookies = [dict(each.http.cookies) for each in pair[:2]]
        async with running(anywhere) as server:
            again = await server.visitor()
            again.http.cookies.update(cookies[seat])
            table = await again.open(pair[2])
            state = await table.until(lambda _: True)
            assert state["players"][seat]["vacation"] == until
            assert state["players"][seat]["clock_seconds"] > 48 * 3600 - 60
            await table.play(state["choices"][0]["action"])
            state = await table.until(lambda state: state["players"][seat]["vacation"] is None)
            info = (await again.http.get("/api/vacation")).json()
            assert info == {"until": None, "days": 13, "longest": 14, "year": 30}
            await until_stored(server, pair[2], stopped=False)

    run(scenario())


def test_a_table_that_is_not_in_memory_counts_from_the_moment_they_went(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", idle_seconds=0.4) as server:
            pair = await two_players(server, pace="relaxed")
            seat = (await row_of(server, pair[2])).to_move_shown
            assert seat is not None
            while pair[2] in server.components.hub._tables:
                await asyncio.sleep(0.05)
            assert (await go(pair[:2][seat], 3)).status_code == 200
            row = await until_stored(server, pair[2], stopped=True)
            assert row.clock is not None
            assert row.clock["stopped"] < 5
            assert (await pair[:2][seat].http.delete("/api/vacation")).json()["until"] is None
            row = await until_stored(server, pair[2], stopped=False)
            assert row.deadline is not None
            assert datetime.fromisoformat(row.deadline) > datetime.now(UTC) + timedelta(days=4)

    run(scenario())


@pytest.mark.parametrize(("hours", "waits"), [(118.5, True), (119.5, False)])
def test_nobody_is_saved_whose_time_has_nearly_run_out(tmp_path: Path, hours: float, waits: bool) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            pair = await two_players(server, pace="relaxed")
            seat = (await row_of(server, pair[2])).to_move_shown
            assert seat is not None
            await server.components.hub.forget(pair[2])
            await change(server, updated=now(hours * 3600), deadline=None)  # of five days altogether
            assert (await go(pair[:2][seat], 3)).status_code == 200
            table = await pair[:2][1 - seat].open(pair[2])
            state = await table.until(lambda state: state["status"] == "playing")
            assert (state["players"][seat]["vacation"] is not None) is waits
            row = await row_of(server, pair[2])
            assert row.clock is not None
            assert (row.clock["stopped"] is not None) is waits
            if waits:
                assert abs(row.clock["stopped"] - hours * 3600) < 30

    run(scenario())


def test_games_with_minutes_go_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            pair = await two_players(server, pace="live")
            active, other = await seated(pair)
            seat = active.state["you"]
            assert (await go(pair[:2][seat], 3)).status_code == 200
            await active.play(active.state["choices"][0]["action"])
            state = await other.until(lambda state: state["version"] == active.state["version"])
            assert not state["paused"]
            assert state["players"][seat]["vacation"] is None
            assert (await pair[:2][seat].http.get("/api/vacation")).json()["until"] is not None  # nor does it end

    run(scenario())


def test_another_process_hears_of_it(database: str) -> None:
    async def scenario() -> None:
        async with running(database) as one, running(database) as two:
            pair = await two_players(one, pace="relaxed")
            active, other = await seated(pair)
            seat = active.state["you"]
            elsewhere = await two.visitor()
            elsewhere.http.cookies.update(dict(pair[:2][seat].http.cookies))
            assert (await go(elsewhere, 2)).status_code == 200
            await other.until(lambda state: state["players"][seat]["vacation"] is not None)
            await until_stored(one, pair[2], stopped=True)
            await elsewhere.http.delete("/api/vacation")
            await other.until(lambda state: state["players"][seat]["vacation"] is None)
            await until_stored(one, pair[2], stopped=False)

    run(scenario())


def test_there_are_so_many_days_and_no_more(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", vacation_days_per_year=15) as server:
            anna = await server.visitor()
            await anna.http.get("/api/me")
            for days in (-1, 14.5):
                assert (await go(anna, days)).status_code == 422
            assert (await anna.http.put("/api/vacation", json={"until": "2026-12-01"})).status_code == 400
            assert (await go(anna, 13.9)).status_code == 200
            assert (await go(anna, 1)).status_code == 422  # they are away already
            await anna.http.delete("/api/vacation")
            async with server.components.storage.writing() as connection:
                await connection.execute(vacations.update().values(begins=now(30 * 86400.0), until=now(16.5 * 86400.0)))
            assert (await anna.http.get("/api/vacation")).json()["days"] == 1
            everything = (await anna.http.get("/api/profile/export")).json()
            assert len(everything["vacations"]) == 1
        async with running(tmp_path / "n.db", vacation_days=0) as server:
            boris = await server.visitor()
            assert (await boris.http.get("/api/vacation")).json()["longest"] == 0
            assert (await go(boris, 1)).status_code == 422

    run(scenario())


def test_no_messages_come_meanwhile(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with push_service() as service, running(tmp_path / "n.db", **SOON) as server:
            anna, boris, table = await together(server)
            await boris.http.get("/api/me")
            await subscribe(boris, service, kinds=["turn"])
            until = (await go(boris, 2)).json()["until"]
            await boris.http.post(f"/api/tables/{table}/join", json={})
            here = await anna.open(table)
            await here.receive()
            await until_asked(here, 1)
            async with asyncio.timeout(10):
                due = None
                while due != until:
                    await asyncio.sleep(0.05)
                    async with server.components.storage.reading() as connection:
                        due = await connection.scalar(sa.select(notices.c.due))
            assert service.requests == []
            await boris.http.delete("/api/vacation")
            await service.wait(1)  # it is still their turn

    run(scenario())


_MOMENT = st.floats(0, 800).map(lambda days: START + timedelta(days=days))
_STAYS = st.lists(st.tuples(st.floats(0, 14), st.booleans()), max_size=60)


@given(_STAYS, st.floats(0, 3))
def test_nobody_is_away_for_more_days_than_there_are(wanted: list[tuple[float, bool]], gap: float) -> None:
    """Somebody who takes all they get, coming back early or not, and goes again after a while."""
    moment, stretches = START, list[Stretch]()
    for days, early in wanted:
        left = days_left(stretches, moment, USUAL)
        assert 0 <= left <= USUAL.stretch
        if left:
            stretch = Stretch(moment, moment + timedelta(days=min(days, left) if early else left))
            stretches.append(stretch)
            moment = stretch.until
        moment += timedelta(days=gap)
    for each in stretches:
        year = [other for other in stretches if each.until - timedelta(days=365) < other.until <= each.until]
        assert sum(days_of(*other) for other in year) <= USUAL.year
    joined = 0
    for before, each in pairwise([Stretch(START, START - timedelta(days=9)), *stretches]):
        close = each.begins - before.until < timedelta(days=3)
        joined = days_of(*each) + (joined if close else 0)
        assert joined <= USUAL.stretch


@given(st.lists(st.tuples(_MOMENT, st.floats(0, 14)), max_size=10), _MOMENT)
def test_days_come_back_after_a_year(stays: list[tuple[datetime, float]], moment: datetime) -> None:
    stretches = [Stretch(begins, begins + timedelta(days=days)) for begins, days in stays]
    later = max([moment, *(each.until for each in stretches)]) + timedelta(days=366)
    assert days_left(stretches, later, USUAL) == USUAL.stretch
