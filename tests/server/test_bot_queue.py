"""The queue in Redis keeps the rules of the fair queue, and loses nothing that somebody waits for."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from nevsky.server.bot_queue import PREFIX, Answer, BotQueue, Job, answers, inbox, read_answer, read_message
from nevsky.server.fair_queue import KINDS, FairQueue, Kind, QueueFullError, Rules, Ticket
from nevsky.server.redis_link import RedisLink
from nevsky.server.scheduler import Place
from tests.server.support import run

SERVER = "server"
OWNERS = ("192.0.2.1", "192.0.2.2", "2001:db8::/64")


class Desk:
    """A queue, and a look into the lists that it writes to."""

    def __init__(self, link: RedisLink) -> None:
        self.link = link
        self.queue = BotQueue(link)

    async def put(
        self,
        job: str,
        kind: Kind = "live",
        owner: str = "owner",
        table: str = "table",
        *,
        home: str = "",
        seconds: float = 60.0,
        wait: float = 60.0,
        waiting: tuple[int, int] = (1000, 1000),
    ) -> str:
        limits = {"seconds": seconds, "wait": wait}
        place = Place(owner, table)
        return await self.queue.put(job, kind, place, SERVER, home, waiting=waiting, text=job.encode(), **limits)

    async def given(self, worker: str) -> list[Job]:
        """What has come for a worker since one last looked."""
        found = await self.link.run("LPOP", inbox(worker), 1000)
        messages = [read_message(message) for message in found or ()]
        return [message for message in messages if isinstance(message, Job)]

    async def answered(self) -> list[Answer]:
        """The same for the server."""
        return [read_answer(message) for message in await self.link.run("LPOP", answers(SERVER), 1000) or ()]

    async def outcomes(self) -> dict[str, str]:
        return {answer.id: answer.outcome for answer in await self.answered()}

    async def keys(self) -> set[str]:
        """What there is in Redis, apart from what goes by itself when nobody comes for two minutes."""
        found = {name.decode().removeprefix(PREFIX) for name in await self.link.run("KEYS", "*")}
        for name in found:
            assert await self.link.run("PTTL", PREFIX + name) > 0, name
        return found - {"turns", "since"}

    async def later(self, name: str, member: str, milliseconds: int) -> None:
        """As if so much time had gone by for something in a sorted set."""
        await self.link.run("ZINCRBY", PREFIX + name, -milliseconds, member)


@asynccontextmanager
async def desk(url: str) -> AsyncIterator[Desk]:
    link = RedisLink(url)
    link.open()
    assert await link.ready(5)
    try:
        yield Desk(link)
    finally:
        await link.close()


class Model:
    """What should happen, by the rules of the fair queue."""

    def __init__(self, processes: int, waiting: tuple[int, int]) -> None:
        rules = {
            "live": Rules(),
            "hint": Rules(10.0, max(1, processes // 2), *waiting),
            "review": Rules(30.0, 1, *waiting),
        }
        self.queue: FairQueue[Ticket] = FairQueue(rules)  # type: ignore[arg-type]
        self.names: dict[Ticket, str] = {}
        self.free = processes

    def dispatch(self) -> list[str]:
        given = []
        while self.free and (ticket := self.queue.take(0.0)) is not None:
            self.free -= 1
            given.append(self.names[ticket])
        return given

    def done(self, job: str) -> None:
        (ticket,) = [ticket for ticket, name in self.names.items() if name == job]
        self.queue.done(ticket)
        self.free += 1


@pytest.mark.parametrize("seed", range(12))
def test_who_is_next_is_the_same_as_in_the_fair_queue(redis: str, seed: int) -> None:
    rng = random.Random(seed)
    processes, waiting = rng.choice([1, 2, 5]), rng.choice([(3, 5), (1000, 1000)])
    model = Model(processes, waiting)

    async def put(desk: Desk, job: str) -> None:
        ticket = Ticket(rng.choice(KINDS), rng.choice(OWNERS), rng.choice("abc"))
        model.names[ticket] = job
        how = await desk.put(job, ticket.kind, ticket.owner, ticket.table, waiting=waiting)
        for answer in await desk.answered():
            (displaced,) = [each for each, name in model.names.items() if name == answer.id]
            line = model.queue._lines[displaced.kind]
            assert answer.outcome == "full"
            assert line.waiting[displaced.owner] == max(line.waiting.values())
            assert line.newest_of(displaced.owner) is displaced
            assert model.queue.drop(displaced)
        try:
            displaced_too = model.queue.put(ticket, 0.0)
            assert displaced_too is None and how == "ok"
        except QueueFullError:
            assert how == "full"

    async def scenario() -> None:
        async with desk(redis) as made:
            await made.queue.join("w", processes, range(1, processes + 1))
            working: list[Job] = []
            for number in range(300):
                if working and rng.random() < (0.4 if number < 200 else 1.0):
                    job = working.pop(rng.randrange(len(working)))
                    model.done(job.id)
                    assert await made.queue.done("w", job.process, job.id, "ok", b"")
                    assert [answer.id for answer in await made.answered()] == [job.id]
                elif number < 200:
                    await put(made, f"job{number}")
                given = await made.given("w")
                assert [job.id for job in given] == model.dispatch()
                working += given
                assert len({job.process for job in working}) == len(working)
            sight = await made.queue.watch(SERVER, [])
            assert sight.lengths == {kind: model.queue.length(kind) for kind in KINDS}

    run(scenario())


def test_nothing_is_left_of_what_is_over(redis: str) -> None:
    async def scenario() -> None:
        async with desk(redis) as made:
            assert await made.put("too early") == "nobody"
            await made.queue.join("w", 2, (1, 2))
            kinds: tuple[Kind, ...] = ("live", "hint", "review")
            for number in range(60):
                await made.put(f"job{number}", kinds[number % 3], f"owner{number % 7}", f"table{number % 5}")
            assert await made.queue.cancel("job59")
            done = 0
            while given := await made.given("w"):
                for job in given:
                    assert await made.queue.done("w", job.process, job.id, "ok", b"x")
                    done += 1
            assert done == 59
            assert len(await made.answered()) == 59
            assert await made.keys() == {"workers", "processes", "free", f"server:{SERVER}"}
            await made.queue.leave("w")
            made.queue.quit(SERVER)
            assert await made.keys() == set()

    run(scenario())


def test_what_was_not_begun_in_time_is_told(redis: str) -> None:
    async def scenario() -> None:
        async with desk(redis) as made:
            await made.queue.join("w", 1, (1,))
            await made.put("long")
            await made.put("hasty", wait=0.05)
            await made.put("patient")
            await asyncio.sleep(0.1)
            sight = await made.queue.watch(SERVER, ["long", "hasty", "patient", "never heard of"])
            assert await made.outcomes() == {"hasty": "late"}
            assert sight.lost == {"hasty", "never heard of"}
            assert (sight.workers, sight.processes, sight.lengths["live"]) == (1, 1, 1)
            assert await made.queue.done("w", 1, "long", "ok", b"")
            assert [job.id for job in await made.given("w")] == ["long", "patient"]

    run(scenario())


def test_the_jobs_of_a_worker_that_is_gone_come_first_elsewhere_and_are_answered_once(redis: str) -> None:
    async def scenario() -> None:
        async with desk(redis) as made:
            await made.queue.join("dead", 2, (1, 2))
            for job in ("a", "b"):
                await made.put(job, owner=job)
            assert [job.id for job in await made.given("dead")] == ["a", "b"]
            for number in range(5):
                await made.put(f"c{number}", owner="greedy", table=str(number))
            await made.queue.join("alive", 1, (1,))
            assert [job.id for job in await made.given("alive")] == ["c0"]
            await made.later("workers", "dead", 4000)
            await made.queue.watch(SERVER, [])
            order = ["c0"]
            for _ in range(2):
                assert await made.queue.done("alive", 1, order[-1], "ok", b"")
                order += [job.id for job in await made.given("alive")]
            assert set(order[1:]) == {"a", "b"}
            assert not await made.queue.beat("dead", ()), "it is told that it was given up"
            last = order[-1]
            assert await made.queue.done("dead", 1, last, "ok", b"from the dead"), "the first answer counts"
            assert not await made.queue.done("alive", 1, last, "ok", b"again")
            texts = [(answer.id, answer.text) for answer in await made.answered()]
            assert texts.count((last, b"from the dead")) == 1
            assert len({job for job, _ in texts}) == len(texts)
            assert await made.link.run("ZRANGE", f"{PREFIX}free", 0, -1) == [], "nothing is given to the dead"

    run(scenario())


def test_a_job_that_kills_its_workers_is_given_back(redis: str) -> None:
    async def scenario() -> None:
        async with desk(redis) as made:
            await made.queue.join("bystander", 1, ())
            await made.put("poison")
            for number in range(3):
                await made.queue.join(f"w{number}", 1, (1,))
                assert [job.id for job in await made.given(f"w{number}")] == ["poison"]
                assert not await made.answered()
                await made.queue.leave(f"w{number}")
            assert await made.outcomes() == {"poison": "died"}
            assert await made.link.run("EXISTS", f"{PREFIX}job:poison") == 0

    run(scenario())


def test_a_job_beyond_its_time_goes_to_somebody_else(redis: str) -> None:
    async def scenario() -> None:
        async with desk(redis) as made:
            await made.queue.join("slow", 1, (1,))
            await made.put("job", seconds=0.01)
            assert await made.given("slow")
            await made.queue.join("quick", 1, (1,))
            await made.later("limits", "job", 4000)
            await made.queue.beat("slow", ())
            assert [job.id for job in await made.given("quick")] == ["job"]
            assert await made.queue.done("quick", 1, "job", "ok", b"quick")
            assert not await made.queue.done("slow", 1, "job", "ok", b"slow")
            assert [answer.text for answer in await made.answered()] == [b"quick"]
            assert len(await made.link.run("ZRANGE", f"{PREFIX}free", 0, -1)) == 2

    run(scenario())


def test_a_job_that_a_worker_never_heard_of_is_not_lost(redis: str) -> None:
    async def scenario() -> None:
        async with desk(redis) as made:
            await made.queue.join("w", 2, (1, 2))
            await made.put("job")
            assert await made.given("w"), "nobody reads it"
            assert await made.queue.beat("w", (1, 2)), "it may be on its way"
            assert not await made.given("w")
            await asyncio.sleep(2.1)
            assert await made.queue.beat("w", (1, 2))
            assert [job.id for job in await made.given("w")] == ["job"]
            assert not await made.answered()

    run(scenario())


def test_bots_go_home_if_nobody_is_there(redis: str) -> None:
    async def scenario() -> None:
        async with desk(redis) as made:
            await made.queue.join("w", 3, (1, 2, 3))
            for number in (3, 3, 2):
                await made.put(f"{number}", home=f"w/{number}", owner=str(number))
            given = await made.given("w")
            assert [job.process for job in given] == [3, 1, 2], "nobody is idle while something waits"
            await made.queue.done("w", 3, "3", "ok", b"")
            assert [answer.place for answer in await made.answered()] == ["w/3"]

    run(scenario())


def test_what_has_waited_too_long_comes_before_games_once(redis: str) -> None:
    async def scenario() -> None:
        async with desk(redis) as made:
            await made.queue.join("w", 1, (1,))
            await made.put("first")
            for kind in KINDS:
                for number in range(2):
                    await made.put(f"{kind}{number}", kind)
            now = int((await made.link.run("TIME"))[0]) * 1000
            await made.link.run("HSET", f"{PREFIX}since", "hint", now - 11_000, "review", now - 31_000)
            order = []
            while given := await made.given("w"):
                order.append(given[0].id)
                await made.queue.done("w", 1, given[0].id, "ok", b"")
            assert order == ["first", "hint0", "review0", "live0", "live1", "hint1", "review1"]

    run(scenario())


def test_when_the_last_worker_goes_everybody_is_told(redis: str) -> None:
    async def scenario() -> None:
        async with desk(redis) as made:
            await made.queue.join("w", 1, (1,))
            await made.put("begun")
            await made.put("waiting")
            await made.queue.rest("w")
            assert await made.put("late comer") == "nobody"
            assert await made.outcomes() == {"waiting": "nobody"}
            assert await made.queue.done("w", 1, "begun", "ok", b"")
            assert await made.outcomes() == {"begun": "ok"}
            await made.queue.leave("w")
            assert await made.keys() == {f"server:{SERVER}"}

    run(scenario())


def test_nobody_thinks_for_a_server_that_is_gone(redis: str) -> None:
    async def scenario() -> None:
        async with desk(redis) as made:
            await made.queue.join("w", 1, (1,))
            await made.put("begun")
            await made.put("orphan")
            made.queue.quit(SERVER)
            await made.queue.done("w", 1, "begun", "ok", b"")
            assert [job.id for job in await made.given("w")] == ["begun"]
            assert await made.outcomes() == {"begun": "ok", "orphan": "late"}

    run(scenario())


def test_a_server_that_is_gone_keeps_nobody_from_a_hint(redis: str) -> None:
    async def scenario() -> None:
        async with desk(redis) as made:
            queue = made.queue
            assert await queue.advise("one", "anna")
            assert not await queue.advise("two", "anna")
            queue.advised("two", "anna")
            assert not await queue.advise("two", "anna"), "only whoever thinks about it can end it"
            assert await queue.advise("two", "boris")
            queue.quit("one")
            assert await queue.advise("two", "anna")
            queue.advised("two", "anna")
            assert await queue.advise("three", "anna")

    run(scenario())
