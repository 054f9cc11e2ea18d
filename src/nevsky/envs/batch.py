"""Many games of one ruleset at once: one call steps them all, and what a learner needs stands in numpy arrays."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, overload

from nevsky.envs.batch_arrays import Arrays, Options, view_of
from nevsky.envs.batch_input import (
    SEVERAL,
    check_seat,
    choose_learner,
    choose_learners,
    choose_shaping,
    illegal_action,
    read_actions,
    read_flags,
    read_seeds,
    seat_rivals,
)
from nevsky.envs.croupier import Croupier, Place
from nevsky.envs.frozen import Inside, InsideLike, choose_inside, make_rivals
from nevsky.envs.games import GameRow
from nevsky.envs.options import NOTHING, REWARDS, check_flag, check_number, check_reward, make_ruleset
from nevsky.envs.saved import End, Log, SavedBatch, SavedGame, Standings
from nevsky.envs.shaping import check_discount
from nevsky.envs.witness import Witness
from nevsky.errors import NevskyError
from nevsky.extras import needing
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import blank

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from nevsky.envs.action_sets import ActionSet

__all__ = ["Batch"]

_MOST_GAMES: Final = 65536


class Batch:
    """So many games, each of which is dealt anew as soon as it ends.

    >>> batch = Batch(Ruleset("second", players=2), games=3, seed=7)
    >>> batch.observations.shape, batch.masks.shape, batch.rewards.shape
    ((3, 2079), (3, 5206), (3, 2))
    >>> batch.step(batch.sample())
    >>> batch.dones.any()
    np.False_

    Without opponents whoever has to decide is asked: `seats` tells who. With them one seat of each game, the learner,
    is asked, or several, and the others answer inside.

    With ``memory`` rubles of others are known, and ``history`` has what happened since the last decision of the seat
    that is asked. ``actions="ruleset"`` numbers only actions that can come up. ``shaping`` (``lead`` or ``share``) adds
    differences of a potential to the rewards, for a learner with this ``discount``.
    """

    def __init__(
        self,
        ruleset: Ruleset | None = None,
        games: int = 64,
        *,
        seed: int | Sequence[int] | None = None,
        reward: str = "win",
        auto: bool = True,
        opponents: InsideLike | Sequence[InsideLike] | None = None,
        learner: int | str = "rotating",
        learners: Sequence[int] | npt.NDArray[np.bool_] | None = None,
        threads: int = 1,
        memory: bool = False,
        actions: str = "all",
        shaping: str | None = None,
        discount: float = 1.0,
        **choices: Any,
    ) -> None:
        """Make the arrays and deal the first games.

        The ruleset may also be given by its fields (``edition``, ``players``, ``market``, ``modules`` ...). The
        learner is a seat, ``rotating`` from game to game, or ``random``; ``learners`` are several seats, or for each
        game and seat whether it learns. Opponents are one for all or a list, clockwise from the first learner.
        """
        self.ruleset = make_ruleset(ruleset, **choices)
        self.players = self.ruleset.players
        self.games = check_number("games", games, 1)
        if self.games > _MOST_GAMES:
            raise NevskyError("env.games", most=_MOST_GAMES, games=repr(games))
        self.reward = check_reward(reward)
        self.auto = check_flag("auto", auto)
        self.threads = min(check_number("threads", threads, 1), self.games)
        self.learner = learner
        fixed, most, rows = self._choose_seats(opponents, learner, learners)
        self._most_rivals = most
        self._several = rows is not None
        self.memory = check_flag("memory", memory)
        self.shaping = shaping
        self.discount = check_discount(discount)
        potential = choose_shaping(shaping)
        self.action_set = self._choose_actions(actions)
        """The mapping from the learner's actions to ids, None if they are the same."""
        self._arrays = Arrays(
            self.games, self.players, self.action_set, memory=self.memory, shaping=shaping is not None
        )
        if rows is not None:
            self._arrays.seating[:] = rows
        self._show_arrays(self._arrays)
        self._lock = RLock()
        options = Options(
            self.ruleset, REWARDS.index(self.reward), self.auto, fixed, self.memory, potential, self.discount
        )
        empty = blank(self.ruleset)
        self._places = [Place(empty.copy(), (0, 0)) for _ in range(self.games)]
        self._croupiers = [Croupier(options, self._arrays, empty) for _ in range(self.threads)]
        self._row = GameRow(self._places, self._croupiers)
        weakref.finalize(self, self._row.dismiss)
        self._everything = read_flags([True] * self.games, self.games)
        self._oppose(opponents, choose_inside(opponents, most, self.ruleset))
        self.reset(seed)

    def _choose_seats(
        self, opponents: object, learner: int | str, learners: object
    ) -> tuple[int, int, npt.NDArray[np.int8] | None]:
        """How the learner is found, how many opponents a game has at most, and who sits where if that is fixed."""
        if learners is None:
            return choose_learner(learner, self.players, opponents), self.players - 1, None
        if learner != "rotating":
            raise NevskyError("env.both_learners")
        rows = seat_rivals(choose_learners(learners, self.players, self.games))
        most = int(rows.max()) + 1
        if most and opponents is None:
            raise NevskyError("env.needs_opponents")
        return SEVERAL, most, rows

    def _choose_actions(self, actions: object) -> ActionSet | None:
        with needing("envs", __name__):  # without numpy there are no arrays
            from nevsky.envs.action_sets import choose_actions
        return choose_actions(self.ruleset, actions)

    def _show_arrays(self, arrays: Arrays) -> None:
        self.observations = arrays.observations
        self.masks = arrays.masks
        self.rewards = arrays.rewards
        self.earned = arrays.earned
        self.dones = arrays.dones
        self.seats = arrays.seats
        self.learners = arrays.learners
        self.asked = arrays.asked
        self.scores = arrays.scores
        self.numbers = arrays.numbers
        self.final_observations = arrays.final_observations
        self.history = arrays.history if self.memory else None
        self.final_history = arrays.final_history if self.memory else None
        self.potentials = None if self.shaping is None else arrays.potentials
        self.legal = arrays.locked("legal")
        self.legal_counts = arrays.locked("legal_counts")

    def set_opponents(self, opponents: InsideLike | Sequence[InsideLike] | None) -> None:
        """Others answer from the next decision on: for a learner that plays against what it was a while ago.

        Where a batch began without opponents it stays without, and the other way round.
        """
        chosen = choose_inside(opponents, self._most_rivals, self.ruleset)
        if bool(chosen) != bool(self._inside):
            raise NevskyError("env.opponents_stay")
        self._oppose(opponents, chosen)

    def _oppose(self, opponents: Any, chosen: tuple[Inside, ...]) -> None:
        with self._lock:
            rows = [make_rivals(chosen, self.ruleset) for _ in self._croupiers]
            self.opponents = opponents
            self._inside = chosen
            for croupier, row in zip(self._croupiers, rows, strict=True):
                croupier.set_rivals(row)

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Deal all games anew; without a seed nobody can guess the deals. A list has a seed for each game."""
        if seed is None:
            import secrets

            seed = secrets.randbits(63)
        roots = read_seeds(seed, self.games)
        with self._lock:
            single = hasattr(seed, "__index__") and not hasattr(seed, "__len__")
            self.seed: int | tuple[int, ...] = roots[0][0] if single else tuple(root[0] for root in roots)
            self._sampler = Rng.of("sample", self.seed) if isinstance(self.seed, int) else Rng.of("sample", *self.seed)
            for place, root in zip(self._places, roots, strict=True):
                place.root = root
            self.numbers[:] = -1
            self._row.deal()
            self.scores[:] = 0
            self.rewards[:] = 0
            self.earned[:] = 0
            self.dones[:] = False
            self.final_observations[:] = 0
            self._arrays.final_history[:] = NOTHING
            self._arrays.final_history_counts[:] = 0

    def step(self, actions: npt.ArrayLike, only: npt.NDArray[np.bool_] | None = None) -> None:
        """Carry out one action in each game, or ``only`` in some; if one of them is not legal, none is."""
        numbers = read_actions(actions, self.games)
        wanted = view_of(self._everything if only is None else read_flags(only, self.games))
        chosen = view_of(numbers)
        with self._lock:
            wrong = self._row.play(chosen, wanted)
        if wrong >= 0:
            raise illegal_action(wrong, int(numbers[wrong]), self.action_set)

    def sample(self) -> npt.NDArray[np.int64]:
        """A random legal action for each game, all equally likely; the batch's seed decides these, too."""
        import numpy as np

        numbers = np.zeros(self.games, np.int64)
        with self._lock:
            self._croupiers[0].choose_all(view_of(numbers), self._sampler, self.games)
        return numbers

    def game_seed(self, index: int) -> str:
        """The seed with which `Game` deals the game that is going on in this place."""
        self._check(index)
        seed, place = self._places[index].root
        return f"{seed}/{place}/{self.numbers[index]}"

    def position(self, index: int) -> Position:
        """A copy of the position of this game, secrets included."""
        self._check(index)
        with self._lock:
            return self._places[index].copy_position()

    def state(self, index: int | None = None, *, first: int | None = None) -> npt.NDArray[np.float32]:
        """The whole truth about this game, or in a row for each about all, secrets included: for critics.

        Seats begin with the one that is asked, or in all games with the ``first`` one, and go on clockwise.
        """
        import numpy as np

        from nevsky.envs.truth import STATE_SIZE, Truth

        firsts = self.seats if first is None else np.full(self.games, check_seat(first, self.players), np.int32)
        if index is not None:
            with self._lock:
                return Truth().row(self.position(index), int(firsts[index]))
        rows = np.zeros((self.games, STATE_SIZE), np.float32)
        with self._lock:
            self._row.tell(Witness(), view_of(firsts), view_of(rows))
        return rows

    def _check(self, index: int) -> None:
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < self.games:
            raise NevskyError("env.no_such_game", game=repr(index), last=self.games - 1)

    @overload
    def save(self) -> SavedBatch: ...

    @overload
    def save(self, place: int) -> SavedGame: ...

    def save(self, place: int | None = None) -> SavedBatch | SavedGame:
        """One game as it is now, or the whole batch, to be restored later: here, in another batch, in another process.

        >>> batch = Batch(players=2, games=2, seed=1)
        >>> saved, before = batch.save(1), batch.observations[1].copy()
        >>> batch.step(batch.sample())
        >>> batch.restore(saved)
        >>> bool((batch.observations[1] == before).all())
        True
        """
        if place is not None:
            self._check(place)
            with self._lock:
                return self._save_game(place)
        with self._lock:
            games = tuple(self._save_game(i) for i in range(self.games))
            return SavedBatch(games, self.seed, self._sampler.words())

    def _save_game(self, i: int) -> SavedGame:
        place, arrays = self._places[i], self._arrays
        shown = arrays.final_observations[i].nonzero()[0]
        end = End(
            bool(arrays.dones[i]),
            tuple(arrays.rewards[i].tolist()),
            float(arrays.earned[i]),
            tuple(arrays.scores[i].tolist()),
            shown,
            arrays.final_observations[i, shown],
        )
        standings = None
        if self.shaping is not None:
            standings = Standings(self.shaping, tuple(arrays.potentials[i].tolist()), tuple(arrays.begun[i].tolist()))
        return SavedGame(
            self.ruleset,
            i,
            place.root,
            int(arrays.numbers[i]),
            place.copy_position(),
            place.chance.words(),
            tuple(arrays.rivals[i].tolist()),
            int(arrays.learners[i]),
            end,
            Log.of(arrays, i) if self.memory else None,
            standings,
        )

    def restore(self, saved: SavedBatch | SavedGame, place: int | None = None) -> None:
        """Go back to what was saved: all games, or one, where it was or in another place.

        A game takes along who learns in it and where its deals come from: the same ones follow.
        """
        if isinstance(saved, SavedGame):
            where = saved.place if place is None else place
            self._check(where)
            saved.check(self.ruleset, len(self._inside), memory=self.memory)
            with self._lock:
                self._restore_game(where, saved)
            return
        if not isinstance(saved, SavedBatch):
            raise NevskyError("env.not_saved", value=repr(saved))
        if place is not None or len(saved.games) != self.games:
            raise NevskyError("env.saved_games", saved=len(saved.games), games=self.games)
        for game in saved.games:
            game.check(self.ruleset, len(self._inside), memory=self.memory)
        with self._lock:
            self.seed, self._sampler = saved.seed, Rng(*saved.sampler)
            for i, game in enumerate(saved.games):
                self._restore_game(i, game)

    def _restore_game(self, i: int, saved: SavedGame) -> None:
        place, arrays, croupier = self._places[i], self._arrays, self._croupiers[0]
        place.root, place.chance = saved.root, Rng(*saved.chance)
        place.set_position(saved.position)
        arrays.numbers[i] = saved.number
        arrays.rivals[i] = saved.rivals
        croupier.tell_seats(i, saved.learner)
        saved.restore_extras(arrays, i, self.shaping)
        croupier.show_again(i, place)
        end = saved.end
        arrays.dones[i], arrays.earned[i] = end.done, end.earned
        arrays.rewards[i], arrays.scores[i] = end.rewards, end.scores
        arrays.final_observations[i] = 0
        arrays.final_observations[i, end.places] = end.values

    def copy(self) -> Batch:
        """A batch that goes on in the same way and shares nothing with this one."""
        made, arguments = self.__reduce__()
        copied: Batch = made(*arguments)
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        several = self._arrays.seating < 0 if self._several else None
        options = {
            "reward": self.reward,
            "auto": self.auto,
            "opponents": list(self._inside) or None,
            "learner": self.learner,
            "learners": several,
            "threads": self.threads,
            "memory": self.memory,
            "actions": "all" if self.action_set is None else "ruleset",
            "shaping": self.shaping,
            "discount": self.discount,
        }
        return _made_again, (self.ruleset, self.games, options, self.opponents, self.save())


def _made_again(ruleset: Ruleset, games: int, options: dict[str, Any], opponents: Any, saved: SavedBatch) -> Batch:
    batch = Batch(ruleset, games, seed=0, **options)
    batch.opponents = opponents
    batch.restore(saved)
    return batch
