"""A decision: the legal actions as numbered choices, and what cards cost the person right now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from nevsky.rules.action import can_replace
from nevsky.rules.actions import Action, parse_action
from nevsky.rules.explain import Price
from nevsky.rules.view import PlayerView, View
from nevsky.terminal.names import Names, face
from nevsky.texts.things import obstacle_text

__all__ = ["Choice", "Decision", "Pricing", "list_choices"]

Pricing = Callable[[Action], Price | None]
"""Gives the price of an action for the player whose decision is due."""

_VERBS: Final = "event buy play take observe use search return throw discard mooch pub guild_hall trading_house".split()
_ORDER: Final = {verb: place for place, verb in enumerate(_VERBS)}
_ANY_CARDS: Final = ("ship_builder:?", "czar_and_carpenter")


class Choice(NamedTuple):
    """One legal action with the number it is chosen by."""

    number: int
    action: Action
    price: Price | None


def list_choices(view: View, pricing: Pricing) -> tuple[Choice, ...]:
    """All legal actions, grouped by what one does, passing last. In the pub the number says how many points."""

    def place(action: Action) -> tuple[bool, int]:
        return action.verb == "pass", _ORDER.get(action.verb, len(_ORDER))

    actions = sorted(map(parse_action, view.legal), key=place)
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
        wanted = (verb, face(card).text, row, False)
        return [
            choice.number
            for choice in self.choices
            if (choice.action.verb, choice.action.card, choice.action.row, choice.action.drawn) == wanted
        ]

    def prices(self, verb: str, card: str, row: int) -> list[Price]:
        """What the card would cost, paid or not: one price for each card that an exchange card could replace."""
        if face(card).colour == "purple":
            return []
        ontos = [""]
        if face(card).exchange:
            down = self.own.face_down
            covered = (self.view.table.get("covered") or [None] * len(self.view.players))[self.names.seat]
            ontos = [onto for onto, count in self.own.area.items() if count > down.get(onto, 0) + int(onto == covered)]
            ontos = [onto for onto in ontos if can_replace(face(card), face(onto))]
        found = (self.pricing(Action(verb, card=face(card).text, row=row, onto=onto)) for onto in ontos)
        return [price for price in found if price is not None]

    @property
    def question(self) -> str:
        """What the choices answer."""
        view, names = self.view, self.names
        key = "due.must_buy" if view.must_buy and view.due == "turn" else f"due.{view.due}"
        values: dict[str, object] = {"rubles": names.amount(self.own.rubles or 0, "ruble")}
        card = view.drawn
        if view.due == "good":
            card = _ANY_CARDS[view.table["flow"]["open_tile"]]
        elif view.due == "upkeep":
            card = self.choices[0].action.card
            values["price"] = names.amount(view.table["tiles"]["value"][0], "ruble")
        elif view.due == "bonus":
            space = view.table["obstacles"]["due"][names.seat][0]
            tile = view.table["obstacles"]["tiles"][str(space)]
            values |= {"space": str(space), "bonus": obstacle_text(tile, space, names.language)[1]}
        values["card"] = names.phrase(card) if card else ""
        values["pile"] = names.say(f"the_pile.{view.drawn_pile}") if view.drawn_pile else ""
        return names.say(key, you=False, **values)
