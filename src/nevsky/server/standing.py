"""How a game has ended for the people at the table: whoever resigned comes last, whatever a bot made of their seat."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from nevsky.rules.final import Final, Result
from nevsky.rules.game import Game
from nevsky.rules.view import as_seen
from nevsky.server.storage import now

__all__ = ["conceded", "standing", "stopped", "told_of", "told_of_result"]


def standing(result: Result, resigned: Collection[int]) -> Result:
    """The result with the places as they count."""
    if not resigned:
        return result

    def better(seat: int) -> tuple[bool, int, int]:
        entry = result.final[seat]
        return (seat not in resigned, entry.total, entry.tie)

    seats = range(len(result.final))
    places = [1 + sum(better(other) > better(seat) for other in seats) for seat in seats]
    final = tuple(entry._replace(place=places[entry.seat]) for entry in result.final)
    return Result(final, tuple(entry.seat for entry in final if entry.place == 1))


def conceded(points: Sequence[int], resigned: Collection[int]) -> Result | None:
    """The result of a game that everybody but one has given up: the points as they were, without a final scoring.

    None while more than one play.
    """
    if len(points) - len(resigned) != 1:
        return None
    everybody = [
        Final(seat, track, nobles=0, rubles=0, hand=0, total=track, rubles_left=0, tie=0, place=0)
        for seat, track in enumerate(points)
    ]
    return standing(Result(tuple(everybody), ()), resigned)


def told_of(game: Game, resigned: Collection[int] = ()) -> dict[str, Any]:
    """What the row of a table tells of its game: enough for lists, without the cards."""
    told = {
        "round": game.round,
        "to_move": game.to_move,
        "to_move_shown": None if game.over else as_seen(game.looked_at, game.ruleset, None).seat,
        "status": "over" if game.over else "playing",
        "winners": None,
    }
    if game.result is None:
        return told
    return told | told_of_result(standing(game.result, resigned))


def told_of_result(result: Result) -> dict[str, Any]:
    """What the row tells of how the game has ended."""
    return {"winners": list(result.winners), "scores": [entry.total for entry in result.final]}


def stopped(status: str) -> dict[str, Any]:
    """What the row tells of a game that was not played to its end: nobody is asked any more."""
    return {"status": status, "to_move": None, "to_move_shown": None, "deadline": None, "updated": now()}
