"""Processes that hang or die are replaced, and what waits for them is not forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from nevsky import Game, Ruleset
from nevsky.bots import BOTS, LEVELS, Level
from nevsky.server.bot_pool import BotPool
from nevsky.server.errors import Refusal
from nevsky.server.metrics import BOT_QUEUE, BOT_TIMEOUTS, BOT_WAIT, BOT_WORKERS_REPLACED
from nevsky.server.scheduler import Place, Scheduler
from nevsky.server.settings import Settings
from nevsky.server.workers import Worker, WorkerDownError, WorkerTimeoutError
from tests.server import hanging
from tests.server.support import run, running

PATIENT = 60.0


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


@pytest.fixture
def hanging_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """A level of bots that hang, here and in workers."""
    monkeypatch.setattr("nevsky.server.workers.prepare", hanging.prepare_hanging)
    monkeypatch.setitem(BOTS, hanging.NAME, hanging.HangingBot)
    monkeypatch.setitem(LEVELS, hanging.NAME, Level(hanging.NAME, 50))


def alive(process: int) -> bool:
    """Whether a process runs; one that has ended and waits to be noticed does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("work", [hanging.sleep_for_ever, hanging.spin_deafly])
def test_a_worker_that_hangs_is_killed_and_replaced(worker: Worker, work: Callable[[], None]) -> None:
    async def scenario() -> None:
        first = await worker.run(PATIENT, hanging.answer)
        timeouts, replaced = BOT_TIMEOUTS._value.get(), BOT_WORKERS_REPLACED._value.get()
        with pytest.raises(WorkerTimeoutError):
            await worker.run(0.3, work)
        while alive(first):
            await asyncio.sleep(0.01)
        assert await worker.run(PATIENT, hanging.answer) != first
        assert (BOT_TIMEOUTS._value.get(), BOT_WORKERS_REPLACED._value.get()) == (timeouts + 1, replaced + 1)

    run(scenario())


def test_a_closed_worker_does_not_start_again(worker: Worker) -> None:
    async def scenario() -> None:
        worker.close()
        with pytest.raises(WorkerDownError):
            await worker.run(PATIENT, hanging.answer)
        with pytest.raises(WorkerDownError):
            worker.start()
        assert not worker.pids
        bot_pool = BotPool(Settings(bot_workers=1))
        bot_pool.close()
        game = Game(Ruleset("second", 2), 1)
        view = game.view(game.to_move)
        assert await bot_pool.decide(bot_pool.new_bot("easy"), view, lambda: [view]) in view.legal
        assert not bot_pool.workers[0].pids

    run(scenario())


def test_a_worker_that_keeps_dying_rests_for_longer_each_time(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("nevsky.server.workers.monotonic", lambda: now)

    async def scenario() -> None:
        nonlocal now
        with pytest.raises(WorkerDownError):
            await worker.run(PATIENT, hanging.die)  # it is tried twice
        assert not worker.rest
        rests = []
        for _ in range(3):
            with pytest.raises(WorkerDownError):
                await worker.run(PATIENT, hanging.die)
            rests.append(worker.rest)
            now += worker.rest
        assert rests == [1.0, 2.0, 4.0]
        worker._deaths = 100
        with pytest.raises(WorkerDownError):
            await worker.run(PATIENT, hanging.die)
        assert worker.rest == 30.0
        now += 30.0
        assert await worker.run(PATIENT, hanging.answer)
        with pytest.raises(WorkerDownError):
            await worker.run(PATIENT, hanging.die)
        assert not worker.rest, "all is forgiven"

    run(scenario())


def test_bots_without_a_process_play_on_and_start_none_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nevsky.server.workers.prepare", hanging.refuse_to_start)

    async def scenario() -> None:
        bot_pool = BotPool(Settings(bot_workers=1))
        game = Game(Ruleset("second", 2), 1)
        view = game.view(game.to_move)
        started = 0
        start = Worker._started

        def counted(worker: Worker) -> object:
            nonlocal started
            started += worker._pool is None
            return start(worker)

        monkeypatch.setattr(Worker, "_started", counted)
        monkeypatch.setattr("nevsky.server.workers._LONGEST_REST", 1000.0)
        monkeypatch.setattr("nevsky.server.workers.monotonic", lambda: 1000.0)
        try:
            bot = bot_pool.new_bot("easy")
            for _ in range(30):
                assert await bot_pool.decide(bot, view, lambda: [view]) in view.legal
            with pytest.raises(WorkerDownError):
                await bot_pool.explain(view, Place("address", "guest"))
            assert started == 3
        finally:
            bot_pool.close()

    run(scenario())


def test_a_bot_that_hangs_costs_its_decision_and_the_others_begin_anew(hanging_level: None) -> None:
    async def scenario() -> None:
        bot_pool = BotPool(Settings(bot_workers=1, bot_milliseconds=5))
        game = Game(Ruleset("second", 2), 1)
        view = game.view(game.to_move)
        try:
            other = bot_pool.new_bot("easy")
            assert await bot_pool.decide(other, view, lambda: [view]) in view.legal
            (process,) = bot_pool.workers[0].pids
            timeouts = BOT_TIMEOUTS._value.get()
            bot_pool._grace = 0.3
            hung = asyncio.create_task(bot_pool.decide(bot_pool.new_bot(hanging.NAME), view, lambda: [view]))
            await idle()
            bot_pool._grace = PATIENT
            waiting = asyncio.create_task(bot_pool.decide(other, view, lambda: [view]))
            assert await hung in view.legal
            assert await waiting in view.legal
            assert bot_pool.workers[0].pids != [process]
            assert BOT_TIMEOUTS._value.get() == timeouts + 1
        finally:
            bot_pool.close()

    run(scenario())


def test_a_hint_that_hangs_is_refused_and_games_go_on(tmp_path: Path, hanging_level: None) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", bot_milliseconds=5) as server:
            anna = await server.visitor()
            made = await anna.create("me easy")
            seat = await anna.open(made["table"])
            await seat.my_turn()
            server.components.own_bots._grace = 0.3
            await seat.send(type="hint", version=seat.state["version"])
            assert (await seat.error())["message"] == "There is no advice now."
            server.components.own_bots._grace = PATIENT
            await seat.play(seat.state["choices"][0]["action"])
            await seat.my_turn()

    run(scenario())


class Desk(Worker):
    """A worker without a process: what it is given waits until the test lets it finish."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []
        self.go = asyncio.Semaphore(0)

    def does(self, what: str) -> Callable[[Worker], Awaitable[str]]:
        async def work(worker: Worker) -> str:
            assert isinstance(worker, Desk)
            worker.given.append(what)
            await worker.go.acquire()
            return what

        return work


async def idle() -> None:
    """Let everything happen that does not have to wait."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_what_nobody_waits_for_any_more_is_not_begun() -> None:
    async def scenario() -> None:
        desk = Desk()
        scheduler = Scheduler([desk], 60)
        ended: list[str] = []

        def ask(what: str) -> asyncio.Task[str]:
            place = Place("address", what)
            return asyncio.create_task(scheduler.run("hint", place, desk.does(what), ended=lambda: ended.append(what)))

        first, second, third = ask("first"), ask("second"), ask("third")
        await idle()
        assert desk.given == ["first"]
        assert BOT_QUEUE.labels(kind="hint")._value.get() == 2
        second.cancel()
        first.cancel()
        await idle()
        assert ended == ["second"], "what was begun is finished"
        assert BOT_QUEUE.labels(kind="hint")._value.get() == 1
        desk.go.release()
        await idle()
        desk.go.release()
        assert await third == "third"
        assert desk.given == ["first", "third"]
        assert ended == ["second", "first", "third"]
        assert not scheduler._queue.owners
        assert BOT_QUEUE.labels(kind="hint")._value.get() == 0

    run(scenario())


def test_a_worker_gets_the_bots_that_live_there_unless_it_is_busy() -> None:
    async def scenario() -> None:
        desks = [Desk(), Desk()]
        scheduler = Scheduler(desks, 60)

        def ask(what: str, home: Worker) -> asyncio.Task[str]:
            return asyncio.create_task(scheduler.run("live", Place(what, what), desks[0].does(what), home=home))

        tasks = [ask("a", desks[1]), ask("b", desks[1]), ask("c", desks[1])]
        await idle()
        assert [desk.given for desk in desks] == [["b"], ["a"]]
        desks[0].go.release()
        await idle()
        assert [desk.given for desk in desks] == [["b", "c"], ["a"]], "nobody is idle while something waits"
        for desk in desks:
            desk.go.release()
        assert await asyncio.gather(*tasks) == ["a", "b", "c"]

    run(scenario())


def test_too_many_hints_are_refused_but_never_a_live_bot() -> None:
    async def scenario() -> None:
        desk = Desk()
        scheduler = Scheduler([desk], 3)
        waited = BOT_WAIT.labels(kind="live")._sum.get()

        async def ask(kind: str, owner: str, number: int) -> str:
            place = Place(owner, str(number))
            return await scheduler.run(kind, place, desk.does(f"{kind} {owner}"))  # type: ignore[arg-type]

        hints = [asyncio.create_task(ask("hint", "greedy", number)) for number in range(10)]
        live = [asyncio.create_task(ask("live", "greedy", number)) for number in range(100)]
        await idle()
        refused = [task for task in hints if task.done()]
        assert len(refused) == 6, "one is in work, three wait"
        for task in refused:
            error = task.exception()
            assert isinstance(error, Refusal) and error.code == "too_fast"
            for language in ("en", "de", "fr", "it"):
                assert error.say(language)
        for _ in range(104):
            desk.go.release()
        assert len(await asyncio.gather(*live)) == 100
        assert len([await task for task in hints if task not in refused]) == 3 + 1
        assert BOT_WAIT.labels(kind="live")._sum.get() > waited

    run(scenario())


def test_when_the_bots_are_closed_nobody_waits_for_ever() -> None:
    async def scenario() -> None:
        desk = Desk()
        scheduler = Scheduler([desk], 3)
        ended: list[int] = []

        async def ask(number: int) -> str:
            place = Place("address", str(number))
            return await scheduler.run("review", place, desk.does(""), ended=lambda: ended.append(number))

        tasks = [asyncio.create_task(ask(number)) for number in range(3)]
        await idle()
        scheduler.close()
        for task in tasks:
            with pytest.raises(WorkerDownError):
                await task
        with pytest.raises(WorkerDownError):
            await ask(3)
        assert sorted(ended) == [0, 1, 2, 3]
        assert not scheduler._queue.owners

    run(scenario())


def test_a_guest_waits_for_one_hint_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        bot_pool = BotPool(Settings(bot_workers=1))
        go = asyncio.Event()

        async def wait(*_: object) -> list[object]:
            await go.wait()
            return []

        monkeypatch.setattr(bot_pool.workers[0], "run", wait)
        game = Game(Ruleset("second", 2), 1)
        view = game.view(game.to_move)
        first = asyncio.create_task(bot_pool.explain(view, Place("home", "anna")))
        await idle()
        for address in ("home", "elsewhere"):
            with pytest.raises(Refusal, match="still being worked out"):
                await bot_pool.explain(view, Place(address, "anna"))
        other = asyncio.create_task(bot_pool.explain(view, Place("home", "boris")))
        await idle()
        assert not other.done()
        other.cancel()
        first.cancel()
        await idle()
        with pytest.raises(Refusal, match="still being worked out"):
            await bot_pool.explain(view, Place("home", "anna"))
        again = asyncio.create_task(bot_pool.explain(view, Place("home", "boris")))
        await idle()
        go.set()
        assert await again == []
        assert not bot_pool._hints._waiting

    run(scenario())
