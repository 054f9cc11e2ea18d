"""Letting a bot play for somebody, for a while or to the end, and ending a game without a result."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from nevsky.server.daily.at_table import check_help
from nevsky.server.errors import Refusal, given_up_table, not_your_seat
from nevsky.server.ratings.at_table import check_away, check_end
from nevsky.server.schema import GIVEN_UP
from nevsky.server.standing import conceded, stopped, told_of_result
from nevsky.server.viewer import Viewer

if TYPE_CHECKING:
    from nevsky.server.actor import Table

__all__ = ["propose_end", "resign", "set_away"]


async def set_away(table: Table, viewer: Viewer, seat: int | None, away: bool) -> None:
    """Let a bot play for somebody, or take the own seat back."""
    _, own = table.playing(viewer.seat)
    check_away(table, away)
    if away:
        check_help(table)
    target = own if seat is None else seat
    if not 0 <= target < len(table.seats) or table.seats[target].level is not None:
        raise Refusal("refused", "person")
    if target != own:
        if not away:
            raise not_your_seat()
        gone = table.gone_since.get(target)
        if gone is None or time.monotonic() - gone < table.services.settings.away_seconds:
            raise Refusal("refused", "still_there")
        if not table.clock.live and table.services.vacations.of(table.seats[target].guest) is not None:
            raise Refusal("refused", "on_vacation")
    changes: dict[str, Any] = {}
    if not away and table.clock.times is not None:
        changes["clock"] = table.clock.times.forgive(target).to_dict()
    await table.save_seat(table.seats[target]._replace(away=away), **changes)
    if not away:
        table.bots.leave(target)


def _unfinished(table: Table, viewer: Viewer) -> int:
    """The seat of a player whose game goes on."""
    if table.status == "over":
        raise Refusal("refused", "finished")
    return table.playing(viewer.seat)[1]


async def resign(table: Table, viewer: Viewer) -> None:
    """A player gives up. If one is left they have won; else a bot plays to the end, and the player comes last then.

    Whoever is alone with bots ends the game instead.
    """
    seat = _unfinished(table, viewer)
    if table.alone:
        raise Refusal("refused", "resign_alone")
    assert table.match is not None
    if table.passing.get(seat) is not None:
        await table.passing.end(seat)
    table.early.drop(seat)
    place = table.seats[seat]._replace(away=True, resigned=True, wants_end=False, resigned_after=table.match.game.made)
    result = conceded(table.match.game.position.points[: len(table.seats)], [*table.resigned, seat])
    await table.save_seat(place, **({} if result is None else stopped("over") | told_of_result(result)))
    tell_resignations(table)
    if result is not None:
        table.bots.forget()
        table.early.clear()


def is_conceded(table: Table) -> bool:
    """Whether the game is over because everybody but one has resigned."""
    return table.match is not None and table.status == "over" and not table.match.game.over


def tell_resignations(table: Table) -> None:
    """Let the log say who has resigned, and when."""
    if table.match is not None:
        when = ((place.seat, place.resigned_after) for place in table.seats)
        table.match.log.resigned = tuple((seat, after) for seat, after in when if after is not None)


async def propose_end(table: Table, viewer: Viewer, agree: bool) -> None:
    """A player would end the game without a result, or not any more; if everybody would, it ends.

    For those who are away a bot decides everything, so they are not asked.
    """
    seat = _unfinished(table, viewer)
    check_end(table)
    place = table.seats[seat]._replace(wants_end=agree)
    others = [other for other in table.seats if other.seat != seat]
    if agree and all(other.wants_end or other.level is not None or other.away for other in others):
        await table.save_seat(place, **stopped(GIVEN_UP))
        table.vanish(given_up_table)
    else:
        await table.save_seat(place)
