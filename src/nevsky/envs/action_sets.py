"""Which numbers stand for actions: those that all rulesets share, or only as many as a ruleset needs."""

from __future__ import annotations

from functools import cache
from typing import Final

from nevsky.extras import needing

with needing("envs", __name__):
    import numpy as np
    import numpy.typing as npt

from nevsky.envs.options import check_choice, check_index
from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS
from nevsky.rules.possible import possible_actions
from nevsky.rules.ruleset import Ruleset

__all__ = ["ACTION_SETS", "ActionSet", "action_set", "choose_actions"]

ACTION_SETS: Final = ("all", "ruleset")
"""All ids, the same everywhere, or only those that can come up in the ruleset, numbered from 0."""


class ActionSet:
    """Numbers from 0 and the ids that they stand for, in the order of the ids."""

    def __init__(self, ids: npt.ArrayLike, ruleset: Ruleset | None = None) -> None:
        self._ruleset = ruleset
        self.to_full: npt.NDArray[np.int64] = np.asarray(ids, np.int64)
        """The id of each number."""
        self.to_reduced: npt.NDArray[np.int64] = np.full(len(ACTIONS), -1, np.int64)
        """The number of each id, -1 for an action that cannot come up."""
        self.to_reduced[self.to_full] = np.arange(len(self.to_full))
        self.to_full.setflags(write=False)
        self.to_reduced.setflags(write=False)
        self._ids: list[int] = self.to_full.tolist()
        self._numbers: list[int] = self.to_reduced.tolist()

    def __reduce__(self) -> tuple[object, ...]:
        if self._ruleset is None:
            return ActionSet, (self.to_full,)
        return action_set, (self._ruleset,)

    def __len__(self) -> int:
        return len(self.to_full)

    def mask(self, legal: list[int]) -> npt.NDArray[np.int8]:
        """Ones for the actions with these ids."""
        mask = np.zeros(len(self), np.int8)
        mask[self.to_reduced[legal]] = 1
        return mask

    def reduced(self, ids: list[int]) -> list[int]:
        """The numbers of a few ids."""
        numbers = self._numbers
        return [numbers[id_] for id_ in ids]

    def full(self, action: object) -> int:
        """The id that a learner's number stands for; what is none of its numbers raises."""
        number = check_index(action)
        if number is None or not 0 <= number < len(self):
            raise NevskyError("action.no_id", action=repr(action), last=len(self) - 1)
        return self._ids[number]


@cache
def action_set(ruleset: Ruleset) -> ActionSet:
    """The numbers of a ruleset, with the mapping to and from ids.

    >>> base = action_set(Ruleset("second", 2))
    >>> len(base), ACTIONS[base.to_full[1067]].text
    (1068, 'pub 10')
    """
    return ActionSet(possible_actions(ruleset), ruleset)


def choose_actions(ruleset: Ruleset, wanted: object) -> ActionSet | None:
    """What an option names; None where numbers are ids."""
    return None if check_choice("set of actions,", wanted, ACTION_SETS) == "all" else action_set(ruleset)
