"""Module 5: three assignments in the last phase of a game."""

from __future__ import annotations

from typing import Final

from nevsky.server.guide.script import ScriptedStep, short_round

__all__ = ["SCRIPT"]


SCRIPT: Final = short_round(
    "assignments",
    5,
    (
        ScriptedStep("welcome", "modules"),
        ScriptedStep("better", "row1", expected="buy builder onto administrator"),
        ScriptedStep("close", "modules", ("pass",), "pass"),
        ScriptedStep("choose", "question", expected="assignment 9"),
        ScriptedStep("scored", "end", ("assignment 14",)),
    ),
    round=6,
    phase="exchange",
    last_round=True,
    rubles=[19, 12],
    points=[55, 51],
    assignments=[[1, 9, 13], [5, 7, 14]],
    areas=[
        ["gold_smelter", "weaving_mill", "author", "administrator", "hen"],
        ["gold_miner", "shepherd", "library"],
    ],
    row1=["abbot", "builder", "wharf"],
    row2=["judge"],
)
