"""Why a card cannot be bought, taken or played now.

Nothing is guessed here: the rules are asked for the legal actions, also for those that there would be on the
viewer's turn and with plenty of rubles. What is missing from which list tells the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from nevsky.cards import KIND, Card
from nevsky.rules.actions import ACTIONS, Action
from nevsky.rules.constants import TURN
from nevsky.rules.position import Position
from nevsky.rules.view import View
from nevsky.server.lazy import Lazy
from nevsky.server.protocol import Reason, ReasonKey
from nevsky.texts import all_texts, amount, text

__all__ = ["Now", "Own", "Place", "Reasons", "against_getting", "against_playing"]

_PLENTY: Final = 999
_LAYING: Final = frozenset({"buy", "play"})
_HELD: Final = frozenset({"play", "throw"})
_NOWHERE: Final[list[int]] = []


class Own(NamedTuple):
    """What the reasons of a viewer depend on that they have."""

    rubles: int | None
    must_buy: bool
    hand: int
    limit: int


class Now(NamedTuple):
    """What the reasons of a viewer depend on besides the card."""

    own: Own
    turn: bool
    """It is the viewer's."""
    gets: bool
    """Buying or taking cards of the display belongs to the viewer's next decision, for whichever card."""
    takes: bool
    plays: bool
    """The same of cards of the hand."""
    language: str


class Reasons:
    """The reasons of one viewer who sits at the table."""

    def __init__(
        self,
        view: View,
        actions: Sequence[Action],
        position: Position,
        language: str,
        prices: dict[Place, int | None],
    ) -> None:
        """The actions are those of the view. Prices that are known already save asking for them again."""
        assert view.seat is not None
        self._seat = view.seat
        self._position = position
        self._language = language
        self._prices = prices
        self._about: dict[Place, list[int]] = {}
        self._verbs = [action.verb for action in actions]
        for place, action in enumerate(actions):
            self._about.setdefault((action.card, action.row, action.drawn), []).append(place)
        player, turn = view.players[view.seat], view.to_move == view.seat
        own = Own(player.rubles, view.must_buy, len(player.hand), player.hand_limit)
        if not turn or view.due == "turn":
            self.now = Now(own, turn, True, True, True, language)
        else:
            verbs = {action.verb for action in actions if not action.drawn}
            takes = "take" in verbs
            self.now = Now(own, turn, takes or "buy" in verbs, takes, not verbs.isdisjoint(_HELD), language)

    def places(self, card: Card, row: int, *, drawn: bool = False) -> list[int]:
        """Where among the actions those about a card stand."""
        return self._about.get((card.text, row, drawn), _NOWHERE)

    def verbs(self, places: Sequence[int]) -> list[str]:
        """What the actions at these places do."""
        return [self._verbs[place] for place in places]

    def price(self, card: Card, row: int, *, drawn: bool = False) -> int | None:
        """The viewer's cheapest price, paid or not; None for a card that finds nothing to replace, and for purple."""
        if card.colour == "purple":
            return None
        place = (card.text, row, drawn)
        if place not in self._prices:
            self._prices[place] = self._cheapest(card, row, drawn=drawn)
        return self._prices[place]

    def _cheapest(self, card: Card, row: int, *, drawn: bool) -> int | None:
        if not card.exchange:
            return self._position.price_of(self._seat, card.kind, row)
        ways = [KIND[way.onto] for way in self._if_rich(card, row, drawn=drawn)]
        return min((self._position.price_of(self._seat, card.kind, row, onto) for onto in ways), default=None)

    def of_purple(self, card: Card) -> list[Reason]:
        """What stands against playing a purple card of the own hand."""
        now = self.now
        reasons = _not_now(now.turn, now.plays, now.language)
        if not _about(self._on_own_turn, card, 0):
            key = f"why.effect.{card.id}"
            reasons.append(_reason("effect", key if key in all_texts(now.language) else "why.effect", now.language))
        return reasons or [_say("now", now.language)]

    def of_drawn(self, card: Card) -> list[Reason]:
        """What stands against buying or taking the card that is being looked at."""
        own, language = self.now.own, self._language
        verbs = self.verbs(self.places(card, 0, drawn=True))
        reasons = []
        if "buy" not in verbs:
            reasons += _cannot_buy(card.colour == "purple", self.price(card, 0, drawn=True), own.rubles, language)
        return reasons if "take" in verbs else reasons + _cannot_take(own, language)

    def _if_rich(self, card: Card, row: int, *, drawn: bool) -> list[Action]:
        legal = self._with_rubles if drawn else self._on_own_turn_with_rubles
        return [action for action in _about(legal, card, row, drawn=drawn) if action.verb in _LAYING]

    @Lazy
    def _on_own_turn(self) -> _ByCard:
        return self._what_if(turn=True, rich=False)

    @Lazy
    def _on_own_turn_with_rubles(self) -> _ByCard:
        return self._what_if(turn=True, rich=True)

    @Lazy
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


@lru_cache(maxsize=4096)
def against_getting(now: Now, purple: bool, price: int | None, verbs: tuple[str, ...]) -> list[Reason]:
    """What stands against buying or taking a card of the display, given what can be done with it."""
    buys, takes = "buy" in verbs, "take" in verbs
    if buys and takes:
        return []
    reasons = _not_now(now.turn, now.gets, now.language)
    if not buys:
        reasons += _cannot_buy(purple, price, now.own.rubles, now.language)
    if not takes and now.takes:
        reasons += _cannot_take(now.own, now.language)
    return reasons or ([] if verbs else [_say("now", now.language)])


@lru_cache(maxsize=4096)
def against_playing(turn: bool, plays: bool, price: int | None, rubles: int | None, language: str) -> list[Reason]:
    """What stands against playing a card of the own hand that is not purple."""
    return _not_now(turn, plays, language) + _cannot_pay(price, rubles, language) or [_say("now", language)]


def _not_now(turn: bool, offered: bool, language: str) -> list[Reason]:
    if not turn:
        return [_say("turn", language)]
    return [] if offered else [_say("question", language)]


def _cannot_buy(purple: bool, price: int | None, rubles: int | None, language: str) -> list[Reason]:
    return [_say("purple", language)] if purple else _cannot_pay(price, rubles, language)


def _cannot_pay(price: int | None, rubles: int | None, language: str) -> list[Reason]:
    if price is None:
        return [_say("replace", language)]
    if rubles is None or price <= rubles:
        return []
    return [_too_dear(price, rubles, language)]


def _cannot_take(own: Own, language: str) -> list[Reason]:
    if own.must_buy:
        return [_say("must_buy", language)]
    return [] if own.hand < own.limit else [_hand_full(own.hand, own.limit, language)]


def _say(key: ReasonKey, language: str) -> Reason:
    return _reason(key, f"why.{key}", language)


@cache
def _reason(key: ReasonKey, words: str, language: str) -> Reason:
    return {"key": key, "text": text(words, language), "missing": None}


@lru_cache(maxsize=4096)
def _too_dear(price: int, rubles: int, language: str) -> Reason:
    missing = price - rubles
    words = text(
        "why.price",
        language,
        price=amount(price, "ruble", language),
        rubles=amount(rubles, "ruble", language),
        missing=amount(missing, "ruble", language),
    )
    return {"key": "price", "text": words, "missing": missing}


@cache
def _hand_full(number: int, limit: int, language: str) -> Reason:
    return {"key": "hand", "text": text("why.hand", language, number=number, limit=limit), "missing": None}
