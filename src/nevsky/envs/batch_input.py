"""What a batch of games is given, checked before anything changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from nevsky.envs.options import check_choice, check_index, check_number, check_seed
from nevsky.envs.shaping import POTENTIALS
from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from nevsky.envs.action_sets import ActionSet

__all__ = [
    "CHANCE",
    "ROTATING",
    "SEVERAL",
    "check_seat",
    "choose_learner",
    "choose_learners",
    "choose_shaping",
    "illegal_action",
    "read_actions",
    "read_flags",
    "read_seeds",
    "seat_rivals",
]

ROTATING: Final = -1
"""The learner moves on by a seat from game to game."""
CHANCE: Final = -2
"""The learner sits anywhere."""
SEVERAL: Final = -3
"""Certain seats learn, the same ones in all games of a place."""
_WORDS: Final = {"rotating": ROTATING, "random": CHANCE}


def check_seat(seat: object, players: int) -> int:
    """A seat at the table."""
    number = check_index(seat)
    if number is None or not 0 <= number < players:
        raise NevskyError("env.no_player", player=repr(seat))
    return number


def choose_learner(learner: int | str, players: int, opponents: object) -> int:
    """The seat that learns, or how it is found."""
    seat = _WORDS.get(learner, players) if isinstance(learner, str) else check_number("learner", learner, 0)
    if seat >= players:
        raise NevskyError("env.learner", last=players - 1, learner=repr(learner))
    if seat >= 0 and opponents is None:
        raise NevskyError("env.needs_opponents")
    return seat


def choose_learners(learners: object, players: int, games: int) -> npt.NDArray[np.bool_]:
    """For each game and seat whether it learns.

    >>> choose_learners((0, 2), 3, 2).tolist()
    [[True, False, True], [True, False, True]]
    """
    import numpy as np

    error = NevskyError("env.learners", last=players - 1, games=games, players=players, learners=repr(learners))
    try:
        given = np.asarray(learners)
    except (TypeError, ValueError):
        raise error from None
    if given.dtype == np.bool_:
        if given.shape != (games, players) or not given.any(axis=1).all():
            raise error
        return given.copy()
    seats = given.tolist() if given.dtype.kind in "iu" and given.ndim == 1 else []
    if not seats or len(set(seats)) != len(seats) or not all(0 <= seat < players for seat in seats):
        raise error
    found = np.zeros((games, players), np.bool_)
    found[:, seats] = True
    return found


def seat_rivals(learning: npt.NDArray[np.bool_]) -> npt.NDArray[np.int8]:
    """Which opponent sits on each seat, clockwise from the first learner; -1 for those who learn.

    >>> import numpy as np
    >>> seat_rivals(np.array([[False, True, False, True], [True, False, False, False]])).tolist()
    [[1, -1, 0, -1], [-1, 0, 1, 2]]
    """
    import numpy as np

    kinds, which = np.unique(learning, axis=0, return_inverse=True)
    rows = np.full(kinds.shape, -1, np.int8)
    for row, kind in zip(rows, kinds, strict=True):
        order = np.roll(np.arange(len(kind)), -int(kind.argmax()))
        others = order[~kind[order]]
        row[others] = np.arange(len(others))
    return rows[which.reshape(-1)]


def read_actions(actions: npt.ArrayLike, games: int) -> npt.NDArray[np.int64]:
    """An action for each game, as an array of whole numbers."""
    import numpy as np

    try:
        given = np.asarray(actions)
    except (TypeError, ValueError) as error:
        raise NevskyError("env.actions", games=games) from error
    if given.dtype.kind not in "iu" or given.shape != (games,):
        raise NevskyError("env.actions_shape", games=games, shape=given.shape, dtype=given.dtype)
    return np.array(given, np.int64)


def read_seeds(seed: object, games: int) -> list[tuple[int, int]]:
    """Where the deals of each game come from: one seed and the places of the games, or a seed for each game.

    >>> read_seeds(7, 3), read_seeds([5, 6, 5], 3)
    ([(7, 0), (7, 1), (7, 2)], [(5, 0), (6, 0), (5, 0)])
    """
    if hasattr(seed, "__index__") and not hasattr(seed, "__len__"):
        number = check_seed(seed)
        assert number is not None
        return [(number, place) for place in range(games)]
    given = list(seed) if isinstance(seed, Iterable) and not isinstance(seed, str) else [seed]
    numbers = [check_seed(each) for each in given]
    if len(numbers) != games or None in numbers:
        raise NevskyError("env.seeds", games=games, given=len(numbers))
    return [(number, 0) for number in numbers if number is not None]


def read_flags(only: object, games: int) -> npt.NDArray[np.uint8]:
    """For each game whether it takes part."""
    import numpy as np

    given = np.asarray(only)
    if given.dtype != np.bool_ or given.shape != (games,):
        raise NevskyError("env.mask", games=games)
    return np.array(given, np.uint8)


def choose_shaping(wanted: object) -> int:
    """The place of a potential among those that have a name, -1 for none.

    >>> choose_shaping("share"), choose_shaping(None)
    (1, -1)
    >>> choose_shaping(len)
    Traceback (most recent call last):
    nevsky.errors.NevskyError: A batch runs no function for rewards on the way: its potentials are lead and share.
    """
    if wanted is None:
        return -1
    names = tuple(POTENTIALS)
    if callable(wanted):
        raise NevskyError("env.batch_shaping", names=", ".join(names[:-1]), last=names[-1])
    return names.index(check_choice("shaping", wanted, names))


def illegal_action(game: int, number: int, actions: ActionSet | None) -> NevskyError:
    """What to say of an action that is not legal in a game."""
    size = len(ACTIONS) if actions is None else len(actions)
    if not 0 <= number < size:
        return NevskyError("env.game_no_action", game=game, number=number, last=size - 1)
    action = ACTIONS[number if actions is None else actions.to_full[number]]
    return NevskyError("env.game_impossible", game=game, number=number, action=repr(action.text))
