"""Attacks through WebSockets and tables: floods, spectators, files, the lobby, races."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from typing import Final

from nevsky.server.abuse.scene import ATTACKER, Attack, Scene, address
from nevsky.server.load_server import BROKEN

__all__ = ["ATTACKS"]

_LANGUAGES: Final = ("en", "de", "fr", "it")


async def _ping_cost(scene: Scene, table: str) -> float:
    """Processor time of a ping, in milliseconds: 20 people at addresses of their own send 40 each."""
    async with contextlib.AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(scene.socket(address(1000 + number), table)) for number in range(20)]
        await asyncio.sleep(0.3)
        before = scene.server.processor_seconds()
        for socket in sockets:
            for _ in range(40):
                await socket.send('{"type":"ping"}')
        waiting = 20 * 40
        async with asyncio.timeout(30):
            for socket in sockets:
                pongs = 0
                while pongs < 40:
                    pongs += '"pong"' in str(await socket.recv())
                    waiting -= 1
        return (scene.server.processor_seconds() - before) / 800 * 1000


async def _connections(scene: Scene) -> None:
    """They come from 200 addresses, so that none has too many; each looks at a table and pings once."""
    table = (await scene.create(address(99), "", "me open"))["table"]
    before = await _ping_cost(scene, table)
    memory = scene.server.memory()
    numbers = iter(range(scene.number(20_000)))
    ping = b"\x81\x8f\0\0\0\0" + b'{"type":"ping"}'

    async def come_and_go() -> None:
        for number in numbers:
            try:
                async with scene.raw(address(2000 + number % 200)) as (reader, writer):
                    await scene.upgrade(reader, writer, table)
                    writer.write(ping)
                    async with asyncio.timeout(30):
                        await reader.readuntil(b'"pong"')
                scene.answers["pong"] += 1
            except (*BROKEN, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
                scene.answers["broken"] += 1

    await asyncio.gather(*(come_and_go() for _ in range(20)))
    await asyncio.sleep(1)
    scene.found |= {
        "ping_cpu_ms": [round(before, 2), round(await _ping_cost(scene, table), 2)],
        "kb_per_connection": round((scene.server.memory() - memory) / scene.number(20_000), 2),
    }


async def _refused(scene: Scene) -> None:
    cookie = await scene.guest(ATTACKER)
    made = await scene.create(ATTACKER, cookie, "me open")
    if not made:
        return
    wrong = ({"type": "act", "version": 0, "action": "pass"}, {"type": "undo", "version": 7}, {"type": "nonsense"}, "{")
    await scene.for_a_while(
        scene.flooding(made["table"], cookie, lambda number: wrong[number % len(wrong)])
        for _ in range(scene.number(24))
    )


async def _chat(scene: Scene) -> None:
    cookie = await scene.guest(ATTACKER)
    made = await scene.create(ATTACKER, cookie, "me open")
    if made:
        say = {"type": "chat", "text": "x" * 300}
        await scene.for_a_while(
            scene.flooding(made["table"], cookie, lambda _: say, 0.01) for _ in range(scene.number(24))
        )


async def _screens(scene: Scene) -> None:
    cookie = await scene.guest(ATTACKER)
    made = await scene.create(ATTACKER, cookie, "me easy easy easy easy")
    if made:
        await scene.for_a_while(
            scene.flooding(
                made["table"], cookie, lambda number: {"type": "language", "language": _LANGUAGES[number % 4]}, 0.05
            )
            for _ in range(scene.number(24))
        )


async def _spectators(scene: Scene) -> None:
    """They stay while the player, who has not come before, wants in."""
    owner = address(90)
    cookie = await scene.guest(owner)
    made = await scene.create(owner, cookie, "me easy")
    inside = 0

    async def watch() -> None:
        nonlocal inside
        async with scene.socket(ATTACKER, made["table"]) as socket:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(30):
                    message = json.loads(await socket.recv())
                scene.answers[message.get("code", message["type"])] += 1
                inside += message["type"] == "state"
                await scene.listen(socket)

    async def want_in() -> None:
        until = time.perf_counter() + scene.seconds / 2
        while inside < scene.number(300) and time.perf_counter() < until:
            await asyncio.sleep(0.05)
        tries = []
        for _ in range(10):
            async with scene.socket(owner, made["table"], cookie) as socket:
                async with asyncio.timeout(30):
                    message = json.loads(await socket.recv())
                tries.append(message["type"] == "state" and message["you"] == 0)
        scene.found |= {"spectators": inside, "player_let_in": f"{sum(tries)} of {len(tries)}"}

    await scene.for_a_while([want_in(), *(watch() for _ in range(scene.number(300)))])


async def _files(scene: Scene) -> None:
    await _hold_sockets(scene, [ATTACKER])


async def _addresses(scene: Scene) -> None:
    await _hold_sockets(scene, [address(5000 + number) for number in range(30)])


async def _hold_sockets(scene: Scene, sources: list[str]) -> None:
    """They hold on to whatever they are given at five tables; meanwhile strangers come to look at the first."""
    tables = [(await scene.create(address(99), "", "me open"))["table"] for _ in range(5)]
    until = time.perf_counter() + scene.seconds
    health: list[bool] = []
    strangers: list[bool] = []
    some = asyncio.Semaphore(50)

    async def one(source: str, table: str) -> None:
        try:
            async with contextlib.AsyncExitStack() as stack:
                async with some, asyncio.timeout(max(0.1, until - time.perf_counter())):
                    reader, writer = await stack.enter_async_context(scene.raw(source))
                    writer.write(scene.handshake(table))
                    answer = await reader.readuntil(b"\r\n")
                    scene.answers[answer.split(b" ")[1].decode()] += 1
                async with asyncio.timeout(max(0.1, until - time.perf_counter())):
                    await reader.read(-1)
        except (*BROKEN, asyncio.IncompleteReadError):
            scene.answers["broken"] += 1
        except TimeoutError:
            pass

    async def look() -> None:
        number = 0
        while time.perf_counter() < until:
            number += 1
            try:
                async with asyncio.timeout(2):
                    health.append((await scene.ask("127.0.0.1", "GET", "/health")).status == 200)
            except TimeoutError:
                health.append(False)
            strangers.append(await come_in(address(6000 + number)))
            await asyncio.sleep(0.2)

    async def come_in(source: str) -> bool:
        with contextlib.suppress(*BROKEN, TimeoutError):
            async with asyncio.timeout(5), scene.socket(source, tables[0]) as socket:
                return bool(json.loads(await socket.recv())["type"] == "state")
        return False

    sockets = (one(sources[number % len(sources)], tables[number % 7 % 5]) for number in range(scene.number(1100)))
    await asyncio.gather(look(), *sockets)
    scene.found |= {
        "health": f"{sum(health)} of {len(health)}",
        "strangers_let_in": f"{sum(strangers)} of {len(strangers)}",
    }


async def _lobby(scene: Scene) -> None:
    owner = address(90)
    honest = await scene.create(owner, await scene.guest(owner), "me open", public=True)
    cookies = [await scene.guest(ATTACKER) for _ in range(3)]
    for number in range(scene.number(70)):
        await scene.create(ATTACKER, cookies[number % 3], "me open", public=True)
    listed = json.loads((await scene.ask(address(91), "GET", "/api/tables")).text)["tables"]
    scene.found |= {"listed": len(listed), "honest_one_listed": honest["table"] in [each["table"] for each in listed]}
    await asyncio.sleep(scene.seconds / 2)


async def _race(scene: Scene) -> None:
    """One leaves and the other joins at the same time; whoever is given a seat must have a table."""
    lies = 0
    for number in range(scene.number(150)):
        source = address(4000 + number // 8)
        if number % 8 == 0:
            one, other = await scene.guest(source), await scene.guest(source)
        made = await scene.create(source, one, "me open")
        path = f"/api/tables/{made['table']}"
        _, joined = await asyncio.gather(
            scene.ask(source, "POST", f"{path}/leave", None, one),
            scene.ask(source, "POST", f"{path}/join", {"seat": 1}, other),
        )
        scene.answers[joined.code] += 1
        if joined.status == 200:
            lies += (await scene.ask(source, "GET", path, None, other)).status != 200
    scene.found["seats_at_no_table"] = f"{lies} of {scene.number(150)}"


ATTACKS: Final = {
    "connections": Attack("20,000 connections opened and closed", _connections),
    "refused": Attack("24 sockets flood their own table with refused messages", _refused),
    "chat": Attack("24 sockets flood the chat of their own table", _chat),
    "screens": Attack("24 sockets change the language of their own table without end", _screens),
    "spectators": Attack("300 spectators, and a player who wants in", _spectators),
    "files": Attack("1,100 sockets where 1,024 files may be open", _files, files=1024),
    "addresses": Attack("1,100 sockets from 30 addresses where 1,024 files may be open", _addresses, files=1024),
    "lobby": Attack("70 public tables against one honest one", _lobby),
    "race": Attack("150 times one leaves and another joins at once", _race),
}
