"""Re-dealing what a seat cannot know into a full position that agrees with its view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from nevsky.cards import CARDS
from nevsky.errors import NevskyError, Words
from nevsky.rules.parts import PARTS
from nevsky.rules.position import Position
from nevsky.rules.redealer import Redealer
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import all_copies, card_kind, phases, restore
from nevsky.rules.view import View, as_seen

__all__ = ["redeal_position", "without_secrets"]

_RICHEST_GUESS: Final = 30
_PRICES_TELL: Final = 2
"""The rounds in which what somebody has laid tells what was paid; later what it has earned weighs more."""
_DOUBT: Final = 3
"""Rubles by which a guess may be wrong for each round that has passed."""
_REDEALER: Final = Redealer()


def without_secrets(position: Position, ruleset: Ruleset, seat: int | None) -> Position:
    """A copy of the position in which nothing is left that the seat, or a spectator with None, may not know.

    Cards and assignments are dealt anew and rubles that are secret are gone; it has the same view.
    """
    shown = as_seen(position, ruleset, seat).copy()
    over = shown.due < 0
    _REDEALER.deal(shown, -1 if seat is None else seat, int(ruleset.open_hands or over), Rng(1, 2, 3, 4))
    if not (ruleset.open_rubles or over):
        shown.rubles = [rubles if at == seat else 0 for at, rubles in enumerate(shown.rubles)]
    return shown


def redeal_position(view: View, rng: Rng, rubles: Mapping[int, int] | None = None) -> Position:
    """A position the viewer cannot tell from the real one.

    Hidden rubles come from ``rubles`` (what the caller remembers), else they are guessed.
    """
    ruleset = view.ruleset
    hidden = _hidden_cards(view)
    for pool in hidden.values():
        rng.shuffle(pool)
    drawn = view.drawn
    if drawn is None and view.drawn_pile is not None:
        drawn = CARDS[_pop(hidden, view.drawn_pile)].exact
    hands = [
        [CARDS[_pop(hidden, card.pile)].exact if card.card is None else card.card for card in player.hand]
        for player in view.players
    ]
    for name, size in view.piles.items():
        if len(hidden[name]) != size:
            raise NevskyError("view.pile_size", left=len(hidden[name]), pile=Words(f"the_pile.{name}"), size=size)
    data: dict[str, Any] = {
        "round": view.round,
        "phase": view.phase,
        "due": view.due,
        "to_move": view.to_move,
        "passes": view.passes,
        "must_buy": view.must_buy,
        "last_round": view.last_round,
        "rubles": [_rubles(view, seat, rng, rubles or {}) for seat in range(ruleset.players)],
        "points": [player.points for player in view.players],
        "hands": hands,
        "hands_seen": [[card.seen for card in player.hand] for player in view.players],
        "areas": [player.area for player in view.players],
        "face_down": [player.face_down for player in view.players],
        "row1": view.row1,
        "row2": view.row2,
        "piles": {name: [CARDS[kind].exact for kind in hidden[name]] for name in view.piles},
        "discard": view.discard,
        "out": view.out,
        "drawn": drawn,
        "tokens": view.tokens,
        **view.table,
    }
    for part in PARTS:
        if part.number in ruleset.modules:
            part.redeal(data, view.table, ruleset, rng)
    return restore(ruleset, data)


def _rubles(view: View, seat: int, rng: Rng, known: Mapping[int, int]) -> int:
    shown = view.players[seat].rubles
    if shown is not None:
        return shown
    if seat in known:
        return known[seat]
    paid_in: int = view.table.get("flow", {}).get("part_rubles", [0] * view.ruleset.players)[seat]
    return 10 * paid_in + _guess(view, seat, rng)


def _guess(view: View, seat: int, rng: Rng) -> int:
    """About what the viewer has, since all began with the same; in the first rounds what was laid tells more."""
    own = None if view.seat is None else view.players[view.seat].rubles
    if own is None or view.seat is None:
        return rng.below(_RICHEST_GUESS + 1)
    if view.round <= _PRICES_TELL:
        own += _laid(view, view.seat) - _laid(view, seat)
    doubt = _DOUBT * max(0, view.round - 1)
    return max(0, own - doubt + rng.below(2 * doubt + 1))


def _laid(view: View, seat: int) -> int:
    """What the cards in an area cost, without what made them cheaper."""
    cards = ((CARDS[card_kind(text)], count) for text, count in view.players[seat].area.items())
    first = view.ruleset.edition == "first"
    return sum((card.cost_first if first else card.cost_second) * count for card, count in cards)


def _pop(hidden: dict[str, list[int]], pile: str | None) -> int:
    if pile is None:
        raise NevskyError("view.no_pile")
    if not hidden[pile]:
        raise NevskyError("view.pile_empty", pile=Words(f"the_pile.{pile}"))
    return hidden[pile].pop()


def _hidden_cards(view: View) -> dict[str, list[int]]:
    """All cards whose place the viewer does not know, by the pile of their back."""
    visible: Counter[int] = Counter()
    for texts in (view.row1, view.row2, view.discard, view.out, (view.drawn,)):
        visible.update(card_kind(text) for text in texts if text is not None)
    for player in view.players:
        visible.update(card_kind(card.card) for card in player.hand if card.card is not None)
        for text, count in player.area.items():
            visible[card_kind(text)] += count
    for part in PARTS:
        visible.update(card_kind(text) for text in part.own_cards(view.table))
    hidden: dict[str, list[int]] = {name: [] for name in phases(view.ruleset)}
    for card, copies in zip(CARDS, all_copies(view.ruleset), strict=True):
        left = copies - visible[card.kind]
        if left < 0:
            raise NevskyError("view.too_many", card=card.text)
        if left:
            hidden[card.pile].extend([card.kind] * left)
    return hidden
