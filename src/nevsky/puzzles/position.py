"""A position as one seat knows it, as little plain data as possible: what follows from the rest is left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from nevsky.rules.game import Game
from nevsky.rules.redeal import redeal_position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import HandCard, PlayerView, View

__all__ = ["pack", "unpack"]

_USUAL: Final[dict[str, Any]] = {
    "passes": 0,
    "must_buy": False,
    "last_round": False,
    "row2": (),
    "discard": (),
    "out": (),
    "drawn": None,
    "drawn_pile": None,
    "table": {},
}
"""What is left out where it is so."""


def pack(view: View) -> dict[str, Any]:
    """What the seat whose turn it is knows, with every payment remembered; nothing else is in a view."""
    data: dict[str, Any] = {name: getattr(view, name) for name in ("seat", "round", "phase", "due", "row1", "piles")}
    data["tokens"] = view.tokens
    data |= {name: getattr(view, name) for name, usual in _USUAL.items() if getattr(view, name) != usual}
    data["players"] = [_pack_player(player) for player in view.players]
    return data


def _pack_player(player: PlayerView) -> dict[str, Any]:
    data: dict[str, Any] = {"rubles": player.rubles, "points": player.points, "area": player.area}
    if player.hand:
        data["hand"] = [list(card) for card in player.hand]
    if player.face_down:
        data["face_down"] = player.face_down
    return data


def unpack(data: Mapping[str, Any], ruleset: Ruleset) -> View:
    """The same view again: the rules tell what follows from what was kept."""
    fields = {**_USUAL, **data}
    known = View(
        seat=fields["seat"],
        ruleset=ruleset,
        round=fields["round"],
        phase=fields["phase"],
        due=fields["due"],
        to_move=fields["seat"],
        passes=fields["passes"],
        must_buy=fields["must_buy"],
        last_round=fields["last_round"],
        row1=tuple(fields["row1"]),
        row2=tuple(fields["row2"]),
        piles=fields["piles"],
        discard=tuple(fields["discard"]),
        out=tuple(fields["out"]),
        tokens=fields["tokens"],
        drawn=fields["drawn"],
        drawn_pile=fields["drawn_pile"],
        players=tuple(map(_unpack_player, fields["players"])),
        legal=(),
        table=fields["table"],
    )
    position = redeal_position(known, Rng.of("puzzle position"))
    return Game.from_position(position, ruleset).view(known.seat, memory=True)


def _unpack_player(data: Mapping[str, Any]) -> PlayerView:
    return PlayerView(
        rubles=data["rubles"],
        points=data["points"],
        hand=tuple(HandCard(*card) for card in data.get("hand", ())),
        hand_limit=0,
        area=data["area"],
        face_down=data.get("face_down", {}),
        income={},
        different_nobles=0,
    )
