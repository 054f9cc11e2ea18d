"""Module 1: a purple card is taken, played and pays."""

from __future__ import annotations

from typing import Final

from nevsky.server.guide.script import ScriptedStep, short_round

__all__ = ["SCRIPT"]


SCRIPT: Final = short_round(
    "banquet",
    1,
    (
        ScriptedStep("welcome", "row2"),
        ScriptedStep("take", "row2", expected="take banquet row 2"),
        ScriptedStep("play", "hand", ("buy author",), "play banquet onto judge"),
        ScriptedStep("close", "question", ("pass",), "pass"),
        ScriptedStep("scored", "area"),
    ),
    market=False,
    round=2,
    phase="noble",
    rubles=[9, 14],
    points=[5, 6],
    areas=[["gold_miner", "fur_trapper", "judge"], ["gold_miner", "shepherd", "market"]],
    row1=["author", "administrator", "secretary", "away_with_it@noble"],
    row2=["banquet", "double_turn", "wharf"],
)
