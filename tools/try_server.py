"""Two people and a bot at a table of a server that runs: python tools/try_server.py ADDRESS.

Stands alone, so that it runs in an environment that has nothing but the wheel and the extra ``server``.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

Json = dict[str, Any]
SECONDS = 60


class Person:
    """Somebody with a cookie, and with a place at the table."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self.state: Json = {}
        self.socket: ClientConnection

    async def post(self, path: str, wanted: Json) -> Json:
        answer = (await self.http.post(path, json=wanted)).raise_for_status()
        found: Json = answer.json()
        return found

    async def sit_down(self, address: str, table: str) -> None:
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        place = f"{address.replace('http', 'ws', 1)}/api/tables/{table}/ws?states=full"
        self.socket = await connect(place, additional_headers={"Cookie": cookies})
        await self.until(lambda state: state["status"] == "playing")

    async def until(self, fits: Callable[[Json], bool]) -> None:
        """Wait for a state that is so."""
        while not (self.state and fits(self.state)):
            message = json.loads(await self.socket.recv())
            if message["type"] == "error":
                sys.exit(f"the server refuses: {message}")
            if message["type"] == "state":
                self.state = message


async def play(address: str) -> str:
    """A table is made, joined and started over HTTP; the first decision of a person goes over the WebSocket."""
    async with httpx.AsyncClient(base_url=address) as one, httpx.AsyncClient(base_url=address) as other:
        anna, boris = Person(one), Person(other)
        seats = [{"kind": kind} for kind in ("me", "open", "open")]
        table = (await anna.post("/api/tables", {"ruleset": {"players": 3}, "seats": seats}))["table"]
        await boris.post(f"/api/tables/{table}/join", {})
        started = await anna.post(f"/api/tables/{table}/start", {"level": "easy"})
        if started["status"] != "playing":
            sys.exit(f"the table did not start: {started}")
        for person in (anna, boris):
            await person.sit_down(address, table)
        people = {person.state["you"]: person for person in (anna, boris)}
        await anna.until(lambda state: state["to_move"] in people)  # the bot may begin
        seat = anna.state["to_move"]
        mover = people[seat]
        await mover.until(lambda state: state["to_move"] == seat)
        action: str = mover.state["choices"][0]["action"]
        await mover.socket.send(json.dumps({"type": "act", "version": mover.state["version"], "action": action}))
        for person in (anna, boris):
            await person.until(lambda state: state["to_move"] != seat)
            told = (await person.http.get(f"/api/tables/{table}/log")).raise_for_status().json()
            if not any(line["seat"] == seat for line in told):
                sys.exit(f"a player is not told of the move: {told}")
            await person.socket.close()
    return action


def main() -> None:
    """Say what was played."""
    action = asyncio.run(asyncio.wait_for(play(sys.argv[1].rstrip("/")), SECONDS))
    print(f"two people and a bot sat down, and one of them moved: {action}")


if __name__ == "__main__":
    main()
