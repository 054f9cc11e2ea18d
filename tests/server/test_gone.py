"""A table that was deleted says so, whatever was asked of it at the same moment."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from nevsky.server.errors import Refusal
from nevsky.server.schema import ChatRow
from nevsky.server.seating import Guest, sit_down, stand_up
from nevsky.server.storage import now
from tests.server.support import run, running
from tests.server.test_errors import alone, started, turned_away


def test_whoever_joins_right_behind_the_last_to_leave_hears_the_truth(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, made = await alone(server)
            table, storage = await server.components.hub.get(made["table"]), server.components.storage
            boris = Guest("boris", "Boris")
            answers: list[Any] = await asyncio.gather(  # one behind the other in the table's mailbox
                table.call(lambda: stand_up(table, storage, 0)),
                table.call(lambda: sit_down(table, storage, boris, None)),
                return_exceptions=True,
            )
            assert answers[0] is None
            assert isinstance(answers[1], Refusal)
            assert answers[1].code == "not_found"
            for path in ("", "/log"):
                assert (await anna.http.get(f"/api/tables/{made['table']}{path}")).status_code == 404
            await turned_away(await anna.open(made["table"]), "not_found", 4404)
            with pytest.raises(Refusal, match="no such table"):
                await table.call(lambda: sit_down(table, storage, boris, None))

    run(scenario())


def test_leaving_and_joining_at_once_never_gives_a_seat_at_no_table(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            boris = await server.visitor()
            await boris.http.get("/api/me")
            for _ in range(15):
                anna, made = await alone(server)
                address = f"/api/tables/{made['table']}"
                left, joined = await asyncio.gather(
                    anna.http.post(f"{address}/leave"), boris.http.post(f"{address}/join")
                )
                assert left.status_code in (204, 422)
                found = await boris.http.get(address)
                if joined.status_code == 200:
                    assert (found.status_code, found.json()["you"]) == (200, joined.json()["seat"])
                else:
                    assert joined.json()["code"] in ("not_found", "shutting_down")
                    assert found.status_code == 404

    run(scenario())


def test_what_is_written_to_no_table_is_refused(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            _, made = await alone(server)
            storage = server.components.storage
            table = await server.components.hub.get(made["table"])
            await storage.delete_table(made["table"])
            with pytest.raises(Refusal, match="no such table"):
                await storage.save_seat(made["table"], table.seats[0], updated=now())
            with pytest.raises(Refusal, match="no such table"):
                await storage.say(made["table"], ChatRow(0, "Anna", "hello", now()))

    run(scenario())


def test_a_move_at_a_table_that_was_deleted_elsewhere(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            active, other, made = await started(server)
            await server.components.storage.delete_table(made["table"])
            await active.act(active.state["choices"][0]["action"])
            await turned_away(active, "not_found", 4404)
            await turned_away(other, "not_found", 4404)

    run(scenario())
