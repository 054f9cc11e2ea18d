"""Guided rounds as the browser gets them: every step in words, with the table as the learner sees it."""

from __future__ import annotations

from functools import cache

from nevsky.cards import CARDS
from nevsky.rules.game import Game
from nevsky.server.guide.script import Script, ScriptedStep
from nevsky.server.guide.scripts import SCRIPTS
from nevsky.server.present import OwnContext, SeatInfo, TableContext, present
from nevsky.server.protocol import Guide, GuideName, GuideStep, TableState
from nevsky.server.table_log import TableLog
from nevsky.texts import sentence
from nevsky.texts.sentences import Wording

__all__ = ["guide", "guide_json"]


@cache
def guide(language: str, which: GuideName = "first") -> Guide:
    """All steps in a language."""
    script = SCRIPTS[which]
    shown = [_shown(script, game, step, number, language) for number, (step, game) in enumerate(script.played())]
    return Guide(steps=shown)


def _shown(script: Script, game: Game, step: ScriptedStep, number: int, language: str) -> GuideStep:
    wording = Wording(language, game.ruleset.edition, game.seats)
    context = TableContext(
        table="guide",
        status="over" if game.over else "playing",
        seats=[SeatInfo(name) for name in game.seats],
    )
    log = TableLog(game).lines(script.learner, wording)
    state = present(game.view(script.learner), context, language, own=OwnContext(version=number), log=log)
    values = _figures(game, state, step)
    texts = {
        part: sentence(f"{script.texts}.{step.key}.{part}", language, values)
        for part in ("title", "text", "otherwise")
        if part != "otherwise" or step.expected
    }
    return GuideStep(
        title=texts["title"],
        text=texts["text"],
        otherwise=texts.get("otherwise"),
        expected=step.expected,
        point=step.point,
        state=state,
    )


def _figures(game: Game, state: TableState, step: ScriptedStep) -> dict[str, int]:
    """Numbers for the texts, so that they say what the game says."""
    assert state["you"] is not None
    own, other = state["players"][state["you"]], state["players"][state["you"] - 1]
    values = {f"cost_{card.id}": card.cost_second for card in CARDS}
    values |= {"rubles": own["rubles"] or 0, "points": own["points"], "other_points": other["points"]}
    values |= {f"own_{good}": number for good, number in (own["goods"] or {}).items()}
    values |= {f"other_{good}": number for good, number in (other["goods"] or {}).items()}
    values |= {f"value{place}": number for place, number in enumerate(state["modules"]["value_tile"] or (), 1)}
    values |= {f"worth_{each['number']}": each["worth"] or 0 for each in state["modules"]["assignments"]}
    paid = [move.price for move in game.history[len(game.history) - len(step.moves) :]]
    values |= {f"price{place}": price for place, price in enumerate(paid, 1) if price is not None}
    if step.expected is not None:
        price = game.explain(step.expected)
        if price is not None:
            values |= {"price": price.price, "left": values["rubles"] - price.price}
    return values


@cache
def guide_json(language: str, which: GuideName = "first") -> bytes:
    """The whole guide as it is sent."""
    return guide(language, which).model_dump_json().encode()
