"""One puzzle, and the line of a file that it is kept in."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from nevsky.bots.reasons import Reason
from nevsky.errors import NevskyError
from nevsky.puzzles.position import pack, unpack
from nevsky.puzzles.proof import LEAST, Margin, Proof, Value
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import View

__all__ = ["Puzzle", "first_rating"]

_MIDDLE: Final = 1400
_FOOLED: Final = 130
"""What each quick bot that does not find it makes a puzzle harder."""
_POINT: Final = 30
"""What each point beyond the least margin makes it easier, up to so many."""
_POINTS: Final = 8
_CHOICE: Final = 10
"""What each other action makes it harder, up to so many."""
_CHOICES: Final = 12


class Puzzle:
    """A position, what the seat whose turn it is knows of it, and why one action is best."""

    def __init__(self, game: int, move: int, view: View, proof: Proof, fooled: tuple[str, ...]) -> None:
        self.game = game
        """The number of the game that it comes from, and the moves that had been made there."""
        self.move = move
        self.view = view
        self.proof = proof
        self.fooled = fooled
        """The quick bots that would have done something else."""

    @cached_property
    def id(self) -> str:
        """Follows from what the seat knows."""
        digest = hashlib.sha256(b"puzzle " + self.view.to_bytes()).digest()
        return base64.b32encode(digest[:5]).decode().lower()

    @property
    def rating(self) -> int:
        """How hard it seems before anybody has tried."""
        return first_rating(self.proof.again.points, len(self.fooled), len(self.proof.values))

    def to_line(self) -> str:
        """As one line of JSON, without the end of the line."""
        data = {
            "id": self.id,
            "game": self.game,
            "move": self.move,
            "ruleset": self.view.ruleset.to_dict(),
            "position": pack(self.view),
            "first": self.proof.first,
            "again": self.proof.again,
            "fooled": self.fooled,
            "actions": [[*each[:-1], each.why.key, each.why.values] for each in self.proof.values],
        }
        return json.dumps(data, ensure_ascii=True, separators=(",", ":"))

    @classmethod
    def from_line(cls, line: str) -> Puzzle:
        """What `to_line` wrote."""
        try:
            data = json.loads(line)
            puzzle = cls._read(data)
            same = puzzle.id == data["id"]
        except NevskyError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
            raise NevskyError("puzzles.unreadable") from error
        if not same:
            raise NevskyError("puzzles.position")
        return puzzle

    @classmethod
    def _read(cls, data: Mapping[str, Any]) -> Puzzle:
        view = unpack(data["position"], Ruleset.from_dict(data["ruleset"]))
        values = tuple(
            Value(action, behind, doubt, chance, playouts, Reason(key, words))
            for action, behind, doubt, chance, playouts, key, words in data["actions"]
        )
        proof = Proof(Margin(*data["first"]), Margin(*data["again"]), values)
        return cls(data["game"], data["move"], view, proof, tuple(data["fooled"]))


def first_rating(points: float, fooled: int, actions: int) -> int:
    """How hard a puzzle seems: a clear margin is easy to see, what fools bots is not, nor one action among many.

    >>> first_rating(1.5, 3, 13), first_rating(12.0, 1, 4)
    (1910, 1320)
    """
    ahead = min(_POINTS, points - LEAST)
    return round(_MIDDLE + _FOOLED * fooled - _POINT * ahead + _CHOICE * min(_CHOICES, actions - 1))
