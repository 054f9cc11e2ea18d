"""A guest signs in to a profile: whatever they had comes along or is settled, and no block is ever lost."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from nevsky.server.daily.calendar import current
from nevsky.server.notices.store import MOST_DEVICES
from nevsky.server.profiles.holdings import about
from nevsky.server.profiles.merging import merge
from nevsky.server.schema import (
    daily_tries,
    guests,
    notice_wishes,
    notices,
    people,
    profiles,
    push_devices,
    puzzle_tries,
    tables,
    ties,
    tournament_players,
    tournaments,
    vacations,
    wishes,
)
from nevsky.server.storage import Storage, now
from tests.server.support import Server, run, running

pytestmark = pytest.mark.usefixtures("quick_bots")
GUEST, PROFILE = "guest" + "0" * 20, "profile" + "0" * 20


async def _add(storage: Storage, table: sa.Table, *rows: dict[str, Any]) -> None:
    async with storage.writing() as connection:
        for row in rows:
            await connection.execute(table.insert().values(**row))


async def _people(storage: Storage, *ids: str) -> None:
    await _add(storage, guests, *({"id": each, "name": each[:7], "created": now(), "last_seen": now()} for each in ids))


async def _both(storage: Storage, *others: str) -> None:
    await _people(storage, GUEST, PROFILE, *others)
    await _add(storage, profiles, {"guest": PROFILE, "created": now()})


async def _merge(server: Server) -> list[str]:
    storage = server.components.storage
    async with storage.writing() as connection:
        return await merge(storage, connection, GUEST, PROFILE)


async def _rows(storage: Storage, *columns: sa.Column[Any]) -> set[tuple[Any, ...]]:
    async with storage.reading() as connection:
        return {tuple(row) for row in await connection.execute(sa.select(*columns))}


def _device(number: int, guest: str) -> dict[str, Any]:
    keys = {"p256dh": "p", "auth": "a", "failures": 0}
    return {"id": f"{number:064}", "guest": guest, "endpoint": f"https://push.example/{number}", **keys} | {
        "created": f"2026-11-{number + 1:02}T00:00:00+00:00"
    }


def _wish(guest: str, kinds: str) -> dict[str, Any]:
    return {"guest": guest, "kinds": kinds, "language": "de", "zone": "Europe/Berlin", "mail": False}


def test_blocks_survive_whatever_else_there_was_between_people(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            storage, chance = server.components.storage, random.Random(7)
            others = [f"other{number}" for number in range(6)]
            everybody = [GUEST, PROFILE, *others]
            for _ in range(8):
                await _both(storage, *others)
                before: dict[tuple[str, str], str] = {}
                for one in everybody:
                    for other in everybody:
                        kind = chance.choice([None, None, "follow", "block"])
                        barred = "block" in (kind, before.get((other, one)))
                        if one != other and kind and not (barred and "follow" in (kind, before.get((other, one)))):
                            before[one, other] = kind
                rows = [{"guest": a, "other": b, "kind": kind, "at": now()} for (a, b), kind in before.items()]
                await _add(storage, ties, *rows)
                await _merge(server)
                found = {(a, b): kind for a, b, kind in await _rows(storage, ties.c.guest, ties.c.other, ties.c.kind)}
                moved = {GUEST: PROFILE}
                pairs = [((moved.get(a, a), moved.get(b, b)), kind) for (a, b), kind in before.items()]
                blocked = {pair for pair, kind in pairs if kind == "block" and pair[0] != pair[1]}
                followed = {pair for pair, kind in pairs if kind == "follow" and pair[0] != pair[1]}
                assert {pair for pair, kind in found.items() if kind == "block"} == blocked
                kept = {(a, b) for a, b in followed if not {(a, b), (b, a)} & blocked}
                assert {pair for pair, kind in found.items() if kind == "follow"} == kept
                async with storage.writing() as connection:
                    await connection.execute(guests.delete().where(guests.c.id.in_(everybody)))

    run(scenario())


def test_devices_wishes_and_what_waits_to_be_told_come_along(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            storage = server.components.storage
            await _both(storage)
            visitor = await server.visitor()
            made = [(await visitor.create("me open"))["table"] for _ in range(2)]
            await _add(storage, push_devices, *(_device(number, GUEST) for number in (0, 20)))
            await _add(storage, push_devices, *(_device(number, PROFILE) for number in range(1, MOST_DEVICES + 1)))
            await _add(storage, notice_wishes, _wish(GUEST, "turn"))
            rest = {"number": 1, "seat": 0, "due": now(), "kind": "turn"}
            await _add(storage, notices, *({"table_id": table, "guest": GUEST, **rest} for table in made))
            await _add(storage, notices, {"table_id": made[1], "guest": PROFILE, **rest, "number": 5})
            waits = {"process": storage.backend.process, "ticket": "t", "origin": "o", "wanted": {}, "since": now()}
            await _add(storage, wishes, {"guest": GUEST, **waits})
            await _add(storage, people, {"guest": GUEST, "handle": "h" * 16, "invitations": "friends", "shown": False})
            await _merge(server)
            kept = {guest for _, guest in await _rows(storage, push_devices.c.id, push_devices.c.guest)}
            assert kept == {PROFILE}
            assert len(await _rows(storage, push_devices.c.id)) == MOST_DEVICES, "the newest of both"
            assert (_device(20, GUEST)["id"],) in await _rows(storage, push_devices.c.id)
            assert await _rows(storage, notice_wishes.c.guest, notice_wishes.c.kinds) == {(PROFILE, "turn")}
            told = await _rows(storage, notices.c.table_id, notices.c.guest, notices.c.number)
            assert told == {(made[0], PROFILE, 1), (made[1], PROFILE, 5)}
            assert await _rows(storage, wishes.c.guest) == set()
            assert (PROFILE, "h" * 16, "friends", False) in await _rows(
                storage, people.c.guest, people.c.handle, people.c.invitations, people.c.shown
            )
            for table in about():
                assert GUEST not in {guest for (guest,) in await _rows(storage, table.c.guest)}, table.name

    run(scenario())


def test_what_a_profile_has_said_itself_stays(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            storage = server.components.storage
            await _both(storage)
            await _add(storage, notice_wishes, _wish(GUEST, "turn"), _wish(PROFILE, "over"))
            rows = [(GUEST, "g" * 16, "all", True), (PROFILE, "p" * 16, "nobody", False)]
            await _add(storage, people, *(dict(zip(people.c.keys(), row, strict=True)) for row in rows))
            await _merge(server)
            assert await _rows(storage, notice_wishes.c.guest, notice_wishes.c.kinds) == {(PROFILE, "over")}
            assert {row[:4] for row in await _rows(storage, *people.c) if row[0] in (GUEST, PROFILE)} == {rows[1]}

    run(scenario())


def test_days_away_are_counted_and_answers_to_puzzles_kept(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            storage = server.components.storage
            await _both(storage)
            lasting = {"begins": now(3600.0), "until": now(-86400.0)}
            await _add(storage, vacations, {"id": "past", "guest": GUEST, "begins": now(9e5), "until": now(8e5)})
            await _add(storage, vacations, {"id": "here", "guest": GUEST, **lasting})
            await _add(storage, vacations, {"id": "own", "guest": PROFILE, **lasting})
            answers = [(GUEST, "one"), (GUEST, "two"), (PROFILE, "two")]
            rest = {"solved": True, "change": 1.0, "at": now()}
            rows = [{"guest": whose, "puzzle": each, "action": whose, **rest} for whose, each in answers]
            await _add(storage, puzzle_tries, *rows)
            await _merge(server)
            assert {guest for (guest,) in await _rows(storage, vacations.c.guest)} == {PROFILE}
            lasts = {row for row in await _rows(storage, vacations.c.id, vacations.c.until) if row[1] > now()}
            assert lasts == {("own", lasting["until"])}, "that of the guest has ended"
            kept = await _rows(storage, puzzle_tries.c.guest, puzzle_tries.c.puzzle, puzzle_tries.c.action)
            assert kept == {(PROFILE, "one", GUEST), (PROFILE, "two", PROFILE)}

    run(scenario())


@pytest.mark.parametrize("first", [GUEST, PROFILE])
def test_of_two_tries_at_a_deal_the_first_one_counts(anywhere: Path | str, first: str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            storage = server.components.storage
            anna, boris = await server.visitor(), await server.visitor()
            key = current("day")
            mine = [(await each.http.post(f"/api/daily/{key}/try")).json()["table"] for each in (anna, boris)]
            await _both(storage)
            async with storage.writing() as connection:
                second = PROFILE if first == GUEST else GUEST
                for table, whose, ago in zip(mine, (first, second), (60.0, 0.0), strict=True):
                    tried = daily_tries.update().where(daily_tries.c.table_id == table)
                    await connection.execute(tried.values(guest=whose, started=now(ago)))
            assert (mine[1] in await _merge(server)) == (first == GUEST)
            assert await _rows(storage, daily_tries.c.table_id, daily_tries.c.guest) == {(mine[0], PROFILE)}
            practice = await _rows(storage, tables.c.id, tables.c.practice)
            assert {(mine[0], False), (mine[1], True)} <= practice

    run(scenario())


def test_tournaments_come_along_and_nobody_plays_twice(anywhere: Path | str) -> None:
    async def scenario() -> None:
        async with running(anywhere) as server:
            storage = server.components.storage
            await _both(storage)
            made = {"ruleset": {}, "public": False, "pace": "live", "decision": 1.0, "reserve": 1.0, "rounds": 2}
            made |= {"created": now(), "updated": now(), "name": "Cup", "round": 1, "automatic": True}
            for cup, status, players in (
                ("a", "playing", [GUEST]),
                ("b", "playing", [PROFILE, GUEST]),
                ("c", "open", [GUEST, PROFILE]),
            ):
                await _add(storage, tournaments, {"id": cup, "owner": GUEST, "status": status, **made})
                entered = {"tournament": cup, "joined": now(), "dropped": False}
                for number, who in enumerate(players):
                    await _add(storage, tournament_players, {"number": number, "guest": who, "name": who, **entered})
            await _merge(server)
            told = (tournament_players.c.tournament, tournament_players.c.guest, tournament_players.c.dropped)
            assert await _rows(storage, *told) == {
                ("a", PROFILE, False),
                ("b", PROFILE, False),
                ("b", None, True),
                ("c", PROFILE, False),
            }
            assert await _rows(storage, tournaments.c.owner) == {(PROFILE,)}

    run(scenario())
