"""The people who do anything at any time, and all that was acknowledged to them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import Counter, defaultdict
from typing import Any

import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed

from nevsky import Ruleset
from nevsky.errors import NevskyError
from nevsky.rules.actions import parse_action
from nevsky.rules.view import View
from nevsky.server.admin.desk import Desk, run_command
from nevsky.server.errors import Refusal
from nevsky.server.match import Match, deal_game
from nevsky.server.schema import STOPPED, Stored, chat, tables
from nevsky.server.storage import Storage
from tests.server.monkeys import Person
from tests.server.remembering import PASSING, PASSING_OF_PLAYERS
from tests.server.support import Json, Server


class World:
    """Everybody, and what they know of each table."""

    def __init__(self, server: Server, people: int, seed: int) -> None:
        self.server = server
        self.people = people
        self.rng = random.Random(seed)
        self.names: list[str] = []
        self.over: list[str] = []
        self.numbers = iter(range(10**9))
        self.counted: Counter[str] = Counter()
        self.shown: dict[str, dict[int, str]] = defaultdict(dict)
        """By table and version what everybody saw."""
        self.moves: dict[str, dict[int, tuple[int | None, str | None]]] = defaultdict(dict)
        """By table and number what was acknowledged."""
        self.words: dict[str, set[str]] = defaultdict(set)
        self.finished: dict[str, list[int]] = {}
        self.seats: dict[tuple[str, int], bool] = {}
        self.rematches: dict[str, list[str]] = defaultdict(list)
        self.persons: list[Person] = []

    async def live(self, steps: int) -> None:
        """Let everybody do so many things, and an operator a few."""
        for number in range(self.people):
            visitor = await self.server.visitor()
            await visitor.http.put("/api/me", json={"name": f"Person {number}"})
            self.persons.append(Person(self, number, visitor))
        for first in range(0, self.people - 1, 2):
            await self.nearly_over(self.persons[first : first + 2])
        operator = asyncio.create_task(self.operate())
        try:
            await asyncio.gather(*(person.live(steps) for person in self.persons))
        finally:
            operator.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await operator

    async def nearly_over(self, pair: list[Person]) -> None:
        """A game of two before its last round or so, so that rematches come soon."""
        made = await pair[0].visitor.create("me open", public=True)
        name = made["table"]
        await pair[1].ask("POST", f"/{name}/join")
        table = await self.server.components.hub.get(name)

        async def move() -> bool:
            assert table.match is not None
            game = table.match.game
            assert game.to_move is not None
            await table.append(game.to_move, self.rng.choice(game.legal_actions), "player")
            return min(table.match.view(None).piles.values()) > 2

        while await table.call(move):
            pass
        self.names.append(name)
        for person in pair:
            await person.open(name)

    async def operate(self) -> None:
        components = self.server.components
        desk = Desk(components.settings, components.storage, components.bans, components.hub, "operator")
        while True:
            await asyncio.sleep(0.2 + self.rng.random() * 0.4)
            if not self.names:
                continue
            name = self.rng.choice(self.names[-8:])
            command = self.rng.choice(("tables.end", "tables.delete", "tables.show", "rename"))
            with contextlib.suppress(NevskyError, Refusal):
                if command == "rename":
                    guests = await run_command(desk, "guests.list", {})
                    guest = self.rng.choice(guests)["id"]  # type: ignore[arg-type]
                    await run_command(desk, "guests.rename", {"guest": guest, "name": f"New {self.rng.randrange(99)}"})
                else:
                    await run_command(desk, command, {"table": name})
                self.counted[command] += 1

    def look(self, state: Json) -> None:
        """Everybody who sees the same version sees the same table."""
        name = state["table"]
        self.counted["states"] += 1
        self.words[name] |= {line["text"] for line in state["chat"]}
        if state["status"] == "open":
            return
        if not state["conceded"]:  # that ends the turn without a move
            picture = _picture_of_state(state)
            before = self.shown[name].setdefault(state["version"], picture)
            assert before == picture, f"{name}: version {state['version']} looks different"
        if state["status"] == "over" and name not in self.finished:
            self.finished[name] = state["winners"]
            self.over.append(name)

    async def settle(self) -> None:
        """Wait until nothing happens any more and everybody has seen it; live clocks may go on."""
        pages = [page for person in self.persons for page in person.pages]
        async with asyncio.timeout(60):
            while any(
                table.mailbox.waiting or (table.bots.thinking and table.row.pace == "none")
                for table in self.server.components.hub._tables.values()
            ):
                await asyncio.sleep(0.02)
            for page in pages:
                with contextlib.suppress(ConnectionClosed):
                    await page.send("refresh")
                while page.said and not page.reading.done():
                    await asyncio.sleep(0.01)
        for page in pages:
            if page.reading.done():
                page.reading.result()

    async def check(self, storage: Storage) -> None:
        """Nothing that was acknowledged is lost, and every version that anybody saw is that of the record."""
        for name in self.names:
            stored = await storage.load(name)
            if stored is not None:
                self._check_game(name, stored)
                said = {row[0] for row in await storage._rows(sa.select(chat.c.text).where(chat.c.table_id == name))}
                assert self.words[name] <= said
        alive = {row[0] for row in await storage._rows(sa.select(tables.c.id).where(tables.c.status.not_in(STOPPED)))}
        for old, made in self.rematches.items():
            assert len(alive & set(made)) <= 1, f"{old} has two rematches"

    async def check_seats(self) -> None:
        """Whoever was given a seat, and did not leave it, still has it if the table is there."""
        for name, number in self.seats:
            answer = await self.persons[number].ask("GET", f"/{name}")
            assert answer.status_code == 404 or answer.json()["you"] is not None, (name, number)

    def _check_game(self, name: str, stored: Stored) -> None:
        assert [entry.number for entry in stored.log] == list(range(1, len(stored.log) + 1))
        for number, (seat, action) in self.moves[name].items():
            entry = stored.log[number - 1]
            assert (entry.seat, entry.action) == (seat, action), (name, number)
        if stored.table.deal is None:
            assert not self.shown[name]
            return
        ruleset = Ruleset.from_dict(stored.table.ruleset)
        match = Match(deal_game(ruleset, stored.table.deal, [place.name or "" for place in stored.seats]))
        seen = self.shown[name]
        assert max(seen, default=0) <= len(stored.log)
        for written in stored.log:
            assert seen.get(match.entries) in (None, _picture_of_view(match.view(None))), (name, match.entries)
            decided = None if written.action is None else parse_action(written.action)
            match.add(written, match.tried(written.seat, decided))
        assert seen.get(match.entries) in (None, _picture_of_view(match.view(None))), (name, match.entries)
        if name in self.finished:
            left = [place for place in stored.seats if not place.resigned]
            assert match.game.over or len(left) == 1
            assert stored.table.status == "over"
            assert stored.table.winners == self.finished[name]

    async def same_after_restart(self, server: Server) -> int:
        """Who comes back after a restart finds what they saw last; how many did."""
        found = 0
        for person in self.persons:
            visitor = await server.visitor()
            visitor.http.cookies = person.visitor.http.cookies
            for page in person.pages:
                if not page.state or page.state["clock"] is not None:
                    continue
                table = await visitor.open(page.name, states="full")
                await table.receive()
                assert _lasting(table.state) == _lasting(page.state), page.name
                await table.socket.close()
                found += 1
        return found


def _lasting(state: Json) -> str:
    """What stays while nobody does anything."""
    kept = {key: value for key, value in state.items() if key not in PASSING | {"log", "choices", "phases", "paused"}}
    kept["players"] = [
        {key: value for key, value in player.items() if key not in PASSING_OF_PLAYERS} for player in state["players"]
    ]
    kept["choices"] = [choice["action"] for choice in state["choices"]]
    return json.dumps(_without_words(kept), sort_keys=True)


def _without_words(value: Any) -> Any:
    """A page may be in another language."""
    if isinstance(value, dict):
        return {key: _without_words(each) for key, each in value.items() if key not in ("why_not", "text", "label")}
    return [_without_words(each) for each in value] if isinstance(value, list) else value


def _picture_of_state(state: Json) -> str:
    rows = [sorted(card["card"] for card in state[row]) for row in ("row1", "row2")]
    points = [player["points"] for player in state["players"]]
    hands = [len(player["hand"]) for player in state["players"]]
    return json.dumps([state["round"], state["phase"], state["to_move"], points, hands, rows, state["piles"]])


def _picture_of_view(view: View) -> str:
    rows = [sorted(row) for row in (view.row1, view.row2)]
    points = [player.points for player in view.players]
    hands = [len(player.hand) for player in view.players]
    return json.dumps([view.round, view.phase, view.to_move, points, hands, rows, view.piles])
