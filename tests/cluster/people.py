"""People at tables: they play, take back, chat, resign, ask for hints, watch, come and go, whatever the servers do."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Sequence
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from tests.cluster.conversation import PATIENCE, Conversation, SilentError
from tests.cluster.history import Asked, History

__all__ = ["Club"]

Json = dict[str, Any]
CONNECTING = {"proxy": None, "open_timeout": 4, "close_timeout": 1, "ping_interval": None, "compression": None}
BREAKS = (OSError, WebSocketException, SilentError, TimeoutError)
QUIET = 10.0
"""Seconds in which nothing has to come from a table where others decide."""
PARTIES = ((1, 1), (1, 2), (2, 0), (2, 0), (2, 1), (3, 0))
"""People and bots."""
RULES: tuple[Json, ...] = (
    {},
    {},
    {"edition": "first"},
    {"market": True},
    {"modules": [5], "market": True},
    {"modules": [6], "market": True},
)
MOVED = 4421


class Guest:
    """Somebody with a cookie, who comes from an address of their own."""

    def __init__(self, cookie: str, address: str) -> None:
        self.headers = {"Cookie": cookie, "X-Forwarded-For": address}


class Club:
    """Everybody who plays, at any of several servers."""

    def __init__(self, ports: Sequence[int], history: History, seed: int, pause: float) -> None:
        self.ports = list(ports)
        self.history = history
        self.rng = random.Random(seed)
        self.pause = pause
        """Seconds that people think about a move on average."""
        self.closing = False
        """No new games begin, and those that go on are left."""
        self.tables: dict[str, float] = {}
        """Where people play now, and since when."""
        no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        self._http = httpx.AsyncClient(timeout=8, trust_env=False, cookies=no_cookies)

    async def run(self, tables: int, spectators: int = 2) -> None:
        """Until it is closed."""
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(tables):
                    group.create_task(self._party())
                for _ in range(spectators):
                    group.create_task(self._watch())
                group.create_task(self._come_and_go())
        finally:
            await self._http.aclose()

    def address(self) -> str:
        """Any server, as a proxy would choose one."""
        return f"127.0.0.1:{self.rng.choice(self.ports)}"

    def home(self) -> str:
        """Where somebody lives, as a proxy would tell: servers treat everybody fairly by their addresses."""
        return ".".join(str(self.rng.randrange(1, 255)) for _ in range(4))

    async def ask(self, method: str, path: str, guest: Guest | None, body: Any = None, fine: Sequence[int] = ()) -> Any:
        """Ask until there is an answer; None if it is one of those that are fine too, or if everything closes."""
        again = False
        while not self.closing:
            headers = guest.headers if guest else {"X-Forwarded-For": self.home()}
            try:
                answer = await self._http.request(
                    method, f"http://{self.address()}/api{path}", json=body, headers=headers
                )
            except httpx.TransportError:
                answer = None
            if answer is not None and answer.status_code not in (502, 503, 504):
                if answer.status_code < 300:
                    return answer
                assert again and answer.status_code in fine, (method, path, answer.status_code, answer.text)
                return None
            self.history.counted["requests once more"] += 1
            again = True
            await asyncio.sleep(self.rng.uniform(0.2, 0.8))
        return None

    async def _guest(self) -> Guest | None:
        answer = await self.ask("GET", "/me", None)
        return Guest(answer.headers["set-cookie"].partition(";")[0], self.home()) if answer else None

    async def _party(self) -> None:
        """The same people at one table after the other."""
        people: list[tuple[Guest, Json]] = []
        await asyncio.sleep(self.rng.random() * self.pause)
        while not self.closing:
            people = await (self._rematch(people) if people and self.rng.random() < 0.4 else self._sit_down())
            if not people:
                return
            table = people[0][1]["table"]
            for _, made in people:
                self.history.seats[table, made["seat"]] = made["seat_token"]
            self.tables[table] = time.monotonic()
            try:
                async with asyncio.TaskGroup() as group:
                    for _, made in people:
                        group.create_task(Player(self, table, made["seat"], made["seat_token"]).play())
            finally:
                del self.tables[table]
            self.history.counted["games"] += 1

    async def _sit_down(self) -> list[tuple[Guest, Json]]:
        humans, bots = self.rng.choice(PARTIES)
        kinds = [{"kind": "me"}, *[{"kind": "open"}] * (humans - 1), *[{"kind": "bot", "level": "easy"}] * bots]
        ruleset = {"players": len(kinds), **self.rng.choice(RULES)}
        pace = self.rng.choice(("none", "none", "live"))
        wanted = {"ruleset": ruleset, "seats": kinds, "public": self.rng.random() < 0.5, "pace": pace}
        guests = [await self._guest() for _ in range(humans)]
        made = await self.ask("POST", "/tables", guests[0], wanted)
        if made is None:
            return []
        found = [made.json()]
        for guest in guests[1:]:
            joined = await self.ask("POST", f"/tables/{found[0]['table']}/join", guest)
            if joined is None:
                return []
            found.append(joined.json())
        return [(guest, each) for guest, each in zip(guests, found, strict=True) if guest is not None]

    async def _rematch(self, people: list[tuple[Guest, Json]]) -> list[tuple[Guest, Json]]:
        old = people[0][1]["table"]
        answers = await asyncio.gather(*(self.ask("POST", f"/tables/{old}/rematch", guest) for guest, _ in people))
        made = [answer.json() for answer in answers if answer is not None]
        self.history.rematches[old] |= {each["table"] for each in made}
        if len(made) < len(people):
            return []
        self.history.counted["rematches"] += 1
        return [(guest, each) for (guest, _), each in zip(people, made, strict=True)]

    async def _watch(self) -> None:
        """Look at one table after the other."""
        guest = await self._guest()
        while not self.closing and guest is not None:
            if not self.tables:
                await asyncio.sleep(0.1)
                continue
            table = self.rng.choice(list(self.tables))
            spectator = Player(self, table, None, None)
            with contextlib.suppress(*BREAKS):
                async with asyncio.timeout(self.rng.uniform(1, 6)):
                    await spectator.visit(guest.headers)
            await asyncio.sleep(0.1)

    async def _come_and_go(self) -> None:
        """Two people who open a table and leave it again."""
        anna, boris = await self._guest(), await self._guest()
        wanted = {"ruleset": {"players": 3}, "seats": [{"kind": "me"}] + [{"kind": "open"}] * 2, "public": True}
        while not self.closing:
            made = await self.ask("POST", "/tables", anna, wanted)
            if made is None:
                return
            table = made.json()["table"]
            self.history.left.add(table)
            joined = await self.ask("POST", f"/tables/{table}/join", boris)
            gone = [
                await self.ask("POST", f"/tables/{table}/leave", guest, fine=(403, 404, 422)) for guest in (boris, anna)
            ]
            if joined is not None and all(gone):
                self.history.gone.add(table)
                self.history.counted["left"] += 1
            await asyncio.sleep(self.pause * 3)


class Player:
    """One seat of a table."""

    def __init__(self, club: Club, table: str, seat: int | None, token: str | None) -> None:
        self.club = club
        self.history = club.history
        self.table = table
        self.seat = seat
        self.token = token
        self.rng = random.Random(club.rng.random())
        self.home = club.home()
        self.over = False
        self._decided = -1
        self._due: float | None = None

    async def play(self) -> None:
        """Until the game is over, over as many connections as it takes."""
        while not self.over and not self.club.closing:
            wait = self.rng.uniform(0.4, 1.0)
            try:
                await self.visit({"X-Forwarded-For": self.home})
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else 1006
                self.history.counted[f"closed {code}"] += 1
                assert code in (1000, 1005, 1006, 1011, 1012, 1013, MOVED), (self.table, self.seat, closed)
                if code == MOVED:
                    wait = self.rng.random()
            except BREAKS as error:
                self.history.counted[f"broke {type(error).__name__}"] += 1
            if not self.over and not self.club.closing:
                await asyncio.sleep(wait)

    async def visit(self, headers: dict[str, str]) -> None:
        """One connection."""
        token = "" if self.token is None else f"&seat={self.token}"
        address = f"ws://{self.club.address()}/api/tables/{self.table}/ws?states=patches{token}"
        async with connect(address, additional_headers=headers, **CONNECTING) as socket:  # type: ignore[arg-type]
            self._due = None
            await self._converse(Conversation(self.history, (self.table, self.seat), socket))

    async def _converse(self, talk: Conversation) -> None:
        while not self.club.closing:
            now = time.monotonic()
            limit = PATIENCE if talk.waiting or not talk.state else QUIET if self._due is None else self._due - now
            try:
                await talk.receive(max(0.0, limit))
            except SilentError:
                if talk.waiting or not talk.state:
                    raise
                if self._due is None:
                    await talk.ping()
                    continue
            if not talk.state:
                continue
            if talk.state["status"] == "over":
                self.over = True
                return
            await self._think(talk)

    async def _think(self, talk: Conversation) -> None:
        state = talk.state
        if state["status"] != "playing" or talk.waiting or state["version"] <= talk.done:
            return
        if self.seat is None:
            if self.rng.random() < 0.01:
                await self._say(talk)
            return
        own = state["players"][self.seat]
        asked = state["to_move"] == self.seat and bool(state["choices"]) and not own["away"] and not own["resigned"]
        if not asked:
            self._due = None
            if state["can_undo"] and self.rng.random() < 0.03:
                await talk.ask(Asked("undo", self.table, self.seat, state["version"]), version=state["version"])
            elif self.rng.random() < 0.01:
                await self._say(talk)
            return
        if self._due is None:
            self._due = time.monotonic() + self.rng.uniform(0, 2 * self.club.pause)
        elif time.monotonic() >= self._due:
            self._due = None
            await self._decide(talk)

    async def _decide(self, talk: Conversation) -> None:
        state, chance = talk.state, self.rng.random()
        version = state["version"]
        if chance < 0.02 and self._decided != version:
            self._decided = version
            await talk.ask(Asked("hint", self.table, self.seat, version), version=version)
        elif chance < 0.05 and state["can_undo"]:
            await talk.ask(Asked("undo", self.table, self.seat, version), version=version)
        elif chance < 0.07:
            await self._say(talk)
        elif chance < 0.072 and sum(player["bot"] is None for player in state["players"]) > 1:
            await talk.ask(Asked("resign", self.table, self.seat))
        elif chance < 0.09 and state["may_pass"] and state["auto_pass"] == "off":
            await talk.ask(Asked("auto_pass", self.table, self.seat), until="change")
        else:
            action = self.rng.choice(state["choices"])["action"]
            await talk.ask(Asked("act", self.table, self.seat, version, action), version=version, action=action)

    async def _say(self, talk: Conversation) -> None:
        text = f"{self.seat} {self.rng.getrandbits(48):x}"
        await talk.ask(Asked("chat", self.table, self.seat, action=text), text=text)
