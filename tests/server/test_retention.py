"""How long things are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.server import retention
from nevsky.server.retention import Kept, clear_out, count_old
from nevsky.server.schema import (
    DUE,
    ChatRow,
    Entry,
    SeatRow,
    TableRow,
    chat,
    companions,
    daily_deals,
    daily_tries,
    guests,
    log,
    seats,
    tables,
    tournaments,
    vacations,
)
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage, now
from tests.server.support import run, running

DAY = 24 * 3600.0


async def filled(path: Path | str) -> Storage:
    """For every age a guest without games, a guest with one, and tables of every status with chat and a move."""
    storage = await Storage.open(path)
    for days in (1, 10, 100, 1000):
        then = now(days * DAY)
        async with storage.writing() as connection:
            rows = [
                {"id": f"{kind}{days}", "name": "x", "created": then, "last_seen": then} for kind in ("idle", "plays")
            ]
            await connection.execute(guests.insert(), rows)
        for status in ("open", "playing", "over", "ended"):
            row = TableRow(f"{status}{days}", then, then, status, {}, True, "none", True)
            await storage.add_table(row, [SeatRow(0, "x", f"plays{days}", "x")])
            await storage.append(row.id, Entry(1, 0, "pass", "player", then))
            await storage.say(row.id, ChatRow(0, "x", "hello", then, f"plays{days}"))
    return storage


async def left(storage: Storage, table: sa.Table, key: str = "id") -> set[str]:
    return {str(row[0]) for row in await storage._rows(sa.select(table.c[key]))}


def test_what_is_old_goes_and_what_belongs_to_games_stays(anywhere: Path | str) -> None:
    async def scenario() -> None:
        storage = await filled(anywhere)
        kept = Kept(guests=30, chat=90, open=7, ended=30)
        assert await count_old(storage, kept) == {"guests": 2, "chat": 2, "open": 3, "ended": 2}
        gone = await clear_out(storage, kept, lambda table: table == "open1000", 0.0)
        assert gone == {"guests": 2, "chat": 2, "open": 2, "ended": 2}
        assert await left(storage, guests) == {"idle1", "idle10", "plays1", "plays10", "plays100", "plays1000"}
        stay = {f"{status}{days}" for status in ("playing", "over") for days in (1, 10, 100, 1000)}
        assert await left(storage, tables) == stay | {"open1", "open1000", "ended1", "ended10"}
        assert await left(storage, log, "table_id") == await left(storage, tables)
        assert await left(storage, seats, "table_id") == await left(storage, tables)
        assert await left(storage, chat, "table_id") == await left(storage, tables) - {"over100", "over1000"}
        assert await clear_out(storage, Kept(games=30), lambda _: False) == {"games": 2}
        assert {"over1", "over10"} == {each for each in await left(storage, tables) if each.startswith("over")}
        assert not {"over100"} & await left(storage, log, "table_id")
        await storage.close()

    run(scenario())


def bots(number: int) -> list[SeatRow]:
    return [SeatRow(seat, "x", level="easy", name="x") for seat in range(number)]


def people(*names: str, away: bool = False) -> list[SeatRow]:
    return [SeatRow(seat, "x", guest=name, name=name, away=away) for seat, name in enumerate(names)]


async def game(storage: Storage, name: str, places: list[SeatRow], days: float = 1000, **other: object) -> None:
    """A game that began long ago, and where nothing has happened for so many days."""
    then = now(days * DAY)
    row = TableRow(name, now(1000 * DAY), then, "playing", {}, False, "none", True)
    await storage.add_table(row._replace(**other), places)  # type: ignore[arg-type]
    await storage.append(name, Entry(1, 0, "pass", "bot", then))


def test_games_that_bots_play_for_nobody_go_after_a_week(anywhere: Path | str) -> None:
    async def scenario() -> None:
        storage = await filled(anywhere)
        before = await left(storage, tables)
        await game(storage, "old", bots(2))
        await game(storage, "new", bots(2), 6)
        await game(storage, "looked", bots(2))
        await game(storage, "linked", bots(2))
        await game(storage, "alone", [*people("plays1"), *bots(2)[1:]])
        await game(storage, "daily", bots(2), daily="2026-03-01")
        await game(storage, "tournament", bots(2), tournament="spring")
        await game(storage, "over", bots(2), status="over")
        async with storage.writing() as connection:
            linked = {"table_id": "linked", "guest": "idle1", "seat": 0, "at": now()}
            await connection.execute(companions.insert().values(**linked))
        kept = Kept(unattended=Settings().keep_unattended_days)
        assert kept.unattended == 7
        assert await count_old(storage, kept) == {"unattended": 2}
        assert await clear_out(storage, kept, lambda table: table == "looked", 0.0) == {"unattended": 1}
        stay = {"new", "looked", "linked", "alone", "daily", "tournament", "over"}
        assert await left(storage, tables) == before | stay
        assert "old" not in await left(storage, log, "table_id") | await left(storage, seats, "table_id")
        await storage.close()

    run(scenario())


def test_games_that_nobody_goes_on_with_go_after_half_a_year(anywhere: Path | str) -> None:
    async def scenario() -> None:
        storage = await filled(anywhere)
        before = await left(storage, tables) - {"playing1000"}  # which is the guest's and stands still, too
        pair = people("plays1", "plays10")
        await game(storage, "old", pair)
        await game(storage, "alone", [*people("plays1"), *bots(2)[1:]])
        await game(storage, "live", pair, pace="live")  # its clock runs only while somebody is there
        await game(storage, "all away", people("plays1", "plays10", away=True), pace="relaxed")
        await game(storage, "practice", [*people("plays1"), *bots(2)[1:]], daily="2026-03-01", practice=True)
        gone = {"old", "alone", "live", "all away", "practice"}
        await game(storage, "new", pair, 179)
        await game(storage, "clock runs", pair, pace="relaxed")
        await game(storage, "vacation", people("plays100", "plays10", away=True), pace="relaxed")
        await game(storage, "secret answer", pair)
        await storage.append("secret answer", Entry(2, 1, "pass", "player", now(2 * DAY)))
        await game(storage, "talk", pair)
        await storage.say("talk", ChatRow(0, "x", "Are you still there?", now(2 * DAY), "plays1"))
        await game(storage, "rated", pair, rating=DUE)
        await game(storage, "tournament", pair, tournament="spring")
        await game(storage, "daily", [*people("plays1"), *bots(2)[1:]], daily="2026-03-01")
        stay = {"new", "clock runs", "vacation", "secret answer", "talk", "rated", "tournament", "daily"}
        async with storage.writing() as connection:
            away = {"id": "away", "guest": "plays100", "begins": now(DAY), "until": now(-DAY)}
            await connection.execute(vacations.insert().values(**away))
            deal = {"id": "2026-03-01", "begins": now(DAY), "seed": "x", "ruleset": {}, "seat": 0, "bots": []}
            await connection.execute(daily_deals.insert().values(**deal))
            tried = {"table_id": "daily", "deal": "2026-03-01", "guest": "plays1", "name": "x", "started": now()}
            await connection.execute(daily_tries.insert().values(**tried, status="playing"))
            spring = {"id": "spring", "name": "x", "created": now(), "updated": now(), "status": "playing"}
            played = {"public": False, "ruleset": {}, "pace": "relaxed", "decision": 1.0, "reserve": 1.0}
            rounds = {"rounds": 1, "round": 1, "automatic": True}
            await connection.execute(tournaments.insert().values(**spring, **played, **rounds))
        kept = Kept(unfinished=Settings().keep_unfinished_days)
        assert kept.unfinished == 180
        assert await count_old(storage, kept) == {"unfinished": len(gone) + 1}
        assert await clear_out(storage, kept, lambda _: False, 0.0) == {"unfinished": len(gone) + 1}
        assert await left(storage, tables) == before | stay
        await storage.close()

    run(scenario())


def test_a_game_that_goes_on_at_the_last_moment_stays(anywhere: Path | str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another server may write a move after the game was found and before it is taken away from that server."""

    async def scenario() -> None:
        storage = await filled(anywhere)
        await game(storage, "old", bots(2))
        await game(storage, "saved", bots(2))

        async def taken(connection: AsyncConnection, keys: Collection[str]) -> None:
            assert {*keys} == {"old", "saved"}
            move = {"table_id": "saved", "number": 2, "seat": 0, "action": "pass", "by": "bot", "at": now()}
            await connection.execute(log.insert().values(**move))

        monkeypatch.setattr(storage.backend, "take", taken)
        assert await clear_out(storage, Kept(unattended=7), lambda _: False, 0.0) == {"unattended": 1}
        found = await left(storage, tables)
        assert "saved" in found
        assert "old" not in found
        await storage.close()

    run(scenario())


def test_by_default_finished_games_stay_for_ever() -> None:
    kept = Kept.of(Settings())
    assert kept.games == 0
    assert min(kept._replace(games=1)) > 0


def test_a_visit_is_remembered_once_a_day(anywhere: Path | str) -> None:
    async def scenario() -> None:
        storage = await filled(anywhere)
        assert await storage.greet("nobody") is None
        assert await storage.greet("idle100") == ("x", False)
        await clear_out(storage, Kept(guests=30), lambda _: False)
        assert "idle100" in await left(storage, guests)
        await storage.close()

    run(scenario())


def test_the_server_does_it_by_itself_in_small_steps(anywhere: Path | str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "_FIRST", 0.0)
    monkeypatch.setattr(retention, "_AT_ONCE", 1)

    async def scenario() -> None:
        storage = await filled(anywhere)
        await storage.close()
        async with running(anywhere) as server:
            storage = server.components.storage
            while {"idle100", "idle1000"} & await left(storage, guests) or "ended1000" in await left(storage, tables):
                await asyncio.sleep(0.02)
            assert {"idle1", "idle10", "plays1000"} <= await left(storage, guests)

    run(scenario())
