"""Why a card costs what it costs: the owner price with every reduction in it (5.1)."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from nevsky.cards import CARDS, COLOURS, KIND
from nevsky.rules.actions import Action
from nevsky.rules.parts import each_part
from nevsky.rules.position import Position
from nevsky.rules.price import Price, Reduction
from nevsky.rules.tables import Tables

__all__ = ["Price", "Reduction", "costs", "explain"]

_REDUCING: Final = [
    (card.kind, card.id, frozenset(card.effect_all("reduce"))) for card in CARDS if card.effect_all("reduce")
]
"""The cards that make others cheaper, with the colours of those."""


class _Printed(NamedTuple):
    """What is printed on cards. Every look at an array of compiled tables copies it, so it is looked at once."""

    cost: list[int]
    worth: list[int]
    name: list[int]
    colour: list[int]


@cache
def _printed(t: Tables) -> _Printed:
    return _Printed(t.cost, t.worth, t.name, t.colour)


def costs(t: Tables) -> list[int]:
    """What is printed on each kind of card."""
    return _printed(t).cost


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
    area, colour_of_card = position.area_of(seat), COLOURS[t.colour[kind]]
    same = sum(count for other, count in area.items() if t.name[other] == t.name[kind])
    if same:
        reductions.append(Reduction("same_name", same, CARDS[t.name[kind]].text))
    for reducing, name, colours in _REDUCING:
        if colour_of_card in colours and area.get(reducing):
            reductions.append(Reduction(name, area[reducing]))
    parts = list(each_part(position))
    for part, full in parts:
        reductions += part.reductions(full, seat, kind)
    price = position.price_of(seat, kind, action.row, onto)
    rest = cost - sum(reduction.rubles for reduction in reductions)
    for part, full in parts:
        last = part.last_reduction(full, rest)
        if last is not None:
            reductions.append(last)
            rest -= last.rubles
    if rest < price:
        reductions.append(Reduction("minimum", rest - price))
    return Price(action.card, cost, tuple(reductions), price)
