"""Bots: players that get a view and answer with an action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from nevsky.bots.greedy import GreedyBot
from nevsky.bots.protocol import Bot, Suggestion
from nevsky.bots.random import RandomBot
from nevsky.errors import NevskyError

__all__ = ["BOTS", "LEVELS", "Bot", "Suggestion", "make_bot"]

BOTS: Final[dict[str, Callable[[int | str], Bot]]] = {"random": RandomBot, "greedy": GreedyBot}
"""All bots by name, as something that makes one from a seed."""
LEVELS: Final[dict[str, str]] = {"easy": "random", "medium": "greedy"}
"""The bot that plays at each level."""


def make_bot(name: str, seed: int | str = 0) -> Bot:
    """A bot by its name or level. The same seed makes a bot that decides the same way.

    >>> make_bot("medium", seed=7).name
    'greedy'
    >>> make_bot("tsar")
    Traceback (most recent call last):
    nevsky.errors.NevskyError: There is no bot 'tsar': choose random or greedy.
    """
    factory = BOTS.get(LEVELS.get(name, name))
    if factory is None:
        *others, last = BOTS
        raise NevskyError(f"There is no bot {name!r}: choose {', '.join(others)} or {last}.")
    return factory(seed)
