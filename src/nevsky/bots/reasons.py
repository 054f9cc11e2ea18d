"""Why a bot likes an action, in one short English sentence."""

from __future__ import annotations

from nevsky.bots.appraisal import Appraisal
from nevsky.cards import CARDS, KIND, card_name
from nevsky.rules.actions import Action

__all__ = ["reason"]


def reason(a: Appraisal, action: Action, value: float) -> str:
    """The sentence that goes with a suggestion."""
    if action.verb in ("buy", "play") and CARDS[KIND[action.card]].colour != "purple":
        return _laid(a, action, value)
    if action.verb == "take":
        return "Worth keeping for later." if value > 0 else "Hardly worth a place on the hand."
    if action.verb == "pass":
        return "Rubles are worth more later." if a.purse else "There is nothing to pay with."
    if action.verb == "observe":
        return f"A card of the {action.pile} pile may bring about {value + 1:.1f} points."
    if action.verb in ("discard", "return"):
        return "Others may have more use for it." if value < 0 else "Nothing is lost with it."
    return f"Worth about {value:.1f} points." if value > 0 else "Brings nothing now."


def _laid(a: Appraisal, action: Action, value: float) -> str:
    kind = KIND[action.card]
    onto = KIND[action.onto] if action.onto else -1
    price = a.price(kind, action.row, onto)
    gain = a.gain(kind, onto)
    name = card_name(kind, edition=a.view.ruleset.edition)
    if action.verb == "play" and value > 0 and gain <= 0:
        return f"{name} would cost 5 points on the hand."
    verdict = "a good price" if value > 0 else "too dear now"
    rubles = "1 ruble" if price == 1 else f"{price} rubles"
    return f"{name} brings about {gain:.0f} points for {rubles}: {verdict}."
