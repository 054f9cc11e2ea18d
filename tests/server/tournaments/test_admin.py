"""nevsky admin tournaments: what those who run a server can do about them, while it runs and while it does not."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from nevsky.errors import NevskyError
from nevsky.server.admin.asking import ask as ask_directly
from nevsky.server.settings import Settings
from tests.server.support import run, running
from tests.server.tournaments.test_playing import ask, joined, make, named, own_table

pytestmark = pytest.mark.usefixtures("quick_bots")


async def admin(database: Path, command: str, **options: Any) -> Any:
    return await asyncio.to_thread(ask_directly, Settings(database=str(database)), command, **options)


def test_tournaments_are_listed_ended_and_deleted(tmp_path: Path) -> None:
    path = tmp_path / "n.db"

    async def scenario() -> None:
        async with running(path) as server:
            (maker,) = await named(server, "Maker")
            begun, waiting = await make(maker), await make(maker)
            people = await joined(server, begun, "Anna", "Boris")
            await ask(maker, begun, "/round", "POST")
            (listed,) = await admin(path, "tournaments.list", status="playing")
            assert (listed["id"], listed["players"], listed["round"], listed["rounds"]) == (begun, 2, 1, 2)
            table = own_table(await ask(people[0], begun))
            assert table is not None
            seat = await people[0].open(table)
            await seat.until(lambda state: state["status"] == "playing")
            assert (await admin(path, "tournaments.end", tournament=begun))["stopped"] == 1
            assert "tournament" in (await seat.error())["message"]
            state = await ask(maker, begun)
            assert (state["info"]["status"], state["games"][0]["status"]) == ("ended", "ended")
            assert (await maker.http.post(f"/api/tournaments/{begun}/round")).status_code == 422
            with pytest.raises(NevskyError, match="is over"):
                await admin(path, "tournaments.end", tournament=begun)
        await admin(path, "tournaments.delete", tournament=begun)  # the server does not run
        with pytest.raises(NevskyError, match="no such tournament"):
            await admin(path, "tournaments.delete", tournament=begun)
        assert [each["id"] for each in await admin(path, "tournaments.list")] == [waiting]
        done = [each["command"] for each in await admin(path, "audit")]
        assert done == ["tournaments.delete", "tournaments.end"]

    run(scenario())
