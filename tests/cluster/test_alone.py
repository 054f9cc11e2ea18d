"""The people and the checker with one server on SQLite, which is killed now and then."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.cluster.checker import check
from tests.cluster.cluster import SETTINGS
from tests.cluster.history import History
from tests.cluster.people import Club
from tests.cluster.processes import Process
from tests.cluster.reading import from_sqlite
from tests.cluster.support import run
from tests.server.engines import free_port


def test_one_server_keeps_its_word(tmp_path: Path) -> None:
    run(_scenario(tmp_path), 120)


async def _scenario(folder: Path) -> None:
    port, history = free_port(), History(folder / "history")
    club = Club([port], history, 1, 0.02)
    database = folder / "n.db"
    server = Process("server", ["serve", "--port", str(port)], {**SETTINGS, "database": database}, folder)
    playing: asyncio.Task[None] | None = None
    try:
        for _ in range(2):
            await server.start()
            playing = playing or asyncio.create_task(club.run(4))
            done, _ = await asyncio.wait([playing], timeout=5)
            assert not done, playing.result()
            await server.end()
    finally:
        club.closing = True
        if playing is not None:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
        await server.end()
        history.close()
    assert check(history, from_sqlite(database)) == []
    assert history.counted["act done"] > 100
    assert history.counted["undo done"] > 0
    assert history.counted["chat done"] > 0
