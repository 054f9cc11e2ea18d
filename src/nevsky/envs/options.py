"""What all environments ask for and hand out: rulesets, rewards, seeds and actions, each checked with a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, Final

from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS
from nevsky.rules.game import Result
from nevsky.rules.ruleset import Ruleset

__all__ = [
    "HISTORY",
    "NOTHING",
    "REWARDS",
    "SCORE_UNIT",
    "check_action",
    "check_choice",
    "check_flag",
    "check_index",
    "check_number",
    "check_reward",
    "check_seed",
    "final_rewards",
    "make_ruleset",
]

REWARDS: Final = ("win", "score")
"""What is paid at the end: the share of the victory, or the lead over the best rival."""
HISTORY: Final = 128
"""Actions in a history; if there were more, which hardly ever happens, the latest ones."""
NOTHING: Final = -1
"""In place of a seat: there were no more actions. In place of an action: the seat may not know which one it was."""
SCORE_UNIT: Final = 100
"""A lead of so many points is a reward of 1."""


def make_ruleset(ruleset: object = None, **choices: Any) -> Ruleset:
    """The ruleset itself, or one made from its fields; modules may be written as in ``"1,4"``.

    >>> make_ruleset(players=5, market=True, modules="1,6").modules
    (1, 6)
    >>> make_ruleset(players=5)
    Traceback (most recent call last):
    nevsky.errors.NevskyError: Five players need the Market (rule 1.2).
    """
    if ruleset is not None:
        if choices:
            raise NevskyError("env.both_rulesets", options=", ".join(choices))
        if isinstance(ruleset, Mapping):
            return Ruleset.from_dict(ruleset)
        if not isinstance(ruleset, Ruleset):
            raise NevskyError("env.ruleset", value=repr(ruleset))
        return ruleset
    unknown = [name for name in choices if name not in Ruleset._fields]
    if unknown:
        fields = ", ".join(Ruleset._fields)
        raise NevskyError("env.no_option", options=", ".join(unknown), fields=fields)
    modules = choices.get("modules")
    if isinstance(modules, str):
        choices["modules"] = _numbers(modules)
    return Ruleset(**choices)


def _numbers(text: str) -> list[int]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not all(word.isdecimal() and word.isascii() and len(word) < 4 for word in words):
        raise NevskyError("env.modules", modules=repr(text))
    return [int(word) for word in words]


def check_choice(name: str, value: object, choices: Sequence[str]) -> str:
    """One of some words."""
    if not isinstance(value, str) or value not in choices:
        *others, last = choices
        raise NevskyError("env.choice", option=name, value=repr(value), others=", ".join(others), last=last)
    return value


def check_reward(reward: object) -> str:
    """One of the kinds of reward.

    >>> check_reward("glory")
    Traceback (most recent call last):
    nevsky.errors.NevskyError: There is no reward 'glory': choose win or score.
    """
    return check_choice("reward", reward, REWARDS)


def check_flag(name: str, value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise NevskyError("option.boolean", option=name, value=repr(value))
    return value


def check_number(name: str, value: object, least: int) -> int:
    """A whole number that is not too small; one of numpy's will do."""
    number = check_index(value)
    if number is None or number < least:
        raise NevskyError("option.whole", option=name, least=least, value=repr(value))
    return number


def check_seed(seed: object) -> int | None:
    """A seed, or None where chance shall decide."""
    if seed is None:
        return None
    number = check_index(seed)
    if number is None or number < 0:
        raise NevskyError("env.seed", seed=repr(seed))
    return number


def check_action(action: object) -> int:
    """The id of an action as an ordinary integer.

    >>> check_action(6000)
    Traceback (most recent call last):
    nevsky.errors.NevskyError: There is no action 6000: action ids go from 0 to 5205.
    """
    number = check_index(action)
    if number is None or not 0 <= number < len(ACTIONS):
        raise NevskyError("action.no_id", action=repr(action), last=len(ACTIONS) - 1)
    return number


def check_index(value: object) -> int | None:
    """A whole number as an ordinary integer, None if it is something else."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    try:
        return index(value)
    except TypeError:  # arrays have the method, and mostly refuse
        return None


def final_rewards(result: Result, reward: str) -> tuple[float, ...]:
    """What each seat gets at the end of a game: with ``win`` they add up to 1."""
    totals = [entry.total for entry in result.final]
    if reward == "win":
        return tuple(1 / len(result.winners) if seat in result.winners else 0.0 for seat in range(len(totals)))
    return tuple((total - max(totals[:seat] + totals[seat + 1 :])) / SCORE_UNIT for seat, total in enumerate(totals))
