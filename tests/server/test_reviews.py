"""What is expected of finished games: found out in parts, for those who wait, and not twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from nevsky import Game, Ruleset
from nevsky.bots import make_bot
from nevsky.server import reviews
from nevsky.server.bot_pool import BotPool
from nevsky.server.evaluating import Measured, evaluate
from nevsky.server.match import deal_data
from nevsky.server.reviews import Review
from nevsky.server.scheduler import Place, bots_busy
from nevsky.server.schema import SeatRow, TableRow, evaluations
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage, now
from tests.server.support import run, running

Finished = tuple[dict[str, Any], dict[str, Any], list[int]]
Rows = list[Measured]
PART = 50
PLACE = Place("address", "table")


@pytest.fixture(scope="module")
def finished() -> Finished:
    """A game that is over, as the workers get it."""
    game = Game(Ruleset("second", 2), 7, auto=True)
    bot = make_bot("medium")
    while game.to_move is not None:
        game.play(bot.decide(game.view(game.to_move, memory=True), 50))
    return game.ruleset.to_dict(), deal_data(game), [action.id for action, _ in game.moves]


class Parts(BotPool):
    """Finds out a part whenever it is allowed to; waits in line like everything else."""

    def __init__(self) -> None:
        super().__init__(Settings(bot_workers=1))
        self.asked: list[int] = []
        self.go = asyncio.Semaphore(0)
        self.error: Exception | None = None

    async def evaluate(
        self,
        place: Place,
        game: Finished,
        first: int,
        keep: Callable[[Rows], None],
    ) -> None:
        self.asked.append(first)
        await self.go.acquire()
        if self.error is not None:
            raise self.error
        steps = len(game[2]) + 1
        keep([Measured([float(step)], [1.0], 0.0, False) for step in range(first, min(steps, first + PART))])


class Shelf:
    """A database with a table that reviews may be about."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def review(self, pool: BotPool, game: Finished) -> Review:
        return Review(pool, self.storage, "t", game)

    async def kept(self) -> list[Any]:
        async with self.storage.reading() as connection:
            return [*(await connection.execute(sa.select(evaluations))).all()]


@asynccontextmanager
async def shelf(path: Path) -> AsyncIterator[Shelf]:
    storage = await Storage.open(path / "n.db")
    try:
        await storage.add_table(TableRow("t", now(), now(), "over", {}, True, "live", False), [SeatRow(0, "x")])
        yield Shelf(storage)
    finally:
        await storage.close()


def scores(number: int) -> list[list[float]]:
    return [[float(step)] for step in range(number)]


def test_the_parts_make_the_whole(finished: Finished, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nevsky.server.evaluating._DESCENTS", 5)
    whole = evaluate(*finished, 0, 60.0)
    assert len(whole) == len(finished[2]) + 1
    parts: Rows = []
    while len(parts) < len(whole):
        part = evaluate(*finished, len(parts), 0.0 if len(parts) < 3 else 60.0)
        assert len(part) == 1 or len(parts) >= 3, "at least one step, however little time there is"
        parts += part
    assert parts == whole


async def parts_asked(pool: Parts, number: int) -> None:
    while len(pool.asked) < number:
        await asyncio.sleep(0)


def test_what_is_known_is_kept_when_nobody_waits_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with shelf(tmp_path) as here:
            pool = Parts()
            review = here.review(pool, ({}, {}, [0] * 119))
            first = asyncio.create_task(review.look(PLACE))
            pool.go.release()
            await parts_asked(pool, 2)
            monkeypatch.setattr(reviews, "_PATIENCE", 0.01)
            assert (await review.look(PLACE)).scores == scores(50)
            first.cancel()
            await asyncio.sleep(0.05)
            assert pool.asked == [0, 50], "nobody waits"
            monkeypatch.setattr(reviews, "_PATIENCE", 60.0)
            pool.go.release()
            pool.go.release()
            assert (await review.look(PLACE)).scores == scores(120)
            assert pool.asked == [0, 50, 50, 100]
            assert len((await review.look(PLACE)).chances) == 120
            assert pool.asked == [0, 50, 50, 100], "it is known"

    run(scenario())


def test_everybody_who_looks_waits_for_the_same_review(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with shelf(tmp_path) as here:
            pool = Parts()
            review = here.review(pool, ({}, {}, [0] * 99))
            looking = [asyncio.create_task(review.look(PLACE)) for _ in range(3)]
            await parts_asked(pool, 1)
            looking[0].cancel()
            pool.go.release()
            await parts_asked(pool, 2)
            pool.go.release()
            assert [len((await task).scores) for task in looking[1:]] == [100, 100]
            assert pool.asked == [0, 50]

    run(scenario())


@pytest.mark.parametrize(("error", "again"), [(bots_busy(), True), (RuntimeError("no idea"), False)])
def test_a_review_that_was_refused_is_tried_again_and_one_that_fails_is_not(
    tmp_path: Path, error: Exception, again: bool
) -> None:
    async def scenario() -> None:
        async with shelf(tmp_path) as here:
            pool = Parts()
            review = here.review(pool, ({}, {}, [0] * 9))
            pool.error = error
            pool.go.release()
            assert (await review.look(PLACE)).scores == []
            pool.error = None
            pool.go.release()
            assert len((await review.look(PLACE)).scores) == (10 if again else 0)

    run(scenario())


def test_what_was_found_out_once_is_in_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with shelf(tmp_path) as here:
            pool = Parts()
            pool.go.release()
            first = await here.review(pool, ({}, {}, [0] * 9)).look(PLACE)
            assert pool.asked == [0]
            assert await here.review(pool, ({}, {}, [0] * 9)).look(PLACE) == first
            assert pool.asked == [0], "it was read"
            pool.go.release()
            other = await here.review(pool, ({}, {}, [1] * 9)).look(PLACE)
            assert pool.asked == [0, 0], "these are other moves"
            monkeypatch.setattr(reviews, "VERSION", 99)
            pool.go.release()
            assert await here.review(pool, ({}, {}, [1] * 9)).look(PLACE) == other
            assert pool.asked == [0, 0, 0], "it was looked at in another way"
            assert len(await here.kept()) == 1

    run(scenario())


def test_a_review_of_a_table_that_was_deleted_meanwhile_harms_nobody(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with shelf(tmp_path) as here:
            pool = Parts()
            looking = asyncio.create_task(here.review(pool, ({}, {}, [0] * 9)).look(PLACE))
            await parts_asked(pool, 1)
            await here.storage.delete_table("t")
            pool.go.release()
            assert (await looking).scores == scores(10)
            assert await here.kept() == []

    run(scenario())


def test_a_part_that_a_worker_has_begun_is_kept_though_nobody_waits(
    finished: Finished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with shelf(tmp_path) as here:
            pool = BotPool(Settings(bot_workers=1))
            go = asyncio.Event()
            begun = asyncio.Event()

            async def wait(seconds: float, work: Callable[..., Rows], *given: Any) -> Rows:
                assert seconds > 15
                begun.set()
                await go.wait()
                return work(*given)

            monkeypatch.setattr(pool.workers[0], "run", wait)
            monkeypatch.setattr("nevsky.server.bot_pool.REVIEW_PART", 0.0)
            review = here.review(pool, finished)
            looking = asyncio.create_task(review.look(PLACE))
            await begun.wait()
            looking.cancel()
            assert pool._scheduler._queue.owners == {"address"}
            go.set()
            while pool._scheduler._queue.owners:
                await asyncio.sleep(0.01)
            assert review._found == evaluate(*finished, 0, 0.0)

    run(scenario())


def test_a_review_goes_out_of_memory_with_its_table(tmp_path: Path, quick_bots: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", idle_seconds=0.2) as server:
            anna = await server.visitor()
            made = await anna.create("easy easy")
            socket = await anna.open(made["table"])
            await socket.until(lambda state: state["status"] == "over")
            await socket.socket.close()
            table = await server.components.hub.get(made["table"])
            await anna.http.get(f"/api/tables/{made['table']}/evaluation")
            assert table.review is not None
            while server.components.hub._tables:
                await asyncio.sleep(0.05)
            assert table.review._task is None
            assert (await server.components.hub.get(made["table"])).review is None

    run(scenario())
