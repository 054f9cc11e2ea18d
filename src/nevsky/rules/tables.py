"""The card and action tables of one ruleset as plain number arrays, shared by all its games."""

from __future__ import annotations

from typing import Annotated

from nevsky.cards import CARDS, COLOURS, GOODS, KIND, PILES
from nevsky.rules import actions
from nevsky.rules.action import ACTION_ROOM, BASE_PILE_OF_COLOUR, CANONICAL, LAYS
from nevsky.rules.constants import (
    CZAR_AND_CARPENTER,
    DUE_ROOM,
    DUES,
    FIRST,
    KIN_ROOM,
    KINDS,
    LAY_ROOM,
    NONE,
    PILE_ROOM,
    SECOND,
    SHIP_BUILDER_ANY,
)
from nevsky.rules.fields import Fields
from nevsky.rules.modules import MODULES, ROOMS
from nevsky.rules.ruleset import Ruleset

ANY_CARDS = (SHIP_BUILDER_ANY, CZAR_AND_CARPENTER)
"""The two cards with a "?" (10.2)."""


class Tables(Fields):  # c: border
    """Columns by kind, the decks, and what each action id says."""

    edition: int
    market: int
    modules: int
    """A bit for each module in play, by its number."""
    cost: Annotated[list[int], KINDS]
    worth: Annotated[list[int], KINDS]
    rubles: Annotated[list[int], KINDS]
    points: Annotated[list[int], KINDS]
    pile: Annotated[list[int], KINDS]
    colour: Annotated[list[int], KINDS]
    exchange: Annotated[list[int], KINDS]
    name: Annotated[list[int], KINDS]
    index: Annotated[list[int], KINDS]
    """The kind that stands for a card in actions."""
    twin: Annotated[list[int], KINDS]
    kin: Annotated[list[int], KINDS * KIN_ROOM]
    kin_n: Annotated[list[int], KINDS]
    good: Annotated[list[int], KINDS]
    goods: Annotated[list[int], KINDS]
    any_card: Annotated[list[int], KINDS]
    """Which of the two "?" cards a kind is in a game with the Market, or NONE."""
    orange: Annotated[list[int], KINDS]
    carpet: Annotated[list[int], KINDS]
    reduces: Annotated[list[int], KINDS]
    hand_bonus: Annotated[list[int], KINDS]
    pub: Annotated[list[int], KINDS]
    special: Annotated[list[int], 5]
    """The special offer of each good (10.5)."""
    lies_below: Annotated[list[int], KINDS]
    below: Annotated[list[int], KINDS]
    """The place of a base card among those of its colour that exchange cards can replace."""
    base_card: Annotated[list[int], 5 * LAY_ROOM]
    """The base card of a colour at such a place."""
    worth_at_least: Annotated[list[int], 5 * LAY_ROOM, "int"]
    replace_bits: Annotated[list[int], KINDS, "int"]
    lay: Annotated[list[int], KINDS]
    replaces: Annotated[list[int], KINDS * LAY_ROOM]
    place: Annotated[list[int], 37]
    names_from: Annotated[list[int], 5]
    names_to: Annotated[list[int], 5]
    deck: Annotated[list[int], 5 * PILE_ROOM]
    deck_size: Annotated[list[int], 5]
    verb: Annotated[list[int], ACTION_ROOM]
    card: Annotated[list[int], ACTION_ROOM]
    onto: Annotated[list[int], ACTION_ROOM]
    arg: Annotated[list[int], ACTION_ROOM]
    points_wanted: Annotated[list[int], ACTION_ROOM]
    """1 for the points of something, where its rubles can be chosen, too."""
    asks: Annotated[list[int], DUE_ROOM]
    """The module that asks for a decision, or 0."""
    does: Annotated[list[int], 64]
    """The module that carries out a verb, or 0."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.clear_fields()
        self.edition = FIRST if ruleset.edition == "first" else SECOND
        self.market = int(ruleset.market)
        for module in ruleset.modules:
            self.modules |= 1 << module
        for i in range(32):
            self.place[(1 << i) % 37] = i  # the powers of two below 2**32 differ modulo 37
        self._fill_cards()
        self._fill_market()
        self._fill_decks(ruleset)
        self._fill_lays(ruleset)
        self._fill_actions()
        self._fill_owners()

    def _fill_cards(self) -> None:
        for k in range(KINDS):
            self.twin[k] = NONE
            self.lay[k] = NONE
        for card in CARDS:
            k = card.kind
            self.cost[k] = card.cost_first if self.edition == FIRST else card.cost_second
            self.worth[k] = int(card.effect("worth", str(self.cost[k])))
            self.rubles[k] = card.rubles
            self.points[k] = card.points
            self.pile[k] = PILES.index(card.pile)
            self.colour[k] = COLOURS.index(card.colour)
            self.exchange[k] = int(card.exchange)
            self.name[k] = next(other.kind for other in CARDS if other.id == card.name)
            self.index[k] = CANONICAL[k]
            for other in CARDS:
                if other.text == card.text and other.kind != k:
                    self.twin[k] = other.kind
            for colour in card.effect_all("reduce"):
                self.reduces[k] |= 1 << COLOURS.index(colour)
            self.hand_bonus[k] = int(card.effect("hand", "0"))
            self.pub[k] = int(card.effect("pub", "0"))
            self.carpet[k] = int("carpet" in card.crafts)
        for c in range(5):
            kinds = [card.kind for card in CARDS if self.colour[card.kind] == c and self.name[card.kind] == card.kind]
            self.names_from[c] = min(kinds)
            self.names_to[c] = max(kinds) + 1

    def _fill_market(self) -> None:
        """Symbols, "?" cards and special offers; without the Market there are none."""
        for k in range(KINDS):
            self.good[k] = NONE
            self.any_card[k] = NONE
        for card in CARDS:
            if self.market and card.good in GOODS:
                self.good[card.kind] = GOODS.index(card.good)
                self.goods[card.kind] = card.goods
            self.orange[card.kind] = int(self.market and card.orange)
        for i, good in enumerate(GOODS):
            self.special[i] = KIND[f"{good}_special"]
        if self.market:
            for i, kind in enumerate(ANY_CARDS):
                self.any_card[kind] = i

    def _fill_decks(self, ruleset: Ruleset) -> None:
        for card in CARDS:
            pile = PILES.index(card.pile)
            for _ in range(copies(ruleset, card.kind)):
                self.deck[pile * PILE_ROOM + self.deck_size[pile]] = card.kind
                self.deck_size[pile] = self.deck_size[pile] + 1
        for card in CARDS:
            for other in CARDS:
                if other.name == card.name and copies(ruleset, other.kind):
                    self.kin[card.kind * KIN_ROOM + self.kin_n[card.kind]] = other.kind
                    self.kin_n[card.kind] += 1

    def _fill_lays(self, ruleset: Ruleset) -> None:
        """Which base cards exchange cards can replace, as bits: one for each base card of a colour."""
        for colour, pile in BASE_PILE_OF_COLOUR.items():
            kinds = [card.kind for card in CARDS if card.pile == pile and card.colour == colour]
            c = COLOURS.index(colour)
            for place, k in enumerate(kinds):
                self.below[k] = place
                self.base_card[c * LAY_ROOM + place] = k
                if copies(ruleset, k):
                    for least in range(self.worth[k] + 1):
                        self.worth_at_least[c * LAY_ROOM + least] |= 1 << place
        for i in range(KINDS * LAY_ROOM):
            self.replaces[i] = NONE
        for number, (kind, onto) in enumerate(LAYS):
            if onto < 0:
                self.lay[kind] = number
            else:
                self.replaces[kind * LAY_ROOM + self.below[onto]] = number
                self.replace_bits[kind] |= 1 << self.below[onto]
                self.lies_below[onto] = 1
        for card in CARDS:
            if not card.exchange:
                self.lay[card.kind] = self.lay[CANONICAL[card.kind]]

    def _fill_actions(self) -> None:
        kinds = {card.text: CANONICAL[card.kind] for card in CARDS}
        for number in range(ACTION_ROOM):
            self.card[number] = NONE
            self.onto[number] = NONE
        for block in actions.BLOCKS:
            for entry in block.entries:
                number = actions.STARTS[block.name] + entry.at
                self.verb[number] = actions.VERBS[block.verb]
                self.card[number] = kinds.get(entry.action.card, NONE)
                self.onto[number] = kinds.get(entry.action.onto, NONE)
                self.arg[number] = entry.arg
                self.points_wanted[number] = int(entry.action.choice == "points")

    def _fill_owners(self) -> None:
        for room in ROOMS:
            for due in room.dues:
                self.asks[DUES.index(due)] = room.number
            for block in room.blocks:
                self.does[actions.VERBS[block.verb]] = room.number


def copies(ruleset: Ruleset, kind: int) -> int:
    """How many of a card are in the box of this ruleset."""
    card = CARDS[kind]
    if card.module and (card.module not in ruleset.modules or card.id not in MODULES[card.module].cards(ruleset)):
        return 0
    if ruleset.edition == "first":
        return card.copies_first
    return card.copies_market if ruleset.market else card.copies_second


assert max(len([c for c in CARDS if c.pile == p]) for p in ("worker", "building", "noble")) <= LAY_ROOM
assert len(DUES) <= DUE_ROOM and len(actions.VERBS) <= 64
_TABLES: dict[Ruleset, Tables] = {}


def tables_for(ruleset: Ruleset) -> Tables:
    """The tables of a ruleset, made once."""
    found = _TABLES.get(ruleset)
    if found is None:
        found = _TABLES[ruleset] = Tables(ruleset)
    return found
