"""One move at a table: parsed once, carried out once, and written down before anybody hears of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from nevsky import Game
from nevsky.rules.actions import parse_action
from nevsky.rules.moves import play_move
from nevsky.server.metrics import REGISTRY
from nevsky.server.schema import Entry
from nevsky.server.storage import Storage
from tests.server.support import Json, run, running
from tests.server.test_errors import started


def counted(calls: Counter[str], name: str, work: Any) -> Any:
    def call(*given: Any) -> Any:
        calls[name] += 1
        return work(*given)

    return call


def test_a_move_is_parsed_once_and_carried_out_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()
    for module in ("nevsky.server.actor", "nevsky.rules.game"):
        monkeypatch.setattr(f"{module}.parse_action", counted(calls, "parsed", parse_action))
    monkeypatch.setattr("nevsky.rules.game.play_move", counted(calls, "played", play_move))
    monkeypatch.setattr(Game, "push", counted(calls, "pushed", Game.push))

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            people = [await server.visitor() for _ in range(2)]
            made = await people[0].create("me open")
            await people[1].http.post(f"/api/tables/{made['table']}/join")
            seats = [await person.open(made["table"]) for person in people]
            for each in seats:
                await each.until(lambda state: state["status"] == "playing")
            table = await server.components.hub.get(made["table"])
            assert table.match is not None
            calls.clear()
            for _ in range(10):
                known = len(table.match.game.moves)
                player = seats[table.match.game.to_move or 0]
                await player.my_turn()
                await player.play(player.state["choices"][0]["action"])
                assert calls == {"parsed": 1, "played": len(table.match.game.moves) - known}
                calls.clear()

    run(scenario())


def test_what_is_refused_builds_no_state_and_what_happens_one_for_each_screen(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            active, other, made = await started(server)
            for _ in range(3):
                await (await (await server.visitor()).open(made["table"])).receive()  # three who share a screen
            before = built()
            wrong: list[Json] = [
                {"type": "act", "version": 0, "action": "pass"},
                {"type": "undo", "version": 7},
                {"type": "dance"},
            ]
            for message in 10 * wrong:
                await other.send(**message)
                await other.error()
            await other.send(type="ping")
            while (await other.receive())["type"] != "pong":
                pass
            assert built() == before
            await active.play(active.state["choices"][0]["action"])
            assert built() == before + 3, "two players and the spectators"

    run(scenario())


def built() -> float:
    """How many states were built for viewers since the process began."""
    return REGISTRY.get_sample_value("nevsky_states_total") or 0.0


def test_a_move_that_cannot_be_written_down_has_not_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append, failing = Storage.append, True

    async def broken(self: Storage, table: str, entry: Entry, **changes: Any) -> None:
        if failing:
            raise OSError("no space left")
        await append(self, table, entry, **changes)

    monkeypatch.setattr(Storage, "append", broken)

    async def scenario() -> None:
        nonlocal failing
        async with running(tmp_path / "n.db") as server:
            people = [await server.visitor() for _ in range(2)]
            made = await people[0].create("me open")
            await people[1].http.post(f"/api/tables/{made['table']}/join")
            seats = [await person.open(made["table"]) for person in people]
            for each in seats:
                await each.until(lambda state: all(player["connected"] for player in state["players"]))
            table = await server.components.hub.get(made["table"])
            assert table.match is not None
            position, row = table.match.game.state(), table.row
            player, other = sorted(seats, key=lambda each: each.state["to_move"] != each.state["you"])
            action = player.state["choices"][0]["action"]
            await player.act(action)
            assert (await player.error())["code"] == "stale"
            assert await other.quiet()
            assert (table.match.game.state(), table.match.entries, table.row) == (position, 0, row)
            failing = False
            await player.play(action)
            assert table.match.entries == 1

    run(scenario())


def test_whoever_is_refused_hears_why_before_the_state_comes_again(tmp_path: Path) -> None:
    """Clients try again with the state that follows: if it came first they would wait for ever."""

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            table = await anna.open((await anna.create("me easy", edition="first"))["table"])
            await table.my_turn()
            for _ in range(5):
                assert await table.quiet()
                await table.act("pass", table.state["version"] + 1)
                assert [(await table.receive())["type"] for _ in range(2)] == ["error", "state"]

    run(scenario())
