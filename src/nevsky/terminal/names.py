"""What cards and players are called on the screen, as rich markup."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from rich.markup import escape

from nevsky.cards import CARDS, KIND, Card
from nevsky.rules.modules.assistants.room import ASSISTANTS
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.tables import copies
from nevsky.texts import amount, join, text
from nevsky.texts.phrases import CardPhrase
from nevsky.texts.sentences import Wording

__all__ = ["Names", "Person", "face", "tint"]


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
        return str(CardPhrase(card, self.language, self.ruleset.edition))

    def card(self, card: str) -> str:
        """The name in the card's colour; assistants lower prices like cards do."""
        if card in ASSISTANTS:
            return self.say(f"assistant.{card}.name")
        return str(self.phrase(card))

    def phrase(self, card: str) -> CardPhrase:
        """A card as a word of a sentence."""
        return self.wording.card(card)

    @property
    def wording(self) -> Wording:
        """For sentences and choices, with names in the colour of their card."""
        return Wording(self.language, self.ruleset.edition, self._escaped, _tinted)

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


def _tinted(card: str, name: str) -> str:
    return f"[{tint(card)}]{name}[/]"
