"""The Market: goods, an orange card and its upkeep, the scoring of the market."""

from __future__ import annotations

from typing import Final

from nevsky.server.guide.script import ScriptedStep, short_round

__all__ = ["SCRIPT"]


SCRIPT: Final = short_round(
    "market",
    None,
    (
        ScriptedStep("welcome", "phases"),
        ScriptedStep("goods", "market"),
        ScriptedStep("apples", "row1", expected="buy apple_crate"),
        ScriptedStep("orange", "row1", ("buy chicken_coop",), "buy chicken_special"),
        ScriptedStep("close", "question", ("pass",), "pass"),
        ScriptedStep("upkeep", "question", expected="upkeep chicken_special pay"),
        ScriptedStep("scored", "market"),
    ),
    round=2,
    phase="market",
    rubles=[12, 12],
    points=[3, 4],
    areas=[["gold_miner", "fur_trapper", "hen"], ["gold_miner", "shepherd", "chick", "apple"]],
    row1=["apple_crate", "chicken_coop", "chicken_special", "caviar", "vegetable_basket", "fish"],
    row2=["author"],
)
