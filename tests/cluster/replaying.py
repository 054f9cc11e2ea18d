"""The game that a log tells of, move by move, by the rules alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from nevsky.errors import NevskyError
from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset

__all__ = ["Line", "StoredTable", "games"]

Json = dict[str, Any]


class Line(NamedTuple):
    """One line of a log."""

    number: int
    seat: int
    action: str | None
    by: str


class StoredTable(NamedTuple):
    """What the database says about a table."""

    status: str
    ruleset: Json
    deal: Json | None
    rematch: str | None
    winners: list[int] | None
    tokens: list[str]
    """By seat."""
    resigned: list[bool]
    log: list[Line]
    chat: list[str]

    @property
    def conceded(self) -> bool:
        """Whether all have resigned but one, and it is not over otherwise."""
        return self.resigned.count(False) == 1


def games(table: StoredTable) -> Iterator[Game]:
    """The game before the first line, and after each; raises where one breaks the rules."""
    assert table.deal is not None
    deal = table.deal
    game = Game.from_piles(Ruleset.from_dict(table.ruleset), deal["piles"], deal["tokens"], auto=True, **deal["deal"])
    deciders: list[int] = []
    yield game
    for line in table.log:
        if line.action is None:
            if line.seat not in deciders:
                raise NevskyError("game.nothing_to_undo")
            while deciders.pop() != line.seat:
                game.undo()
            game.undo()
        else:
            if game.to_move != line.seat:
                raise NevskyError("game.not_to_move", seat=line.seat)
            game.push(line.action)
            deciders.append(line.seat)
        yield game
