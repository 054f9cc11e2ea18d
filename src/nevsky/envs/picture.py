"""The table as a picture without words: colours for cards, bars for points and rubles."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from nevsky.extras import needing

with needing("envs", __name__):
    import numpy as np
    import numpy.typing as npt

from nevsky.cards import CARDS, KIND
from nevsky.rules.game import Game
from nevsky.rules.view import PlayerView, View

__all__ = ["Pixels", "paint_game"]

Pixels: TypeAlias = npt.NDArray[np.uint8]
_WIDTH: Final = 640
_TOP: Final = 150
_STRIP: Final = 80
_CARD: Final = (34, 24)
"""Height and width."""
_PAPER: Final = (244, 239, 228)
_INK: Final = (60, 56, 52)
_MUTED: Final = (200, 194, 182)
_GOLD: Final = (214, 165, 42)
_POINTS: Final = (58, 110, 165)
_TO_MOVE: Final = (190, 53, 45)
_COLOURS: Final = {
    "green": (78, 140, 77),
    "yellow": (226, 188, 66),
    "blue": (70, 118, 184),
    "red": (186, 62, 58),
    "purple": (124, 84, 150),
}
_BACKS: Final = {
    "worker": _COLOURS["green"],
    "market": _COLOURS["yellow"],
    "building": _COLOURS["blue"],
    "noble": _COLOURS["red"],
    "exchange": _MUTED,
}
_POINTS_BAR: Final = 3
_RUBLES_BAR: Final = 4
_PILE_BAR: Final = 2
"""Pixels for each point, ruble or card."""


def paint_game(game: Game, seat: int) -> Pixels:
    """What the seat sees, as an array of height, width and three colours.

    Above are the piles, as bars, and both rows of the display. Below is a strip for each seat, the own one first:
    points, rubles (grey if they are secret), the cards on the hand with their backs, and those laid out. A card
    that can be exchanged for another has a dark border, and the seat that decides a red edge.
    """
    view = game.view(seat)
    picture = np.full((_TOP + _STRIP * len(view.players), _WIDTH, 3), _PAPER, np.uint8)
    _paint_table(picture, view)
    for i in range(len(view.players)):
        number = (seat + i) % len(view.players)
        _paint_seat(picture, _TOP + i * _STRIP, view.players[number], to_move=view.to_move == number)
    return picture


def _box(picture: Pixels, top: int, left: int, size: tuple[int, int], colour: tuple[int, ...]) -> None:
    picture[top : top + size[0], left : max(left, min(left + size[1], _WIDTH))] = colour


def _card(picture: Pixels, top: int, left: int, text: str) -> None:
    card = CARDS[KIND[text]]
    _box(picture, top, left, _CARD, _INK if card.exchange else _MUTED)
    edge = 3 if card.exchange else 1
    inner = (_CARD[0] - 2 * edge, _CARD[1] - 2 * edge)
    _box(picture, top + edge, left + edge, inner, _COLOURS.get(card.colour, _MUTED))


def _paint_table(picture: Pixels, view: View) -> None:
    for place, (name, count) in enumerate(view.piles.items()):
        _box(picture, 12 + 26 * place, 12, (18, _PILE_BAR * count), _BACKS[name])
    for top, row in ((16, view.row1), (66, view.row2)):
        for place, text in enumerate(row):
            _card(picture, top, 120 + place * (_CARD[1] + 6), text)
    if view.drawn is not None:
        _card(picture, 112, 120, view.drawn)
    _box(picture, _TOP - 2, 0, (2, _WIDTH), _MUTED)


def _paint_seat(picture: Pixels, top: int, player: PlayerView, *, to_move: bool) -> None:
    if to_move:
        _box(picture, top, 0, (_STRIP - 2, 6), _TO_MOVE)
    _box(picture, top + 4, 12, (10, _POINTS_BAR * max(player.points, 0)), _POINTS)
    known: Any = player.rubles
    _box(picture, top + 18, 12, (10, 40 if known is None else _RUBLES_BAR * known), _MUTED if known is None else _GOLD)
    for place, card in enumerate(player.hand):
        _box(picture, top + 36, 12 + place * 18, (24, 15), _BACKS[card.pile])
    left = 120
    step = max(6, min(_CARD[1] + 4, (_WIDTH - left - 30) // max(1, sum(player.area.values()))))
    for text, count in player.area.items():
        for _ in range(count):
            _card(picture, top + 34, left, text)
            left += step
    _box(picture, top + _STRIP - 2, 0, (2, _WIDTH), _MUTED)
