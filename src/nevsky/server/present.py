"""A view as the message that the browser gets. Nothing secret can be in it: all of it comes from the view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any, Final, Literal, NamedTuple, cast

from nevsky.rules.game import Game, Result, redeal
from nevsky.rules.modules import ASSIGNMENTS, OBSTACLES
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import phases
from nevsky.rules.view import View
from nevsky.server.board import Board, Memory
from nevsky.server.clock import Times
from nevsky.server.leaves import NO_PLACES, NO_REASONS
from nevsky.server.modules import NO_MODULES, NO_PLAYER_MODULES, module_state, question_values
from nevsky.server.own_part import OwnPart
from nevsky.server.protocol import (
    ChatLine,
    DailyMark,
    Edition,
    FinalLine,
    LogLine,
    OwnCards,
    OwnState,
    PaceInfo,
    PlayerCards,
    PlayerState,
    RulesetInfo,
    SharedState,
    Status,
    TableCards,
    TableInfo,
    TableState,
)
from nevsky.server.shared import SeatInfo, Shared, seat_fields
from nevsky.server.standing import conceded, standing
from nevsky.texts import amount, join, text
from nevsky.texts.sentences import Wording

__all__ = [
    "Common",
    "OwnContext",
    "Presenter",
    "SeatInfo",
    "TableContext",
    "common_state",
    "open_common",
    "open_own",
    "pace_info",
    "present",
    "present_open",
    "ruleset_info",
    "table_info",
    "turn_state",
    "whole_state",
]

Known = Callable[[], Position]


class OwnContext(NamedTuple):
    """What belongs to the state of one viewer besides the game."""

    version: int = 0
    can_undo: bool = False
    auto_pass: Literal["change", "phase", "off"] = "off"  # noqa: S105


class TableContext(NamedTuple):
    """What belongs to all states of a table besides the game."""

    table: str
    status: Status
    seats: Sequence[SeatInfo]
    chat: list[ChatLine] = []  # noqa: RUF012
    rematch: str | None = None
    show_seen: bool = True
    public: bool = False
    owner: int | None = None
    clock: PaceInfo | None = None
    paused: bool = False
    conceded: bool = False
    """Everybody but one has resigned, so nothing is asked any more."""
    daily: DailyMark | None = None
    rated: bool = False
    tournament: str | None = None


class Common:
    """What all viewers of a table see alike to whom it looks as if the same player were asked; in one language.

    Each of them sees themselves in another way, so one player may be left out.
    """

    def __init__(self, fields: SharedState, players: list[PlayerState | None], result: Result | None = None) -> None:
        self.fields = fields
        self.players = players
        self.result = result


def common_state(board: Board, context: TableContext, shared: Shared) -> Common:
    """Made of the view of somebody to whom it looks so; if they sit at the table, their own seat is left out."""
    view = board.view
    result = _result(board, context)
    fields: SharedState = {
        **table_info(context, view.ruleset),
        "round": view.round,
        "phase": view.phase,
        "due": view.due,
        "to_move": view.to_move,
        "last_round": view.last_round,
        "tokens": view.tokens,
        "piles": view.piles,
        "discard": shared.made("discard", view.discard, list),
        "out": shared.made("out", view.out, list),
        "final": None if result is None else _final(result, view.ruleset),
        "winners": None if result is None else list(result.winners),
    }
    players = [
        None if seat == view.seat else shared.player(board, info, seat, context.show_seen)
        for seat, info in enumerate(context.seats)
    ]
    return Common(fields, players, result)


def _result(board: Board, context: TableContext) -> Result | None:
    if board.view.due is not None:
        return None
    resigned = [seat for seat, info in enumerate(context.seats) if info.resigned]
    if context.conceded:
        return conceded([player.points for player in board.view.players], resigned)
    found = Game.from_position(board.position, board.view.ruleset).result
    return None if found is None else standing(found, resigned)


class Presenter:
    """Makes the states for one viewer, one after the other, and remembers what it can use again."""

    def __init__(self, shared: Shared | None = None) -> None:
        self._memory = Memory()
        self.shared = Shared() if shared is None else shared
        """The same for all viewers of a table."""
        self._of: tuple[View, bool] | None = None
        """The view that the cards were made of, and whether the game was conceded."""
        self._cards: OwnCards | None = None
        self.board: Board

    def look(self, view: View, context: TableContext, wording: Wording, known: Known | None = None) -> Board:
        """Look at a view. A position that the viewer cannot tell from the real one saves making one from the view."""
        if self._of is None or self._of[0] is not view or self._of[1] != context.conceded:
            self._of = (view, context.conceded)
            asked = view._replace(due=None, to_move=None, legal=()) if context.conceded else view
            self.board = Board(asked, wording, known or (lambda: redeal(view, 0).position), self._memory)
            self._cards = None
        return self.board

    def own(self, common: Common, context: TableContext, own: OwnContext) -> OwnState:
        """What is different for the viewer, of the view that was looked at last."""
        cards = self._cards
        if cards is None:
            cards = self._cards = self._made(context.show_seen)
        return {
            "serial": 1,
            "version": own.version,
            "question": _question(self.board, context, common.result),
            "can_undo": own.can_undo,
            "auto_pass": own.auto_pass,
            **cards,
        }

    def player(self, context: TableContext) -> PlayerState | None:
        """How the viewer sees themselves; None for spectators."""
        seat = self.board.seat
        if seat is None:
            return None
        return self.shared.player(self.board, context.seats[seat], seat, context.show_seen)

    def _made(self, show_seen: bool) -> OwnCards:
        board, view = self.board, self.board.view
        return {
            "you": view.seat,
            "row1": board.display(1),
            "row2": board.display(2),
            "drawn": view.drawn,
            "drawn_price": board.drawn_price,
            "drawn_why_not": board.drawn_why_not,
            "drawn_choices": board.drawn_choices,
            "remaining": board.remaining(show_seen),
            "choices": board.choices,
            "may_pass": _may_pass(view),
            "modules": module_state(board),
        }


def turn_state(part: OwnPart, seat: int | None, context: TableContext, own: OwnContext, wording: Wording) -> OwnState:
    """The same at a turn of the base game, made without a view."""
    if part.turn:
        key = "due.must_buy" if part.must_buy else "due.turn"
        question = _asked(key, part.rubles, None, None, (), wording.language, wording.edition)
    else:
        question = _waits_for(part.to_move, seat, context, wording)
    return {
        "serial": 1,
        "version": own.version,
        "question": question,
        "can_undo": own.can_undo,
        "auto_pass": own.auto_pass,
        "you": seat,
        "row1": part.row1,
        "row2": part.row2,
        "drawn": None,
        "drawn_price": None,
        "drawn_why_not": NO_REASONS,
        "drawn_choices": NO_PLACES,
        "remaining": part.remaining,
        "choices": part.choices,
        "may_pass": part.may_pass,
        "modules": NO_MODULES,
    }


def whole_state(common: Common, own: OwnState, log: list[LogLine], player: PlayerState | None) -> TableState:
    """The state that the parts make; the player is the viewer, if they sit at the table."""
    players = [player if own["you"] == seat else each for seat, each in enumerate(common.players)]
    return {**common.fields, **own, "log": log, "players": cast(list[PlayerState], players)}


def present(
    view: View,
    context: TableContext,
    language: str,
    known: Known | None = None,
    own: OwnContext | None = None,
    log: list[LogLine] | None = None,
) -> TableState:
    """The state of a table for one viewer, made of nothing but the view."""
    presenter = Presenter()
    wording = Wording(language, view.ruleset.edition, [each.name for each in context.seats])
    board = presenter.look(view, context, wording, known)
    common = common_state(board, context, presenter.shared)
    fields = presenter.own(common, context, own or OwnContext())
    return whole_state(common, fields, log or [], presenter.player(context))


def open_common(ruleset: Ruleset, context: TableContext) -> Common:
    """A table that waits for players: there are no cards yet."""
    players: list[PlayerState | None] = [
        {**seat_fields(info, seat), **_NO_PLAYER_CARDS} for seat, info in enumerate(context.seats)
    ]
    return Common({**table_info(context, ruleset), **_NO_CARDS}, players)


def open_own(context: TableContext, you: int | None, free: int, language: str) -> OwnState:
    """What a viewer of such a table sees in their own way."""
    kept = sum(info.reserved is not None for info in context.seats)
    return {**_NO_CHOICES, "you": you, "question": _missing(free, kept, language)}


def present_open(ruleset: Ruleset, context: TableContext, you: int | None, free: int, language: str) -> TableState:
    """The state of a table that waits for players."""
    common = open_common(ruleset, context)
    own = open_own(context, you, free, language)
    return whole_state(common, own, [], None if you is None else common.players[you])


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
    "discard": [],
    "out": [],
    "final": None,
    "winners": None,
}
_NO_CHOICES: Final[OwnState] = {
    "serial": 1,
    "version": 0,
    "question": "",
    "can_undo": False,
    "auto_pass": "off",
    "you": None,
    "row1": [],
    "row2": [],
    "drawn": None,
    "drawn_price": None,
    "drawn_why_not": [],
    "drawn_choices": [],
    "remaining": {},
    "choices": [],
    "may_pass": False,
    "modules": NO_MODULES,
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


def table_info(context: TableContext, ruleset: Ruleset) -> TableInfo:
    """The fields of a state that have nothing to do with cards."""
    return {
        "type": "state",
        "table": context.table,
        "status": context.status,
        "owner": context.owner,
        "public": context.public,
        "show_seen_cards": context.show_seen,
        "ruleset": ruleset_info(ruleset),
        "phases": _phases(ruleset),
        "clock": context.clock,
        "paused": context.paused,
        "conceded": context.conceded,
        "chat": context.chat,
        "rematch": context.rematch,
        "daily": context.daily,
        "rated": context.rated,
        "tournament": context.tournament,
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
    if view.seat is None or view.to_move != view.seat:
        return _waits_for(view.to_move, view.seat, context, wording)
    if context.seats[view.seat].resigned:
        return text("waits.resigned", language)
    if context.seats[view.seat].away:
        return text("waits.away", language)
    return _own_question(board, view.seat)


def _waits_for(to_move: int, seat: int | None, context: TableContext, wording: Wording) -> str:
    if context.paused and seat is None:
        return text("waits.paused", wording.language)
    return _waits(wording.seat(to_move), wording.language)


@lru_cache(maxsize=1024)
def _waits(name: str, language: str) -> str:
    return text("waits", language, name=name)


def _own_question(board: Board, seat: int) -> str:
    view, language = board.view, board.language
    key = "due.must_buy" if view.must_buy and view.due == "turn" else f"due.{view.due}"
    card, more = question_values(board)
    rubles = view.players[seat].rubles or 0
    return _asked(key, rubles, card, view.drawn_pile, tuple(more.items()), language, view.ruleset.edition)


@lru_cache(maxsize=4096)
def _asked(
    key: str,
    rubles: int,
    card: str | None,
    pile: str | None,
    more: tuple[tuple[str, str], ...],
    language: str,
    edition: str,
) -> str:
    """A question in words; the same is asked at many tables."""
    values: dict[str, Any] = {
        "rubles": amount(rubles, "ruble", language),
        "card": Wording(language, edition).card(card) if card else "",
        "pile": text(f"the_pile.{pile}", language) if pile else "",
    }
    return text(key, language, **(values | dict(more)))


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
