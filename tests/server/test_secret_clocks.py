"""Clocks tell nothing of a secret question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from nevsky import Ruleset
from nevsky.rules.actions import ACTIONS, PASS
from nevsky.rules.view import View
from nevsky.server import components as components_module
from nevsky.server.bot_pool import SeatBot
from nevsky.server.match import Match
from tests.server.pairs import mine, two_players
from tests.server.support import QuickBots, run, running
from tests.server.test_secrecy import secret_questions


@pytest.mark.parametrize("reserve", [0.0, 60.0])
def test_the_clock_tells_nothing_of_a_secret_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reserve: float
) -> None:
    """Who is asked in secret gets a bot's answer, but only the player whom everybody sees to move is late (11.1)."""
    ruleset = Ruleset("second", 2, modules=(1,))

    def quiet_question(match: Match) -> bool:
        return match.game.to_move is not None and not match.tried(match.game.to_move, ACTIONS[PASS]).game.moves[-1][1]

    match = next(m for seed in range(130, 400) for m in secret_questions(ruleset, seed) if quiet_question(m))
    owner = match.game.to_move
    assert owner is not None

    class KeepsThePickPocket(QuickBots):
        async def decide(self, bot: SeatBot, view: View, history: Callable[[], Sequence[View]]) -> str:
            return "pass"

    monkeypatch.setattr(components_module, "BotPool", KeepsThePickPocket)

    async def scenario() -> None:
        async with running(tmp_path / "n.db", live_seconds=1.5, live_reserve_seconds=reserve) as server:
            pair = await two_players(server, pace="live", modules=[1])
            table = await server.components.hub.get(pair[2])
            asked, early = [await pair[:2][seat].open(pair[2]) for seat in (owner, 1 - owner)]
            await table.call(lambda: put(table, match))
            for each in (asked, early):
                await each.until(lambda state: state["version"] > 0)
            version, action = early.state["version"], early.state["choices"][-1]["action"]
            assert mine(asked.state)["reserve_seconds"] == 0.0, "a secret question has the free part only"
            assert early.state["players"][owner]["reserve_seconds"] == reserve
            await early.act(action)
            state = await early.until(lambda state: state["version"] > version)
            late = 0 if reserve else 1
            assert [player["missed"] for player in state["players"]] == [late * (seat != owner) for seat in range(2)]
            assert state["players"][owner]["reserve_seconds"] == reserve
            assert reserve - state["players"][1 - owner]["reserve_seconds"] < 2.0
            assert not any(player["away"] for player in state["players"])
            stored = await server.components.storage.load(pair[2])
            assert stored is not None
            done = [(entry.seat, entry.action) for entry in stored.log]
            assert done[:2] == [(owner, "pass"), (1 - owner, action)]  # they had chosen in time

    async def put(table: Any, match: Match) -> None:
        table.match = match
        table.row = table.row._replace(to_move=owner, to_move_shown=1 - owner)
        table.clock.restart()

    run(scenario())


def test_a_secret_answer_does_not_move_the_time_of_the_last_change(tmp_path: Path) -> None:
    found = 0
    for seed in range(130, 400):
        for match in secret_questions(Ruleset("second", 2, modules=(1,)), seed):
            owner = match.game.to_move
            assert owner is not None
            if match.tried(owner, ACTIONS[PASS]).game.moves[-1][1]:
                continue
            found += 1

            async def scenario(match: Match = match, owner: int = owner, seed: int = seed) -> None:
                async with running(tmp_path / f"{seed}.db") as server:
                    pair = await two_players(server, modules=[1])
                    table = await server.components.hub.get(pair[2])
                    table.match = match
                    table.row = table.row._replace(updated="before")
                    asked = await pair[:2][owner].open(pair[2])
                    await asked.until(lambda state: state["to_move"] == state["you"])
                    await asked.play("pass")
                    assert table.row.updated == "before"
                    other = await pair[:2][1 - owner].open(pair[2])
                    state = await other.my_turn()
                    await other.play(state["choices"][-1]["action"])
                    assert table.row.updated > "2000"

            run(scenario())
        if found:
            return
    raise AssertionError("no secret question came up")
