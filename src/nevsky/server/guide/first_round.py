"""The first round: the worked example X1 of the rules, seen from Giuliano's seat."""

from __future__ import annotations

from typing import Final

from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.server.guide.script import Script, ScriptedStep, filled

__all__ = ["NAMES", "SCRIPT"]

NAMES: Final = ("Konrad", "Chiye", "Giuliano", "Holger")
_RULESET: Final = Ruleset("second", players=4)
_TOKENS: Final = {"worker": 0, "noble": 1, "building": 2, "exchange": 3}
_TOPS: Final = {
    "worker": "lumberjack lumberjack gold_miner gold_miner fur_trapper fur_trapper fur_trapper ship_builder"
    # beyond the example: nothing that Giuliano can pay in round 2, so that row 2 gets the attention
    " shepherd shepherd fur_trapper ship_builder czar_and_carpenter",
    "building": "potemkin_village market market firehouse hospital library theater theater",
    "noble": "author author administrator administrator controller",
    "exchange": "wharf builder fur_shop gold_smelter bank",
}


def _begin() -> Game:
    tops = {pile: cards.split() for pile, cards in _TOPS.items()}
    return Game.from_piles(_RULESET, filled(_RULESET, tops), _TOKENS, seats=NAMES)


SCRIPT: Final = Script(
    "guide",
    _begin,
    (
        ScriptedStep("welcome", "phases"),
        ScriptedStep("display", "row1"),
        ScriptedStep("hammer", "phases", ("buy lumberjack", "buy lumberjack")),
        ScriptedStep("first_worker", "row1", expected="buy gold_miner"),
        ScriptedStep("more_workers", "players", ("buy gold_miner", "buy fur_trapper", "buy fur_trapper")),
        ScriptedStep("second_worker", "row1", expected="buy fur_trapper"),
        ScriptedStep("worker_scoring", "area", ("buy ship_builder",)),
        ScriptedStep("first_building", "row1", expected="buy market"),
        ScriptedStep("into_the_hand", "players", ("take potemkin_village", "take library", "pass")),
        ScriptedStep("reserve", "row1", expected="take hospital"),
        ScriptedStep("back_again", "players", ("pass", "pass", "buy firehouse")),
        ScriptedStep("first_pass", "question", expected="pass"),
        ScriptedStep("building_scoring", "track", ("pass", "pass", "pass")),
        ScriptedStep("nobles", "row1"),
        ScriptedStep("bust", "players", ("buy author",)),
        ScriptedStep("first_noble", "row1", expected="buy controller"),
        ScriptedStep("same_name", "players", ("buy administrator", "buy administrator", "buy author")),
        ScriptedStep("second_pass", "question", expected="pass"),
        ScriptedStep("noble_scoring", "area", ("pass", "pass", "pass")),
        ScriptedStep(
            "exchange",
            "players",
            ("buy wharf onto ship_builder", "buy builder onto administrator", "buy fur_shop onto fur_trapper"),
        ),
        ScriptedStep("first_exchange", "row1", expected="buy gold_smelter onto gold_miner"),
        ScriptedStep("last_card", "players", ("take bank", "pass", "pass")),
        ScriptedStep("third_pass", "question", expected="pass"),
        ScriptedStep("round_2", "row2", ("pass",)),
        ScriptedStep("tokens", "phases", ("pass",)),
        ScriptedStep("cheaper", "row2", expected="buy market row 2"),
        ScriptedStep("farewell", "area"),
    ),
    learner=2,
)
