"""The tables of a round: who sits where, as rows for the database."""

from __future__ import annotations

from collections.abc import Mapping

from nevsky.rules.ruleset import Ruleset
from nevsky.server.clock import Times
from nevsky.server.ids import new_token
from nevsky.server.sanitize import distinct_name
from nevsky.server.schema import SeatRow, TableRow
from nevsky.server.seating import bot_on, table_row
from nevsky.server.tournaments.pairing import Seats
from nevsky.server.tournaments.store import Entrant, TournamentRow

__all__ = ["games_of", "new_tables"]


def games_of(largest: Ruleset) -> dict[int, Ruleset]:
    """What is played at tables of each size: the same game for fewer people. What cannot be played is refused."""
    return {
        players: Ruleset.from_dict({**largest.to_dict(), "players": players})
        for players in range(2, largest.players + 1)
    }


def new_tables(
    tournament: TournamentRow, rounds: list[Seats], players: Mapping[int, Entrant]
) -> list[tuple[TableRow, list[SeatRow]]]:
    """Tables that start at once."""
    games = games_of(tournament.game)
    return [_table(tournament, games[len(seats)], seats, players) for seats in rounds]


def _table(
    tournament: TournamentRow, game: Ruleset, seats: Seats, players: Mapping[int, Entrant]
) -> tuple[TableRow, list[SeatRow]]:
    taken: list[str] = []
    places: list[SeatRow] = []
    for seat, number in enumerate(seats):
        place = SeatRow(seat, new_token())
        if number is None:
            place = bot_on(place, None, [*taken, *(players[each].name for each in seats if each is not None)])
        else:
            place = place._replace(guest=players[number].guest, name=distinct_name(players[number].name, taken))
        taken.append(place.name or "")
        places.append(place)
    times = Times.new(tournament.times, len(places)).to_dict()
    row = table_row(game, places, tournament.public, tournament.pace, times, True)
    return row._replace(tournament=tournament.id), places
