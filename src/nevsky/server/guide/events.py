"""Module 4: an event of another player and one of the learner."""

from __future__ import annotations

from typing import Final

from nevsky.server.guide.script import ScriptedStep, short_round

__all__ = ["SCRIPT"]


SCRIPT: Final = short_round(
    "events",
    4,
    (
        ScriptedStep("welcome", "modules"),
        ScriptedStep("gift", "players", ("event gift", "buy shepherd")),
        ScriptedStep("fresh", "question", expected="event fresh_cards"),
        ScriptedStep("action", "row1", expected="buy ship_builder:apple"),
        ScriptedStep("farewell", "modules"),
    ),
    round=2,
    phase="worker",
    to_move=1,
    tokens={"worker": 1},
    rubles=[8, 7],
    points=[5, 6],
    areas=[["gold_miner", "fur_trapper", "library"], ["gold_miner", "shepherd", "author"]],
    row1=["lumberjack", "fur_trapper", "gold_miner", "shepherd"],
    row2=["judge", "hen"],
    tops={"worker": ["ship_builder:apple", "fur_trapper"]},
)
