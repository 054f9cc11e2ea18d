"""The obstacles as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nevsky.errors import NevskyError
from nevsky.rules.course import FullPosition, whole_box
from nevsky.rules.modules.obstacles.room import FIRST_REAL, QUEUE_ROOM, ROOM, SPACES, STANDARD_REAL, TILES
from nevsky.rules.modules.obstacles.rules import Obstacles
from nevsky.rules.part import Part, Restorer, per_seat, unreadable, whole
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset

__all__ = ["PART", "passed_spaces", "stuck_space"]


def _state(p: FullPosition) -> Obstacles:
    assert p.obstacles is not None
    return p.obstacles


def passed_spaces(passed: int) -> list[int]:
    """The spaces of the bits that a seat is done with."""
    return [at for i, at in enumerate(SPACES) if passed >> i & 1]


def stuck_space(position: Position, seat: int) -> int | None:
    """The space of the real obstacle right before which a seat stands unready."""
    full = whole_box(position)
    if full is None or full.obstacles is None:
        return None
    at = full.obstacles.stopped(full, seat)
    return SPACES[at] if at >= 0 else None


class ObstaclesPart(Part):
    """The tiles on the track, and how far each seat has come with them."""

    number = ROOM.number
    dealt = ROOM.dealt

    def describe(self, p: FullPosition) -> dict[str, Any]:
        own, n = _state(p), p.n
        tiles, passed, queue, sizes = own.tile, own.passed, own.bonus, own.bonus_n
        return {
            "obstacles": {
                "tiles": {str(at): TILES[tile] for at, tile in zip(SPACES, tiles, strict=True)},
                "passed": [passed_spaces(passed[s]) for s in range(n)],
                "due": [[SPACES[queue[QUEUE_ROOM * s + i]] for i in range(sizes[s])] for s in range(n)],
                "lost": own.lost[:n],
            }
        }

    @property
    def restorers(self) -> dict[str, Restorer]:
        return {"obstacles": _restore}

    def deal_data(self, described: Any) -> Any:
        return described["tiles"]

    def arranged(self, dealt: Any) -> Any:
        return {"tiles": dealt}

    def final(self, p: FullPosition, seat: int) -> dict[str, Any]:
        return {"passed": tuple(passed_spaces(_state(p).passed[seat])), "stuck": stuck_space(p, seat)}

    def check_deal(self, p: FullPosition, ruleset: Ruleset) -> None:
        real = [i for i, tile in enumerate(_state(p).tile) if tile >= FIRST_REAL]
        wanted = ruleset.real_obstacles
        if tuple(real) != STANDARD_REAL if wanted is None else len(real) != wanted:
            raise NevskyError("deal.obstacles")


def _restore(p: FullPosition, ruleset: Ruleset, value: Mapping[str, Any]) -> None:
    own = _state(p)
    tiles = [TILES.index(value["tiles"][str(at)]) for at in SPACES]
    if len(set(tiles)) != len(tiles):
        raise unreadable("obstacles")
    own.tile = tiles
    passed, queue, sizes, lost = own.passed, own.bonus, own.bonus_n, own.lost
    none: list[list[int]] = [[] for _ in range(ruleset.players)]
    for seat, spaces in enumerate(per_seat(ruleset, value.get("passed", none))):
        passed[seat] = sum(1 << SPACES.index(at) for at in set(spaces))
    for seat, spaces in enumerate(per_seat(ruleset, value.get("due", none))):
        if len(set(spaces)) != len(spaces) or not set(spaces) <= set(passed_spaces(passed[seat])):
            raise unreadable("obstacles")
        sizes[seat] = len(spaces)
        for i, at in enumerate(spaces):
            queue[QUEUE_ROOM * seat + i] = SPACES.index(at)
    for seat, points in enumerate(per_seat(ruleset, value.get("lost", [0] * ruleset.players))):
        lost[seat] = whole(points, 0, 9999)
    own.passed, own.bonus, own.bonus_n, own.lost = passed, queue, sizes, lost
    own.waiting = sum(sizes)


PART = ObstaclesPart()
