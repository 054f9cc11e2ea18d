"""The card tables, loaded once: every card of the box as one row of ``cards.csv``.

A card's position in the table is its *kind*, a small integer that never changes:
action ids and old records depend on it, so rows are never moved or removed.
"""

from __future__ import annotations

import csv
import os
from typing import Final, NamedTuple

__all__ = ["CARDS", "COLOURS", "CRAFTS", "GOODS", "KIND", "PILES", "Card", "card_name", "find_card", "name_key"]

PILES: Final = ("worker", "market", "building", "noble", "exchange")
"""The piles in the order of the phases (3.1)."""
COLOURS: Final = ("green", "yellow", "blue", "red", "purple")
"""Card colours; the first four are scored in the phase of the same index."""
GOODS: Final = ("sack", "chicken", "apple", "fish", "cabbage")
"""The goods of the Market, each a symbol on cards and tiles."""
CRAFTS: Final = ("axe", "gold", "carpet", "fur", "ship")
"""The craft symbols of green cards, which say what may replace what."""

_FIRST_EDITION_NAMES: Final = {"abbot": "pope", "czarina": "czar"}


class Card(NamedTuple):
    """One row of the card table."""

    kind: int
    """Position in the table."""
    text: str
    """What the notation writes: the id, with its market symbol where variants exist."""
    exact: str
    """The text, made unique: purple cards that exist with two backs name the pile of the second one."""
    id: str
    name: str
    """Id of the card whose name this one bears; equal names give reductions (5.1)."""
    symbol: str
    pile: str
    colour: str
    exchange: bool
    module: int
    """0 for the base game and the Market, else the module that brings the card."""
    copies_first: int
    copies_second: int
    copies_market: int
    cost_first: int
    cost_second: int
    rubles: int
    points: int
    crafts: tuple[str, ...]
    good: str
    """Good shown as market symbol, ``?`` for a good of choice, empty for none."""
    goods: int
    effects: tuple[tuple[str, str], ...]
    """The effect words of the row, as (word, argument) pairs."""

    def has(self, effect: str) -> bool:
        """Whether the row carries this effect word."""
        return any(word == effect for word, _ in self.effects)

    def effect(self, word: str, default: str = "") -> str:
        """The argument of an effect word, or ``default`` without it."""
        return next((argument for key, argument in self.effects if key == word), default)

    def effect_all(self, word: str) -> tuple[str, ...]:
        """All arguments of an effect word that may stand more than once."""
        return tuple(argument for key, argument in self.effects if key == word)

    @property
    def orange(self) -> bool:
        """Special offers: yellow cards that ask for upkeep (10.5)."""
        return self.has("upkeep")


def _rows() -> list[dict[str, str]]:
    # a plain open: importlib.resources would double the time that importing the package takes
    with open(os.path.join(os.path.dirname(__file__), "cards.csv"), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _load() -> tuple[Card, ...]:
    cards: list[Card] = []
    for kind, row in enumerate(_rows()):
        effects = []
        for part in row["effects"].split():
            word, _, argument = part.partition("=")
            effects.append((word, argument))
        text = f"{row['id']}:{row['symbol']}" if row["symbol"] else row["id"]
        twin = any(card.text == text for card in cards)
        cards.append(
            Card(
                kind=kind,
                text=text,
                exact=f"{text}@{row['pile']}" if twin else text,
                id=row["id"],
                name=dict(effects).get("name", row["id"]),
                symbol=row["symbol"],
                pile=row["pile"],
                colour=row["colour"],
                exchange=row["exchange"] == "yes",
                module=int(row["module"]),
                copies_first=int(row["copies_first"]),
                copies_second=int(row["copies_second"]),
                copies_market=int(row["copies_market"]),
                cost_first=int(row["cost_first"]),
                cost_second=int(row["cost_second"]),
                rubles=int(row["rubles"]),
                points=int(row["points"]),
                crafts=tuple(row["craft"].split()),
                good=row["good"],
                goods=int(row["goods"]),
                effects=tuple(effects),
            )
        )
    return tuple(cards)


CARDS: Final = _load()
"""All cards of the box, by kind."""

KIND: Final[dict[str, int]] = {}
"""Kind by notation text. Purple cards that exist with two backs are one text: the first of them stands for both."""
for _card in CARDS:
    KIND.setdefault(_card.text, _card.kind)
    KIND[_card.exact] = _card.kind


def _names(language: str) -> dict[str, str]:
    from nevsky.texts import read_texts  # only when a name is asked for: the rules play without any

    return read_texts(language, "names")


def name_key(card: int | str, edition: str = "second") -> str:
    """The key of a card in the tables of names, by kind or notation text."""
    row = CARDS[KIND[card] if isinstance(card, str) else card]
    return _FIRST_EDITION_NAMES.get(row.name, row.name) if edition == "first" else row.name


def card_name(card: int | str, language: str = "en", edition: str = "second") -> str:
    """The printed name of a card, by kind or notation text.

    >>> card_name("harbor"), card_name("harbor", "de")
    ('Harbor', 'Hafen')
    >>> card_name("abbot", edition="first")
    'Pope'
    >>> card_name("ship_builder:fish", "fr")
    'Constructeur de navires'
    """
    return _names(language)[name_key(card, edition)]


def _fold(text: str) -> str:
    return "_".join(text.casefold().replace("_", " ").split())


def _by_name() -> dict[str, int]:
    from nevsky.texts import LANGUAGES

    found: dict[str, int] = {}
    for card in CARDS:
        if KIND[card.text] != card.kind or card.id != card.name:
            continue
        for key in (card.id, *(k for c, k in _FIRST_EDITION_NAMES.items() if c == card.id)):
            for language in LANGUAGES:
                name = _fold(_names(language)[key])
                found.setdefault(f"{name}:{card.symbol}" if card.symbol else name, card.kind)
    found.update(KIND)
    return found


_BY_NAME: Final[dict[str, int]] = {}


def find_card(text: str) -> int | None:
    """The kind that a text names: an id of the tables or the card's name in any language.

    >>> CARDS[find_card("Zar und Zimmermann")].id
    'czar_and_carpenter'
    >>> find_card("Kremlin") is None
    True
    """
    if not _BY_NAME:
        _BY_NAME.update(_by_name())
    return _BY_NAME.get(_fold(text))
