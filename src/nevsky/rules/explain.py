"""Why a card costs what it costs: the owner price with every reduction in it (5.1)."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from nevsky.cards import CARDS, COLOURS, KIND
from nevsky.rules.actions import Action
from nevsky.rules.constants import KINDS
from nevsky.rules.extras import ASSISTANTS
from nevsky.rules.full import FullPosition
from nevsky.rules.position import Position
from nevsky.rules.tables import Tables

__all__ = ["Price", "Reduction", "explain"]

_REDUCING: Final = [
    (card.kind, card.id, frozenset(card.effect_all("reduce"))) for card in CARDS if card.effect_all("reduce")
]
"""The cards that make others cheaper, with the colours of those."""


class Reduction(NamedTuple):
    """One reason why a card is cheaper."""

    reason: str
    """``replaced``, ``row_2``, ``same_name``, the id of a card that lowers prices, or ``minimum``."""
    rubles: int
    """How much it takes off; negative for the minimum of one ruble."""
    card: str = ""


class Price(NamedTuple):
    """The price of laying a card and how it comes about."""

    card: str
    cost: int
    reductions: tuple[Reduction, ...]
    price: int

    @property
    def text(self) -> str:
        """One line, as on a receipt.

        >>> Price("theater", 20, (Reduction("row_2", 1), Reduction("same_name", 1, "theater")), 18).text
        'theater 20 - 1 (row 2) - 1 (1 theater) = 18'
        """
        words = [f"{self.card} {self.cost}"]
        for reduction in self.reductions:
            if reduction.reason == "replaced":
                words.append(f"- {reduction.rubles} (replaces {reduction.card})")
            elif reduction.reason == "row_2":
                words.append(f"- {reduction.rubles} (row 2)")
            elif reduction.reason == "same_name":
                words.append(f"- {reduction.rubles} ({reduction.rubles} {reduction.card})")
            elif reduction.reason == "minimum":
                words.append("but at least 1")
            else:
                words.append(f"- {reduction.rubles} ({reduction.reason})")
        return " ".join(words) + f" = {self.price}"


class _Printed(NamedTuple):
    """What is printed on cards. Every look at an array of compiled tables copies it, so it is looked at once."""

    cost: list[int]
    worth: list[int]
    name: list[int]
    colour: list[int]
    exchange: list[int]


@cache
def _printed(t: Tables) -> _Printed:
    return _Printed(t.cost, t.worth, t.name, t.colour, t.exchange)


def explain(position: Position, seat: int, action: Action) -> Price | None:
    """The price of an action that lays a card, None for any other."""
    if action.verb not in ("buy", "play"):
        return None
    kind = KIND[action.card]
    if CARDS[kind].colour == "purple":
        return None
    onto = KIND[action.onto] if action.onto else -1
    t = _printed(position.t)
    cost = t.cost[kind]
    reductions = []
    if onto >= 0:
        reductions.append(Reduction("replaced", t.worth[onto], action.onto))
    if action.row == 2:
        reductions.append(Reduction("row_2", 1))
    same = position.named[seat * KINDS + t.name[kind]]
    if same:
        reductions.append(Reduction("same_name", same, CARDS[t.name[kind]].text))
    area, colour_of_card = position.area_of(seat), COLOURS[t.colour[kind]]
    for reducing, name, colours in _REDUCING:
        if colour_of_card in colours and area.get(reducing):
            reductions.append(Reduction(name, area[reducing]))
    if isinstance(position, FullPosition):
        for number, (name, colour) in enumerate(zip(ASSISTANTS, ("green", "yellow", "blue", "red", ""), strict=True)):
            if position.assistant[number] == seat and (colour == colour_of_card or (not colour and t.exchange[kind])):
                reductions.append(Reduction(name, 1 if colour else 2))
    price = position.price_of(seat, kind, action.row, onto)
    rest = cost - sum(reduction.rubles for reduction in reductions)
    if isinstance(position, FullPosition) and position.halved:
        full = max(rest, 1)
        if full > 1:
            reductions.append(Reduction("money_collector", full - max(full // 2, 1)))
            rest = rest - reductions[-1].rubles
    if rest < price:
        reductions.append(Reduction("minimum", rest - price))
    return Price(action.card, cost, tuple(reductions), price)
