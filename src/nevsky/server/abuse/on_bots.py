"""Attacks on those who think: hints, tables of strong bots, reviews of finished games."""

from __future__ import annotations

import asyncio
import json
from typing import Final

from nevsky.server.abuse.scene import ATTACKER, Attack, Request, Scene, address

__all__ = ["ATTACKS"]

_FINISHED: Final = ("replay", "race", "log", "record", "replay?step=40", "replay?step=9999&seat=1&language=de")


async def _hints(scene: Scene) -> None:
    cookie = await scene.guest(ATTACKER)

    async def one() -> None:
        made = await scene.create(ATTACKER, cookie, "me easy")
        if made:
            await scene.flooding(made["table"], cookie, lambda _: {"type": "hint", "version": 0}, 0.1)

    await scene.for_a_while(one() for _ in range(scene.number(10)))


async def _masters(scene: Scene) -> None:
    for _ in range(scene.number(100)):
        await scene.create(ATTACKER, "", "master master master master")
    await asyncio.sleep(scene.seconds)


async def _watched_masters(scene: Scene) -> None:
    async def one() -> None:
        made = await scene.create(ATTACKER, "", "master master master master")
        if made:
            async with scene.socket(ATTACKER, made["table"]) as socket:
                await scene.listen(socket)

    await scene.for_a_while(one() for _ in range(scene.number(60)))


async def _replays(scene: Scene) -> None:
    """A game of five bots is played to its end; then everything that can be asked about it is asked for."""
    cookie = await scene.guest(address(100))
    made = await scene.create(address(100), cookie, "easy easy easy easy easy")
    async with asyncio.timeout(120), scene.socket(address(100), made["table"], cookie, "?states=full") as socket:
        async for text in socket:
            if json.loads(text).get("status") == "over":
                break
    finished = f"/api/tables/{made['table']}"
    await scene.asking(40, lambda number: Request("GET", f"{finished}/{_FINISHED[number % len(_FINISHED)]}"))


ATTACKS: Final = {
    "hints": Attack("10 sockets ask for hints without end", _hints),
    "masters": Attack("100 tables of four masters, made without a cookie", _masters),
    "watched_masters": Attack("60 tables of four masters, watched", _watched_masters),
    "replays": Attack("40 at once ask for replays, races, logs and records of a finished game", _replays, quick=True),
}
