"""Module 3: the Architect, and who comes after the round."""

from __future__ import annotations

from typing import Final

from nevsky.server.guide.script import ScriptedStep, short_round

__all__ = ["SCRIPT"]


SCRIPT: Final = short_round(
    "assistants",
    3,
    (
        ScriptedStep("welcome", "area"),
        ScriptedStep("blue", "row1", expected="buy peterhof onto market:sack"),
        ScriptedStep("close", "question", ("buy builder onto administrator",), "pass"),
        ScriptedStep("moved", "area", ("pass",)),
        ScriptedStep("red", "row2", expected="buy author row 2"),
        ScriptedStep("farewell", "area"),
    ),
    round=2,
    phase="exchange",
    tokens={"worker": 1},
    rubles=[14, 14],
    points=[5, 6],
    assistants={"architect": 0, "lawyer": 1},
    areas=[["gold_miner", "fur_trapper", "market:sack"], ["gold_miner", "shepherd", "administrator"]],
    row1=["peterhof", "builder", "wharf", "author", "theater"],
    row2=["judge"],
    tops={"worker": ["shepherd", "fur_trapper"]},
)
