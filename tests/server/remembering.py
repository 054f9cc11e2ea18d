"""People who play on, whatever happens to the server, and remember what was acknowledged to them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sqlite3
from collections import Counter
from contextlib import AsyncExitStack
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from nevsky.record import from_dict
from tests.server.support import Json

PATIENCE = 30.0
PASSING = {"serial", "chat", "rematch", "auto_pass", "question"}
"""Fields of a state that may change while its version stays."""
PASSING_OF_PLAYERS = {"connected", "away", "clock_seconds"}


class BrokenOffError(Exception):
    """The server went away before it answered."""


class Guest:
    """A cookie, and the name that was acknowledged."""

    def __init__(self, cookie: str, name: str) -> None:
        self.headers = {"Cookie": cookie}
        self.name = name


class Seat:
    """One seat of a table: a player who chooses at random, takes back and chats."""

    def __init__(self, club: Club, made: Json, guest: Guest, alone: bool) -> None:
        self.club = club
        self.table: str = made["table"]
        self.number: int = made["seat"]
        self.token: str = made["seat_token"]
        self.guest = guest
        self.alone = alone
        """Nobody else decides, so that a higher version always tells of an own decision."""
        self.rng = random.Random(club.rng.random())
        self.moves: dict[int, str | None] = {}
        """What was acknowledged, by number; None took back."""
        self.said: dict[str, bool] = {}
        """Lines of chat, and whether they came back."""
        self.seen = 0
        self.picture: Json = {}
        self.final: Json = {}

    async def play(self) -> None:
        """Until the game is over."""
        address = f"ws://127.0.0.1:{self.club.port}/api/tables/{self.table}/ws?states=full&seat={self.token}"
        while not self.final:
            await self.club.up.wait()
            with contextlib.suppress(OSError, WebSocketException, TimeoutError, BrokenOffError):
                async with connect(address, proxy=None, open_timeout=PATIENCE, ping_interval=None) as socket:
                    await self.converse(socket)
            await asyncio.sleep(0.01)

    async def converse(self, socket: ClientConnection) -> None:
        decided: tuple[int, str | None] | None = None
        while not self.final:
            async with asyncio.timeout(PATIENCE):
                message = json.loads(await socket.recv())
            if message["type"] == "error":
                assert message["code"] in ("shutting_down", "stale"), message
                decided = None
                continue
            if message["type"] == "pong" and decided is not None and decided[1] is None:
                self.acknowledge(*decided)
                decided = None
            if message["type"] != "state":
                continue
            self.learn(message)
            if decided is not None and decided[1] is not None and message["version"] > decided[0]:
                self.acknowledge(*decided)
                decided = None
            if decided is None:
                decided = await self.decide(socket, message)
            if self.rng.random() < 0.03:
                await self.say(socket)

    def acknowledge(self, version: int, action: str | None) -> None:
        self.moves[version + 1] = action
        self.club.counted["moves" if action else "taken back"] += 1

    async def decide(self, socket: ClientConnection, state: Json) -> tuple[int, str | None] | None:
        version = state["version"]
        if self.alone and state["can_undo"] and self.rng.random() < 0.1:
            # a bot may be faster: only the answer to a later message tells that it was not refused
            await socket.send(json.dumps({"type": "undo", "version": version}))
            await socket.send('{"type": "ping"}')
            return version, None
        if state["to_move"] != self.number or not state["choices"]:
            return None
        action = self.rng.choice(state["choices"])["action"]
        await socket.send(json.dumps({"type": "act", "version": version, "action": action}))
        return version, action

    async def say(self, socket: ClientConnection) -> None:
        text = f"{self.number} {len(self.said)}"
        self.said[text] = False
        await socket.send(json.dumps({"type": "chat", "text": text}))

    def learn(self, state: Json) -> None:
        version = state["version"]
        assert version >= self.seen, f"{self.table}: version {version} after {self.seen}: an acknowledged move is lost"
        picture = {key: value for key, value in state.items() if key not in PASSING}
        picture["players"] = [
            {key: value for key, value in player.items() if key not in PASSING_OF_PLAYERS}
            for player in state["players"]
        ]
        if version == self.seen and self.picture:
            assert picture == self.picture, f"{self.table}: version {version} looks different"
        self.seen, self.picture = version, picture
        self.club.counted["states"] += 1
        lines = {line["text"] for line in state["chat"]}
        for text in self.said:
            if not self.said[text] and text in lines:
                self.said[text] = True
                self.club.counted["lines of chat"] += 1
        if state["status"] == "over":
            self.final = {"winners": state["winners"], "version": version}

    def check(self, database: sqlite3.Connection, log: list[tuple[int, int, str | None]], chat: list[str]) -> None:
        """Nothing that was acknowledged is missing, and nothing was done twice."""
        assert len(log) >= self.seen
        for number, action in self.moves.items():
            assert log[number - 1] == (number, self.number, action), (self.table, number)
        assert [text for text in chat if text in self.said] == [text for text in self.said if text in chat]
        assert all(text in chat for text, back in self.said.items() if back)
        query = "SELECT token, name FROM seats WHERE table_id = ? AND seat = ?"
        found = database.execute(query, (self.table, self.number)).fetchone()
        assert found == (self.token, self.guest.name)


class Club:
    """Everybody who plays, and all that they know."""

    def __init__(self, port: int, seed: int) -> None:
        self.port = port
        self.rng = random.Random(seed)
        self.up = asyncio.Event()
        """The server listens."""
        self.closing = False
        """Games are played to their end, and no new ones begin."""
        self.counted: Counter[str] = Counter()
        self.playing: dict[str, list[Seat]] = {}
        self.logs: dict[str, list[tuple[int, int, str | None]]] = {}
        self.finished: dict[str, Json] = {}
        self.left: set[str] = set()
        self.guests: list[Guest] = []
        self._http: httpx.AsyncClient

    async def run(self, tables: int) -> None:
        """Play at so many tables until told to close."""
        async with AsyncExitStack() as stack:
            no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
            self._http = await stack.enter_async_context(
                httpx.AsyncClient(
                    base_url=f"http://127.0.0.1:{self.port}/api", timeout=PATIENCE, trust_env=False, cookies=no_cookies
                )
            )
            async with asyncio.TaskGroup() as group:
                for _ in range(tables):
                    group.create_task(self.keep_playing())
                group.create_task(self.come_and_go())

    async def once(self, method: str, path: str, guest: Guest | None, body: Any = None) -> httpx.Response:
        await self.up.wait()
        try:
            answer = await self._http.request(method, path, json=body, headers=guest.headers if guest else {})
        except httpx.TransportError as error:
            await asyncio.sleep(0.01)
            raise BrokenOffError from error
        if answer.status_code == 503:
            await asyncio.sleep(0.01)
            raise BrokenOffError
        return answer

    async def ask(self, method: str, path: str, guest: Guest | None, body: Any = None) -> httpx.Response:
        """Ask until there is an answer."""
        while True:
            with contextlib.suppress(BrokenOffError):
                answer = await self.once(method, path, guest, body)
                assert answer.status_code < 300, (method, path, answer.text)
                return answer

    async def new_guest(self) -> Guest:
        answer = await self.ask("GET", "/me", None)
        guest = Guest(answer.headers["set-cookie"].partition(";")[0], answer.json()["name"])
        self.guests.append(guest)
        return guest

    async def keep_playing(self) -> None:
        """One game after the other, some of them with the same people once more."""
        again: list[Seat] = []
        while not self.closing:
            seats = await (self.rematch(again) if again else self.sit_down())
            table = seats[0].table
            self.playing[table] = seats
            async with asyncio.TaskGroup() as group:
                for seat in seats:
                    group.create_task(seat.play())
            record = (await self.ask("GET", f"/tables/{table}/record", seats[0].guest)).json()
            game = from_dict(record)
            assert game.over
            assert game.result is not None
            assert all(seat.final["winners"] == list(game.result.winners) for seat in seats)
            self.finished[table] = seats[0].final
            self.counted["games"] += 1
            again = seats if self.rng.random() < 0.4 else []

    async def sit_down(self) -> list[Seat]:
        people, bots = self.rng.choice([(1, 1), (1, 2), (2, 0), (2, 1), (3, 0)])
        kinds = [{"kind": "me"}, *[{"kind": "open"}] * (people - 1), *[{"kind": "bot", "level": "easy"}] * bots]
        ruleset = {"players": len(kinds), "market": self.rng.random() < 0.3}
        wanted = {"ruleset": ruleset, "seats": kinds, "public": True, "pace": "none"}
        guests = [await self.new_guest() for _ in range(people)]
        made = [(await self.ask("POST", "/tables", guests[0], wanted)).json()]
        for guest in guests[1:]:
            made.append((await self.ask("POST", f"/tables/{made[0]['table']}/join", guest)).json())
        self.counted["tables"] += 1
        return [Seat(self, *each, alone=people == 1) for each in zip(made, guests, strict=True)]

    async def rematch(self, seats: list[Seat]) -> list[Seat]:
        old, made = seats[0].table, []
        for seat in seats:
            made.append((await self.ask("POST", f"/tables/{old}/rematch", seat.guest)).json())
        assert len({each["table"] for each in made}) == 1
        self.counted["rematches"] += 1
        return [Seat(self, each, seat.guest, seat.alone) for each, seat in zip(made, seats, strict=True)]

    async def come_and_go(self) -> None:
        """Somebody who takes another name, opens a table and leaves it."""
        guest = await self.new_guest()
        self.guests.remove(guest)
        wanted = {"ruleset": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "open"}], "public": True}
        while not self.closing:
            name = f"Guest {self.rng.randrange(10**6)}"
            await self.ask("PUT", "/me", guest, {"name": name})
            table = (await self.ask("POST", "/tables", guest, wanted)).json()["table"]
            assert (await self.ask("GET", "/me", guest)).json()["name"] == name
            assert (await self.ask("GET", f"/tables/{table}", guest)).json()["names"] == [name, None]
            with contextlib.suppress(BrokenOffError):
                assert (await self.once("POST", f"/tables/{table}/leave", guest)).status_code == 204
                self.left.add(table)
                self.counted["left"] += 1
            await asyncio.sleep(0.05)

    def check(self, path: Path) -> None:
        """Compare what everybody remembers with the database; the server is running, or has been ended."""
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            for table, seats in list(self.playing.items()):
                query = "SELECT number, seat, action FROM log WHERE table_id = ? ORDER BY number"
                log = database.execute(query, (table,)).fetchall()
                assert [number for number, _, _ in log] == list(range(1, len(log) + 1))
                before = self.logs.get(table, [])
                assert log[: len(before)] == before, f"the log of {table} was changed"
                self.logs[table] = log
                query = "SELECT text FROM chat WHERE table_id = ? ORDER BY id"
                chat = [text for (text,) in database.execute(query, (table,))]
                for seat in seats:
                    seat.check(database, log, chat)
                if table in self.finished:
                    self.check_finished(database, table, len(log))
                    del self.playing[table], self.logs[table]
            for table in self.left:
                assert not database.execute("SELECT 1 FROM tables WHERE id = ?", (table,)).fetchone()
            self.left.clear()

    def check_finished(self, database: sqlite3.Connection, table: str, entries: int) -> None:
        row = database.execute("SELECT status, winners FROM tables WHERE id = ?", (table,)).fetchone()
        assert row[0] == "over"
        assert json.loads(row[1]) == self.finished[table]["winners"]
        assert entries == self.finished[table]["version"]

    def check_all_finished(self, path: Path) -> None:
        """At the very end: every game that was ever finished still is, and the file is sound."""
        with contextlib.closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert database.execute("PRAGMA foreign_key_check").fetchall() == []
            counts = dict(database.execute("SELECT table_id, count(*) FROM log GROUP BY table_id"))
            for table in self.finished:
                self.check_finished(database, table, counts[table])
            names = Counter(name for (name,) in database.execute("SELECT name FROM guests"))
            assert not Counter(guest.name for guest in self.guests) - names
