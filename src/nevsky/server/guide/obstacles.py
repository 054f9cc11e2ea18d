"""Module 6: a real obstacle, met by one player and not by the other."""

from __future__ import annotations

from typing import Final

from nevsky.server.guide.script import ScriptedStep, short_round

__all__ = ["SCRIPT"]


SCRIPT: Final = short_round(
    "obstacles",
    6,
    (
        ScriptedStep("welcome", "track"),
        ScriptedStep("real", "track"),
        ScriptedStep("second", "row1", expected="buy market:sack"),
        ScriptedStep("close", "question", ("pass",), "pass"),
        ScriptedStep("bonus", "question", expected="bonus library points"),
        ScriptedStep("scored", "track"),
    ),
    round=4,
    phase="building",
    rubles=[9, 6],
    points=[15, 17],
    obstacles={
        "tiles": {"10": "B2", "20": "R3", "35": "R1", "50": "B1", "70": "B4"},
        "passed": [[10], [10]],
    },
    areas=[["gold_miner", "fur_trapper", "library"], ["gold_miner", "shepherd", "hospital"]],
    row1=["market:sack", "firehouse", "theater"],
    row2=["judge"],
)
