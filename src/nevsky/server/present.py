"""A view as the message that the browser gets. Nothing secret can be in it: all of it comes from the view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, Literal, NamedTuple, cast

from nevsky.rules.game import Game, Result, redeal
from nevsky.rules.modules import ASSIGNMENTS, OBSTACLES
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import phases
from nevsky.rules.view import View
from nevsky.server.board import Board, Memory
from nevsky.server.clock import Times
from nevsky.server.modules import NO_MODULES, NO_PLAYER_MODULES, module_state, question_values
from nevsky.server.protocol import (
    ChatLine,
    Edition,
    FinalLine,
    LogLine,
    PaceInfo,
    PlayerCards,
    RulesetInfo,
    Status,
    TableCards,
    TableInfo,
    TableState,
)
from nevsky.server.shared import SeatInfo, Shared, seat_fields
from nevsky.server.standing import conceded, standing
from nevsky.texts import amount, join, text
from nevsky.texts.sentences import Wording

__all__ = ["Presenter", "SeatInfo", "TableContext", "pace_info", "present", "present_open", "ruleset_info"]

Known = Callable[[], Position]


class TableContext(NamedTuple):
    """What belongs to the message besides the game itself."""

    table: str
    version: int
    status: Status
    seats: Sequence[SeatInfo]
    chat: list[ChatLine] = []  # noqa: RUF012
    log: list[LogLine] = []  # noqa: RUF012
    can_undo: bool = False
    auto_pass: Literal["change", "phase", "off"] = "off"  # noqa: S105
    rematch: str | None = None
    show_seen: bool = True
    public: bool = False
    owner: int | None = None
    clock: PaceInfo | None = None
    paused: bool = False
    conceded: bool = False
    """Everybody but one has resigned, so nothing is asked any more."""


class Presenter:
    """Makes the states for one viewer, one after the other, and remembers what it can use again."""

    def __init__(self, shared: Shared | None = None) -> None:
        self._memory = Memory()
        self._shared = Shared() if shared is None else shared
        """The same for all viewers of a table."""
        self._cards: _Cards | None = None

    def present(self, view: View, context: TableContext, language: str, known: Known | None = None) -> TableState:
        """The state of a table.

        A position that the viewer cannot tell from the real one saves making one from the view.
        """
        cards = self._cards
        if cards is None or cards.view is not view or cards.conceded != context.conceded:
            cards = self._cards = self._look(view, context, language, known)
        return {
            **_table(context, view.ruleset, view.seat),
            **cards.table,
            "question": _question(cards.board, context, cards.result),
            "players": [
                self._shared.player(cards.board, info, seat, context.show_seen)
                for seat, info in enumerate(context.seats)
            ],
        }

    def _look(self, whole: View, context: TableContext, language: str, known: Known | None) -> _Cards:
        view = whole._replace(due=None, to_move=None, legal=()) if context.conceded else whole
        wording = Wording(language, view.ruleset.edition, [each.name for each in context.seats])
        board = Board(view, wording, known or (lambda: redeal(whole, 0).position), self._memory)
        shared = self._shared
        resigned = [seat for seat, info in enumerate(context.seats) if info.resigned]
        result = None
        if context.conceded:
            result = conceded([player.points for player in view.players], resigned)
        elif view.due is None:
            found = Game.from_position(board.position, view.ruleset).result
            result = None if found is None else standing(found, resigned)
        table: TableCards = {
            "round": view.round,
            "phase": view.phase,
            "due": view.due,
            "to_move": view.to_move,
            "last_round": view.last_round,
            "tokens": view.tokens,
            "piles": view.piles,
            "row1": board.display(1),
            "row2": board.display(2),
            "drawn": view.drawn,
            "drawn_price": board.drawn_price,
            "drawn_why_not": board.drawn_why_not,
            "drawn_choices": board.drawn_choices,
            "discard": shared.made("discard", view.discard, list),
            "out": shared.made("out", view.out, list),
            "remaining": board.remaining(context.show_seen),
            "choices": board.choices,
            "may_pass": _may_pass(view),
            "modules": module_state(board),
            "final": None if result is None else _final(result, view.ruleset),
            "winners": None if result is None else list(result.winners),
        }
        return _Cards(whole, board, result, table, context.conceded)


class _Cards(NamedTuple):
    """What one view shows of cards; who is there and what they say may change meanwhile."""

    view: View
    board: Board
    result: Result | None
    table: TableCards
    conceded: bool


def present(view: View, context: TableContext, language: str, known: Known | None = None) -> TableState:
    """The state of a table for one viewer, made of nothing but the view."""
    return Presenter().present(view, context, language, known)


def present_open(ruleset: Ruleset, context: TableContext, you: int | None, free: int, language: str) -> TableState:
    """The state of a table that waits for players: there are no cards yet."""
    return {
        **_table(context, ruleset, you),
        **_NO_CARDS,
        "question": _missing(free, sum(info.reserved is not None for info in context.seats), language),
        "players": [{**seat_fields(info, seat), **_NO_PLAYER_CARDS} for seat, info in enumerate(context.seats)],
    }


def _missing(free: int, kept: int, language: str) -> str:
    """Who is missing: anybody, or somebody for whom a seat is kept."""
    parts = [(free - kept, "waits.open"), (kept, "waits.kept")]
    return " ".join(amount(number, key, language) for number, key in parts if number)


_NO_CARDS: Final[TableCards] = {
    "round": 0,
    "phase": "worker",
    "due": None,
    "to_move": None,
    "last_round": False,
    "tokens": {},
    "piles": {},
    "row1": [],
    "row2": [],
    "drawn": None,
    "drawn_price": None,
    "drawn_why_not": [],
    "drawn_choices": [],
    "discard": [],
    "out": [],
    "remaining": {},
    "choices": [],
    "may_pass": False,
    "modules": NO_MODULES,
    "final": None,
    "winners": None,
}
_NO_PLAYER_CARDS: Final[PlayerCards] = {
    "rubles": None,
    "points": 0,
    "hand": [],
    "hand_limit": 3,
    "area": [],
    "income": [],
    "different_nobles": 0,
    "noble_points": 0,
    "next_noble_points": 1,
    "projected": None,
    **NO_PLAYER_MODULES,
}


def _table(context: TableContext, ruleset: Ruleset, you: int | None) -> TableInfo:
    """The fields of a state that have nothing to do with cards."""
    return {
        "type": "state",
        "serial": 1,
        "table": context.table,
        "version": context.version,
        "status": context.status,
        "you": you,
        "owner": context.owner,
        "public": context.public,
        "show_seen_cards": context.show_seen,
        "ruleset": ruleset_info(ruleset),
        "phases": _phases(ruleset),
        "can_undo": context.can_undo,
        "auto_pass": context.auto_pass,
        "clock": context.clock,
        "paused": context.paused,
        "conceded": context.conceded,
        "log": context.log,
        "chat": context.chat,
        "rematch": context.rematch,
    }


def pace_info(pace: str, times: Times | None) -> PaceInfo | None:
    """How much time there is; None without a clock."""
    if times is None:
        return None
    return {
        "pace": "live" if pace == "live" else "relaxed",
        "decision_seconds": times.decision,
        "reserve_seconds": times.reserve,
    }


@cache
def _phases(ruleset: Ruleset) -> list[str]:
    return list(phases(ruleset))


@cache
def ruleset_info(ruleset: Ruleset) -> RulesetInfo:
    """The ruleset as it is told; the same for everybody."""
    company = ruleset.good_company
    return {
        "edition": cast(Edition, ruleset.edition),
        "players": ruleset.players,
        "market": ruleset.market,
        "modules": list(ruleset.modules),
        "options": {
            "youngest": ruleset.youngest,
            "open_rubles": ruleset.open_rubles,
            "open_hands": ruleset.open_hands,
            "good_company": None if company is None else list(company),
            "real_obstacles": ruleset.real_obstacles,
        },
    }


def _question(board: Board, context: TableContext, result: Result | None) -> str:
    view, language, wording = board.view, board.language, board.wording
    if result is not None:
        winners = [wording.seat(seat) for seat in result.winners]
        if context.conceded:
            return text("final.conceded", language, name=winners[0])
        if len(winners) > 1:
            return text("final.share", language, names=join(winners, language)) + "."
        return text("final.win", language, name=winners[0]) + "."
    assert view.to_move is not None
    if context.paused and view.seat is None:
        return text("waits.paused", language)
    if view.to_move != view.seat:
        return text("waits", language, name=wording.seat(view.to_move))
    if context.seats[view.seat].resigned:
        return text("waits.resigned", language)
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


def _may_pass(view: View) -> bool:
    """The first workers must be bought (3.6), and other questions are answered, not passed."""
    if view.seat is None or view.due is None:
        return False
    if view.to_move == view.seat:
        return view.due == "turn" and "pass" in view.legal
    return not view.must_buy


def _final(result: Result, ruleset: Ruleset) -> list[FinalLine]:
    return [
        {
            "seat": entry.seat,
            "track": entry.track,
            "nobles": entry.nobles,
            "assignment": entry.assignment if ASSIGNMENTS.in_play(ruleset) else None,
            "rubles": entry.rubles,
            "hand": entry.hand,
            "obstacles": entry.obstacles if OBSTACLES.in_play(ruleset) else None,
            "total": entry.total,
            "tie": entry.tie,
            "place": entry.place,
        }
        for entry in result.final
    ]
