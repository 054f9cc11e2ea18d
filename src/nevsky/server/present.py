"""A view as the message that the browser gets. Nothing secret can be in it: all of it comes from the view."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Final, Literal, NamedTuple

from nevsky.rules.game import Game, Result, redeal
from nevsky.rules.modules import ASSIGNMENTS, BANQUET, OBSTACLES
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import phases
from nevsky.rules.view import PlayerView, View
from nevsky.server.board import Board
from nevsky.server.modules import module_state, player_modules, question_values
from nevsky.server.protocol import (
    ChatLine,
    FinalLine,
    Income,
    LogLine,
    PlayerState,
    RulesetInfo,
    Status,
    TableState,
)
from nevsky.texts import amount, join, text
from nevsky.texts.sentences import Wording

__all__ = ["SeatInfo", "TableContext", "present", "present_open", "ruleset_info"]

_MOST_NOBLES: Final = 10


class SeatInfo(NamedTuple):
    """Who sits on a seat; no secret to anybody."""

    name: str
    bot: str | None = None
    connected: bool = True
    away: bool = False
    clock: float | None = None


class TableContext(NamedTuple):
    """What belongs to the message besides the game itself."""

    table: str
    version: int
    status: Status
    seats: Sequence[SeatInfo]
    chat: Sequence[ChatLine] = ()
    log: Sequence[LogLine] = ()
    can_undo: bool = False
    auto_pass: Literal["change", "phase", "off"] = "off"  # noqa: S105
    rematch: str | None = None
    show_seen: bool = True


def present(view: View, context: TableContext, language: str, known: Position | None = None) -> TableState:
    """The state of a table for one viewer.

    A position that the viewer cannot tell from the real one saves making one from the view.
    """
    wording = Wording(language, view.ruleset.edition, [each.name for each in context.seats])
    board = Board(view, wording, redeal(view, 0).position if known is None else known)
    result = None if view.due is not None else Game.from_position(board.position, view.ruleset).result
    return TableState(
        **_table(context, view.ruleset, view.seat),
        round=view.round,
        phase=view.phase,
        due=view.due,
        question=_question(board, context, result),
        to_move=view.to_move,
        last_round=view.last_round,
        tokens=view.tokens,
        piles=view.piles,
        row1=board.display(1),
        row2=board.display(2),
        drawn=view.drawn,
        drawn_price=board.drawn_price,
        drawn_why_not=board.drawn_why_not,
        drawn_choices=board.drawn_choices,
        discard=list(view.discard),
        out=list(view.out),
        remaining=board.remaining(context.show_seen),
        players=[_player(board, context, seat) for seat in range(len(view.players))],
        choices=board.choices,
        modules=module_state(board),
        final=None if result is None else _final(result, view.ruleset),
        winners=None if result is None else list(result.winners),
    )


def present_open(ruleset: Ruleset, context: TableContext, you: int | None, free: int, language: str) -> TableState:
    """The state of a table that waits for players: there are no cards yet."""
    players = [PlayerState(**_seat(context, seat)) for seat in range(len(context.seats))]
    return TableState(**_table(context, ruleset, you), question=amount(free, "waits.open", language), players=players)


def _table(context: TableContext, ruleset: Ruleset, you: int | None) -> dict[str, Any]:
    """The fields of a state that have nothing to do with cards."""
    return {
        "table": context.table,
        "version": context.version,
        "status": context.status,
        "you": you,
        "ruleset": ruleset_info(ruleset),
        "phases": list(phases(ruleset)),
        "can_undo": context.can_undo,
        "auto_pass": context.auto_pass,
        "log": list(context.log),
        "chat": list(context.chat),
        "rematch": context.rematch,
    }


def _seat(context: TableContext, seat: int) -> dict[str, Any]:
    """The fields of a player that have nothing to do with cards."""
    info = context.seats[seat]
    return {
        "seat": seat,
        "name": info.name,
        "bot": info.bot,
        "connected": info.connected,
        "away": info.away,
        "clock_seconds": info.clock,
    }


@cache
def ruleset_info(ruleset: Ruleset) -> RulesetInfo:
    """The ruleset as it is told; the same for everybody."""
    return RulesetInfo.model_validate(ruleset.to_dict())


def _question(board: Board, context: TableContext, result: Result | None) -> str:
    view, language, wording = board.view, board.language, board.wording
    if result is not None:
        winners = [wording.seat(seat) for seat in result.winners]
        if len(winners) > 1:
            return text("final.share", language, names=join(winners, language)) + "."
        return text("final.win", language, name=winners[0]) + "."
    assert view.to_move is not None
    if view.to_move != view.seat:
        return text("waits", language, name=wording.seat(view.to_move))
    if context.seats[view.seat].away:
        return text("waits.away", language)
    return _own_question(board, view.seat)


def _own_question(board: Board, seat: int) -> str:
    view, language = board.view, board.language
    key = "due.must_buy" if view.must_buy and view.due == "turn" else f"due.{view.due}"
    card, more = question_values(board)
    values: dict[str, Any] = {
        "rubles": amount(view.players[seat].rubles or 0, "ruble", language),
        "card": board.wording.card(card) if card else "",
        "pile": text(f"the_pile.{view.drawn_pile}", language) if view.drawn_pile else "",
    }
    return text(key, language, **(values | more))


def _noble_points(different: int) -> int:
    counted = min(different, _MOST_NOBLES)
    return counted * (counted + 1) // 2


@lru_cache(maxsize=4096)
def _income(phase: str, rubles: int, points: int) -> Income:
    return Income(phase=phase, rubles=rubles, points=points)


def _player(board: Board, context: TableContext, seat: int) -> PlayerState:
    player = board.view.players[seat]
    points = _noble_points(player.different_nobles)
    return PlayerState(
        **_seat(context, seat),
        rubles=player.rubles,
        points=player.points,
        hand=board.hand(seat, context.show_seen),
        hand_limit=player.hand_limit,
        area=board.area(seat),
        income=[_income(phase, *pay) for phase, pay in player.income.items()],
        different_nobles=player.different_nobles,
        noble_points=points,
        next_noble_points=_noble_points(player.different_nobles + 1) - points,
        projected=_projected(board, player, seat),
        **player_modules(board, seat),
    )


def _projected(board: Board, player: PlayerView, seat: int) -> int | None:
    """Purple cards cost nothing at the end, so with them the whole hand must be known."""
    hand_known = not BANQUET.in_play(board.view.ruleset) or all(card.card is not None for card in player.hand)
    if player.rubles is None or not hand_known:
        return None
    return board.position.total(seat)[0]


def _final(result: Result, ruleset: Ruleset) -> list[FinalLine]:
    return [
        FinalLine(
            seat=entry.seat,
            track=entry.track,
            nobles=entry.nobles,
            assignment=entry.assignment if ASSIGNMENTS.in_play(ruleset) else None,
            rubles=entry.rubles,
            hand=entry.hand,
            obstacles=entry.obstacles if OBSTACLES.in_play(ruleset) else None,
            total=entry.total,
            tie=entry.tie,
            place=entry.place,
        )
        for entry in result.final
    ]
