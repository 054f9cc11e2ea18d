"""What the Market and the modules show at a table: one small function each.

A new module that shows something adds its model to `nevsky.server.protocol.modules`, a function here, and its line
in `module_state` or `fill_player`. A module that only asks questions needs nothing here: its choices and its
question are shown like all others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from nevsky.rules.full import FullPosition
from nevsky.server.protocol import AssignmentInfo, EventInfo, ModuleState, ObstacleInfo, PlayerModules
from nevsky.texts import amount, text
from nevsky.texts.things import assignment_text, obstacle_text

if TYPE_CHECKING:
    from nevsky.rules.view import View
    from nevsky.server.board import Board

__all__ = ["CardMarks", "Question", "card_marks", "fill_player", "module_state", "question_values"]

_RICHEST: Final = 6
"""The assignment whose worth depends on everybody's rubles."""
_ANY_CARDS: Final = ("ship_builder:?", "czar_and_carpenter")


def module_state(board: Board) -> ModuleState:
    """What lies on the table."""
    tiles = board.view.table.get("tiles")
    return ModuleState(
        value_tile=list(tiles["value"]) if tiles else None,
        tile_supply=list(tiles["supply"]) if tiles else [],
        events_left=_events(board),
        obstacles=_obstacles(board),
        assignments=_assignments(board),
    )


def fill_player(player: PlayerModules, board: Board, seat: int) -> None:
    """Lay what the Market and the modules bring in front of a player."""
    table = board.view.table
    if "goods" in table:
        player.goods = table["goods"][seat]
    player.assistants = [name for name, owner in table.get("assistants", {}).items() if owner == seat]
    if "events_used" in table:
        player.event_used = table["events_used"][seat]
    if "obstacles" in table:
        player.passed_obstacles = table["obstacles"]["passed"][seat]
        player.stuck_at = _stuck_at(board, seat)


def _events(board: Board) -> list[EventInfo]:
    language = board.language
    return [
        EventInfo(
            event=event,
            name=text(f"event.{event}.name", language),
            description=text(f"event.{event}.effect", language),
        )
        for event in board.view.table.get("events_left", ())
    ]


def _obstacles(board: Board) -> list[ObstacleInfo]:
    found = []
    for space, tile in board.view.table.get("obstacles", {}).get("tiles", {}).items():
        needs, bonus = obstacle_text(tile, int(space), board.language)
        words = f"{needs}: {bonus}" if needs else bonus
        found.append(ObstacleInfo(space=int(space), tile=tile, description=words, needs=needs or None, bonus=bonus))
    return found


def _stuck_at(board: Board, seat: int) -> int | None:
    position = board.position
    assert isinstance(position, FullPosition)
    at = position.stuck_at(seat)
    return None if at < 0 else int(list(board.view.table["obstacles"]["tiles"])[at])


def _assignments(board: Board) -> list[AssignmentInfo]:
    view, position = board.view, board.position
    dealt = view.table.get("assignments")
    if dealt is None or view.seat is None or not isinstance(position, FullPosition):
        return []
    rubles_known = all(player.rubles is not None for player in view.players)
    return [
        AssignmentInfo(
            number=number,
            description=assignment_text(number, len(view.players), board.language),
            worth=position.assignment_worth(view.seat, number) if rubles_known or number != _RICHEST else None,
            chosen=view.table["chosen"][view.seat] == number,
        )
        for number in dealt[view.seat]
    ]


class CardMarks(NamedTuple):
    """What lies on a card of an area."""

    covered: bool
    attached: list[str]
    tile: str | None


def card_marks(view: View, seat: int, card: str) -> CardMarks:
    """The chip of the Money Collector, Banquet and Jester, and the tile of goods on a card."""
    table = view.table
    none: list[dict[str, str]] = [{} for _ in view.players]
    return CardMarks(
        covered=table.get("covered", none)[seat] == card,
        attached=[name for name, below in table.get("attached", none)[seat].items() if below == card],
        tile=table.get("tiles", {}).get("given", none)[seat].get(card),
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
