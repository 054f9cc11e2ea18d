"""Tables in short, for lists."""

from __future__ import annotations

from collections.abc import Sequence

from nevsky.rules.ruleset import Ruleset
from nevsky.server.clock import Times, runs_out
from nevsky.server.owners import owner_seat
from nevsky.server.present import pace_info, ruleset_info
from nevsky.server.protocol import TableSummary
from nevsky.server.schema import SeatRow, TableRow
from nevsky.texts.former import shown_name

__all__ = ["alone_with_bots", "summary"]


def alone_with_bots(places: Sequence[SeatRow]) -> bool:
    """Whether only one person has ever sat at the table."""
    return sum(place.level is None for place in places) == 1


def _deadline(row: TableRow, times: Times | None, places: Sequence[SeatRow], you: int | None) -> str | None:
    """When whoever is to move runs out of time, as far as a seat may know: a secret question has no trace."""
    if times is None or times.stopped is not None or row.pace != "relaxed" or row.status != "playing":
        return None
    secret = you is not None and you == row.to_move != row.to_move_shown
    seat = you if secret else row.to_move_shown
    if seat is None or places[seat].level is not None or places[seat].away:
        return None
    return runs_out(row.updated, times.decision + (0.0 if secret else times.left[seat]))


def summary(row: TableRow, places: list[SeatRow], you: int | None, language: str = "en") -> TableSummary:
    """A table in a list."""
    times = None if row.clock is None else Times.from_dict(row.clock)
    return TableSummary(
        table=row.id,
        status=row.status,  # type: ignore[arg-type]
        ruleset=ruleset_info(Ruleset.from_dict(row.ruleset)),
        names=[place.name and shown_name(place.name, language) for place in places],
        reserved=[place.kept_for for place in places],
        owner=owner_seat(row, places),
        clock=pace_info(row.pace, times),
        bots=[place.level for place in places],
        round=row.round,
        to_move=row.to_move if you is not None and row.to_move == you else row.to_move_shown,
        you=you,
        your_turn=you is not None and you in (row.to_move, row.to_move_shown),
        public=row.public,
        updated=row.updated,
        deadline=_deadline(row, times, places, you),
        winners=row.winners,
        scores=row.scores,
        resigned=[place.resigned for place in places],
        deletable=you is not None and row.tournament is None and alone_with_bots(places),
        rematch=row.rematch,
        rated=row.rated,
    )
