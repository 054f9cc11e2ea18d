"""What visitors took lately, to be told to the other processes: bounded, and only of those who took the most."""

from __future__ import annotations

from heapq import nlargest
from typing import Final, NamedTuple

__all__ = ["Share", "Taken"]

_MOST_BUDGETS: Final = 5000
_MOST_MEMBERS: Final = 50
TOLD_BUDGETS: Final = 200
TOLD_MEMBERS: Final = 10


class Share(NamedTuple):
    """What was taken of one kind from one address, and by whom: those who took the most."""

    kind: str
    address: str
    number: int
    members: list[tuple[str, int]]


class Taken:
    """Between two messages to the others. A flood from many addresses costs little and hides nobody who takes much."""

    def __init__(self) -> None:
        self._taken: dict[tuple[str, str], dict[str, int]] = {}

    def add(self, kind: str, who: str, address: str) -> None:
        """One more."""
        members = self._taken.get((kind, address))
        if members is None:
            if len(self._taken) >= _MOST_BUDGETS:
                self._shrink()
            members = self._taken[kind, address] = {}
        if who not in members and len(members) >= _MOST_MEMBERS:
            who = ""
        members[who] = members.get(who, 0) + 1

    def _shrink(self) -> None:
        """Whoever took least is not told."""
        kept = nlargest(TOLD_BUDGETS, self._taken.items(), lambda each: sum(each[1].values()))
        self._taken = dict(kept)

    def drain(self) -> list[Share]:
        """What is to be told, once."""
        shares = [
            Share(kind, address, sum(members.values()), _most(members))
            for (kind, address), members in self._taken.items()
        ]
        self._taken = {}
        return nlargest(TOLD_BUDGETS, shares, lambda share: share.number)


def _most(members: dict[str, int]) -> list[tuple[str, int]]:
    named = ((who, number) for who, number in members.items() if who)
    return nlargest(TOLD_MEMBERS, named, lambda each: each[1])
