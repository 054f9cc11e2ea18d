"""Why a bot likes an action: a key with values, worded in any language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from nevsky.bots.appraisal import Appraisal
from nevsky.bots.protocol import Comparison, Suggestion
from nevsky.cards import CARDS, KIND
from nevsky.rules.actions import Action
from nevsky.texts import amount, decimal, text
from nevsky.texts.phrases import CardPhrase

__all__ = ["Reason", "reason", "suggestion"]

Value = str | int | float


class Reason(NamedTuple):
    """One short sentence: the text ``reason.<key>`` with its placeholders filled in.

    What a value is follows from its name: ``card`` is a card, ``pile`` a pile, ``rubles`` and ``points`` are amounts
    with their unit, ``player`` is a seat. Every other number stands as it is, with one decimal if it is not whole.

    >>> Reason("helps", {"player": 1, "points": 2.31}).say("de", names=["Anna", "Boris"])
    'Bringt Boris etwa 2,3 Punkte mehr als dir.'
    """

    key: str
    values: Mapping[str, Value] = {}

    def say(self, language: str = "en", edition: str = "second", names: Sequence[str] = ()) -> str:
        """The sentence, with cards as this edition names them, and with the names of the players if there are any."""
        words: dict[str, Any] = {
            name: _word(name, value, language, edition, names) for name, value in self.values.items()
        }
        return text(f"reason.{self.key}", language, **words)


def _word(name: str, value: Value, language: str, edition: str, names: Sequence[str]) -> object:
    match name, value:
        case "player", int():
            return names[value] if names else text("player", language, number=value + 1)
        case "card", str():
            return CardPhrase(value, language, edition)
        case "pile", str():
            return text(f"the_pile.{value}", language)
        case "rubles" | "points", int() | float():
            return amount(value, name.removesuffix("s"), language)
        case _, float():
            return decimal(value, language)
    return str(value)


def suggestion(
    action: str,
    expected: float | None,
    win: float | None,
    why: Reason,
    edition: str,
    comparison: Comparison | None = None,
) -> Suggestion:
    """A suggestion whose reason can be read in every language."""
    return Suggestion(action, expected, win, why.say("en", edition), why, comparison)


def reason(a: Appraisal, action: Action, value: float) -> Reason:
    """What goes with a suggestion of the bot that values actions in points."""
    if action.verb in ("buy", "play") and CARDS[KIND[action.card]].colour != "purple":
        return _laid(a, action, value)
    if action.verb == "take":
        return Reason("keep" if value > 0 else "no_room")
    if action.verb == "pass":
        return Reason("save" if a.purse else "broke")
    if action.verb == "observe":
        return Reason("observe", {"pile": action.pile, "points": float(value + 1)})
    if action.verb in ("discard", "return"):
        return Reason("leave" if value < 0 else "no_loss")
    return Reason("worth", {"points": float(value)}) if value > 0 else Reason("nothing")


def _laid(a: Appraisal, action: Action, value: float) -> Reason:
    kind = KIND[action.card]
    onto = KIND[action.onto] if action.onto else -1
    price = a.price(kind, action.row, onto)
    gain = a.gain(kind, onto)
    if action.verb == "play" and value > 0 and gain <= 0:
        return Reason("rid", {"card": action.card})
    return Reason("good" if value > 0 else "dear", {"card": action.card, "points": round(gain), "rubles": price})
