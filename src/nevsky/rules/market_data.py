"""The Market and the course of its games as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from nevsky.cards import CARDS, GOODS, KIND
from nevsky.rules.constants import NONE
from nevsky.rules.course import FullPosition
from nevsky.rules.market import value_tile
from nevsky.rules.part import Part, Restorer, per_seat, unreadable
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.tables import ANY_CARDS

__all__ = ["FLOW_PARTS", "MarketPart"]

FLOW_PARTS: Final = {
    "standing": "standing",
    "part_nobles": "part_nobles",
    "part_assignment": "part_chosen",
    "part_rubles": "part_rubles",
    "part_hand": "part_hand",
}
"""The steps of a final scoring, by their names in descriptions."""


class MarketPart(Part):
    """Goods and "?" tiles, and where a game that can stop anywhere stands."""

    flow_names = ("stage", "part", "sub", "asked", "turn_seat", "again", "extra", "open_tile", "final")

    def describe(self, p: FullPosition) -> dict[str, Any]:
        if not p.t.market:
            return {}
        given: list[dict[str, str]] = [{} for _ in range(p.n)]
        for card, good, seat in zip(ANY_CARDS, p.tile, p.tile_seat, strict=True):
            if good != NONE:
                given[seat][CARDS[card].text] = GOODS[good]
        goods = p.goods
        return {
            "goods": [dict(zip(GOODS, goods[5 * s : 5 * s + 5], strict=True)) for s in range(p.n)],
            "tiles": {
                "value": list(value_tile(p.round)),
                "supply": [good for i, good in enumerate(GOODS) if i not in p.tile],
                "given": given,
            },
        }

    def flow(self, p: FullPosition) -> dict[str, Any]:
        found = super().flow(p)
        if p.final:
            found.update({told: getattr(p, name)[: p.n] for told, name in FLOW_PARTS.items()})
        return found

    @property
    def restorers(self) -> dict[str, Restorer]:
        return {"tiles": _tiles, "goods": _goods}

    def restore_flow(self, p: FullPosition, flow: Mapping[str, int]) -> None:
        super().restore_flow(p, flow)
        if p.open_tile >= len(ANY_CARDS):
            raise unreadable("flow")
        if p.open_tile != NONE:
            seats = p.tile_seat
            seats[p.open_tile] = p.seat
            p.tile_seat = seats


def _tiles(p: FullPosition, ruleset: Ruleset, value: Mapping[str, Any]) -> None:
    for seat, given in enumerate(per_seat(ruleset, value["given"])):
        for text, good in given.items():
            card = ANY_CARDS.index(KIND[text])
            if not p.area_of(seat).get(KIND[text]) or GOODS.index(good) in p.tile:
                raise unreadable("tiles")
            p.arrange_tile(card, seat, GOODS.index(good))


def _goods(_p: FullPosition, _ruleset: Ruleset, _value: object) -> None:
    """Positions follow from the cards in the areas."""
