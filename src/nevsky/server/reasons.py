"""Why a card cannot be bought, taken or played now.

Nothing is guessed here: the rules are asked for the legal actions, also for those that there would be on the
viewer's turn and with plenty of rubles. What is missing from which list tells the reason.
"""

from __future__ import annotations

from functools import cache, cached_property, lru_cache
from typing import Final, NamedTuple

from nevsky.cards import KIND, Card
from nevsky.rules.actions import ACTIONS, Action
from nevsky.rules.constants import TURN
from nevsky.rules.position import Position
from nevsky.rules.view import View
from nevsky.server.protocol import Reason, ReasonKey
from nevsky.texts import all_texts, amount, sentence, text

__all__ = ["Own", "Place", "Reasons", "while_waiting"]

_PLENTY: Final = 999
_LAYING: Final = frozenset({"buy", "play"})
_HELD: Final = frozenset({"play", "throw"})


class Own(NamedTuple):
    """What the reasons of a viewer depend on whose turn it is not."""

    rubles: int | None
    must_buy: bool = False
    hand: int = 0
    limit: int = 1


class Reasons:
    """The reasons of one viewer who sits at the table."""

    def __init__(self, view: View, position: Position, language: str, prices: dict[Place, int | None]) -> None:
        """Prices that are known already save asking for them again."""
        assert view.seat is not None
        self._view = view
        self._seat = view.seat
        player = view.players[view.seat]
        self.own = Own(player.rubles, view.must_buy, len(player.hand), player.hand_limit)
        self._position = position
        self._language = language
        self._prices = prices
        self._legal = _by_card(position.legal() if view.to_move == view.seat else [])
        self._verbs = {action.verb for (_, _, drawn), actions in self._legal.items() for action in actions if not drawn}

    def price(self, card: Card, row: int, *, drawn: bool = False) -> int | None:
        """The viewer's cheapest price, paid or not; None for a card that finds nothing to replace, and for purple."""
        if card.colour == "purple":
            return None
        place = (card.text, row, drawn)
        if place not in self._prices:
            self._prices[place] = self._cheapest(card, row, drawn=drawn)
        return self._prices[place]

    def _cheapest(self, card: Card, row: int, *, drawn: bool) -> int | None:
        ways = [-1] if not card.exchange else [KIND[way.onto] for way in self._if_rich(card, row, drawn=drawn)]
        return min((self._position.price_of(self._seat, card.kind, row, onto) for onto in ways), default=None)

    def of_display(self, card: Card, row: int) -> list[Reason]:
        """What stands against buying or taking a card of the display."""
        verbs = {action.verb for action in _about(self._legal, card, row)}
        if {"buy", "take"} <= verbs:
            return []
        reasons = self._not_now("buy", "take")
        if "buy" not in verbs:
            reasons += self._cannot_buy(card, row)
        if "take" not in verbs and self._on_offer("take"):
            reasons += self._cannot_take()
        return reasons or ([] if verbs else [self._say("now")])

    def of_hand(self, card: Card) -> list[Reason]:
        """What stands against playing a card of the own hand."""
        if any(action.verb in _HELD for action in _about(self._legal, card, 0)):
            return []
        reasons = self._not_now(*_HELD)
        if card.colour != "purple":
            reasons += self._cannot_buy(card, 0)
        elif not _about(self._on_own_turn, card, 0):
            key = f"why.effect.{card.id}"
            reasons.append(self._say("effect", key if key in all_texts(self._language) else "why.effect"))
        return reasons or [self._say("now")]

    def of_drawn(self, card: Card) -> list[Reason]:
        """What stands against buying or taking the card that is being looked at."""
        verbs = {action.verb for action in _about(self._legal, card, 0, drawn=True)}
        reasons = [] if "buy" in verbs else self._cannot_buy(card, 0, drawn=True)
        return reasons if "take" in verbs else reasons + self._cannot_take()

    def _not_now(self, *verbs: str) -> list[Reason]:
        if self._view.to_move != self._seat:
            return [self._say("turn")]
        return [] if self._on_offer(*verbs) else [self._say("question")]

    def _on_offer(self, *verbs: str) -> bool:
        """Whether such actions belong to the viewer's next decision, for whichever card of display or hand."""
        if self._view.due == "turn" or self._view.to_move != self._seat:
            return True
        return not self._verbs.isdisjoint(verbs)

    def _cannot_buy(self, card: Card, row: int, *, drawn: bool = False) -> list[Reason]:
        if card.colour == "purple":
            return [self._say("purple")]
        return _cannot_pay(self.price(card, row, drawn=drawn), self.own.rubles, self._language)

    def _cannot_take(self) -> list[Reason]:
        return _cannot_take(self.own, self._language)

    def _say(self, key: ReasonKey, words: str = "") -> Reason:
        return _reason(key, words or f"why.{key}", self._language)

    def _if_rich(self, card: Card, row: int, *, drawn: bool) -> list[Action]:
        legal = self._with_rubles if drawn else self._on_own_turn_with_rubles
        return [action for action in _about(legal, card, row, drawn=drawn) if action.verb in _LAYING]

    @cached_property
    def _on_own_turn(self) -> _ByCard:
        return self._what_if(turn=True, rich=False)

    @cached_property
    def _on_own_turn_with_rubles(self) -> _ByCard:
        return self._what_if(turn=True, rich=True)

    @cached_property
    def _with_rubles(self) -> _ByCard:
        return self._what_if(turn=False, rich=True)

    def _what_if(self, *, turn: bool, rich: bool) -> _ByCard:
        """What the rules would allow the viewer on their turn, or with plenty of rubles."""
        other = self._position.copy()
        if turn:
            other.due, other.seat, other.must_buy = TURN, self._seat, 0
        if rich:
            rubles = list(other.rubles)
            rubles[self._seat] = _PLENTY
            other.rubles = rubles
        return _by_card(other.legal())


Place = tuple[str, int, bool]
"""The name of a card, its row (0 for the hand and for a drawn card), and whether it is being looked at."""
_ByCard = dict[Place, list[Action]]


def _by_card(legal: list[int]) -> _ByCard:
    found: _ByCard = {}
    for number in legal:
        action = ACTIONS[number]
        found.setdefault((action.card, action.row, action.drawn), []).append(action)
    return found


def _about(actions: _ByCard, card: Card, row: int, *, drawn: bool = False) -> list[Action]:
    return actions.get((card.text, row, drawn), [])


@lru_cache(maxsize=16384)
def while_waiting(purple: bool, price: int | None, own: Own, language: str) -> list[Reason]:
    """What stands against buying or taking a card while it is somebody else's turn."""
    buying = [_reason("purple", "why.purple", language)] if purple else _cannot_pay(price, own.rubles, language)
    return [_reason("turn", "why.turn", language), *buying, *_cannot_take(own, language)]


def _cannot_pay(price: int | None, rubles: int | None, language: str) -> list[Reason]:
    if price is None:
        return [_reason("replace", "why.replace", language)]
    if rubles is None or price <= rubles:
        return []
    return [_too_dear(price, rubles, language)]


def _cannot_take(own: Own, language: str) -> list[Reason]:
    if own.must_buy:
        return [_reason("must_buy", "why.must_buy", language)]
    return [] if own.hand < own.limit else [_hand_full(own.hand, own.limit, language)]


@cache
def _reason(key: ReasonKey, words: str, language: str) -> Reason:
    return {"key": key, "text": text(words, language), "missing": None}


@lru_cache(maxsize=4096)
def _too_dear(price: int, rubles: int, language: str) -> Reason:
    words = {"price": price, "rubles": rubles, "missing": price - rubles}
    told = {name: amount(number, "ruble", language) for name, number in words.items()}
    return {"key": "price", "text": sentence("why.price", language, told), "missing": price - rubles}


@cache
def _hand_full(number: int, limit: int, language: str) -> Reason:
    return {"key": "hand", "text": text("why.hand", language, number=number, limit=limit), "missing": None}
