"""What a viewer sees of cards: the display, hands, areas and choices, with prices and reasons.

Everything comes from a view. Prices are asked of a position without secrets, which agrees with the real one in all
that the viewer may know.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Final

from nevsky.cards import CARDS, KIND, Card, card_name
from nevsky.rules.actions import Action, parse_action
from nevsky.rules.explain import Price, explain
from nevsky.rules.modules.assistants.room import ASSISTANTS
from nevsky.rules.modules.banquet.data import at_full_price
from nevsky.rules.position import Position
from nevsky.rules.view import HandCard, View
from nevsky.server.modules import area_marks
from nevsky.server.protocol import AreaCard, Choice, DisplayCard, HandView, PriceStep, Reason
from nevsky.server.reasons import Reasons
from nevsky.texts import text
from nevsky.texts.sentences import Wording

__all__ = ["Board"]

_BOUGHT: Final = frozenset({"buy", "take", "discard"})
_HELD: Final = frozenset({"play", "throw"})
_GIVEN_UP: Final = frozenset({"drop", "skip"})


def _card(exact: str) -> Card:
    return CARDS[KIND[exact]]


@lru_cache(maxsize=8192)
def _area_card(
    card: str, count: int, face_down: int, covered: bool, attached: tuple[str, ...], tile: str | None
) -> AreaCard:
    """Areas change little and are shown to everybody after every move: equal cards are made once."""
    return AreaCard(card=card, count=count, face_down=face_down, covered=covered, attached=list(attached), tile=tile)


class Board:
    """One view, ready to be asked."""

    def __init__(self, view: View, wording: Wording, known: Position) -> None:
        self.view = view
        self.seat = view.seat
        self.wording = wording
        self.language = wording.language
        self.position = known
        self._costs = known.t.cost
        if view.to_move != view.seat:
            at_full_price(known)  # somebody else's Money Collector lowers none of the viewer's prices
        self.actions: tuple[Action, ...] = tuple(map(parse_action, view.legal))
        self.reasons = None if view.seat is None else Reasons(view, known, wording.language)

    @cached_property
    def choices(self) -> list[Choice]:
        """The legal actions, ready to be shown."""
        can_lay = any(action.verb in ("buy", "play") for action in self.actions)
        return [self._choice(action, can_lay) for action in self.actions]

    def _choice(self, action: Action, can_lay: bool) -> Choice:
        assert self.seat is not None
        price = explain(self.position, self.seat, action)
        if action.verb == "pass":
            confirm = self.view.due == "turn" and can_lay
        else:
            confirm = action.choice in _GIVEN_UP and action.verb != "trading_house"
        return Choice(
            action=action.text,
            label=self.wording.choice(action, self.view.due),
            verb=action.verb,
            card=action.card or None,
            row=action.row or None,
            onto=action.onto or None,
            price=None if price is None else price.price,
            steps=[] if price is None else self._steps(price),
            confirm=confirm,
        )

    def _steps(self, price: Price) -> list[PriceStep]:
        language = self.language
        steps = [PriceStep(text=text("step.cost", language), rubles=price.cost)]
        for reduction in price.reductions:
            reason = reduction.reason
            if reason == "replaced":
                words = text("step.replaced", language, card=self.wording.card(reduction.card))
            elif reason == "same_name":
                name = card_name(reduction.card, language, self.view.ruleset.edition)
                words = text("step.same_name", language, number=reduction.rubles, card=name)
            elif reason in ("row_2", "minimum"):
                words = text(f"step.{reason}", language)
            elif reason in ASSISTANTS:
                words = text("step.reduction", language, card=text(f"assistant.{reason}.name", language))
            else:
                key = "step.half" if reason == "money_collector" else "step.reduction"
                words = text(key, language, card=self.wording.card(reason))
            steps.append(PriceStep(text=words, rubles=-reduction.rubles))
        return steps

    def _places(self, verbs: frozenset[str], card: str, row: int) -> list[int]:
        name = _card(card).text
        return [
            place
            for place, action in enumerate(self.actions)
            if action.verb in verbs and action.card == name and action.row == row and not action.drawn
        ]

    def display(self, row: int) -> list[DisplayCard]:
        """The cards of a row, left to right."""
        return [self._display_card(exact, row) for exact in (self.view.row1, self.view.row2)[row - 1]]

    def _display_card(self, exact: str, row: int) -> DisplayCard:
        card = _card(exact)
        places = self._places(_BOUGHT, exact, row)
        verbs = {self.actions[place].verb for place in places}
        return DisplayCard(
            card=exact,
            cost=self._costs[card.kind],
            price=None if self.reasons is None else self.reasons.price(card, row),
            buy="buy" in verbs,
            take="take" in verbs,
            why_not=[] if self.reasons is None or self.view.due is None else self.reasons.of_display(card, row),
            choices=places,
        )

    @property
    def drawn_choices(self) -> list[int]:
        """Choices about the card that is being looked at."""
        if self.view.drawn is None:
            return []
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
            return []
        return self.reasons.of_drawn(_card(self.view.drawn))

    def hand(self, seat: int, show_seen: bool) -> list[HandView]:
        """A hand as the viewer sees it."""
        if seat == self.seat:
            return [self._own_card(card) for card in self.view.players[seat].hand]
        shown = show_seen or self.view.ruleset.open_hands or self.view.due is None
        cards = [HandView(pile=card.pile, card=card.card if shown else None) for card in self.view.players[seat].hand]
        return cards if shown else sorted(cards, key=lambda card: card.pile)

    def _own_card(self, card: HandCard) -> HandView:
        assert card.card is not None and self.reasons is not None
        held = _card(card.card)
        return HandView(
            pile=card.pile,
            card=card.card,
            price=self.reasons.price(held, 0),
            why_not=[] if self.view.due is None else self.reasons.of_hand(held),
            choices=self._places(_HELD, card.card, 0),
        )

    def area(self, seat: int) -> list[AreaCard]:
        """The cards in front of a seat."""
        player, marks = self.view.players[seat], area_marks(self, seat)
        return [
            _area_card(
                exact,
                count,
                player.face_down.get(exact, 0),
                exact == marks.covered,
                tuple([name for name, below in marks.attached.items() if below == exact]),
                marks.tiles.get(exact),
            )
            for exact, count in player.area.items()
        ]

    def remaining(self, show_seen: bool) -> dict[str, dict[str, int]]:
        """By pile: the cards whose place the viewer does not know."""
        position, view = self.position, self.view
        kinds = [kind for pile in range(5) for kind in position.pile_of(pile)]
        if view.drawn is None and view.drawn_pile is not None:
            kinds.append(position.drawn)
        for seat in range(len(view.players)):
            if seat == self.seat or view.ruleset.open_hands or view.due is None:
                continue
            hand = zip(position.hand_of(seat), position.seen_of(seat), strict=True)
            kinds += [kind for kind, seen in hand if not (seen and show_seen)]
        found: dict[str, dict[str, int]] = {pile: {} for pile in view.piles}
        for kind in sorted(kinds):
            counts = found[CARDS[kind].pile]
            counts[CARDS[kind].exact] = counts.get(CARDS[kind].exact, 0) + 1
        return found
