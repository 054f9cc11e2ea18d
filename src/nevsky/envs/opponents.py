"""The bots that sit at a learner's table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from nevsky.bots import BOTS, LEVELS
from nevsky.bots.driver import Driver, StrictDriver, limit_playouts
from nevsky.bots.guard import told_error
from nevsky.bots.loading import is_file, load_bot
from nevsky.bots.protocol import Bot
from nevsky.envs.options import check_number
from nevsky.errors import NevskyError, Words

__all__ = ["MILLISECONDS", "Opponent", "OpponentLike", "choose_opponents"]

OpponentLike: TypeAlias = str | Callable[[int | str], Bot]
"""A bot's name, a level, ``file.py:Class``, or what makes a bot from a seed."""

MILLISECONDS: Final = 50
"""The time for a decision where neither a level nor an option says another one."""


class Opponent(NamedTuple):
    """What makes a bot for one game, and the time it gets."""

    make: Callable[[int | str], Bot]
    milliseconds: int

    def seated(self, seed: str, playouts: int | None) -> Driver:
        """The bot for one game, which may not fail; one that searches counts playouts, if there is a number."""
        return StrictDriver(limit_playouts(self.make, playouts), seed, milliseconds=self.milliseconds)


def choose_opponents(
    wanted: OpponentLike | Sequence[OpponentLike], number: int, milliseconds: int | None
) -> tuple[Opponent, ...]:
    """So many opponents: one kind for all of them or a list, clockwise from the learner.

    >>> [opponent.milliseconds for opponent in choose_opponents(["random", "hard"], 2, None)]
    [50, 500]
    >>> choose_opponents(["random"], 2, None)
    Traceback (most recent call last):
    nevsky.errors.NevskyError: There are 2 opponents: name one for all of them or 2, not 1.
    """
    if milliseconds is not None:
        check_number("milliseconds", milliseconds, 1)
    if isinstance(wanted, str) or callable(wanted):
        return (_opponent(wanted, milliseconds),) * number
    if not isinstance(wanted, Sequence):
        raise NevskyError("env.opponents", ways=Words("env.ways"), value=repr(wanted))
    if len(wanted) != number:
        if number == 1:
            raise NevskyError("env.one_opponent", given=len(wanted))
        raise NevskyError("env.number_of_opponents", number=number, given=len(wanted))
    return tuple(_opponent(one, milliseconds) for one in wanted)


def _opponent(wanted: OpponentLike, milliseconds: int | None) -> Opponent:
    time = MILLISECONDS if milliseconds is None else milliseconds
    if isinstance(wanted, str):
        if is_file(wanted):
            return Opponent(load_bot(wanted), time)
        if wanted in LEVELS:
            level = LEVELS[wanted]
            return Opponent(BOTS[level.bot], level.milliseconds if milliseconds is None else milliseconds)
        if wanted not in BOTS:
            names = dict.fromkeys([*BOTS, *LEVELS])
            raise NevskyError("env.unknown_bot", name=repr(wanted), names=", ".join(names))
        return Opponent(BOTS[wanted], time)
    if not callable(wanted):
        raise NevskyError("env.opponent", ways=Words("env.ways"), value=repr(wanted))
    try:
        bot = wanted("a seed")
    except Exception as error:
        raise NevskyError("env.bot_unmade", maker=repr(wanted), error=told_error(error)) from error
    if not callable(getattr(bot, "decide", None)):
        raise NevskyError("env.no_bot", maker=repr(wanted), type=type(bot).__name__)
    return Opponent(wanted, time)
