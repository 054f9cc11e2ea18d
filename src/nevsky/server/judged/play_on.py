"""A position of a finished game becomes a new table: one seat for whoever asks, bots on the others.

What that seat could not know at the time is dealt anew: the hands of the others as far as they were hidden, and the
order of the piles. So nobody plays with what the replay has shown, and the luck is another one each time.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from nevsky.rules.game import Game, redeal
from nevsky.server.actor import Table
from nevsky.server.errors import Refusal
from nevsky.server.ids import new_token
from nevsky.server.match import deal_data, deal_game
from nevsky.server.protocol import PlayOn
from nevsky.server.replays import finished
from nevsky.server.schema import SeatRow, TableRow
from nevsky.server.seating import Guest, bot_on, started, unstarted

__all__ = ["table_at", "table_from"]


def table_from(table: Table, wanted: PlayOn, guest: Guest) -> tuple[TableRow, list[SeatRow]]:
    """The new table, private and without a clock; a position where nothing is to be decided is refused."""
    moves = finished(table).game.moves
    players = table.ruleset.players
    if wanted.seat >= players:
        raise Refusal("refused", "replay_seat", last=players - 1)
    deal = table.row.deal or {}
    game = Game.from_piles(table.ruleset, deal["piles"], deal["tokens"], **deal["deal"])
    for action, _ in moves[: wanted.step]:
        game.push(action)
    if game.over:
        raise Refusal("refused", "play_on_over")
    return table_at(game, wanted.seat, wanted.levels, guest, show_seen=table.row.show_seen_cards)


def table_at(
    game: Game, own: int, levels: Sequence[str | None], guest: Guest, *, show_seen: bool = True
) -> tuple[TableRow, list[SeatRow]]:
    """A table that begins where a game stands, with the guest on one seat and bots of these levels on the others."""
    players = game.ruleset.players
    if len(levels) not in (1, players):
        raise Refusal("refused", "seats", players=players)
    places: list[SeatRow] = []
    taken = [guest.name]
    for seat in range(players):
        place = SeatRow(seat, new_token())
        if seat == own:
            place = place._replace(guest=guest.id, name=guest.name)
        else:
            place = bot_on(place, levels[seat % len(levels)], taken)
            taken.append(place.name or "")
        places.append(place)
    row = unstarted(game.ruleset, show_seen)._replace(owner=guest.id)
    return row._replace(**_dealt(game, own, places)), places


def _dealt(game: Game, seat: int, places: list[SeatRow]) -> dict[str, Any]:
    """What a table stores about the position, in which everything that the seat does not know lies elsewhere."""
    names = [place.name or "" for place in places]
    other = Game.from_position(redeal(game.view(seat, memory=True), secrets.token_hex(16)).position, game.ruleset)
    return started(deal_game(game.ruleset, deal_data(other), names))
