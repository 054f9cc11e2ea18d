"""What is different for each viewer at a turn of the base game: the display with their prices, their hand and choices.

It is made of a `Glance`, without a view: most of what a viewer is shown was told before, to them or to others, and is
found by a few numbers. This runs for every viewer after every move, so it is compiled; the C types are in
`own_part.pxd`. Whatever is not a turn of the base game is shown by `present`, and both show the same.
"""

from __future__ import annotations

from typing import Any

from nevsky.cards import CARDS, PILES
from nevsky.rules.actions import ACTIONS, PASS
from nevsky.rules.constants import KINDS, NONE
from nevsky.rules.explain import explain
from nevsky.rules.glance import Glance
from nevsky.rules.position import Position
from nevsky.server.leaves import NO_CHOICES, held_back, offered, on_display, playable, watched
from nevsky.server.protocol import Choice, DisplayCard, HandView, PlayerState
from nevsky.server.reasons import Now, Own
from nevsky.texts.sentences import Wording

__all__ = ["OwnPart", "leaves_in"]

MOST = 4096
"""Of each kind of thing that is remembered in a language; then it begins anew."""
ENOUGH = 1023
"""Stands for any number of rubles where more would make no difference."""
PLENTY = 1 << 30
"""Tells numbers of the own turn from those of others."""
_CARDS = [(card.pile, card.exact) for card in CARDS]
_DISPLAYED = on_display.__wrapped__
_PLAYABLE = playable.__wrapped__
_HELD_BACK = held_back.__wrapped__
_OFFERED = offered.__wrapped__
"""What is remembered here need not be remembered below, too."""


class Leaves:
    """What was told in one language and edition, by the numbers that it depends on."""

    def __init__(self, language: str, edition: str) -> None:
        self.language = language
        self.edition = edition
        self.wording = Wording(language, edition)
        self.display: dict[int, DisplayCard] = {}
        self.told: dict[int, DisplayCard] = {}
        self.held: dict[int, HandView] = {}
        self.choices: dict[int, Choice] = {}

    def card(self, p: Position, g: Glance, i: int) -> DisplayCard:
        """A card of the display as the viewer sees it."""
        price = g.price[i]
        key = g.kind[i]
        if g.seat == NONE:
            return self._told(p, g, i, key)
        rubles = g.rubles if price > g.rubles else ENOUGH
        full = 16 * g.hand_limit + g.hand if g.hand >= g.hand_limit else 0
        key = (((key + 1) * 128 + price + 1) * 1024 + rubles) * 256 + full
        key = (key * 2 + g.must_buy) * 8
        if g.seat != g.to_move:
            return self._told(p, g, i, key)
        about = g.ways[i] + g.takes[i]
        key += 4 + (2 if g.ways[i] else 0) + g.takes[i]
        if not about:
            return self._told(p, g, i, key)
        asked = (key * 1024 + g.place[i]) * 128 + about
        found = self.display.get(asked)
        if found is None:
            found = {**self._told(p, g, i, key), "choices": list(range(g.place[i], g.place[i] + about))}
            if len(self.display) >= MOST:
                self.display.clear()
            self.display[asked] = found
        return found

    def _told(self, p: Position, g: Glance, i: int, key: int) -> DisplayCard:
        """The same but for the places of its choices."""
        found = self.told.get(key)
        if found is None:
            found = self._card(p, g, i)
            if len(self.told) >= MOST:
                self.told.clear()
            self.told[key] = found
        return found

    def _card(self, p: Position, g: Glance, i: int) -> DisplayCard:
        exact, cost = CARDS[g.kind[i]].exact, p.t.cost[g.kind[i]]
        if g.seat == NONE:
            return watched(exact, cost)
        verbs = (("buy",) if g.ways[i] else ()) + (("take",) if g.takes[i] else ())
        price = None if g.price[i] == NONE else g.price[i]
        return _DISPLAYED(exact, cost, price, self._now(g, g.price[i]), verbs, ())

    def _now(self, g: Glance, price: int) -> Now:
        own = Own(_too_few(g, price), bool(g.must_buy), g.hand, g.hand_limit)
        return Now(own, g.seat == g.to_move, True, True, True, self.language)

    def card_held(self, g: Glance, i: int) -> HandView:
        """A card on the own hand."""
        price = g.held_price[i]
        rubles = g.rubles if price > g.rubles else ENOUGH
        key = (g.held[i] * 128 + price + 1) * 1024 + rubles
        if g.seat == g.to_move:
            key = ((key + PLENTY) * 1024 + g.held_place[i]) * 64 + g.held_ways[i]
        found = self.held.get(key)
        if found is None:
            found = self._card_held(g, i)
            if len(self.held) >= MOST:
                self.held.clear()
            self.held[key] = found
        return found

    def _card_held(self, g: Glance, i: int) -> HandView:
        card = CARDS[g.held[i]]
        price = None if g.held_price[i] == NONE else g.held_price[i]
        if g.held_ways[i]:
            places = tuple(range(g.held_place[i], g.held_place[i] + g.held_ways[i]))
            return _PLAYABLE(card.pile, card.exact, price, places)
        rubles = _too_few(g, g.held_price[i])
        return _HELD_BACK(card.pile, card.exact, price, g.seat == g.to_move, True, rubles, self.language)

    def choice(self, p: Position, g: Glance, n: int) -> Choice:
        """One of the legal actions; to pass is a slip where a card could be laid."""
        number = g.choice[n]
        key = ((number * 128 + g.paid[n] + 1) * 32 + g.same[n]) * 4096 + g.reduced[n]
        if number == PASS:
            key += self._lays(g)
        found = self.choices.get(key)
        if found is None:
            found = self._choice(p, g, n)
            if len(self.choices) >= MOST:
                self.choices.clear()
            self.choices[key] = found
        return found

    def _lays(self, g: Glance) -> int:
        for n in range(g.choices):
            if g.paid[n] != NONE:
                return 1
        return 0

    def _choice(self, p: Position, g: Glance, n: int) -> Choice:
        action = ACTIONS[g.choice[n]]
        confirm = action.verb == "pass" and self._lays(g) == 1
        price = explain(p, g.seat, action)
        return _OFFERED(action, self.wording.choice(action, "turn"), price, confirm, self.language, self.edition)


def _too_few(g: Glance, price: int) -> int | None:
    """The viewer's rubles if they are less than a price: more would make no difference."""
    return g.rubles if price > g.rubles else None


_LEAVES: dict[tuple[str, str], Leaves] = {}


def leaves_in(language: str, edition: str) -> Leaves:
    """The same for all tables."""
    key = (language, edition)
    found = _LEAVES.get(key)
    if found is None:
        found = _LEAVES[key] = Leaves(language, edition)
    return found


class OwnPart:
    """What one viewer was shown, kept as long as it stays the same: then nobody has to look whether it has changed."""

    def __init__(self, leaves: Leaves) -> None:
        self._leaves = leaves
        self._glance = Glance()
        self._before = Glance()
        self._seen: PlayerState | None = None
        self._player: PlayerState | None = None
        self.row1: list[DisplayCard] = []
        self.row2: list[DisplayCard] = []
        self.hand: list[HandView] = []
        self.choices: list[Choice] = NO_CHOICES
        self.remaining: dict[str, dict[str, int]] = {}

    def look(self, p: Position, seat: int, show_seen: bool, open_hands: bool) -> bool:
        """Look at a position with the eyes of a seat, or of a spectator with -1; False if it is for others to show."""
        leaves, before = self._leaves, self._glance
        g = self._before
        if not g.look(p, seat, show_seen, open_hands):
            return False
        self._glance, self._before = g, before
        self.row1 = self._same(self.row1, [leaves.card(p, g, i) for i in range(g.row1)])
        self.row2 = self._same(self.row2, [leaves.card(p, g, i) for i in range(g.row1, g.cards)])
        self.hand = self._same(self.hand, [leaves.card_held(g, i) for i in range(g.hand)])
        self.choices = [leaves.choice(p, g, n) for n in range(g.choices)] if g.choices else NO_CHOICES
        if not self.remaining or not g.knows_as_much(before):
            self.remaining = _remaining(g, p)
        return True

    def _same(self, old: list[Any], new: list[Any]) -> list[Any]:
        """The old list if it has the same elements."""
        if len(old) != len(new):
            return new
        for i in range(len(new)):
            if old[i] is not new[i]:
                return new
        return old

    @property
    def turn(self) -> bool:
        """Whether it is the viewer's."""
        return self._glance.seat == self._glance.to_move

    @property
    def to_move(self) -> int:
        """Whose turn it is."""
        return self._glance.to_move

    @property
    def must_buy(self) -> bool:
        """Whether the first workers are being bought."""
        return self._glance.must_buy != 0

    @property
    def rubles(self) -> int:
        """The viewer's own."""
        return self._glance.rubles

    @property
    def may_pass(self) -> bool:
        """Whether they may now or, while others decide, at their next turn."""
        g = self._glance
        if g.seat == NONE:
            return False
        return g.choice[g.choices - 1] == PASS if g.choices else not g.must_buy

    def player(self, seen: PlayerState) -> PlayerState:
        """How the viewer sees themselves, made of how others see them."""
        g, known = self._glance, self._player
        if (
            known is None
            or seen is not self._seen
            or known["hand"] is not self.hand
            or known["rubles"] != g.rubles
            or known["projected"] != g.points
        ):
            self._seen = seen
            known = self._player = {**seen, "rubles": g.rubles, "hand": self.hand, "projected": g.points}
        return known


def _remaining(g: Glance, p: Position) -> dict[str, dict[str, int]]:
    """By pile: the cards whose place the viewer does not know."""
    found: dict[str, dict[str, int]] = {}
    for pile in range(len(PILES)):
        if p.t.deck_size[pile]:
            found[PILES[pile]] = {}
    for kind in range(KINDS):
        if g.unknown[kind]:
            pile_of, exact = _CARDS[kind]
            found[pile_of][exact] = g.unknown[kind]
    return found
