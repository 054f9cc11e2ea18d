"""A guided first round for beginners: the worked example X1 of the rules, played on a real game seen from one seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from nevsky.cards import CARDS
from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.tables import copies
from nevsky.server.present import SeatInfo, TableContext, present
from nevsky.server.protocol import Guide, GuidePoint, GuideStep
from nevsky.server.table_log import TableLog
from nevsky.texts import sentence
from nevsky.texts.sentences import Wording

__all__ = ["LEARNER", "NAMES", "STEPS", "ScriptedStep", "first_round", "guide", "guide_json", "played"]

NAMES: Final = ("Konrad", "Chiye", "Giuliano", "Holger")
LEARNER: Final = 2
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


class ScriptedStep(NamedTuple):
    """What happens at the table before a text is shown, and what the learner is then asked to do."""

    key: str
    point: GuidePoint
    moves: tuple[str, ...] = ()
    """Of the others, after the learner's own move of the step before."""
    expected: str | None = None


STEPS: Final = (
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
)


def first_round() -> Game:
    """The game of the example before its first move."""
    tops = {pile: cards.split() for pile, cards in _TOPS.items()}
    laid = Counter(card for cards in tops.values() for card in cards)
    piles = {
        pile: top
        + [
            card.text
            for card in CARDS
            if card.pile == pile
            for _ in range(copies(_RULESET, card.kind) - laid[card.text])
        ]
        for pile, top in tops.items()
    }
    return Game.from_piles(_RULESET, piles, _TOKENS, seats=NAMES)


def played() -> Iterator[tuple[ScriptedStep, Game]]:
    """Every step with the game as it stands then; it goes on with the next one."""
    game, own_move = first_round(), None
    for step in STEPS:
        for action in (own_move, *step.moves):
            if action is not None:
                game.push(action)
        own_move = step.expected
        yield step, game


@cache
def guide(language: str) -> Guide:
    """All steps in a language."""
    return Guide(steps=[_shown(game, step, number, language) for number, (step, game) in enumerate(played())])


def _shown(game: Game, step: ScriptedStep, number: int, language: str) -> GuideStep:
    values = _figures(game, step)
    texts = {
        part: sentence(f"guide.{step.key}.{part}", language, values)
        for part in ("title", "text", "otherwise")
        if part != "otherwise" or step.expected
    }
    wording = Wording(language, _RULESET.edition, NAMES)
    context = TableContext(
        table="guide",
        version=number,
        status="playing",
        seats=[SeatInfo(name) for name in NAMES],
        log=TableLog(game).lines(LEARNER, wording),
    )
    return GuideStep(
        title=texts["title"],
        text=texts["text"],
        otherwise=texts.get("otherwise"),
        expected=step.expected,
        point=step.point,
        state=present(game.view(LEARNER), context, language),
    )


def _figures(game: Game, step: ScriptedStep) -> dict[str, int]:
    """Numbers for the texts, so that they say what the game says."""
    own = game.view(LEARNER).players[LEARNER]
    values = {f"cost_{card.id}": card.cost_second for card in CARDS}
    values |= {"rubles": own.rubles or 0, "points": own.points}
    paid = [move.price for move in game.history[len(game.history) - len(step.moves) :]]
    values |= {f"price{place}": price for place, price in enumerate(paid, 1) if price is not None}
    if step.expected is not None:
        price = game.explain(step.expected)
        if price is not None:
            values |= {"price": price.price, "left": values["rubles"] - price.price}
    return values


@cache
def guide_json(language: str) -> bytes:
    """The whole guide as it is sent."""
    return guide(language).model_dump_json().encode()
