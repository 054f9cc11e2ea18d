"""Actions in words: as a sentence of the log and as a choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from nevsky.cards import CARDS, KIND
from nevsky.rules.action import GAINS, Action
from nevsky.texts import all_texts, amount, text
from nevsky.texts.phrases import CardPhrase
from nevsky.texts.things import assignment_text

__all__ = ["Wording", "action_key"]

_SAME_CHOICE: Final = {"buy_drawn": "buy", "discard_drawn": "discard"}
_ABOUT_PLAYERS: Final = ("mooch", "assignment")
"""Verbs of choices that name a player or depend on how many there are."""
_NAME: Final = "\0"
"""Stands for a name, which cannot contain it."""


def action_key(action: Action, due: str | None = None) -> str:
    """The last part of the keys for an action; some mean something else at another decision."""
    match action.verb:
        case "pass" if due == "pick_pocket":
            return "keep_pick_pocket"
        case "play" if action.onto and CARDS[KIND[action.card]].colour == "purple":
            return "attach"
        case "pub" if not action.number:
            return "pub.none"
        case "bonus":
            if action.choice not in GAINS:
                return "bonus_good"
            return f"bonus_card.{action.choice}" if action.card else f"bonus.{action.choice}"
        case "buy" | "take" | "discard" if action.drawn:
            return f"{action.verb}_drawn"
    chosen = f"{action.verb}.{action.choice}"
    return chosen if f"log.{chosen}" in all_texts("en") else action.verb


class Wording(NamedTuple):
    """How one table speaks: its language, its edition and the names of its players."""

    language: str = "en"
    edition: str = "second"
    seats: Sequence[str] = ()
    dress: Callable[[str, str], str] | None = None
    """How the name of a card is shown, given the card and the name, where it is more than the plain words."""

    def card(self, card: str) -> CardPhrase:
        """A card as a word of a sentence, with its market symbol where cards of its name differ in it."""
        return CardPhrase(card, self.language, self.edition, self.dress)

    def seat(self, seat: int) -> str:
        """The name of a player."""
        return self.seats[seat] if seat < len(self.seats) else text("player", self.language, number=seat + 1)

    def log(
        self,
        action: Action,
        price: int | None = None,
        *,
        name: str = "",
        you: bool = False,
        due: str | None = None,
        secret: bool = False,
    ) -> str:
        """What a player does; a secret action without what only the player knows."""
        if self.dress is None and action.verb not in _ABOUT_PLAYERS:
            return _log(action, price, you, due, secret, self.language, self.edition).replace(_NAME, name).strip()
        return self._log(action, price, name, you, due, secret)

    def _log(self, action: Action, price: int | None, name: str, you: bool, due: str | None, secret: bool) -> str:
        key = action_key(action, due)
        if secret and key in ("take_drawn", "assignment"):
            key = {"take_drawn": "take_unseen"}.get(key, "assignment_unseen")
        if action.verb == "pub":
            price = 2 * action.number
        values = self._values(action, key)
        values["for"] = "" if price is None else text("for", self.language, price=price)
        return text(f"log.{key}", self.language, you=you, name=name, **values).strip()

    def choice(self, action: Action, due: str | None = None) -> str:
        """What a player may do, without the price."""
        if self.dress is None and action.verb not in _ABOUT_PLAYERS:
            return _choice(action, due, self.language, self.edition)
        return self._choice(action, due)

    def _choice(self, action: Action, due: str | None) -> str:
        key = action_key(action, due)
        return text(f"choice.{_SAME_CHOICE.get(key, key)}", self.language, you=False, **self._values(action, key))

    def _values(self, action: Action, key: str) -> dict[str, object]:
        language = self.language
        values: dict[str, object] = {"card": self.card(action.card) if action.card else "", "onto": ""}
        if action.onto:
            onto = self.card(action.onto)
            values["onto"] = onto if key == "attach" else text("onto", language, card=onto)
        values["from"] = text("from_row_2", language) if action.row == 2 else ""
        match action.verb:
            case "observe":
                values["pile"] = text(f"the_pile.{action.pile}", language)
            case "pub":
                values["points"] = amount(action.number, "point", language)
                values["rubles"] = amount(2 * action.number, "ruble", language)
            case "guild_hall":
                values["points"] = amount(4 - action.number, "point", language)
                values["rubles"] = amount(action.number, "ruble", language)
            case "good" | "bonus" if action.choice not in GAINS:
                values["good"] = text(f"good.{action.choice}", language)
            case "event":
                values["event"] = text(f"event.{action.choice}.name", language)
                values["effect"] = text(f"event.{action.choice}.effect", language)
            case "assignment":
                values["number"] = str(action.number)
                values["effect"] = assignment_text(action.number, len(self.seats), language)
            case "mooch":
                values["other"] = self.seat(action.number)
        return values


@lru_cache(maxsize=16384)
def _log(
    action: Action, price: int | None, you: bool, due: str | None, secret: bool, language: str, edition: str
) -> str:
    """The same for many, apart from the name."""
    return Wording(language, edition)._log(action, price, _NAME, you, due, secret)


@lru_cache(maxsize=16384)
def _choice(action: Action, due: str | None, language: str, edition: str) -> str:
    return Wording(language, edition)._choice(action, due)
