"""Anything at any time, all at once: undo and act, joining and leaving, rematches, resigning, ending and deleting."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from nevsky.server import components as components_module
from nevsky.server.actor import Table
from nevsky.server.bot_pool import SeatBot
from nevsky.server.match import Match
from nevsky.server.screens import Screen
from nevsky.server.viewer import Viewer
from tests.server.monkey_world import World
from tests.server.monkeys import DawdlingBots
from tests.server.support import Json, Server, run, running

QUICK: Final[Json] = {"live_seconds": 0.15, "live_reserve_seconds": 0.1, "away_seconds": 0.1, "idle_seconds": 3.0}
OF_TABLES: Final = (Table, Match, Screen, SeatBot, Viewer)


class _Failures(logging.Handler):
    """Everything that is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(self.format(record))

    def note(self, event: str, **values: Any) -> None:
        logging.getLogger("tests").error("%s %s", event, values, exc_info=True)


@pytest.fixture
def failures(monkeypatch: pytest.MonkeyPatch) -> Any:
    handler = _Failures()
    for module in [module for name, module in list(sys.modules.items()) if name.startswith("nevsky.server")]:
        for log in (getattr(module, "log", None), getattr(module, "logger", None)):
            if type(log).__module__.startswith("structlog"):
                for level in ("exception", "error"):
                    monkeypatch.setattr(log, level, handler.note, raising=False)
    logging.getLogger().addHandler(handler)
    yield handler.found
    logging.getLogger().removeHandler(handler)


def _kept() -> Counter[str]:
    gc.collect()
    return Counter(kind.__name__ for each in gc.get_objects() for kind in OF_TABLES if type(each) is kind)


async def _everybody_goes(world: World, server: Server) -> None:
    """Nothing stays in memory of tables that nobody looks at."""
    for person in world.persons:
        for page in person.pages:
            await page.close()
    async with asyncio.timeout(30):
        while server.components.hub._tables or server.components.connections._sockets:
            await asyncio.sleep(0.05)
    await asyncio.sleep(0.2)
    assert len(server.components.turns) == 0


async def _live(path: Path, seed: int, people: int, steps: int) -> Counter[str]:
    before = _kept()
    async with running(path, **QUICK) as server:
        world = World(server, people, seed)
        await world.live(steps)
        await world.settle()
        await world.check(server.components.storage)
        await world.check_seats()
        left = [[page for page in person.pages if not page.reading.done()] for person in world.persons]
        await _everybody_goes(world, server)
        assert _kept() - before == Counter()
    async with running(path, **QUICK) as server:
        for person, pages in zip(world.persons, left, strict=True):
            person.pages = pages
        world.counted["the same after a restart"] = await world.same_after_restart(server)
        await world.check(server.components.storage)
    return world.counted


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_people_do_at_once_all_see_the_same_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failures: list[str], seed: int
) -> None:
    monkeypatch.setattr(components_module, "BotPool", DawdlingBots)

    async def scenario() -> None:
        counted = await _live(tmp_path / "n.db", seed, 8, 600)
        assert counted["act"] > 100
        assert counted["states"] > 500
        assert not failures

    run(scenario(), 170)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_people_for_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failures: list[str], seed: int
) -> None:
    monkeypatch.setattr(components_module, "BotPool", DawdlingBots)

    async def scenario() -> None:
        counted = await _live(tmp_path / "n.db", seed, 24, 1500)
        print(dict(counted.most_common()))
        assert not failures

    run(scenario(), 1800)
