"""The card and action tables of one ruleset as plain number arrays, shared by all its games."""

from __future__ import annotations

from nevsky.cards import CARDS, COLOURS, GOODS, PILES
from nevsky.rules import actions
from nevsky.rules.constants import (
    FIRST,
    KINDS,
    PILE_ROOM,
    SECOND,
    V_ASSIGNMENT,
    V_ATTACH,
    V_BONUS,
    V_BONUS_CARD,
    V_BONUS_GOOD,
    V_BUY,
    V_BUY_DRAWN,
    V_DISCARD,
    V_DISCARD_DRAWN,
    V_EVENT,
    V_GOOD,
    V_GUILD_HALL,
    V_MOOCH,
    V_OBSERVE,
    V_PASS,
    V_PLAY,
    V_PUB,
    V_RETURN_DRAWN,
    V_SEARCH,
    V_SYCOPHANT,
    V_TAKE,
    V_TAKE_DRAWN,
    V_THROW,
    V_TRADING_HOUSE,
    V_UPKEEP_DROP,
    V_UPKEEP_PAY,
    V_USE,
)
from nevsky.rules.ruleset import Ruleset

LAY_ROOM = 32
KIN_ROOM = 8
ACTION_ROOM = 4608


class Tables:
    """Columns by kind, the decks, and what each action id says."""

    edition: int
    cost: list[int]
    worth: list[int]
    rubles: list[int]
    points: list[int]
    pile: list[int]
    colour: list[int]
    exchange: list[int]
    name: list[int]
    index: list[int]
    twin: list[int]
    kin: list[int]
    kin_n: list[int]
    worth_at_least: list[int]
    lies_below: list[int]
    replace_bits: list[int]
    lay: list[int]
    replaces: list[int]
    reduces: list[int]
    hand_bonus: list[int]
    pub: list[int]
    first: list[int]
    names_from: list[int]
    names_to: list[int]
    place: list[int]
    last: list[int]
    deck: list[int]
    deck_size: list[int]
    verb: list[int]
    card: list[int]
    onto: list[int]
    arg: list[int]
    points_wanted: list[int]
    market: int
    modules: int
    real_obstacles: int
    good: list[int]
    goods: list[int]
    carpet: list[int]

    def __init__(self, ruleset: Ruleset) -> None:
        self.edition = FIRST if ruleset.edition == "first" else SECOND
        self.cost = [0] * 112
        self.worth = [0] * 112
        self.rubles = [0] * 112
        self.points = [0] * 112
        self.pile = [0] * 112
        self.colour = [0] * 112
        self.exchange = [0] * 112
        self.name = [0] * 112
        self.index = [0] * 112
        self.twin = [-1] * 112
        self.kin = [0] * 896
        self.kin_n = [0] * 112
        self.worth_at_least = [0] * 160
        self.lies_below = [0] * 112
        self.replace_bits = [0] * 112
        self.reduces = [0] * 112
        self.hand_bonus = [0] * 112
        self.pub = [0] * 112
        self.lay = [-1] * 112
        self.replaces = [-1] * 3584
        self.first = [0] * 5
        self.names_from = [0] * 5
        self.names_to = [0] * 5
        self.place = [0] * 37
        self.last = [0] * 5
        self.deck = [0] * 320
        self.deck_size = [0] * 5
        self.verb = [0] * 4608
        self.card = [-1] * 4608
        self.onto = [-1] * 4608
        self.arg = [0] * 4608
        self.points_wanted = [0] * 4608
        self.good = [-1] * 112
        self.goods = [0] * 112
        self.carpet = [0] * 112
        self.market = int(ruleset.market)
        self.modules = 0
        self.real_obstacles = -1 if ruleset.real_obstacles is None else ruleset.real_obstacles
        for module in ruleset.modules:
            self.modules |= 1 << module
        for i in range(32):
            self.place[(1 << i) % 37] = i  # the powers of two below 2**32 differ modulo 37
        self._fill_cards()
        self._fill_decks(ruleset)
        self._fill_actions()

    def _fill_cards(self) -> None:
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
            self.index[k] = actions.TAKEN.index(actions.CANONICAL[k])
            for other in CARDS:
                if other.text == card.text and other.kind != k:
                    self.twin[k] = other.kind
            for colour in card.effect_all("reduce"):
                self.reduces[k] |= 1 << COLOURS.index(colour)
            self.hand_bonus[k] = int(card.effect("hand", "0"))
            self.pub[k] = int(card.effect("pub", "0"))
            if self.market and card.good in GOODS:
                self.good[k] = GOODS.index(card.good)
                self.goods[k] = card.goods
            self.carpet[k] = int("carpet" in card.crafts)
        for c in range(5):
            kinds = [k for k in range(KINDS) if self.colour[k] == c and self.name[k] == k]
            self.names_from[c] = min(kinds)
            self.names_to[c] = max(kinds) + 1

    def _fill_decks(self, ruleset: Ruleset) -> None:
        """The decks, and per colour the range of kinds that exchange cards can replace here."""
        for card in CARDS:
            pile = PILES.index(card.pile)
            for _ in range(copies(ruleset, card.kind)):
                self.deck[pile * PILE_ROOM + self.deck_size[pile]] = card.kind
                self.deck_size[pile] = self.deck_size[pile] + 1
        for colour, pile_name in actions.BASE_PILE_OF_COLOUR.items():
            kinds = [c.kind for c in CARDS if c.pile == pile_name and c.colour == colour]
            used = [k for k in kinds if copies(ruleset, k)]
            c = COLOURS.index(colour)
            self.first[c] = min(kinds)
            self.last[c] = max(used) + 1
            for k in used:
                for least in range(self.worth[k] + 1):
                    self.worth_at_least[c * LAY_ROOM + least] |= 1 << (k - self.first[c])
        for card in CARDS:
            for other in CARDS:
                if other.name == card.name and copies(ruleset, other.kind):
                    self.kin[card.kind * KIN_ROOM + self.kin_n[card.kind]] = other.kind
                    self.kin_n[card.kind] += 1
        for number, (kind, onto) in enumerate(actions.LAYS):
            if onto < 0:
                self.lay[kind] = number
            else:
                first = self.first[self.colour[kind]]
                self.replaces[kind * LAY_ROOM + onto - first] = number
                self.replace_bits[kind] |= 1 << (onto - first)
                self.lies_below[onto] = 1
        for card in CARDS:
            if not card.exchange:
                self.lay[card.kind] = self.lay[actions.CANONICAL[card.kind]]

    def _fill_actions(self) -> None:
        kinds = {card.text: actions.CANONICAL[card.kind] for card in CARDS}
        for number, action in enumerate(actions.ACTIONS):
            self.verb[number] = verb_of(action)
            self.card[number] = kinds[action.card] if action.card else -1
            self.onto[number] = kinds[action.onto] if action.onto else -1
            if action.pile:
                self.arg[number] = PILES.index(action.pile)
            elif action.row:
                self.arg[number] = action.row
            elif action.choice in GOODS:
                self.arg[number] = GOODS.index(action.choice)
            elif action.verb == "upkeep":
                self.arg[number] = GOODS.index(CARDS[self.card[number]].good)
            elif action.verb == "event":
                self.arg[number] = actions.EVENTS.index(action.choice)
            else:
                self.arg[number] = action.number
            self.points_wanted[number] = int(action.choice in ("points", "skip", "drop"))


_VERBS = {
    "pass": V_PASS,
    "buy": V_BUY,
    "take": V_TAKE,
    "play": V_PLAY,
    "discard": V_DISCARD,
    "observe": V_OBSERVE,
    "pub": V_PUB,
    "good": V_GOOD,
    "search": V_SEARCH,
    "return": V_RETURN_DRAWN,
    "use": V_USE,
    "throw": V_THROW,
    "mooch": V_MOOCH,
    "guild_hall": V_GUILD_HALL,
    "trading_house": V_TRADING_HOUSE,
    "sycophant": V_SYCOPHANT,
    "event": V_EVENT,
    "assignment": V_ASSIGNMENT,
    "bonus": V_BONUS,
}
_DRAWN_VERBS = {"buy": V_BUY_DRAWN, "take": V_TAKE_DRAWN, "discard": V_DISCARD_DRAWN, "return": V_RETURN_DRAWN}


def verb_of(action: actions.Action) -> int:
    """The number under which the rules carry out an action."""
    if action.drawn:
        return _DRAWN_VERBS[action.verb]
    if action.verb == "upkeep":
        return V_UPKEEP_PAY if action.choice == "pay" else V_UPKEEP_DROP
    if action.verb == "bonus" and action.card:
        return V_BONUS_CARD
    if action.verb == "bonus" and action.choice in GOODS:
        return V_BONUS_GOOD
    if action.verb == "play" and action.card in ("banquet", "jester") and action.onto:
        return V_ATTACH
    return _VERBS[action.verb]


def copies(ruleset: Ruleset, kind: int) -> int:
    """How many of a card are in the box of this ruleset."""
    card = CARDS[kind]
    if card.module and (card.module not in ruleset.modules or card.id not in ruleset.module_cards(card.module)):
        return 0
    if ruleset.edition == "first":
        return card.copies_first
    return card.copies_market if ruleset.market else card.copies_second


assert KINDS == 112 and len(actions.ACTIONS) <= ACTION_ROOM
assert max(len([c for c in CARDS if c.pile == p]) for p in ("worker", "building", "noble")) <= LAY_ROOM
_TABLES: dict[Ruleset, Tables] = {}


def tables_for(ruleset: Ruleset) -> Tables:
    """The tables of a ruleset, made once."""
    found = _TABLES.get(ruleset)
    if found is None:
        found = _TABLES[ruleset] = Tables(ruleset)
    return found
