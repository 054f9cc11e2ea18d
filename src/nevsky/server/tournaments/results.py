"""What came of a table of a tournament, read from the table itself."""

from __future__ import annotations

from typing import Final, NamedTuple

from nevsky.rules.ruleset import Ruleset
from nevsky.server.match import Match, deal_game
from nevsky.server.schema import GIVEN_UP, Stored
from nevsky.server.standing import conceded, standing

__all__ = ["TableResult", "result_of"]

_OWN: Final = ("player", "auto")


class TableResult(NamedTuple):
    """By seat."""

    status: str
    """``over``, ``ended``, ``given_up`` or ``gone``."""
    places: list[int | None]
    scores: list[int]
    absent: list[int]
    """Seats of people who never came."""


def result_of(stored: Stored | None, seats: int) -> TableResult:
    """The places at a table whose game goes on no more.

    Played to its end it counts as it ended. If it was stopped it is a draw among those who were there, bots too; given
    up by its players it brings nobody anything. Whoever never decided anything gets nothing, whatever a bot made of it.
    """
    if stored is None or stored.table.deal is None:
        return TableResult("gone", [1] * seats, [0] * seats, [])
    names = [place.name or "" for place in stored.seats]
    game = Match(deal_game(Ruleset.from_dict(stored.table.ruleset), stored.table.deal, names), stored.log).game
    there = {entry.seat for entry in stored.log if entry.by in _OWN}
    resigned = [place.seat for place in stored.seats if place.resigned]
    there |= {place.seat for place in stored.seats if place.level is not None or place.resigned}
    played = stored.table.status == "over"
    never = [place.seat for place in stored.seats if place.seat not in there and (place.away or not played)]
    final = None
    if played:
        track = game.position.points[: len(names)]
        final = standing(game.result, resigned) if game.result is not None else conceded(track, resigned)
    if final is not None:
        placed = [entry.place for entry in final.final]
        places = [None if seat in never else place for seat, place in enumerate(placed)]
        return TableResult("over", _closed(places), [entry.total for entry in final.final], never)
    scores = list(game.position.points[: len(names)])
    if stored.table.status == GIVEN_UP:
        return TableResult("given_up", [None] * seats, scores, [])
    return TableResult("ended", [None if seat in never else 1 for seat in range(seats)], scores, never)


def _closed(places: list[int | None]) -> list[int | None]:
    """Without gaps where somebody never came."""
    there = [place for place in places if place is not None]
    return [None if place is None else 1 + sum(other < place for other in there) for place in places]
