"""Bots: players that get a view and answer with an action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from nevsky.bots.greedy import GreedyBot
from nevsky.bots.master import MasterBot
from nevsky.bots.novice import NoviceBot
from nevsky.bots.protocol import Bot, Suggestion
from nevsky.bots.random import RandomBot
from nevsky.bots.search import SearchBot
from nevsky.errors import NevskyError

__all__ = ["BOTS", "LEVELS", "Bot", "Level", "Suggestion", "make_bot"]

BOTS: Final[dict[str, Callable[[int | str], Bot]]] = {
    "random": RandomBot,
    "novice": NoviceBot,
    "greedy": GreedyBot,
    "search": SearchBot,
    "master": MasterBot,
}
"""All bots by name, as something that makes one from a seed; weakest first."""


class Level(NamedTuple):
    """A strength that people choose."""

    bot: str
    milliseconds: int
    """The time it has for a decision."""


LEVELS: Final[dict[str, Level]] = {
    "easy": Level("novice", 50),
    "medium": Level("greedy", 50),
    "hard": Level("search", 500),
    "master": Level("master", 1500),
}
"""The levels, weakest first."""


def make_bot(name: str, seed: int | str = 0) -> Bot:
    """A bot by its name or level. The same seed makes a bot that decides the same way.

    >>> make_bot("medium", seed=7).name
    'greedy'
    >>> make_bot("tsar")
    Traceback (most recent call last):
    nevsky.errors.NevskyError: There is no bot 'tsar': choose random, novice, greedy, search or master.
    """
    factory = BOTS.get(LEVELS[name].bot if name in LEVELS else name)
    if factory is None:
        *others, last = BOTS
        raise NevskyError("bot.unknown", name=repr(name), others=", ".join(others), last=last)
    return factory(seed)
