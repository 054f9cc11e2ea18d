"""People who do anything at any time, all at once."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
from websockets.exceptions import ConnectionClosed

from nevsky.rules.view import View
from nevsky.server.bot_pool import SeatBot
from tests.server.support import Json, QuickBots, Table, Visitor

if TYPE_CHECKING:
    from tests.server.monkey_world import World

SEATS = ("me open", "me open", "me bot", "me bot bot", "me open bot", "open me open")
PACES = ("none", "none", "live")
MOST_PAGES = 4


class DawdlingBots(QuickBots):
    """Think for a moment, so that something may happen meanwhile."""

    async def decide(self, bot: SeatBot, view: View, history: Callable[[], Any]) -> str:
        await asyncio.sleep(random.random() * 0.01)
        return random.choice(view.legal)


class Said(NamedTuple):
    """A message that was sent, and what the table was like then."""

    kind: str
    version: int
    action: str | None = None


class Page:
    """One WebSocket of somebody, whose messages are read as they come."""

    def __init__(self, world: World, person: Person, name: str, socket: Table) -> None:
        self.world = world
        self.person = person
        self.name = name
        self.socket = socket
        self.said: list[Said] = []
        """What has no answer yet: everything is followed by a ping, and an error comes before its pong."""
        self.errors = 0
        self.reading = asyncio.create_task(self.read())

    @property
    def state(self) -> Json:
        return self.socket.state

    async def read(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                message = await self.socket.receive(3600)  # nothing comes while nothing happens
                if message["type"] == "state":
                    self.world.look(message)
                elif message["type"] == "error":
                    self.errors += 1
                    self.world.counted[f"{message['code']} {message['about']}"] += 1
                    assert message["code"] not in ("broken", "storage", "shutting_down"), message
                elif message["type"] == "pong":
                    self.acknowledge(self.said.pop(0))
                    self.errors = 0

    def acknowledge(self, said: Said) -> None:
        if not self.errors and said.kind in ("act", "undo"):
            self.world.counted[said.kind] += 1
            self.world.moves[self.name][said.version + 1] = (self.state["you"], said.action)

    async def send(self, kind: str, **more: Any) -> None:
        self.said.append(Said(kind, self.state.get("version", -1), more.get("action")))
        await self.socket.send(type=kind, **more)
        await self.socket.send(type="ping")

    async def do_something(self, rng: random.Random) -> None:
        state = self.state
        if not state:
            return
        if self.said and rng.random() < 0.7:
            return  # impatient people do not wait for an answer
        if state["choices"] and rng.random() < 0.9:
            action = rng.choice(state["choices"])["action"]
            await self.send("act", version=state["version"], action=action)
            return
        what = rng.choices(
            ("undo", "chat", "away", "auto_pass", "hint", "refresh", "language", "resign", "end_game", "act"),
            (4, 2, 0.5, 2, 1, 1, 1, 0.05, 0.05, 1),
        )[0]
        more: Json = {
            "undo": {"version": state["version"]},
            "chat": {"text": f"{self.person.number} {next(self.world.numbers)}"},
            "away": {"away": rng.random() < 0.2},
            "auto_pass": {"until": rng.choice(("change", "phase", "off"))},
            "hint": {"version": state["version"]},
            "language": {"language": rng.choice(("en", "de", "fr", "it"))},
            "end_game": {"agree": rng.random() < 0.7},
            "act": {"version": state["version"] - 1, "action": "pass"},
        }.get(what, {})
        await self.send(what, **more)

    async def close(self, abruptly: bool = False) -> None:
        if abruptly:
            self.socket.socket.transport.abort()
        await self.socket.socket.close()
        await self.reading


class Person:
    """Somebody with a cookie, up to three open pages, and seats that were acknowledged."""

    def __init__(self, world: World, number: int, visitor: Visitor) -> None:
        self.world = world
        self.number = number
        self.visitor = visitor
        self.rng = random.Random(world.rng.random())
        self.pages: list[Page] = []

    async def ask(self, method: str, path: str, body: Json | None = None) -> httpx.Response:
        answer = await self.visitor.http.request(method, f"/api/tables{path}", json=body)
        assert answer.status_code < 500, (method, path, answer.text)
        self.world.counted[f"{method} {path.rpartition('/')[2] if '/' in path[1:] else ''} {answer.status_code}"] += 1
        return answer

    async def live(self, steps: int) -> None:
        for _ in range(steps):
            with contextlib.suppress(ConnectionClosed):
                await self.step()
            await asyncio.sleep(self.rng.random() * 0.01)

    async def step(self) -> None:
        self.pages = [page for page in self.pages if not page.reading.done() or page.reading.result()]
        asked = [page for page in self.pages if page.state and page.state["choices"]]
        if asked and self.rng.random() < 0.97:
            await self.rng.choice(asked).do_something(self.rng)
            return
        if self.pages and self.rng.random() < 0.8:
            await self.rng.choice(self.pages).do_something(self.rng)
            await asyncio.sleep(self.rng.random() * 0.02)
            return
        works: list[tuple[Callable[[], Awaitable[None]], float]] = [
            (self.create, 1),
            (self.join, 3),
            (self.open, 2),
            (self.close_page, 1),
            (self.leave, 1),
            (self.rematch, 4),
            (self.delete, 0.2),
            (self.new_link, 0.5),
            (self.look, 1),
            (self.host, 0.5),
        ]
        await self.rng.choices([work for work, _ in works], [weight for _, weight in works])[0]()

    def some_table(self) -> str | None:
        """Mostly one of the newest, so that many meet there."""
        names = self.world.names[-6:] if self.rng.random() < 0.8 else self.world.names
        return self.rng.choice(names) if names else None

    async def create(self) -> None:
        if len(self.world.names) > 3 * self.world.people and self.rng.random() < 0.7:
            return
        made = await self.visitor.create(self.rng.choice(SEATS), pace=self.rng.choice(PACES), public=True)
        self.world.names.append(made["table"])
        await self.open(made["table"])

    async def join(self) -> None:
        name = self.some_table()
        if name is not None and (await self.ask("POST", f"/{name}/join")).status_code == 200:
            self.world.seats[name, self.number] = True
            await self.open(name)

    async def open(self, name: str | None = None) -> None:
        name = name or self.some_table()
        if name is None:
            return
        if len(self.pages) >= MOST_PAGES:
            await self.pages.pop(0).close(abruptly=self.rng.random() < 0.5)
        self.pages.append(Page(self.world, self, name, await self.visitor.open(name)))

    async def close_page(self) -> None:
        if self.pages:
            await self.pages.pop(self.rng.randrange(len(self.pages))).close(abruptly=self.rng.random() < 0.5)

    async def leave(self) -> None:
        name = self.some_table()
        if name is not None:
            self.world.seats.pop((name, self.number), None)  # whatever the answer is
            await self.ask("POST", f"/{name}/leave")

    async def rematch(self) -> None:
        name = self.rng.choice(self.world.over) if self.world.over else None
        if name is None:
            return
        answer = await self.ask("POST", f"/{name}/rematch")
        if answer.status_code == 200:
            made = answer.json()["table"]
            if made not in self.world.rematches[name]:
                self.world.rematches[name].append(made)
                self.world.names.append(made)
            await self.open(made)

    async def delete(self) -> None:
        name = self.some_table()
        if name is not None:
            await self.ask("DELETE", f"/{name}")

    async def new_link(self) -> None:
        name = self.some_table()
        if name is not None:
            await self.ask("POST", f"/{name}/link")

    async def look(self) -> None:
        name = self.some_table()
        if name is not None:
            await self.ask("GET", f"/{name}")

    async def host(self) -> None:
        """Change the seats of an own table, or start it with bots."""
        name = self.some_table()
        if name is None:
            return
        if self.rng.random() < 0.3:
            await self.ask("POST", f"/{name}/start")
            return
        kind = self.rng.choice(({"kind": "open"}, {"kind": "bot"}, {"kind": "reserved", "name": "Clara"}))
        if (await self.ask("PUT", f"/{name}/seats/{self.rng.randrange(3)}", kind)).status_code == 200:
            for each in range(self.world.people):
                self.world.seats.pop((name, each), None)
