"""How a game ended: the final scoring of each seat in parts (8.2)."""

from __future__ import annotations

from typing import NamedTuple

from nevsky.rules.parts import each_part
from nevsky.rules.position import Position

__all__ = ["Final", "Result", "final_scoring"]


class Final(NamedTuple):
    """The final scoring of one seat in parts (8.2)."""

    seat: int
    track: int
    """Points before the final scoring."""
    nobles: int
    rubles: int
    """Points for full tens of rubles."""
    hand: int
    """Minus points for cards on the hand."""
    total: int
    rubles_left: int
    tie: int
    """The rubles that break a tie (8.4)."""
    place: int
    assignment: int = 0
    """Points for the chosen assignment (module 5)."""
    obstacles: int = 0
    """Bonus points less points lost at real obstacles in the final scoring (module 6)."""
    passed: tuple[int, ...] = ()
    """Spaces whose obstacle the seat is done with (module 6)."""
    stuck: int | None = None
    """Space of the real obstacle that stopped the seat (module 6)."""


class Result(NamedTuple):
    """How a game ended."""

    final: tuple[Final, ...]
    winners: tuple[int, ...]


def final_scoring(position: Position) -> Result:
    """The result of a position in which the game is over."""
    order = [position.total(seat) for seat in range(position.n)]
    final = tuple(_final(position, seat, order) for seat in range(position.n))
    return Result(final, tuple(entry.seat for entry in final if entry.place == 1))


def _final(position: Position, seat: int, order: list[tuple[int, int]]) -> Final:
    nobles, rubles, hand = position.final_parts(seat)
    total, tie = order[seat]
    found = Final(
        seat=seat,
        track=position.points[seat],
        nobles=nobles,
        rubles=rubles,
        hand=hand,
        total=total,
        rubles_left=position.rubles[seat] - 10 * rubles,
        tie=tie,
        place=1 + sum(other > order[seat] for other in order),
    )
    for part, full in each_part(position):
        found = found._replace(**part.final(full, seat))
    return found._replace(obstacles=total - found.track - nobles - found.assignment - rubles - hand)
