"""The way to Redis: in batches, never waited for in vain, and found again by itself."""

from __future__ import annotations

import asyncio
import signal
import time

import pytest

from nevsky.errors import NevskyError
from nevsky.server.metrics import REDIS_UP
from nevsky.server.redis_link import LinkDownError, RedisLink, Script, check_redis, without_password
from tests.server.engines import Redis, free_port
from tests.server.support import run

ADD = Script("return redis.call('INCRBY', KEYS[1], ARGV[1])")


def test_commands_and_scripts_go_there_and_back(redis: str, redis_server: Redis) -> None:
    async def scenario() -> None:
        link = RedisLink(redis)
        with pytest.raises(LinkDownError):
            await link.run("PING")
        link.open()
        assert await link.ready(5)
        assert REDIS_UP._value.get() == 1
        assert await asyncio.gather(*(link.call(ADD, "sum", number) for number in range(1, 101)))
        redis_server.ask("SCRIPT FLUSH")
        assert await link.run("GET", "sum") == b"5050"
        assert await link.call(ADD, "sum", 5) == 5055, "what Redis has forgotten it is told again"
        with pytest.raises(LinkDownError, match="unknown command"):
            await link.run("NONSENSE")
        link.post("SET", "last", "word")
        await link.close()
        assert redis_server.ask("GET last") == b"$4\r\nword\r\n"
        assert REDIS_UP._value.get() == 0
        with pytest.raises(LinkDownError):
            await link.run("PING")

    run(scenario())


def test_a_redis_that_goes_and_comes_is_found_again(redis: str, redis_server: Redis) -> None:
    async def scenario() -> None:
        link = RedisLink(redis)
        seen: list[str] = []
        link.on_up.append(lambda: seen.append("up"))
        link.on_down.append(lambda: seen.append("down"))
        link.open()
        assert await link.ready(5)
        redis_server.kill()
        try:
            with pytest.raises(LinkDownError):
                await link.run("PING")
            assert not link.available
            start = time.monotonic()
            with pytest.raises(LinkDownError):
                await link.run("PING")
            assert time.monotonic() - start < 0.1, "nobody waits for somebody who is away"
        finally:
            redis_server.start()
        assert await link.ready(5)
        assert await link.run("PING")
        redis_server.signal(signal.SIGSTOP)
        try:
            async with asyncio.timeout(4):
                with pytest.raises(LinkDownError):
                    await link.run("PING")
        finally:
            redis_server.signal(signal.SIGCONT)
        assert await link.ready(5)
        assert seen == ["up", "down", "up", "down", "up"]
        await link.close()

    run(scenario())


def test_what_is_no_redis_is_told_in_a_sentence(redis_server: Redis, redis: str) -> None:
    async def scenario() -> None:
        assert await check_redis(redis)
        assert not await check_redis(f"redis://127.0.0.1:{free_port()}"), "it may still come"
        with pytest.raises(NevskyError, match=r"Redis at redis://127.0.0.1:\d+/0 cannot be used: "):
            await check_redis(redis.replace("//", "//anna:hunter2@"))
        server = await asyncio.start_server(_greet, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(NevskyError, match="cannot be used"):
            await check_redis(f"redis://127.0.0.1:{port}")
        server.close()

    async def _greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        await writer.drain()
        writer.close()

    run(scenario())
    assert without_password("redis://anna:hunter2@host:1/0?password=x") == "redis://host:1/0"
