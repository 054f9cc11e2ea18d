"""What a seat saw happen since its last decision: the history that programs are told, for learners."""

from __future__ import annotations

from typing import Any, NamedTuple

from nevsky.extras import needing

with needing("envs", __name__):
    import numpy as np
    import numpy.typing as npt

from nevsky.envs.action_sets import ActionSet
from nevsky.envs.options import HISTORY, NOTHING
from nevsky.rules.actions import ACTIONS
from nevsky.rules.game import Game
from nevsky.telling import HIDDEN, UNNAMED, Telling

__all__ = ["HISTORY", "NOTHING", "History", "Seen", "history_array", "history_info"]


class Seen(NamedTuple):
    """One action as somebody saw it."""

    seat: int
    action: int | None
    """Its id, None if it is a secret (12.2)."""


class History:
    """Follows a game for all seats."""

    def __init__(self, game: Game) -> None:
        self._telling = Telling(game)

    def since(self, game: Game, seat: int) -> list[Seen]:
        """What the seat knows of all actions since the last one that it chose itself, oldest first."""
        if game.made < self._telling.number:  # moves were taken back
            self._telling = Telling(game)
        telling = self._telling
        telling.catch_up(game)
        found: list[Seen] = []
        for facts in reversed(telling.moves):
            if facts.move.seat == seat and not facts.move.auto:
                break
            secret = telling.secrecy(facts, seat)
            if secret != HIDDEN:
                found.append(Seen(facts.move.seat, None if secret == UNNAMED else facts.move.action.id))
        return found[::-1]


def history_array(seen: list[Seen], seat: int, players: int, actions: ActionSet | None) -> npt.NDArray[np.int32]:
    """Rows of a seat, counted clockwise from the own one, and a number of the learner's actions."""
    rows = np.full((HISTORY, 2), NOTHING, np.int32)
    for row, entry in zip(rows, seen[-HISTORY:], strict=False):
        row[0] = (entry.seat - seat) % players
        if entry.action is not None:
            row[1] = entry.action if actions is None else actions.to_reduced[entry.action]
    return rows


def history_info(seen: list[Seen]) -> list[dict[str, Any]]:
    """The same in words, as programs are told it."""
    return [
        {"seat": entry.seat, "action": None if entry.action is None else ACTIONS[entry.action].text} for entry in seen
    ]
