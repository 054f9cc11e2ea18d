"""What is told of single cards and choices: the same at many tables, so it is made once and never changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, Literal

from nevsky.cards import CARDS, KIND, card_name
from nevsky.rules.actions import Action
from nevsky.rules.explain import Price
from nevsky.rules.modules.assistants.room import ASSISTANTS
from nevsky.rules.view import HandCard
from nevsky.server.protocol import Choice, DisplayCard, HandView, PriceStep, Reason
from nevsky.server.reasons import Now, against_getting, against_playing
from nevsky.texts import text
from nevsky.texts.sentences import Wording

__all__ = [
    "NO_CHOICES",
    "NO_PLACES",
    "NO_REASONS",
    "backs",
    "counted",
    "held_back",
    "left",
    "offered",
    "on_display",
    "playable",
    "watched",
]

NO_CHOICES: Final[list[Choice]] = []
NO_PLACES: Final[list[int]] = []
NO_REASONS: Final[list[Reason]] = []
"""Where the same nothing is shown again, nobody has to look whether it has changed."""


def _destination(action: Action) -> Literal["area", "hand"] | None:
    """Where the card of an action will lie with its player."""
    if action.verb == "take":
        return "hand"
    lays = action.verb in ("buy", "play") and CARDS[KIND[action.card]].colour != "purple"
    return "area" if lays else None


@lru_cache(maxsize=8192)
def offered(action: Action, label: str, price: Price | None, confirm: bool, language: str, edition: str) -> Choice:
    """A choice, ready to be shown; the same for many."""
    return {
        "action": action.text,
        "label": label,
        "verb": action.verb,
        "card": action.card or None,
        "row": action.row or None,
        "onto": action.onto or None,
        "to": _destination(action),
        "price": None if price is None else price.price,
        "steps": [] if price is None else _steps(price, language, edition),
        "confirm": confirm,
    }


@lru_cache(maxsize=8192)
def _steps(price: Price, language: str, edition: str) -> list[PriceStep]:
    """How a price comes about; the same for many."""
    wording = Wording(language, edition)
    steps: list[PriceStep] = [{"text": text("step.cost", language), "rubles": price.cost}]
    for reduction in price.reductions:
        reason = reduction.reason
        if reason == "replaced":
            words = text("step.replaced", language, card=wording.card(reduction.card))
        elif reason == "same_name":
            name = card_name(reduction.card, language, edition)
            words = text("step.same_name", language, number=reduction.rubles, card=name)
        elif reason in ("row_2", "minimum"):
            words = text(f"step.{reason}", language)
        elif reason in ASSISTANTS:
            words = text("step.reduction", language, card=text(f"assistant.{reason}.name", language))
        else:
            key = "step.half" if reason == "money_collector" else "step.reduction"
            words = text(key, language, card=wording.card(reason))
        steps.append({"text": words, "rubles": -reduction.rubles})
    return steps


@lru_cache(maxsize=1024)
def counted(kinds: bytes, piles: tuple[str, ...]) -> dict[str, dict[str, int]]:
    """What nobody knows changes seldom and is the same for many."""
    found: dict[str, dict[str, int]] = {pile: {} for pile in piles}
    for kind, count in Counter(kinds).items():
        found[CARDS[kind].pile][CARDS[kind].exact] = count
    return found


@cache
def watched(exact: str, cost: int) -> DisplayCard:
    """A card of the display for those who only watch."""
    return {"card": exact, "cost": cost, "price": None, "buy": False, "take": False, "why_not": [], "choices": []}


@lru_cache(maxsize=1024)
def left(exact: str, cost: int, price: int | None) -> DisplayCard:
    """A card of the display when the game is over."""
    return {"card": exact, "cost": cost, "price": price, "buy": False, "take": False, "why_not": [], "choices": []}


@lru_cache(maxsize=4096)
def on_display(
    exact: str, cost: int, price: int | None, now: Now, verbs: tuple[str, ...], places: tuple[int, ...]
) -> DisplayCard:
    """A card of the display for somebody who plays; the same for many."""
    return {
        "card": exact,
        "cost": cost,
        "price": price,
        "buy": "buy" in verbs,
        "take": "take" in verbs,
        "why_not": against_getting(now, CARDS[KIND[exact]].colour == "purple", price, verbs),
        "choices": list(places),
    }


@lru_cache(maxsize=4096)
def playable(pile: str, exact: str, price: int | None, places: tuple[int, ...]) -> HandView:
    """A card on the own hand that can be played, or that is left at the end."""
    return {"pile": pile, "card": exact, "price": price, "why_not": [], "choices": list(places)}


@lru_cache(maxsize=4096)
def held_back(
    pile: str, exact: str, price: int | None, turn: bool, plays: bool, rubles: int | None, language: str
) -> HandView:
    """A card on the own hand that cannot be played."""
    why_not = against_playing(turn, plays, price, rubles, language)
    return {"pile": pile, "card": exact, "price": price, "why_not": why_not, "choices": []}


@cache
def _back(pile: str, card: str | None) -> HandView:
    """A card on somebody else's hand."""
    return {"pile": pile, "card": card, "price": None, "why_not": [], "choices": []}


def backs(hand: Iterable[HandCard], shown: bool) -> list[HandView]:
    """Somebody else's hand; where its cards are not shown, in the order of their backs."""
    cards = [_back(card.pile, card.card if shown else None) for card in hand]
    return cards if shown else sorted(cards, key=lambda card: card["pile"])
