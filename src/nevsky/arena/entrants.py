"""Who takes part: bots by name, from a file, or programs of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from nevsky.arena.budgets import Budget, split_budget
from nevsky.arena.digests import digest
from nevsky.bots import make_bot
from nevsky.bots.driver import limit_playouts
from nevsky.bots.external import ExternalBot, Introduction, introduce
from nevsky.bots.loading import bot_path, check_name, full_spec, is_file, load_bot
from nevsky.bots.programs import split_command
from nevsky.bots.protocol import Bot
from nevsky.errors import NevskyError

__all__ = ["Command", "Entrant", "enter"]


class Command(str):
    """What starts a program, among bots that are named."""

    __slots__ = ()


class Entrant(NamedTuple):
    """One participant, as plain data that other processes can make bots from."""

    label: str
    """Its name, made unique."""
    kind: str
    """``bot``, ``file`` or ``program``."""
    spec: str
    """Name, ``file.py:Class`` or command."""
    observes: bool = False
    """Whether a program wants to be shown every change."""
    digest: str = ""
    """Of the files it consists of, as far as the command names them and they import each other."""
    playouts: int | None = None
    """So many for each decision if it searches, whatever the others have."""
    milliseconds: int | None = None
    """A time of its own for each decision, whatever the others have."""
    memory: bool = True
    """Whether it is told what one can remember."""

    def to_dict(self) -> dict[str, Any]:
        """As it stands in the head of the results."""
        data, usual = self._asdict(), Budget()._asdict()
        return {key: value for key, value in data.items() if key not in usual or value != usual[key]}

    def maker(self, patience: float, *, quiet: bool = True) -> Callable[[int | str], Bot]:
        """What makes this bot from a seed."""
        return limit_playouts(self._maker(patience, quiet), self.playouts)

    def _maker(self, patience: float, quiet: bool) -> Callable[[int | str], Bot]:
        if self.kind == "file":
            return load_bot(self.spec)
        if self.kind == "program":
            known = Introduction(self.label, self.observes)
            return lambda seed: ExternalBot(self.spec, seed, introduction=known, patience=patience, quiet=quiet)
        return lambda seed: make_bot(self.spec, seed)


def enter(bots: Iterable[str], commands: Iterable[str] = (), *, budgets: bool = False) -> tuple[Entrant, ...]:
    """Participants from what the command line names, in its order; who cannot play raises.

    A program may stand among the bots as a `Command`. With ``budgets`` each may have one of its own behind it.

    >>> [entrant.label for entrant in enter(["greedy", "random", "greedy"])]
    ['greedy', 'random', 'greedy 2']
    >>> [entrant.label for entrant in enter(["search@100ms", "greedy@no-memory"], budgets=True)]
    ['search@100ms', 'greedy@no-memory']
    """
    found = [_budgeted(spec) if budgets else _entrant(spec) for spec in (*bots, *map(Command, commands))]
    seen: Counter[str] = Counter()
    entrants = []
    for entrant in found:
        seen[entrant.label] += 1
        number = seen[entrant.label]
        entrants.append(entrant if number == 1 else entrant._replace(label=f"{entrant.label[:36]} {number}"))
    if len({entrant.label for entrant in entrants}) < len(entrants):
        raise NevskyError("arena.names_alike")
    return tuple(entrants)


def _budgeted(given: str) -> Entrant:
    spec, budget = split_budget(given)
    entrant = _entrant(Command(spec) if isinstance(given, Command) else spec)
    if budget == Budget():
        return entrant
    label = f"{entrant.label[: 40 - len(str(budget))]}{budget}"
    return entrant._replace(label=label, **budget._asdict())


def _entrant(spec: str) -> Entrant:
    if isinstance(spec, Command):
        return _by_command(str(spec))
    return _by_file(spec) if is_file(spec) else _by_name(spec)


def _by_name(name: str) -> Entrant:
    return Entrant(make_bot(name).name, "bot", name)


def _by_file(spec: str) -> Entrant:
    label = check_name(load_bot(spec)("name").name)
    return Entrant(label, "file", full_spec(spec), digest=digest([str(bot_path(spec))]))


def _by_command(command: str) -> Entrant:
    known = introduce(command)
    return Entrant(known.name, "program", command, known.observes, digest(split_command(command)))
