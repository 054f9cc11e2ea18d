"""What cards and players are called on the screen, as rich markup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.markup import escape

from nevsky.cards import CARDS, KIND, Card, card_name
from nevsky.rules.ruleset import Ruleset
from nevsky.terminal.telling import Person
from nevsky.terminal.texts import YOU, own_name

__all__ = ["Names"]

_PROPER: Final = frozenset({"peterhof", "smolny_cathedral", "st_isaacs_cathedral"})
"""English names that stand without an article."""


class Names(NamedTuple):
    """Names for one table and one viewer."""

    ruleset: Ruleset
    seats: Sequence[str]
    seat: int
    """The seat of the person at the terminal."""
    language: str

    def plain(self, card: str) -> str:
        """The printed name of a card."""
        return card_name(card, self.language, self.ruleset.edition)

    def card(self, card: str) -> str:
        """The name in the card's colour."""
        return f"[{face(card).colour}]{self.plain(card)}[/]"

    def a_card(self, card: str) -> str:
        """The name with its article, as a sentence needs it."""
        if self.language != "en" or card in _PROPER:
            return self.card(card)
        if self.copies(card) == 1:
            return f"the {self.card(card)}"
        return f"{'an' if self.plain(card)[0] in 'AEIOU' else 'a'} {self.card(card)}"

    def copies(self, card: str) -> int:
        """How often the card exists in this game."""
        row = face(card)
        return row.copies_first if self.ruleset.edition == "first" else row.copies_second

    def cost(self, card: str) -> int:
        """The printed cost."""
        row = face(card)
        return row.cost_first if self.ruleset.edition == "first" else row.cost_second

    def person(self, seat: int) -> Person:
        """A player as the subject of a sentence."""
        return Person(YOU, True) if seat == self.seat else Person(escape(self.seats[seat]), False)

    def heading(self, seat: int) -> str:
        """A player's name as a heading."""
        name = self.seats[seat]
        return escape(own_name(name) if seat == self.seat and name != YOU else name)


def face(card: str) -> Card:
    """The row of the card table."""
    return CARDS[KIND[card]]
