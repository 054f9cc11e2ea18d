"""A view as the message that the browser gets. Nothing secret can be in it: all of it comes from the view."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from nevsky.rules.game import Game, Result, redeal
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import phases
from nevsky.rules.view import PlayerView, View
from nevsky.server.board import Board
from nevsky.server.modules import fill_player, module_state, question_values
from nevsky.server.phrases import phrase
from nevsky.server.protocol import (
    ChatLine,
    FinalLine,
    Income,
    LogLine,
    PlayerState,
    RulesetInfo,
    State,
    Status,
)
from nevsky.texts import amount, join, text
from nevsky.texts.sentences import Wording

__all__ = ["Around", "Sitting", "present", "present_open", "ruleset_info"]

_MOST_NOBLES: Final = 10


class Sitting(NamedTuple):
    """Who sits on a seat; no secret to anybody."""

    name: str
    bot: str | None = None
    connected: bool = True
    away: bool = False
    clock: float | None = None


class Around(NamedTuple):
    """What belongs to the message besides the game itself."""

    table: str
    version: int
    status: Status
    sitting: Sequence[Sitting]
    chat: Sequence[ChatLine] = ()
    log: Sequence[LogLine] = ()
    can_undo: bool = False
    auto_pass: Literal["change", "phase", "off"] = "off"  # noqa: S105
    rematch: str | None = None
    show_seen: bool = True


def present(view: View, around: Around, language: str, known: Position | None = None) -> State:
    """The state of a table for one viewer.

    A position that the viewer cannot tell from the real one saves making one from the view.
    """
    wording = Wording(language, view.ruleset.edition, [each.name for each in around.sitting])
    board = Board(view, wording, redeal(view, 0).position if known is None else known)
    result = None if view.due is not None else Game.from_position(board.position, view.ruleset).result
    state = _table(around, view.ruleset, view.seat, _question(board, around, result))
    state.round = view.round
    state.phase = view.phase
    state.due = view.due
    state.to_move = view.to_move
    state.last_round = view.last_round
    state.tokens = view.tokens
    state.piles = view.piles
    state.row1 = board.display(1)
    state.row2 = board.display(2)
    state.drawn = view.drawn
    state.drawn_choices = board.drawn_choices
    state.discard = list(view.discard)
    state.out = list(view.out)
    state.remaining = board.remaining(around.show_seen)
    for player in state.players:
        _fill(player, board, around.show_seen)
    state.choices = board.choices
    state.modules = module_state(board)
    if result is not None:
        state.final = _final(result, view.ruleset)
        state.winners = list(result.winners)
    return state


def present_open(ruleset: Ruleset, around: Around, you: int | None, free: int, language: str) -> State:
    """The state of a table that waits for players: there are no cards yet."""
    key = "waits.open.one" if free == 1 else "waits.open.many"
    return _table(around, ruleset, you, phrase(key, language, n=free))


def _table(around: Around, ruleset: Ruleset, you: int | None, question: str) -> State:
    """The table without its cards."""
    return State(
        table=around.table,
        version=around.version,
        status=around.status,
        you=you,
        ruleset=ruleset_info(ruleset),
        phases=list(phases(ruleset)),
        question=question,
        players=[_seat(seat, each) for seat, each in enumerate(around.sitting)],
        can_undo=around.can_undo,
        auto_pass=around.auto_pass,
        log=list(around.log),
        chat=list(around.chat),
        rematch=around.rematch,
    )


@cache
def ruleset_info(ruleset: Ruleset) -> RulesetInfo:
    """The ruleset as it is told; the same for everybody."""
    return RulesetInfo.model_validate(ruleset.to_dict())


def _seat(seat: int, sitting: Sitting) -> PlayerState:
    return PlayerState(
        seat=seat,
        name=sitting.name,
        bot=sitting.bot,
        connected=sitting.connected,
        away=sitting.away,
        clock_seconds=sitting.clock,
    )


def _question(board: Board, around: Around, result: Result | None) -> str:
    view, language, wording = board.view, board.language, board.wording
    if result is not None:
        winners = [wording.seat(seat) for seat in result.winners]
        if len(winners) > 1:
            return text("final.share", language, names=join(winners, language)) + "."
        return text("final.win", language, name=winners[0]) + "."
    assert view.to_move is not None
    if view.to_move != view.seat:
        return phrase("waits", language, name=wording.seat(view.to_move))
    if around.sitting[view.seat].away:
        return phrase("waits.away", language)
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


def _fill(player: PlayerState, board: Board, show_seen: bool) -> None:
    """Lay what a player has in front of an empty seat."""
    seat = player.seat
    seen, points = board.view.players[seat], _noble_points(board.view.players[seat].different_nobles)
    player.rubles = seen.rubles
    player.points = seen.points
    player.hand = board.hand(seat, show_seen)
    player.hand_limit = seen.hand_limit
    player.area = board.area(seat)
    player.income = [Income(phase=phase, rubles=pay[0], points=pay[1]) for phase, pay in seen.income.items()]
    player.different_nobles = seen.different_nobles
    player.noble_points = points
    player.next_noble_points = _noble_points(seen.different_nobles + 1) - points
    player.projected = _projected(board, seen, seat)
    fill_player(player, board, seat)


def _projected(board: Board, player: PlayerView, seat: int) -> int | None:
    """Purple cards cost nothing at the end, so with them the whole hand must be known."""
    hand_known = 1 not in board.view.ruleset.modules or all(card.card is not None for card in player.hand)
    if player.rubles is None or not hand_known:
        return None
    return board.position.total(seat)[0]


def _final(result: Result, ruleset: Ruleset) -> list[FinalLine]:
    return [
        FinalLine(
            seat=entry.seat,
            track=entry.track,
            nobles=entry.nobles,
            assignment=entry.assignment if 5 in ruleset.modules else None,
            rubles=entry.rubles,
            hand=entry.hand,
            obstacles=entry.obstacles if 6 in ruleset.modules else None,
            total=entry.total,
            tie=entry.tie,
            place=entry.place,
        )
        for entry in result.final
    ]
