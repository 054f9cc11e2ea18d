"""What a viewer sees of cards: the display, hands, areas and choices, with prices and reasons.

Everything comes from a view. Prices are asked of a position without secrets, which agrees with the real one in all
that the viewer may know.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from nevsky.cards import CARDS, KIND, Card
from nevsky.rules.actions import Action, parse_action
from nevsky.rules.explain import costs, explain
from nevsky.rules.modules import BANQUET
from nevsky.rules.modules.banquet.data import at_full_price
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.tables import tables_for
from nevsky.rules.view import HandCard, View
from nevsky.server.lazy import Lazy
from nevsky.server.leaves import (
    NO_CHOICES,
    NO_PLACES,
    NO_REASONS,
    backs,
    counted,
    held_back,
    left,
    offered,
    on_display,
    playable,
    watched,
)
from nevsky.server.protocol import Choice, DisplayCard, HandView, Reason
from nevsky.server.reasons import Place, Reasons
from nevsky.texts.sentences import Wording

__all__ = ["Board", "Memory"]

_BOUGHT: Final = frozenset({"buy", "take", "discard"})
_HELD: Final = frozenset({"play", "throw"})
_GIVEN_UP: Final = frozenset({"drop", "skip"})


def _card(exact: str) -> Card:
    return CARDS[KIND[exact]]


@cache
def _action(text: str) -> Action:
    return parse_action(text)


class Memory:
    """What a viewer was told of cards, kept as long as it stays true.

    The prices and reasons of a seat depend on what the seat has, on what the Market and the modules show, and on the
    phase; others may do what they like meanwhile.
    """

    def __init__(self) -> None:
        self._key: tuple[object, ...] | None = None
        self.prices: dict[Place, int | None] = {}
        self.choices: dict[tuple[Action, str | None, bool], Choice] = {}
        self.display: dict[tuple[str, int], DisplayCard] = {}
        """As long as it is somebody else's turn."""
        self._rows: dict[int, tuple[tuple[str, ...], list[DisplayCard]]] = {}
        """The rows made of them."""
        self.hand: dict[str, HandView] = {}
        """The same for cards on the own hand."""
        self.whole_hand: list[HandView] | None = None
        """All of them, if none depends on anything else."""
        self.hands: tuple[tuple[HandCard, ...], ...] = ()
        """All hands as they were when somebody last asked for the cards whose place is unknown."""
        self.remaining: tuple[tuple[object, ...], dict[str, dict[str, int]]] = ((), {})
        """These cards, and what they depend on."""
        self._costs: list[int] = []

    def costs(self, ruleset: Ruleset) -> list[int]:
        """What is printed on each kind of card; it never changes."""
        if not self._costs:
            self._costs = costs(tables_for(ruleset))
        return self._costs

    def row(self, row: int, cards: tuple[str, ...]) -> list[DisplayCard] | None:
        """A row made of cards of the display that are known while it is somebody else's turn; None if one is not."""
        kept = self._rows.get(row)
        if kept is not None and kept[0] is cards:
            return kept[1]
        found = []
        for exact in cards:
            card = self.display.get((exact, row))
            if card is None:
                return None
            found.append(card)
        self._rows[row] = (cards, found)
        return found

    def look_at(self, view: View) -> None:
        """Forget what is true no more."""
        own = None if view.seat is None else view.players[view.seat]
        on_turn = BANQUET.in_play(view.ruleset) and view.to_move == view.seat  # a Money Collector counts then
        key = (own, view.table, view.round, view.phase, view.must_buy, view.due is None, on_turn)
        if key != self._key:
            self._key = key
            self.whole_hand = None
            for known in (self.prices, self.choices, self.display, self._rows, self.hand):
                known.clear()


class Board:
    """One view, ready to be asked."""

    def __init__(self, view: View, wording: Wording, known: Callable[[], Position], memory: Memory) -> None:
        memory.look_at(view)
        self.view = view
        self.seat = view.seat
        self.wording = wording
        self.language = wording.language
        self._known = known
        self._memory = memory
        self._waiting = view.to_move != view.seat
        self.actions: tuple[Action, ...] = tuple(map(_action, view.legal))

    @Lazy
    def position(self) -> Position:
        """A position without secrets; most of what somebody sees who waits is remembered and needs none."""
        known = self._known()
        if self._waiting:
            at_full_price(known)  # somebody else's Money Collector lowers none of the viewer's prices
        return known

    @Lazy
    def reasons(self) -> Reasons | None:
        """Why cards cannot be had; None for spectators."""
        if self.seat is None:
            return None
        return Reasons(self.view, self.actions, self.position, self.language, self._memory.prices)

    @Lazy
    def choices(self) -> list[Choice]:
        """The legal actions, ready to be shown."""
        if not self.actions:
            return NO_CHOICES
        can_lay = any(action.verb in ("buy", "play") for action in self.actions)
        known, due = self._memory.choices, self.view.due
        found = []
        for action in self.actions:
            key = (action, due, can_lay)
            choice = known.get(key)
            if choice is None:
                choice = known[key] = self._choice(action, can_lay)
            found.append(choice)
        return found

    def _choice(self, action: Action, can_lay: bool) -> Choice:
        assert self.seat is not None
        price = explain(self.position, self.seat, action)
        if action.verb == "pass":
            confirm = self.view.due == "turn" and can_lay
        else:
            confirm = action.choice in _GIVEN_UP and action.verb != "trading_house"
        label = self.wording.choice(action, self.view.due)
        return offered(action, label, price, confirm, self.language, self.view.ruleset.edition)

    def display(self, row: int) -> list[DisplayCard]:
        """The cards of a row, left to right."""
        cards = self.view.row1 if row == 1 else self.view.row2
        if not self._waiting:
            return [self._display_card(exact, row) for exact in cards]
        kept = self._memory.row(row, cards)
        if kept is None:
            known = self._memory.display
            for exact in cards:
                if (exact, row) not in known:
                    known[exact, row] = self._display_card(exact, row)
            kept = self._memory.row(row, cards)
            assert kept is not None
        return kept

    def _display_card(self, exact: str, row: int) -> DisplayCard:
        card, reasons = _card(exact), self.reasons
        cost = self._memory.costs(self.view.ruleset)[card.kind]
        if reasons is None:
            return watched(exact, cost)
        price = reasons.price(card, row)
        if self.view.due is None:
            return left(exact, cost, price)
        about = reasons.places(card, row)
        if not about:
            return on_display(exact, cost, price, reasons.now, (), ())
        verbs = reasons.verbs(about)
        places = [place for place, verb in zip(about, verbs, strict=True) if verb in _BOUGHT]
        return on_display(exact, cost, price, reasons.now, tuple(verbs), tuple(places))

    @property
    def drawn_choices(self) -> list[int]:
        """Choices about the card that is being looked at."""
        if self.view.drawn is None:
            return NO_PLACES
        return [place for place, action in enumerate(self.actions) if action.drawn]

    @property
    def drawn_price(self) -> int | None:
        """The price of the card that the viewer is looking at."""
        if self.view.drawn is None or not self.drawn_choices or self.reasons is None:
            return None
        return self.reasons.price(_card(self.view.drawn), 0, drawn=True)

    @property
    def drawn_why_not(self) -> list[Reason]:
        """What cannot be done with the card that the viewer is looking at."""
        if self.view.drawn is None or not self.drawn_choices or self.reasons is None:
            return NO_REASONS
        return self.reasons.of_drawn(_card(self.view.drawn))

    def hand(self, seat: int, show_seen: bool) -> list[HandView]:
        """A hand as the viewer sees it."""
        player = self.view.players[seat]
        if seat == self.seat:
            return self._own_hand(player.hand)
        shown = show_seen or self.view.ruleset.open_hands or self.view.due is None
        return backs(player.hand, shown)

    def _own_hand(self, hand: tuple[HandCard, ...]) -> list[HandView]:
        memory = self._memory
        if self._waiting and memory.whole_hand is not None:
            return memory.whole_hand
        cards = [self._own_card(card) for card in hand]
        if self._waiting and all(card.card in memory.hand for card in hand):
            memory.whole_hand = cards
        return cards

    def _own_card(self, card: HandCard) -> HandView:
        assert card.card is not None
        held = _card(card.card)
        lasting = self._waiting and held.colour != "purple"  # what purple cards do depends on others, too
        found = self._memory.hand.get(card.card) if lasting else None
        if found is None:
            reasons = self.reasons
            assert reasons is not None
            about = reasons.places(held, 0)
            places = [p for p, verb in zip(about, reasons.verbs(about), strict=True) if verb in _HELD] if about else []
            price = reasons.price(held, 0)
            if places or self.view.due is None:
                found = playable(card.pile, card.card, price, tuple(places))
            elif held.colour == "purple":
                why_not = reasons.of_purple(held)
                found = {"pile": card.pile, "card": card.card, "price": price, "why_not": why_not, "choices": []}
            else:
                now = reasons.now
                found = held_back(card.pile, card.card, price, now.turn, now.plays, now.own.rubles, self.language)
            if lasting:
                self._memory.hand[card.card] = found
        return found

    def remaining(self, show_seen: bool) -> dict[str, dict[str, int]]:
        """By pile: the cards whose place the viewer does not know.

        They stay the same until a pile, the discard pile or the drawn card changes, or a hand by a card that not
        everybody has seen.
        """
        view, memory = self.view, self._memory
        hands = tuple([player.hand for player in view.players])
        known, found = memory.remaining
        of = (view.piles, view.discard, view.drawn, view.drawn_pile, view.due is None, show_seen)
        places = len(of)
        if known[:places] != of or (hands != memory.hands and known[places:] != _unseen(hands, show_seen)):
            found = self._remaining(show_seen)
            memory.remaining = ((*of, *_unseen(hands, show_seen)), found)
        memory.hands = hands
        return found

    def _remaining(self, show_seen: bool) -> dict[str, dict[str, int]]:
        position, view = self.position, self.view
        kinds = [kind for pile in range(5) for kind in position.pile_of(pile)]
        if view.drawn is None and view.drawn_pile is not None:
            kinds.append(position.drawn)
        if not (view.ruleset.open_hands or view.due is None):
            for seat in range(len(view.players)):
                if seat != self.seat:
                    hand = zip(position.hand_of(seat), position.seen_of(seat), strict=True)
                    kinds += [kind for kind, seen in hand if not (seen and show_seen)]
        kinds.sort()
        return counted(bytes(kinds), tuple(view.piles))


def _unseen(hands: tuple[tuple[HandCard, ...], ...], show_seen: bool) -> tuple[object, ...]:
    """What hands tell of cards whose place is unknown: those that were taken openly are no secret where they count."""
    return tuple([len([1 for card in hand if not card.seen]) for hand in hands]) if show_seen else hands
