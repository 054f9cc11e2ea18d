"""The way to Redis: what one process has to say goes there in batches, and nothing ever waits for it for long.

There is one connection for all commands; whatever comes while it is busy goes with the next batch. When Redis is away,
commands fail at once with `LinkDownError`, and the link tries again and again, with growing pauses. Nothing is kept for
later: whoever uses Redis knows what to do without it.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit, urlunsplit

import structlog

from nevsky.errors import NevskyError
from nevsky.server.metrics import REDIS_RECONNECTS, REDIS_SECONDS, REDIS_UP

if TYPE_CHECKING:
    from redis.asyncio import Redis

__all__ = ["Command", "LinkDownError", "RedisLink", "Script", "check_redis", "end", "without_password"]

Command = tuple[str | bytes | int | float, ...]
_TIMEOUT: Final = 2.0
"""Seconds after which a Redis that says nothing is away."""
_BEAT: Final = 1.0
"""Seconds after which a link with nothing to say asks whether Redis is still there."""
_SHORTEST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 2.0
_BATCH: Final = 200
"""Commands that go at once."""
_MOST: Final = 10_000
"""Commands that may wait for the next batches; more fail as if Redis were away."""
_LEAST_VERSION: Final = (7, 0)
log = structlog.get_logger()


class LinkDownError(Exception):
    """Redis is away, or did not do what it was told."""


class Script:
    """A Lua script, by its text and its digest."""

    def __init__(self, text: str) -> None:
        from hashlib import sha1

        self.text = text
        self.digest = sha1(text.encode(), usedforsecurity=False).hexdigest()


class _Sent(NamedTuple):
    command: Command
    done: asyncio.Future[Any] | None
    script: Script | None


def without_password(url: str) -> str:
    """The address as it may be shown."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=""))


def connect(url: str, timeout: float | None = _TIMEOUT, connections: int = 4) -> Redis:
    """A client that tries nothing twice: whoever uses it knows better whether that is wanted."""
    from redis.asyncio import Redis
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    return Redis.from_url(
        url,
        socket_timeout=timeout,
        socket_connect_timeout=_TIMEOUT,
        retry=Retry(NoBackoff(), 0),
        max_connections=connections,
        client_name="nevsky",
    )


def failures() -> tuple[type[Exception], ...]:
    """What a call of Redis may raise."""
    from redis.exceptions import RedisError

    return (RedisError, OSError, TimeoutError, UnicodeError)


async def check_redis(url: str) -> bool:
    """Refuse in a sentence what is no Redis that we can use; False if there is nobody now, who may still come."""
    from redis.exceptions import AuthenticationError, BusyLoadingError, ResponseError
    from redis.exceptions import ConnectionError as NoConnectionError

    client = connect(url)
    try:
        found = await client.info("server")
        version = str(found["redis_version"])
    except (AuthenticationError, ResponseError) as error:
        raise NevskyError("server.redis", address=without_password(url), reason=str(error).rstrip(".")) from error
    except (BusyLoadingError, NoConnectionError, OSError, TimeoutError) as error:
        log.warning("redis_away", address=without_password(url), reason=str(error))
        return False
    except Exception as error:  # it speaks another language
        raise NevskyError("server.redis", address=without_password(url), reason=str(error).rstrip(".")) from error
    finally:
        with suppress(*failures()):
            await client.aclose()
    if tuple(map(int, version.split(".")[:2])) < _LEAST_VERSION:
        raise NevskyError("server.redis_old", version=version, least=".".join(map(str, _LEAST_VERSION)))
    return True


class RedisLink:
    """What a process has to do with Redis goes through here."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.available = False
        """Whether Redis answered when it was asked last."""
        self.on_up: list[Callable[[], None]] = []
        """Called when Redis is there (again)."""
        self.on_down: list[Callable[[], None]] = []
        """Called when it is gone."""
        self._client = connect(url)
        self._waiting: deque[_Sent] = deque()
        self._wanted = asyncio.Event()
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._taking: set[asyncio.Task[None]] = set()
        self._closed = False

    def open(self) -> None:
        """Begin to look for Redis."""
        self._task = asyncio.create_task(self._work())

    async def ready(self, seconds: float) -> bool:
        """Wait until Redis is there, but not for longer than this."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.available:
                    self._changed.clear()
                    await self._changed.wait()
        return self.available

    async def close(self) -> None:
        """Say what is still to be said, for a moment, and go."""
        until = time.monotonic() + _TIMEOUT
        while self._waiting and self.available and time.monotonic() < until:
            await asyncio.sleep(0.005)
        self._closed = True
        await end(*self._taking, *([] if self._task is None else [self._task]))
        self._went()
        with suppress(*failures()):
            await self._client.aclose()

    async def run(self, *command: str | bytes | int | float) -> Any:
        """What Redis answers."""
        return await self._send(command, None, wait=True)

    def post(self, *command: str | bytes | int | float) -> None:
        """Say something whose answer nobody needs; without Redis nothing happens."""
        with suppress(LinkDownError):
            self._send(command, None, wait=False)

    async def call(self, script: Script, key: str, *given: str | bytes | int | float) -> Any:
        """What a script answers."""
        return await self._send((key, *given), script, wait=True)

    def post_call(self, script: Script, key: str, *given: str | bytes | int | float) -> None:
        """Run a script whose answer nobody needs."""
        with suppress(LinkDownError):
            self._send((key, *given), script, wait=False)

    def listener(self, timeout: float | None = None) -> Redis:
        """A connection of its own for whoever waits for something to come; to be closed by them."""
        return connect(self.url, timeout, 1)

    def take(self, name: Callable[[], str], handle: Callable[[str, bytes], None]) -> None:
        """Take what comes into a list as soon as it comes, until the link is closed; another if the name changes."""
        self._taking.add(asyncio.create_task(self._take(name, handle)))

    async def _take(self, name: Callable[[], str], handle: Callable[[str, bytes], None]) -> None:
        pause = _SHORTEST_PAUSE
        while True:
            await self.ready(_LONGEST_PAUSE)
            client = self.listener(_BEAT + _TIMEOUT)
            try:
                while True:
                    _go_on()
                    found: Any = await client.blmpop(_BEAT, 1, name(), direction="LEFT", count=_BATCH)
                    pause = _SHORTEST_PAUSE
                    for message in found[1] if found else ():
                        try:
                            handle(found[0].decode(), message)
                        except Exception:
                            log.exception("redis_message", name=found[0].decode())
            except failures() as error:
                log.debug("redis_listener", reason=str(error))
                await asyncio.sleep(pause)
                pause = min(_LONGEST_PAUSE, pause * 2)
            finally:
                with suppress(*failures()):
                    await client.aclose()

    def _send(self, command: Command, script: Script | None, *, wait: bool) -> asyncio.Future[Any]:
        if not self.available or self._closed:
            raise LinkDownError("Redis is away.")
        if len(self._waiting) >= _MOST:
            raise LinkDownError("Redis cannot keep up.")
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Sent(command, done if wait else None, script))
        self._wanted.set()
        return done

    async def _work(self) -> None:
        pause = _SHORTEST_PAUSE
        while True:
            _go_on()
            if not self.available:
                try:
                    await self._client.ping()
                except failures() as error:
                    log.debug("redis_still_away", reason=str(error))
                    await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - so that not all come at once
                    pause = min(_LONGEST_PAUSE, pause * 2)
                    continue
                self._came()
            pause = _SHORTEST_PAUSE
            try:
                await self._talk()
            except failures() as error:
                log.warning("redis_gone", reason=str(error))
                REDIS_RECONNECTS.inc()
                self._went()
                await asyncio.sleep(pause)

    async def _talk(self) -> None:
        """Send what there is, as long as it works."""
        while True:
            _go_on()
            if not self._waiting:
                self._wanted.clear()
                try:
                    async with asyncio.timeout(_BEAT):
                        await self._wanted.wait()
                except TimeoutError:
                    await self._client.ping()
                    continue
            batch = [self._waiting.popleft() for _ in range(min(_BATCH, len(self._waiting)))]
            try:
                await self._deliver(batch)
            except BaseException:
                _fail(batch)
                raise

    async def _deliver(self, batch: list[_Sent]) -> None:
        from redis.exceptions import ConnectionError as NoConnectionError
        from redis.exceptions import NoScriptError

        start = time.perf_counter()
        answers = await self._execute(batch)
        unknown = [number for number, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
        if unknown:
            for script in {batch[number].script for number in unknown}:
                assert script is not None
                await self._client.script_load(script.text)
            for number, answer in zip(unknown, await self._execute([batch[each] for each in unknown]), strict=True):
                answers[number] = answer
        REDIS_SECONDS.observe(time.perf_counter() - start)
        for each, answer in zip(batch, answers, strict=True):
            if isinstance(answer, Exception):
                log.error("redis_refused", reason=str(answer))
            if each.done is None or each.done.done():
                continue
            if isinstance(answer, Exception):
                each.done.set_exception(LinkDownError(str(answer)))
            else:
                each.done.set_result(answer)
        for answer in answers:
            if isinstance(answer, NoConnectionError):  # it is there and not ready: loading, or a replica
                raise answer

    async def _execute(self, batch: list[_Sent]) -> list[Any]:
        pipe = self._client.pipeline(transaction=False)
        for each in batch:
            if each.script is None:
                pipe.execute_command(*each.command)
            else:
                pipe.execute_command("EVALSHA", each.script.digest, 1, *each.command)
        answers: list[Any] = await pipe.execute(raise_on_error=False)
        return answers

    def _came(self) -> None:
        self.available = True
        REDIS_UP.set(1)
        log.info("redis_here", address=without_password(self.url))
        self._changed.set()
        for call in list(self.on_up):
            call()

    def _went(self) -> None:
        if not self.available:
            return
        self.available = False
        REDIS_UP.set(0)
        _fail(list(self._waiting))
        self._waiting.clear()
        self._changed.set()
        for call in list(self.on_down):
            call()


def _go_on() -> None:
    """To be called in loops: the library of Redis may swallow that a task was cancelled."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def end(*tasks: asyncio.Task[None]) -> None:
    """Cancel tasks that talk to Redis, and wait until they have noticed."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=0.1)


def _fail(batch: list[_Sent]) -> None:
    for each in batch:
        if each.done is not None and not each.done.done():
            each.done.set_exception(LinkDownError("Redis is away."))
            each.done.exception()  # whoever asked may be gone
