"""What cards and players are called on the screen, as rich markup."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from rich.markup import escape

from nevsky.cards import CARDS, KIND, Card
from nevsky.rules.modules.assistants.room import ASSISTANTS
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.tables import copies
from nevsky.texts import amount, join, text
from nevsky.texts.sentences import Wording, symbol_name

__all__ = ["Names", "Person", "face", "tint"]

_PROPER: Final = frozenset({"peterhof", "smolny_cathedral", "st_isaacs_cathedral"})
"""English names that stand without an article."""


class Person(NamedTuple):
    """A player as the subject of a sentence."""

    name: str
    you: bool


class Names(NamedTuple):
    """Names for one table and one viewer."""

    ruleset: Ruleset
    seats: Sequence[str]
    seat: int
    """The seat of the person at the terminal."""
    language: str

    def say(self, key: str, *, you: bool = False, **values: object) -> str:
        """A text in the language of the table."""
        return text(key, self.language, you=you, **values)

    def amount(self, number: int, thing: str) -> str:
        """A number of things."""
        return amount(number, thing, self.language)

    def join(self, words: Sequence[str]) -> str:
        """One, two and three."""
        return join(words, self.language)

    def plain(self, card: str) -> str:
        """The printed name of a card, with its market symbol where cards of that name differ in it."""
        return symbol_name(card, self.language, self.ruleset.edition)

    def card(self, card: str) -> str:
        """The name in the card's colour; assistants lower prices like cards do."""
        if card in ASSISTANTS:
            return self.say(f"assistant.{card}.name")
        return f"[{tint(card)}]{self.plain(card)}[/]"

    def a_card(self, card: str) -> str:
        """The name with its article, as an English sentence needs it."""
        if self.language != "en" or card in _PROPER:
            return self.card(card)
        alike = [other for other in CARDS if other.name == face(card).name and KIND[other.text] == other.kind]
        if sum(self.copies(other.text) for other in alike) == 1:
            return f"the {self.card(card)}"
        return f"{'an' if self.plain(card)[0] in 'AEIOU' else 'a'} {self.card(card)}"

    @property
    def telling(self) -> Wording:
        """For the sentences of the log."""
        return Wording(self.language, self.ruleset.edition, self._escaped, self.a_card)

    @property
    def choosing(self) -> Wording:
        """For the choices."""
        return Wording(self.language, self.ruleset.edition, self._escaped, self.card)

    @property
    def _escaped(self) -> list[str]:
        return [escape(name) for name in self.seats]

    def copies(self, card: str) -> int:
        """How often the card exists in this game."""
        return _copies(self.ruleset, face(card).text)

    def cost(self, card: str) -> int:
        """The printed cost."""
        row = face(card)
        return row.cost_first if self.ruleset.edition == "first" else row.cost_second

    def person(self, seat: int) -> Person:
        """A player as the subject of a sentence."""
        return Person(self.say("you"), True) if seat == self.seat else Person(escape(self.seats[seat]), False)

    def within(self, seat: int) -> str:
        """A player inside of a sentence."""
        person = self.person(seat)
        return person.name.lower() if person.you else person.name

    def together(self, seats: Sequence[int]) -> str:
        """Several players as the subject, you first."""
        first, *others = sorted(seats, key=lambda seat: seat != self.seat)
        return self.join([self.person(first).name, *map(self.within, others)])

    def heading(self, seat: int) -> str:
        """A player's name as a heading."""
        name = self.seats[seat]
        return escape(self.say("screen.own", name=name) if seat == self.seat and name != self.say("you") else name)


@cache
def _copies(ruleset: Ruleset, text: str) -> int:
    return sum(copies(ruleset, card.kind) for card in CARDS if card.text == text)


def face(card: str) -> Card:
    """The row of the card table."""
    return CARDS[KIND[card]]


def tint(card: str) -> str:
    """The colour a card is drawn in."""
    return "orange" if face(card).orange else face(card).colour
