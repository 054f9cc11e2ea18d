"""A decision: the legal actions as numbered choices, and what cards cost the person right now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from nevsky.rules.actions import Action, can_replace, parse_action
from nevsky.rules.explain import Price
from nevsky.rules.view import PlayerView, View
from nevsky.terminal.names import Names, face

__all__ = ["Choice", "Decision", "Pricing", "list_choices"]

Pricing = Callable[[Action], Price | None]
"""Gives the price of an action for the player whose decision is due."""

_ORDER: Final = {verb: place for place, verb in enumerate(("buy", "play", "take", "observe", "discard", "pub"))}


class Choice(NamedTuple):
    """One legal action with the number it is chosen by."""

    number: int
    action: Action
    price: Price | None


def list_choices(view: View, pricing: Pricing) -> tuple[Choice, ...]:
    """All legal actions, grouped by what one does, passing last. In the pub the number says how many points."""
    actions = sorted(map(parse_action, view.legal), key=lambda action: _ORDER.get(action.verb, len(_ORDER)))
    first = 0 if view.due == "pub" else 1
    return tuple(Choice(number, action, pricing(action)) for number, action in enumerate(actions, first))


class Decision(NamedTuple):
    """Everything that is drawn at a decision: the view of one seat and what follows from it."""

    view: View
    names: Names
    choices: Sequence[Choice]
    pricing: Pricing
    log_title: str
    log: Sequence[str]

    @property
    def own(self) -> PlayerView:
        """The person's own side of the table."""
        return self.view.players[self.names.seat]

    def numbers(self, verb: str, card: str, row: int) -> list[int]:
        """The choices that do this with a card of a row, or with row 0 of the hand."""
        wanted = (verb, card, row, False)
        return [
            choice.number
            for choice in self.choices
            if (choice.action.verb, choice.action.card, choice.action.row, choice.action.drawn) == wanted
        ]

    def prices(self, verb: str, card: str, row: int) -> list[Price]:
        """What the card would cost, paid or not: one price for each card that an exchange card could replace."""
        ontos = [""]
        if face(card).exchange:
            down = self.own.face_down
            ontos = [onto for onto, count in self.own.area.items() if count > down.get(onto, 0)]
            ontos = [onto for onto in ontos if can_replace(face(card), face(onto))]
        found = (self.pricing(Action(verb, card=card, row=row, onto=onto)) for onto in ontos)
        return [price for price in found if price is not None]
