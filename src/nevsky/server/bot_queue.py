"""The queue of the bots' workers in Redis, as servers and workers call it. What happens there is in bot_queue.lua."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, NamedTuple, cast

from nevsky.server.bot_wire import VERSION
from nevsky.server.fair_queue import KINDS, Kind
from nevsky.server.redis_link import RedisLink, Script
from nevsky.server.scheduler import Place

__all__ = [
    "PREFIX",
    "Answer",
    "BotQueue",
    "Job",
    "Outcome",
    "Sight",
    "answers",
    "inbox",
    "read_answer",
    "read_message",
]

PREFIX: Final = f"nevsky:{{bots}}:{VERSION}:"
"""The braces keep everything in one place if Redis is a cluster itself."""
_PARTS: Final = ("bot_queue.lua", "bot_queue_tasks.lua")
Outcome = Literal["ok", "error", "timeout", "down", "late", "full", "nobody", "died"]
"""How a job ended. The first four a worker says: there is an answer, the bot failed, took too long, or there is no
process to think. The others the queue says: nobody began in time, too much waits, there is no worker, or too many
workers died of it."""


@cache
def _script() -> Script:
    room = files("nevsky.server")
    return Script("".join(room.joinpath(name).read_text(encoding="utf-8") for name in _PARTS))


class Job(NamedTuple):
    """Something that a worker is to do."""

    process: int
    id: str
    kind: Kind
    seconds: float
    """After which it is given up."""
    text: bytes


class Answer(NamedTuple):
    """What became of a job."""

    id: str
    outcome: Outcome
    waited: float
    """Seconds until it was begun."""
    place: str
    """The process that did it."""
    text: bytes


class Sight(NamedTuple):
    """How things are."""

    workers: int
    processes: int
    lengths: dict[Kind, int]
    waits: dict[Kind, float]
    """For how long nothing of a kind was begun although something waits."""
    lost: frozenset[str]
    """Jobs of ours that nobody knows."""


class BotQueue:
    """Each of these is done as a whole or not at all."""

    def __init__(self, link: RedisLink) -> None:
        self._link = link

    async def _call(self, *given: str | bytes | int) -> Any:
        return await self._link.call(_script(), PREFIX, *given)

    async def put(
        self,
        job: str,
        kind: Kind,
        place: Place,
        server: str,
        home: str,
        *,
        seconds: float,
        wait: float,
        waiting: tuple[int, int],
        text: bytes,
    ) -> str:
        """Let something wait for its turn: ``ok``, ``full``, or ``nobody`` if there is no worker.

        It may take so many seconds, and is not begun after it has waited for so long. The last number is how much may
        wait of one owner and altogether.
        """
        times = (round(seconds * 1000), round(wait * 1000))
        names = (_name(place.owner), _name(place.table), server, home)
        found: bytes = await self._call("put", job, kind, *names, *times, *waiting, text)
        return found.decode()

    async def cancel(self, job: str) -> bool:
        """Nobody needs it any more; False if it has been begun."""
        return bool(await self._call("cancel", job))

    async def watch(self, server: str, jobs: Iterable[str]) -> Sight:
        """How things are; also says that this server is there and waits for these jobs."""
        workers, processes, *rest = await self._call("watch", server, *jobs)
        each = zip(KINDS, rest[:6:2], rest[1:6:2], strict=True)
        lengths, waits = {}, {}
        for kind, length, waited in each:
            lengths[kind], waits[kind] = length, waited / 1000
        return Sight(workers, processes, lengths, waits, frozenset(name.decode() for name in rest[6:]))

    async def advise(self, server: str, guest: str) -> bool:
        """A guest asks for a hint; False if they wait for one of another server that is still there."""
        return bool(await self._call("advise", server, guest))

    def advised(self, server: str, guest: str) -> None:
        """They do not wait any more."""
        self._link.post_call(_script(), PREFIX, "advised", server, guest)

    def tell(self, worker: str, text: bytes) -> None:
        """Something that a worker may like to know."""
        self._link.post_call(_script(), PREFIX, "news", worker, text)

    def quit(self, server: str) -> None:
        """A server goes."""
        self._link.post_call(_script(), PREFIX, "quit", server)

    async def join(self, worker: str, processes: int, idle: Iterable[int]) -> None:
        """A worker comes; of its processes these have nothing to do."""
        await self._call("join", worker, processes, *idle)

    async def beat(self, worker: str, idle: Iterable[int]) -> bool:
        """A worker is still there, and these processes have nothing to do; False if it was given up meanwhile."""
        return bool(await self._call("beat", worker, *idle))

    async def done(
        self, worker: str, process: int, job: str, outcome: Outcome, text: bytes, *, free: bool = True
    ) -> bool:
        """A process has done its job and may have another; False if somebody was first, or nobody waits any more."""
        return bool(await self._call("done", worker, process, int(free), job, outcome, text))

    async def rest(self, worker: str) -> None:
        """A worker takes nothing more."""
        await self._call("rest", worker)

    async def leave(self, worker: str) -> None:
        """A worker goes; what it has not done goes to others."""
        await self._call("leave", worker)


def inbox(worker: str) -> str:
    """Where a worker looks for jobs and news."""
    return f"{PREFIX}inbox:{worker}"


def answers(server: str) -> str:
    """Where a server looks for answers."""
    return f"{PREFIX}answers:{server}"


def read_message(message: bytes) -> Job | bytes:
    """What came into an inbox: a job, or the text of news."""
    sort, _, rest = message.partition(b"\n")
    if sort == b"news":
        return rest
    process, job, kind, milliseconds, text = rest.split(b"\n", 4)
    return Job(int(process), job.decode(), cast(Kind, kind.decode()), int(milliseconds) / 1000, text)


def read_answer(message: bytes) -> Answer:
    """What came for a server."""
    job, outcome, waited, place, text = message.split(b"\n", 4)
    return Answer(job.decode(), cast(Outcome, outcome.decode()), int(waited) / 1000, place.decode(), text)


def _name(text: str) -> str:
    """Part of the name of a key; a bar would end it."""
    return text.replace("|", "!")
