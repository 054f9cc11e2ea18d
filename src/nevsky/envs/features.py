"""What stands on the cards, as numbers, and where observations and actions speak of which card."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from nevsky.extras import needing

with needing("envs", __name__):
    import numpy as np
    import numpy.typing as npt

from nevsky.cards import CARDS, COLOURS, CRAFTS, GOODS, KIND, PILES, Card
from nevsky.envs.layout import Field, layout
from nevsky.rules.actions import ACTIONS
from nevsky.rules.constants import KINDS
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.tables import copies

__all__ = ["CardFeatures", "action_cards", "card_counts", "card_features", "card_fields"]

_TOLD_OTHERWISE: Final = frozenset({"worth", "name", "reduce", "hand", "pub", "replaces"})
_FLAGS: Final = tuple(dict.fromkeys(word for card in CARDS for word, _ in card.effects if word not in _TOLD_OTHERWISE))
"""Effect words that only mark cards, with what they say if it is a number."""
_ANY_GOOD: Final = "?"


class CardFeatures(NamedTuple):
    """A table with a row for each kind of card and a column for each feature."""

    names: tuple[str, ...]
    """Of the columns."""
    values: npt.NDArray[np.float32]
    """The rows are in the order of the card table, as in observations; places that are left free are 0."""


@cache
def card_features(ruleset: Ruleset) -> CardFeatures:
    """The features of all cards in a ruleset: a card that takes no part has no copies.

    >>> names, values = card_features(Ruleset("second", 2))
    >>> values.shape, values[KIND["observatory"], names.index("cost")]
    ((112, 55), np.float32(7.0))
    """
    rows = [_features(card, ruleset) for card in CARDS]
    names = tuple(rows[0])
    values = np.zeros((KINDS, len(names)), np.float32)
    values[: len(rows)] = [list(row.values()) for row in rows]
    values.setflags(write=False)
    return CardFeatures(names, values)


def _features(card: Card, ruleset: Ruleset) -> dict[str, float]:
    cost = card.cost_first if ruleset.edition == "first" else card.cost_second
    only = card.effect("replaces")
    goods = card.goods if ruleset.market else 0
    row: dict[str, float] = {
        "copies": copies(ruleset, card.kind),
        "cost": cost,
        "worth": int(card.effect("worth", str(cost))),
        "rubles": card.rubles,
        "points": card.points,
        "exchange": card.exchange,
    }
    row.update({f"pile {pile}": card.pile == pile for pile in PILES})
    row.update({f"colour {colour}": card.colour == colour for colour in COLOURS})
    row.update({f"craft {craft}": craft in card.crafts for craft in CRAFTS})
    row.update({f"good {good}": goods if card.good == good else 0 for good in (*GOODS, _ANY_GOOD)})
    row.update({f"reduce {colour}": colour in card.effect_all("reduce") for colour in COLOURS[:4]})
    row.update({"replaces any": only == "any", "replaces one": bool(only) and only != "any"})
    row.update({word: int(card.effect(word, "0")) for word in ("hand", "pub")})
    row.update({word: _number(card, word) for word in _FLAGS})
    return row


def _number(card: Card, word: str) -> int:
    if not card.has(word):
        return 0
    return int(card.effect(word) or 1)


@cache
def card_fields() -> tuple[Field, ...]:
    """The fields of an observation that have one number for each kind of card.

    >>> [field.name for field in card_fields()][::5]
    ['seat0.area', 'seat2.held', 'row_1']
    """
    return tuple(field for field in layout() if len(field.labels) == KINDS)


def card_counts(observation: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """How many cards of each kind lie where: fields of cards by kinds, for one observation or a batch of them.

    Its product with the table of `card_features` or with an embedding says what lies there, whichever the cards are.

    >>> card_counts(np.zeros((8, 2079), np.float32)).shape
    (8, 15, 112)
    """
    return np.stack([observation[..., field.start : field.stop] * field.scale for field in card_fields()], axis=-2)


@cache
def action_cards() -> npt.NDArray[np.int64]:
    """For each action id the kind of the card that it names and of the one that is replaced, or -1.

    >>> [CARDS[kind].text for kind in action_cards()[690]]
    ['wharf', 'ship_builder']
    """
    found = np.array([[_kind(action.card), _kind(action.onto)] for action in ACTIONS], np.int64)
    found.setflags(write=False)
    return found


def _kind(text: str) -> int:
    return KIND[text] if text else -1
