"""What a state tells of a game, and what a viewer may be told of a position: both in the same form, to be compared."""

from __future__ import annotations

from typing import Any

import orjson

from nevsky.rules.view import View

__all__ = ["expected", "seen"]

Json = dict[str, Any]


def seen(state: Json) -> bytes:
    """The part of a state that comes from the rules: everything that could be a secret of somebody's is in it."""
    over = state["conceded"]
    return _packed(
        {
            "you": state["you"],
            "conceded": over,
            "at": [state["round"], state["phase"], state["last_round"]],
            "asked": None if over else [state["due"], state["to_move"]],
            "tokens": state["tokens"],
            "piles": state["piles"],
            "discard": state["discard"],
            "out": state["out"],
            "rows": [[card["card"] for card in state[row]] for row in ("row1", "row2")],
            "drawn": None if over else state["drawn"],
            "choices": [] if over else sorted(choice["action"] for choice in state["choices"]),
            "assignments": [each["number"] for each in state["modules"]["assignments"]],
            "players": [
                {
                    "rubles": player["rubles"],
                    "points": player["points"],
                    "hand": sorted((card["pile"], card["card"] or "") for card in player["hand"]),
                    "area": _areas(player["area"]),
                }
                for player in state["players"]
            ],
        }
    )


def expected(view: View, conceded: bool) -> bytes:
    """What a viewer with this view should have been told."""
    dealt = view.table.get("assignments")
    return _packed(
        {
            "you": view.seat,
            "conceded": conceded,
            "at": [view.round, view.phase, view.last_round],
            "asked": None if conceded else [view.due, view.to_move],
            "tokens": view.tokens,
            "piles": view.piles,
            "discard": view.discard,
            "out": view.out,
            "rows": [view.row1, view.row2],
            "drawn": None if conceded else view.drawn,
            "choices": [] if conceded else sorted(view.legal),
            "assignments": [] if dealt is None or view.seat is None else list(dealt[view.seat]),
            "players": [
                {
                    "rubles": player.rubles,
                    "points": player.points,
                    "hand": sorted((card.pile, card.card or "") for card in player.hand),
                    "area": player.area,
                }
                for player in view.players
            ],
        }
    )


def _areas(cards: list[Json]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for card in cards:
        counts[card["card"]] = counts.get(card["card"], 0) + card["count"]
    return counts


def _packed(picture: Json) -> bytes:
    return orjson.dumps(picture, option=orjson.OPT_SORT_KEYS)
