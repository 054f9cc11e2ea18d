"""Who is next when more is wanted of the bots than they can do at once.

Everything waits by its kind, within a kind by its owner, and within an owner by table (for hints: by guest). Owners
take turns, and so do the tables of one owner. Somebody who brings a thousand jobs therefore delays everybody else by
one of them.

Kinds go in their order, with one exception, so that none waits for ever: a kind that had something waiting for as long
as its patience without being served comes first once.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping
from typing import Final, Generic, Literal, NamedTuple, TypeVar

__all__ = ["KINDS", "FairQueue", "Kind", "QueueFullError", "Rules", "Ticket"]

Kind = Literal["live", "hint", "review"]
KINDS: Final[tuple[Kind, ...]] = ("live", "hint", "review")
"""Bots that somebody's game waits for, advice, the evaluation of finished games."""


class Rules(NamedTuple):
    """What holds for one kind."""

    patience: float = 0.0
    """Seconds after which something of this kind goes before the kinds above it."""
    at_once: int | None = None
    """How much of one owner's may be in work at the same time."""
    per_owner: int | None = None
    """How much may wait for one owner."""
    altogether: int | None = None
    """How much may wait for all of them."""


class QueueFullError(Exception):
    """There is no room for more of this."""


class Ticket:
    """Something that waits for its turn."""

    def __init__(self, kind: Kind, owner: str, table: str) -> None:
        self.kind: Kind = kind
        self.owner = owner
        self.table = table


_T = TypeVar("_T", bound=Ticket)


class _Line(Generic[_T]):
    """What waits of one kind. Owners without anything waiting or in work are not kept."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.owners: OrderedDict[str, OrderedDict[str, deque[_T]]] = OrderedDict()
        self.waiting: dict[str, int] = {}
        self.in_work: dict[str, int] = {}
        self.length = 0
        self.since = 0.0
        """When something of this kind was taken last, or began to wait after nothing did."""

    def next_owner(self) -> str | None:
        """Whose turn it is; owners with as much in work as they may have are passed over."""
        most = self.rules.at_once
        if most is None:
            return next(iter(self.owners), None)
        return next((owner for owner in self.owners if self.in_work.get(owner, 0) < most), None)

    def add(self, ticket: _T) -> None:
        self.owners.setdefault(ticket.owner, OrderedDict()).setdefault(ticket.table, deque()).append(ticket)
        self.waiting[ticket.owner] = self.waiting.get(ticket.owner, 0) + 1
        self.length += 1

    def take(self, owner: str) -> _T:
        table, tickets = next(iter(self.owners[owner].items()))
        ticket = tickets[0]
        self.remove(ticket)
        if owner in self.owners:
            self.owners.move_to_end(owner)
            if table in self.owners[owner]:
                self.owners[owner].move_to_end(table)
        self.in_work[owner] = self.in_work.get(owner, 0) + 1
        return ticket

    def remove(self, ticket: _T) -> None:
        tables = self.owners[ticket.owner]
        tables[ticket.table].remove(ticket)
        if not tables[ticket.table]:
            del tables[ticket.table]
        if not tables:
            del self.owners[ticket.owner]
        _less(self.waiting, ticket.owner)
        self.length -= 1

    def newest_of(self, owner: str) -> _T:
        return next(reversed(self.owners[owner].values()))[-1]


def _all(tables: Mapping[str, Iterable[_T]]) -> list[_T]:
    return [ticket for tickets in tables.values() for ticket in tickets]


def _less(counts: dict[str, int], owner: str) -> None:
    counts[owner] -= 1
    if not counts[owner]:
        del counts[owner]


class FairQueue(Generic[_T]):
    """Tickets go in and come out in a fair order; whoever took one says when it is done."""

    def __init__(self, rules: Mapping[Kind, Rules]) -> None:
        self._lines: dict[Kind, _Line[_T]] = {kind: _Line(rules.get(kind, Rules())) for kind in KINDS}

    def length(self, kind: Kind) -> int:
        """How much of a kind is waiting."""
        return self._lines[kind].length

    def demand(self, kind: Kind, owner: str) -> int:
        """How much of a kind is waiting or in work for an owner."""
        line = self._lines[kind]
        return line.waiting.get(owner, 0) + line.in_work.get(owner, 0)

    @property
    def owners(self) -> set[str]:
        """Everybody of whom anything is kept here."""
        return {owner for line in self._lines.values() for owner in (*line.owners, *line.waiting, *line.in_work)}

    def put(self, ticket: _T, now: float) -> _T | None:
        """Let something wait. Where there is no room left, the newest of whoever has most waiting is given back."""
        line = self._lines[ticket.kind]
        rules = line.rules
        mine = line.waiting.get(ticket.owner, 0)
        if rules.per_owner is not None and mine >= rules.per_owner:
            raise QueueFullError
        displaced = None
        if rules.altogether is not None and line.length >= rules.altogether:
            greediest = max(line.waiting, key=line.waiting.__getitem__, default=ticket.owner)
            if line.waiting.get(greediest, 0) <= mine + 1:
                raise QueueFullError
            displaced = line.newest_of(greediest)
            line.remove(displaced)
        if not line.length:
            line.since = now
        line.add(ticket)
        return displaced

    def drop(self, ticket: _T) -> bool:
        """Something need not be done any more; False if it does not wait here (any more)."""
        line = self._lines[ticket.kind]
        tables = line.owners.get(ticket.owner)
        if tables is None or ticket not in tables.get(ticket.table, ()):
            return False
        line.remove(ticket)
        return True

    def take(self, now: float) -> _T | None:
        """What to do next; None if nothing waits that may be begun."""
        ready = [(line, owner) for line in self._lines.values() if (owner := line.next_owner()) is not None]
        if not ready:
            return None
        overdue = [each for each in ready[1:] if now - each[0].since >= each[0].rules.patience]
        line, owner = (overdue or ready)[0]
        line.since = now
        return line.take(owner)

    def clear(self) -> list[_T]:
        """Nothing waits any more; returns what did."""
        found = [ticket for line in self._lines.values() for tables in line.owners.values() for ticket in _all(tables)]
        for ticket in found:
            self._lines[ticket.kind].remove(ticket)
        return found

    def done(self, ticket: _T) -> None:
        """What was taken is finished, however it went."""
        _less(self._lines[ticket.kind].in_work, ticket.owner)
