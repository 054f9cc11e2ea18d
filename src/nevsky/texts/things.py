"""What cards, assignments and obstacles do, in words made from the tables."""

from __future__ import annotations

from typing import Final

from nevsky.cards import CARDS, KIND, Card
from nevsky.rules.modules.obstacles.room import NEEDED, NEEDED_POSITION, SPACES
from nevsky.texts import all_texts, amount, amounts, text

__all__ = ["assignment_text", "card_text", "card_type", "obstacle_text"]

_PHASE: Final = {"green": "worker", "yellow": "market", "blue": "building", "red": "noble"}
_COUNTED: Final = {"R3": "blue_card", "R4": "red_card", "R5": "exchange_card"}
_NO_TEXT: Final = frozenset({"name", "replaces"})


def card_type(card: str, language: str = "en") -> str:
    """What kind of card it is, as in green worker card."""
    row = CARDS[KIND[card]]
    if row.colour == "purple":
        return text("cardkind.purple", language, pile=text(f"the_pile.{row.pile}", language))
    if row.exchange:
        return text(f"cardkind.exchange.{row.colour}", language)
    return text("cardkind.orange" if row.orange else f"cardkind.{row.pile}", language)


def card_text(card: str, language: str = "en", edition: str = "second", *, market: bool = False) -> list[str]:
    """What a card does, in sentences; its market symbols count only with the Market.

    >>> card_text("wharf")
    ['At each worker scoring it pays 6 rubles and 1 point (7.1).',
     'It replaces a green worker card with the craft ship (6.1).']
    """
    row = CARDS[KIND[card]]
    sentences = []
    if row.rubles or row.points:
        paid = amounts(row.rubles, row.points, language)
        sentences.append(text(f"income.{_PHASE[row.colour]}", language, amount=paid))
    if row.colour == "purple":
        sentences.append(text("effect.purple", language))
    for word, argument in row.effects:
        if word not in _NO_TEXT:
            key = next(
                key
                for key in (f"effect.{word}.{argument}", f"effect.{word}.{edition}", f"effect.{word}")
                if key in all_texts(language)
            )
            sentences.append(text(key, language, argument=argument))
    if row.exchange:
        sentences.append(_replaces(row, language))
    elif row.crafts:
        sentences.append(text("craft", language, crafts=_crafts(row, language)))
    if row.good and (market or row.pile == "market"):
        sentences.append(symbols_text(card, language))
    return sentences


def symbols_text(card: str, language: str = "en") -> str:
    """What the market symbols of a card mean; empty where it has none.

    >>> symbols_text("lumberjack")
    ''
    """
    row = CARDS[KIND[card]]
    if not row.good:
        return ""
    key = "symbols.any" if row.good == "?" else "symbols"
    return text(key, language, number=row.goods, good=text(f"good.{row.good}", language))


def _crafts(row: Card, language: str) -> str:
    return ", ".join(text(f"craft.{craft}", language) for craft in row.crafts)


def _replaces(row: Card, language: str) -> str:
    only = row.effect("replaces")
    if only:
        return text(f"replaces.{only}", language)
    return text("replaces.craft" if row.crafts else f"replaces.{row.colour}", language, crafts=_crafts(row, language))


def assignment_text(number: int, players: int = 0, language: str = "en") -> str:
    """What an assignment scores; number 12 depends on how many play (11.5).

    >>> assignment_text(12, 3)
    '5 points, and 1 for every 3 cards in your area'
    """
    cards = {0: "4 / 3 / 2 / 2", 2: "4", 3: "3"}.get(players, "2")
    return text(f"assignment.{number}", language, cards=cards)


def obstacle_text(tile: str, space: int, language: str = "en") -> tuple[str, str]:
    """The condition of the tile on a space, empty for a bonus tile, and what it pays (11.6).

    >>> obstacle_text("R3", 10)
    ('1 blue card', '1 ruble for each blue card and the points of one blue card')
    """
    bonus = text(f"obstacle.{tile}", language)
    if tile not in NEEDED:
        return "", bonus
    place = SPACES.index(space)
    number = NEEDED[tile][place]
    if number == 0:
        return text("obstacle.R5.needs_colours", language), bonus
    cards = amount(number, _COUNTED[tile], language) if tile in _COUNTED else ""
    return text(f"obstacle.{tile}.needs", language, number=number, position=NEEDED_POSITION[place], cards=cards), bonus
