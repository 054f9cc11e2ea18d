"""A view as the message that the browser gets. Nothing secret can be in it: all of it comes from the view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from nevsky.rules.full import FullPosition
from nevsky.rules.game import Game, Result, redeal
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import phases
from nevsky.rules.view import PlayerView, View
from nevsky.server.board import Board
from nevsky.server.phrases import phrase
from nevsky.server.protocol import (
    ChatLine,
    FinalLine,
    Income,
    LogLine,
    ModuleState,
    PlayerState,
    State,
    Status,
)
from nevsky.texts import amount, join, text
from nevsky.texts.sentences import Wording
from nevsky.texts.things import assignment_text, obstacle_text

__all__ = ["Around", "Sitting", "present", "present_open"]

_MOST_NOBLES: Final = 10
_RICHEST: Final = 6
"""The assignment whose worth depends on everybody's rubles."""
_ANY_CARDS: Final = ("ship_builder:?", "czar_and_carpenter")


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
    return State(
        table=around.table,
        version=around.version,
        status=around.status,
        you=view.seat,
        ruleset=view.ruleset.to_dict(),
        round=view.round,
        phase=view.phase,
        phases=list(phases(view.ruleset)),
        due=view.due,
        question=_question(board, around, result),
        to_move=view.to_move,
        last_round=view.last_round,
        tokens=view.tokens,
        piles=view.piles,
        row1=board.display(1),
        row2=board.display(2),
        drawn=view.drawn,
        drawn_choices=board.drawn_choices,
        discard=list(view.discard),
        out=list(view.out),
        remaining=board.remaining(around.show_seen),
        players=[_player(board, around, seat) for seat in range(len(view.players))],
        choices=board.choices,
        can_undo=around.can_undo,
        auto_pass=around.auto_pass,
        modules=_modules(board),
        log=list(around.log),
        chat=list(around.chat),
        final=None if result is None else _final(result, view.ruleset),
        winners=None if result is None else list(result.winners),
        rematch=around.rematch,
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
    values: dict[str, Any] = {"rubles": amount(view.players[seat].rubles or 0, "ruble", language)}
    card = view.drawn
    if view.due == "good":
        card = _ANY_CARDS[view.table["flow"]["open_tile"]]
    elif view.due == "upkeep":
        card = board.actions[0].card
        values["price"] = amount(view.table["tiles"]["value"][0], "ruble", language)
    elif view.due == "bonus":
        space = view.table["obstacles"]["due"][seat][0]
        tile = view.table["obstacles"]["tiles"][str(space)]
        values |= {"space": str(space), "bonus": obstacle_text(tile, space, language)[1]}
    values["card"] = board.wording.card(card) if card else ""
    values["pile"] = text(f"the_pile.{view.drawn_pile}", language) if view.drawn_pile else ""
    return text(key, language, **values)


def _noble_points(different: int) -> int:
    counted = min(different, _MOST_NOBLES)
    return counted * (counted + 1) // 2


def _player(board: Board, around: Around, seat: int) -> PlayerState:
    view, sitting = board.view, around.sitting[seat]
    player, table = view.players[seat], view.table
    obstacles = table.get("obstacles")
    points = _noble_points(player.different_nobles)
    return PlayerState(
        seat=seat,
        name=sitting.name,
        bot=sitting.bot,
        connected=sitting.connected,
        away=sitting.away,
        rubles=player.rubles,
        points=player.points,
        hand=board.hand(seat, around.show_seen),
        hand_limit=player.hand_limit,
        area=board.area(seat),
        income=[Income(phase=phase, rubles=pay[0], points=pay[1]) for phase, pay in player.income.items()],
        different_nobles=player.different_nobles,
        noble_points=points,
        next_noble_points=_noble_points(player.different_nobles + 1) - points,
        projected=_projected(board, player, seat),
        goods=table["goods"][seat] if "goods" in table else None,
        assistants=[name for name, owner in table.get("assistants", {}).items() if owner == seat],
        event_used=table["events_used"][seat] if "events_used" in table else None,
        passed_obstacles=obstacles["passed"][seat] if obstacles else [],
        stuck_at=_stuck_at(board, seat) if obstacles else None,
        clock_seconds=sitting.clock,
    )


def _projected(board: Board, player: PlayerView, seat: int) -> int | None:
    """Purple cards cost nothing at the end, so with them the whole hand must be known."""
    hand_known = 1 not in board.view.ruleset.modules or all(card.card is not None for card in player.hand)
    if player.rubles is None or not hand_known:
        return None
    return board.position.total(seat)[0]


def _stuck_at(board: Board, seat: int) -> int | None:
    position = board.position
    assert isinstance(position, FullPosition)
    at = position.stuck_at(seat)
    return None if at < 0 else int(list(board.view.table["obstacles"]["tiles"])[at])


def _modules(board: Board) -> ModuleState:
    view, language = board.view, board.language
    table = view.table
    tiles = table.get("tiles")
    return ModuleState(
        value_tile=list(tiles["value"]) if tiles else None,
        tile_supply=list(tiles["supply"]) if tiles else [],
        events_left=[
            {
                "event": event,
                "name": text(f"event.{event}.name", language),
                "description": text(f"event.{event}.effect", language),
            }
            for event in table.get("events_left", ())
        ],
        obstacles=[
            _obstacle(int(space), tile, language) for space, tile in table.get("obstacles", {}).get("tiles", {}).items()
        ],
        assignments=_assignments(board),
    )


def _obstacle(space: int, tile: str, language: str) -> dict[str, Any]:
    needs, bonus = obstacle_text(tile, space, language)
    return {
        "space": space,
        "tile": tile,
        "description": f"{needs}: {bonus}" if needs else bonus,
        "needs": needs or None,
        "bonus": bonus,
    }


def _assignments(board: Board) -> list[dict[str, Any]]:
    view, position = board.view, board.position
    dealt = view.table.get("assignments")
    if dealt is None or view.seat is None or not isinstance(position, FullPosition):
        return []
    rubles_known = all(player.rubles is not None for player in view.players)
    return [
        {
            "number": number,
            "description": assignment_text(number, len(view.players), board.language),
            "worth": position.assignment_worth(view.seat, number) if rubles_known or number != _RICHEST else None,
            "chosen": view.table["chosen"][view.seat] == number,
        }
        for number in dealt[view.seat]
    ]


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


def present_open(ruleset: Ruleset, around: Around, you: int | None, free: int, language: str) -> State:
    """The state of a table that waits for players: there are no cards yet."""
    key = "waits.open.one" if free == 1 else "waits.open.many"
    return State(
        table=around.table,
        version=around.version,
        status=around.status,
        you=you,
        ruleset=ruleset.to_dict(),
        round=0,
        phase="worker",
        phases=list(phases(ruleset)),
        due=None,
        question=phrase(key, language, n=free),
        to_move=None,
        last_round=False,
        tokens={},
        piles={},
        row1=[],
        row2=[],
        drawn=None,
        drawn_choices=[],
        discard=[],
        out=[],
        remaining={},
        players=[_waiting(seat, each) for seat, each in enumerate(around.sitting)],
        choices=[],
        can_undo=False,
        auto_pass="off",  # noqa: S106
        modules=ModuleState(value_tile=None, tile_supply=[], events_left=[], obstacles=[], assignments=[]),
        log=[],
        chat=list(around.chat),
        final=None,
        winners=None,
        rematch=None,
    )


def _waiting(seat: int, sitting: Sitting) -> PlayerState:
    return PlayerState(
        seat=seat,
        name=sitting.name,
        bot=sitting.bot,
        connected=sitting.connected,
        away=False,
        rubles=None,
        points=0,
        hand=[],
        hand_limit=3,
        area=[],
        income=[],
        different_nobles=0,
        noble_points=0,
        next_noble_points=1,
        projected=None,
        goods=None,
        assistants=[],
        event_used=None,
        passed_obstacles=[],
        stuck_at=None,
        clock_seconds=None,
    )
