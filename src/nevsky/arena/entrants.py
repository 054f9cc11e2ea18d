"""Who takes part: bots by name, from a file, or programs of their own."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from nevsky.bots import make_bot
from nevsky.bots.external import ExternalBot, Introduction, introduce
from nevsky.bots.loading import check_name, is_file, load_bot
from nevsky.bots.programs import split_command
from nevsky.bots.protocol import Bot
from nevsky.errors import NevskyError

__all__ = ["Entrant", "enter"]

_MOST_BYTES = 50_000_000


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
    """Of the files it consists of, as far as the command names them."""

    def to_dict(self) -> dict[str, Any]:
        """As it stands in the head of the results."""
        return self._asdict()

    def maker(self, *, playouts: int | None, patience: float, quiet: bool = True) -> Callable[[int | str], Bot]:
        """What makes this bot from a seed."""
        make = self._maker(patience, quiet)

        def limited(seed: int | str) -> Bot:
            bot = make(seed)
            if playouts is not None and hasattr(bot, "playouts"):
                bot.playouts = playouts
            return bot

        return limited

    def _maker(self, patience: float, quiet: bool) -> Callable[[int | str], Bot]:
        if self.kind == "file":
            return load_bot(self.spec)
        if self.kind == "program":
            known = Introduction(self.label, self.observes)
            return lambda seed: ExternalBot(self.spec, seed, introduction=known, patience=patience, quiet=quiet)
        return lambda seed: make_bot(self.spec, seed)


def enter(bots: Iterable[str], commands: Iterable[str] = ()) -> tuple[Entrant, ...]:
    """Participants from what the command line names; who cannot play raises.

    >>> [entrant.label for entrant in enter(["greedy", "random", "greedy"])]
    ['greedy', 'random', 'greedy 2']
    """
    found = [_by_file(spec) if is_file(spec) else _by_name(spec) for spec in bots]
    found += [_by_command(command) for command in commands]
    seen: Counter[str] = Counter()
    entrants = []
    for entrant in found:
        seen[entrant.label] += 1
        number = seen[entrant.label]
        entrants.append(entrant if number == 1 else entrant._replace(label=f"{entrant.label[:36]} {number}"))
    if len({entrant.label for entrant in entrants}) < len(entrants):
        raise NevskyError("The names of the bots are too much alike: give them different ones.")
    return tuple(entrants)


def _by_name(name: str) -> Entrant:
    return Entrant(make_bot(name).name, "bot", name)


def _by_file(spec: str) -> Entrant:
    name, _, wanted = spec.rpartition(":")
    label = check_name(load_bot(spec)("name").name)
    return Entrant(label, "file", f"{Path(name).resolve()}:{wanted}", digest=_digest([name]))


def _by_command(command: str) -> Entrant:
    known = introduce(command)
    return Entrant(known.name, "program", command, known.observes, _digest(split_command(command)))


def _digest(words: Iterable[str]) -> str:
    """A fingerprint of those words that are files: a bot that was changed is another one."""
    total = hashlib.sha256()
    for word in words:
        path = Path(word)
        if path.is_file() and path.stat().st_size < _MOST_BYTES:
            total.update(path.read_bytes())
    return total.hexdigest()[:16]
