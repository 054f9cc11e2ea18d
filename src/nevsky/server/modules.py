"""What the Market and the modules show at a table: one small function each.

A new module that shows something adds its model to `nevsky.server.protocol.modules`, a function here, and its line
in `module_state` or `player_modules`. A module that only asks questions needs nothing here: its choices and its
question are shown like all others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from nevsky.rules.modules.assignments.data import worth
from nevsky.rules.modules.assignments.room import RICHEST
from nevsky.rules.modules.obstacles.data import stuck_space
from nevsky.server.protocol import AssignmentInfo, EventInfo, ModuleState, ObstacleInfo, PlayerModules
from nevsky.texts import amount, text
from nevsky.texts.things import assignment_text, obstacle_text

if TYPE_CHECKING:
    from nevsky.server.board import Board

__all__ = [
    "NO_MODULES",
    "NO_PLAYER_MODULES",
    "AreaMarks",
    "Question",
    "area_marks",
    "module_state",
    "player_modules",
    "question_values",
]

_ANY_CARDS: Final = ("ship_builder:?", "czar_and_carpenter")
NO_MODULES: Final[ModuleState] = {
    "value_tile": None,
    "tile_supply": [],
    "events_left": [],
    "obstacles": [],
    "assignments": [],
}
NO_PLAYER_MODULES: Final[PlayerModules] = {
    "goods": None,
    "assistants": [],
    "event_used": None,
    "passed_obstacles": [],
    "stuck_at": None,
}


def module_state(board: Board) -> ModuleState:
    """What lies on the table."""
    if not board.view.table:
        return NO_MODULES
    tiles = board.view.table.get("tiles")
    return {
        "value_tile": list(tiles["value"]) if tiles else None,
        "tile_supply": list(tiles["supply"]) if tiles else [],
        "events_left": _events(board),
        "obstacles": _obstacles(board),
        "assignments": _assignments(board),
    }


def player_modules(board: Board, seat: int) -> PlayerModules:
    """What lies in front of a player."""
    if not board.view.table:
        return NO_PLAYER_MODULES
    table = board.view.table
    return {
        "goods": table["goods"][seat] if "goods" in table else None,
        "assistants": [name for name, owner in table.get("assistants", {}).items() if owner == seat],
        "event_used": table["events_used"][seat] if "events_used" in table else None,
        "passed_obstacles": table["obstacles"]["passed"][seat] if "obstacles" in table else [],
        "stuck_at": stuck_space(board.position, seat),
    }


def _events(board: Board) -> list[EventInfo]:
    return [_event(event, board.language) for event in board.view.table.get("events_left", ())]


@cache
def _event(event: str, language: str) -> EventInfo:
    words = {part: text(f"event.{event}.{part}", language) for part in ("name", "effect")}
    return {"event": event, "name": words["name"], "description": words["effect"]}


def _obstacles(board: Board) -> list[ObstacleInfo]:
    tiles = board.view.table["obstacles"]["tiles"] if "obstacles" in board.view.table else {}
    return [_obstacle(int(space), tile, board.language) for space, tile in tiles.items()]


@cache
def _obstacle(space: int, tile: str, language: str) -> ObstacleInfo:
    needs, bonus = obstacle_text(tile, space, language)
    words = text("pair", language, one=needs, other=bonus) if needs else bonus
    return {"space": space, "tile": tile, "description": words, "needs": needs or None, "bonus": bonus}


def _assignments(board: Board) -> list[AssignmentInfo]:
    view, position = board.view, board.position
    dealt = view.table.get("assignments")
    if dealt is None or view.seat is None:
        return []
    rubles_known = all(player.rubles is not None for player in view.players)
    return [
        {
            "number": number,
            "description": assignment_text(number, len(view.players), board.language),
            "worth": worth(position, view.seat, number) if rubles_known or number != RICHEST else None,
            "chosen": view.table["chosen"][view.seat] == number,
        }
        for number in dealt[view.seat]
    ]


class AreaMarks(NamedTuple):
    """What lies on the cards of an area: chip of the Money Collector, Banquet and Jester, tiles of goods."""

    covered: str | None
    attached: dict[str, str]
    """Banquet and Jester, and the card below each."""
    tiles: dict[str, str]
    """By card."""


_NO_MARKS: Final = AreaMarks(None, {}, {})


def area_marks(board: Board, seat: int) -> AreaMarks:
    """What lies on the cards of a player."""
    table = board.view.table
    if not table:
        return _NO_MARKS
    return AreaMarks(
        covered=table["covered"][seat] if "covered" in table else None,
        attached=table["attached"][seat] if "attached" in table else {},
        tiles=table["tiles"]["given"][seat] if "tiles" in table else {},
    )


class Question(NamedTuple):
    """What a question is about."""

    card: str | None
    values: dict[str, str]


def _good(board: Board) -> Question:
    return Question(_ANY_CARDS[board.view.table["flow"]["open_tile"]], {})


def _upkeep(board: Board) -> Question:
    price = amount(board.view.table["tiles"]["value"][0], "ruble", board.language)
    return Question(board.actions[0].card, {"price": price})


def _bonus(board: Board) -> Question:
    obstacles: dict[str, Any] = board.view.table["obstacles"]
    space = obstacles["due"][board.seat][0]
    bonus = obstacle_text(obstacles["tiles"][str(space)], space, board.language)[1]
    return Question(board.view.drawn, {"space": str(space), "bonus": bonus})


_QUESTIONS: Final[dict[str, Callable[[Board], Question]]] = {"good": _good, "upkeep": _upkeep, "bonus": _bonus}


def question_values(board: Board) -> Question:
    """The card and the values that the question of the decision needs."""
    values = _QUESTIONS.get(board.view.due or "")
    return Question(board.view.drawn, {}) if values is None else values(board)
