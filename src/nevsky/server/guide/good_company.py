"""Module 2: two of its buildings and what they bring."""

from __future__ import annotations

from typing import Final

from nevsky.server.guide.script import ScriptedStep, short_round

__all__ = ["SCRIPT"]


SCRIPT: Final = short_round(
    "good_company",
    2,
    (
        ScriptedStep("welcome", "row1"),
        ScriptedStep("coffee", "row1", expected="buy coffee_house"),
        ScriptedStep("trade", "row1", ("buy market",), "buy trading_house"),
        ScriptedStep("close", "question", ("pass",), "pass"),
        ScriptedStep("points", "question", expected="trading_house pay"),
        ScriptedStep("scored", "area"),
    ),
    market=False,
    round=2,
    phase="building",
    rubles=[13, 14],
    points=[5, 6],
    areas=[
        ["gold_miner", "fur_trapper", "author", "administrator"],
        ["gold_miner", "shepherd", "market", "judge"],
    ],
    row1=["coffee_house", "trading_house", "market", "firehouse"],
    row2=["mayor", "wharf"],
)
