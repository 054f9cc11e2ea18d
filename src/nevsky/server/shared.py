"""What all viewers of a table see alike: made once for all of them, and kept as long as it does not change.

What is kept is never changed, so states share it, and a look tells that it is still the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from nevsky.rules.modules import BANQUET
from nevsky.server.modules import AreaMarks, area_marks, player_modules
from nevsky.server.protocol import AreaCard, Income, PlayerCards, PlayerInfo, PlayerState

if TYPE_CHECKING:
    from nevsky.rules.view import PlayerView
    from nevsky.server.board import Board

__all__ = ["SeatInfo", "Shared", "area_card", "incomes", "noble_points", "seat_fields"]

_MOST_NOBLES: Final = 10
_Of = TypeVar("_Of")
_Made = TypeVar("_Made")


class SeatInfo(NamedTuple):
    """Who sits on a seat; no secret to anybody."""

    name: str
    bot: str | None = None
    connected: bool = True
    away: bool = False
    clock: float | None = None
    reserve: float | None = None
    missed: int = 0
    resigned: bool = False
    wants_end: bool = False
    reserved: str | None = None
    vacation: str | None = None


class Shared:
    """The parts of the states of one table, as they were made last."""

    def __init__(self) -> None:
        self._made: dict[object, tuple[object, Any]] = {}

    def made(self, name: object, of: _Of, make: Callable[[_Of], _Made]) -> _Made:
        """What is made of something: the same as last time if that is the same."""
        known = self._made.get(name)
        if known is None or known[0] != of:
            known = self._made[name] = (of, make(of))
        made: _Made = known[1]
        return made

    def same(self, name: object, value: _Of) -> _Of:
        """The value, or the one that was given before if it is equal."""
        return self.made(name, value, _itself)

    def player(self, board: Board, info: SeatInfo, seat: int, show_seen: bool) -> PlayerState:
        """A player: who sits there and what lies there. Only their own hand looks different to others."""
        view = board.view
        player, own = view.players[seat], seat == view.seat
        of: tuple[object, ...] = (player, info, view.due is None, show_seen, board.hand(seat, show_seen) if own else 0)
        if view.table:
            of += (player_modules(board, seat), area_marks(board, seat), _projected(board, player, seat))
        language = board.language if own else ""
        return self.made(("player", seat, language), of, lambda _: self._player(board, info, seat, show_seen, language))

    def _player(self, board: Board, info: SeatInfo, seat: int, show_seen: bool, language: str) -> PlayerState:
        player = board.view.players[seat]
        points = noble_points(player.different_nobles)
        cards: PlayerCards = {
            "rubles": player.rubles,
            "points": player.points,
            "hand": self.same(("hand", seat, language), board.hand(seat, show_seen)),
            "hand_limit": player.hand_limit,
            "area": self.made(("area", seat), (player.area, player.face_down, area_marks(board, seat)), _area),
            "income": incomes(tuple(player.income.items())),
            "different_nobles": player.different_nobles,
            "noble_points": points,
            "next_noble_points": noble_points(player.different_nobles + 1) - points,
            "projected": _projected(board, player, seat),
            **player_modules(board, seat),
        }
        return {**seat_fields(info, seat), **cards}


def _itself(value: _Of) -> _Of:
    return value


def seat_fields(info: SeatInfo, seat: int) -> PlayerInfo:
    """The fields of a player that have nothing to do with cards."""
    return {
        "seat": seat,
        "name": info.name,
        "bot": info.bot,
        "connected": info.connected,
        "away": info.away,
        "clock_seconds": info.clock,
        "reserve_seconds": info.reserve,
        "missed": info.missed,
        "resigned": info.resigned,
        "wants_end": info.wants_end,
        "reserved": info.reserved,
        "vacation": info.vacation,
    }


@lru_cache(maxsize=8192)
def area_card(
    card: str, count: int, face_down: int, covered: bool, attached: tuple[str, ...], tile: str | None
) -> AreaCard:
    """A card in front of a player; the same for many."""
    return {
        "card": card,
        "count": count,
        "face_down": face_down,
        "covered": covered,
        "attached": list(attached),
        "tile": tile,
    }


def _area(of: tuple[dict[str, int], dict[str, int], AreaMarks]) -> list[AreaCard]:
    area, face_down, marks = of
    return [
        area_card(
            exact,
            count,
            face_down.get(exact, 0),
            exact == marks.covered,
            tuple([name for name, below in marks.attached.items() if below == exact]),
            marks.tiles.get(exact),
        )
        for exact, count in area.items()
    ]


@lru_cache(maxsize=4096)
def incomes(pays: tuple[tuple[str, tuple[int, int]], ...]) -> list[Income]:
    """What the next scoring of each phase would bring."""
    return [{"phase": phase, "rubles": rubles, "points": points} for phase, (rubles, points) in pays]


@cache
def noble_points(different: int) -> int:
    """What so many different nobles count in the end (8.2)."""
    counted = min(different, _MOST_NOBLES)
    return counted * (counted + 1) // 2


def _projected(board: Board, player: PlayerView, seat: int) -> int | None:
    """Purple cards cost nothing at the end, so with them the whole hand must be known."""
    hand_known = not BANQUET.in_play(board.view.ruleset) or all(card.card is not None for card in player.hand)
    if player.rubles is None or not hand_known:
        return None
    return board.position.total(seat)[0]
