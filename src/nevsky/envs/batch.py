"""Many games of one ruleset at once: one call steps them all, and what a learner needs stands in numpy arrays.

Only the rows of games are touched that changed, and in them only the numbers that are not zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.encoding import SIZE, Encoder
from nevsky.envs.batch_input import (
    CHANCE,
    ROTATING,
    choose_learner,
    illegal_action,
    read_actions,
    read_flags,
    read_seeds,
)
from nevsky.envs.options import REWARDS, check_choice, check_flag, check_number, check_reward, make_ruleset
from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS
from nevsky.rules.constants import OVER
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import blank

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Batch"]

LEGAL_ROOM = 1024
ENCODER_ROOM = 2112
LONG_AGO = -1000
LOWEST = -2000000000
EVERYBODY = -1
BY_WIN = 0
NOBODY = 0
HEURISTIC = 2
OPPONENTS = ("", "random", "heuristic")
MOST_GAMES = 65536


def view_of(numbers: npt.NDArray[Any]) -> Any:
    """The same numbers for compiled code; uncompiled they come out as ordinary integers and floats."""
    return memoryview(numbers)  # type: ignore[arg-type]


class Batch:
    """So many games, each of which is dealt anew as soon as it ends.

    >>> batch = Batch(Ruleset("second", players=2), games=3, seed=7)
    >>> batch.observations.shape, batch.masks.shape, batch.rewards.shape
    ((3, 2079), (3, 5206), (3, 2))
    >>> batch.step(batch.sample())
    >>> batch.dones.any()
    np.False_

    Without opponents whoever has to decide is asked: `seats` tells who. With them one seat of each game, the learner,
    is asked, and the others answer inside.
    """

    ruleset: Ruleset
    reward: str
    opponents: str | None
    learner: int | str
    seed: int | tuple[int, ...]
    games: int
    players: int
    auto: bool
    observations: npt.NDArray[np.float32]
    masks: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    earned: npt.NDArray[np.float32]
    dones: npt.NDArray[np.bool_]
    seats: npt.NDArray[np.int32]
    learners: npt.NDArray[np.int32]
    scores: npt.NDArray[np.int32]
    numbers: npt.NDArray[np.int64]
    legal: npt.NDArray[np.int16]
    legal_counts: npt.NDArray[np.int32]
    final_observations: npt.NDArray[np.float32]
    everything: npt.NDArray[np.uint8]
    how: int
    rivals: int
    fixed: int
    youngest: int
    open_rubles: int
    open_hands: int
    roots: list[tuple[int, int]]
    positions: list[Position]
    chances: list[Rng]
    blank: Position
    encoder: Encoder
    policy: HeuristicPolicy
    sampler: Rng
    observed: memoryview[float]
    masked: memoryview[int]
    rewarded: memoryview[float]
    own: memoryview[float]
    done: memoryview[int]
    seat: memoryview[int]
    learning: memoryview[int]
    score: memoryview[int]
    number: memoryview[int]
    allowed: memoryview[int]
    allowed_n: memoryview[int]
    places: memoryview[int]
    places_n: memoryview[int]
    last: memoryview[float]

    def __init__(
        self,
        ruleset: Ruleset | None = None,
        games: int = 64,
        *,
        seed: int | Sequence[int] | None = None,
        reward: str = "win",
        auto: bool = True,
        opponents: str | None = None,
        learner: int | str = "rotating",
        **choices: Any,
    ) -> None:
        """Make the arrays and deal the first games.

        The ruleset may also be given by its fields (``edition``, ``players``, ``market``, ``modules`` ...). The
        learner is a seat, ``rotating`` from game to game, or ``random``.
        """
        self.ruleset = make_ruleset(ruleset, **choices)
        self.players = self.ruleset.players
        self.games = check_number("games", games, 1)
        if self.games > MOST_GAMES:
            raise NevskyError("env.games", most=MOST_GAMES, games=repr(games))
        self.reward = check_reward(reward)
        self.auto = check_flag("auto", auto)
        if opponents is not None:
            check_choice("opponent", opponents, OPPONENTS[1:])
        self.fixed = choose_learner(learner, self.players, opponents)
        self.how = REWARDS.index(self.reward)
        self.opponents = opponents
        self.rivals = OPPONENTS.index(opponents or "")
        self.learner = learner
        self.youngest = -1 if self.ruleset.youngest is None else self.ruleset.youngest
        self.open_rubles = int(self.ruleset.open_rubles)
        self.open_hands = int(self.ruleset.open_hands)
        self.policy = HeuristicPolicy()
        self.blank = blank(self.ruleset)
        self.encoder = Encoder()
        self.positions = [self.blank.copy() for _ in range(self.games)]
        self.make_arrays()
        self.reset(seed)

    def make_arrays(self) -> None:
        """All the room that will ever be needed."""
        try:
            import numpy as np
        except ImportError as error:
            raise NevskyError("env.numpy") from error
        n = self.games
        self.observations = np.zeros((n, SIZE), np.float32)
        self.masks = np.zeros((n, len(ACTIONS)), np.int8)
        self.rewards = np.zeros((n, self.players), np.float32)
        self.earned = np.zeros(n, np.float32)
        self.dones = np.zeros(n, np.bool_)
        self.seats = np.zeros(n, np.int32)
        self.learners = np.zeros(n, np.int32)
        self.scores = np.zeros((n, self.players), np.int32)
        self.numbers = np.zeros(n, np.int64)
        self.final_observations = np.zeros((n, SIZE), np.float32)
        legal = np.zeros((n, LEGAL_ROOM), np.int16)
        counts = np.zeros(n, np.int32)
        self.everything = np.ones(n, np.uint8)
        self.observed = view_of(self.observations)
        self.masked = view_of(self.masks)
        self.rewarded = view_of(self.rewards)
        self.own = view_of(self.earned)
        self.done = view_of(self.dones.view(np.uint8))
        self.seat = view_of(self.seats)
        self.learning = view_of(self.learners)
        self.score = view_of(self.scores)
        self.number = view_of(self.numbers)
        self.last = view_of(self.final_observations)
        self.allowed = view_of(legal)
        self.allowed_n = view_of(counts)
        self.places = view_of(np.zeros((n, ENCODER_ROOM), np.int16))
        self.places_n = view_of(np.zeros(n, np.int32))
        self.legal = legal.view()
        self.legal.flags.writeable = False  # steps are checked against these two
        self.legal_counts = counts.view()
        self.legal_counts.flags.writeable = False

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Deal all games anew; without a seed nobody can guess the deals. A list has a seed for each game."""
        if seed is None:
            import secrets

            seed = secrets.randbits(63)
        self.roots = read_seeds(seed, self.games)
        self.seed = (
            self.roots[0][0]
            if hasattr(seed, "__index__") and not hasattr(seed, "__len__")
            else tuple(root[0] for root in self.roots)
        )
        self.sampler = Rng.of("sample", self.seed) if isinstance(self.seed, int) else Rng.of("sample", *self.seed)
        self.chances = [self.sampler] * self.games
        self.numbers[:] = -1
        self.deal_all()
        self.scores[:] = 0
        self.rewards[:] = 0
        self.earned[:] = 0
        self.dones[:] = False
        self.final_observations[:] = 0

    def step(self, actions: npt.ArrayLike, only: npt.NDArray[np.bool_] | None = None) -> None:
        """Carry out one action in each game, or ``only`` in some; if one of them is not legal, none is."""
        numbers = read_actions(actions, self.games)
        wanted = self.everything if only is None else read_flags(only, self.games)
        wrong = self.find_illegal(view_of(numbers), view_of(wanted))
        if wrong >= 0:
            raise illegal_action(wrong, int(numbers[wrong]))
        self.carry_out(view_of(numbers), view_of(wanted))

    def sample(self) -> npt.NDArray[np.int64]:
        """A random legal action for each game, all equally likely; the batch's seed decides these, too."""
        import numpy as np

        numbers = np.zeros(self.games, np.int64)
        self.choose_all(view_of(numbers))
        return numbers

    def game_seed(self, index: int) -> str:
        """The seed with which `Game` deals the game that is going on in this place."""
        self.check(index)
        seed, place = self.roots[index]
        return f"{seed}/{place}/{self.numbers[index]}"

    def position(self, index: int) -> Position:
        """A copy of the position of this game, secrets included."""
        self.check(index)
        found: Position = self.positions[index]
        return found.copy()

    def check(self, index: int) -> None:
        """A sentence for games that do not exist."""
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < self.games:
            raise NevskyError("env.no_such_game", game=repr(index), last=self.games - 1)

    def find_illegal(self, numbers: memoryview[int], wanted: memoryview[int]) -> int:
        """The first game whose action is not legal, or -1."""
        for i in range(self.games):
            found = 0 if wanted[i] else 1
            for k in range(self.allowed_n[i]):
                if self.allowed[i, k] == numbers[i]:
                    found = 1
                    break
            if not found:
                return i
        return -1

    def carry_out(self, numbers: memoryview[int], wanted: memoryview[int]) -> int:
        """One legal action in each game that takes part."""
        for i in range(self.games):
            p = self.positions[i]
            if self.done[i]:
                self.done[i] = 0
                self.own[i] = 0.0
                for seat in range(self.players):
                    self.rewarded[i, seat] = 0.0
            if wanted[i]:
                p.do(numbers[i])
                self.settle(i, p)
        return 0

    def deal_all(self) -> int:
        """The first game in each place."""
        for i in range(self.games):
            p = self.positions[i]
            self.deal(i, p)
            self.settle(i, p)
        return 0

    def deal(self, i: int, p: Position) -> int:
        """The next game in this place. Its seed depends on nothing but the batch's seed, the place and its number."""
        self.number[i] += 1
        number = self.number[i]
        self.blank.copy_into(p)
        seed, place = self.roots[i]
        rng = Rng.of(seed, place, number)
        p.deal(rng, self.youngest)
        self.learning[i] = EVERYBODY
        if self.rivals != NOBODY:
            rng = Rng.of("opponents", seed, place, number)
            self.chances[i] = rng
            self.learning[i] = self.fixed
            if self.fixed == ROTATING:
                self.learning[i] = (i + number) % self.players
            elif self.fixed == CHANCE:
                self.learning[i] = rng.draw(self.players)
        return 0

    def settle(self, i: int, p: Position) -> int:
        """Go on until somebody has to be asked, in this game or in the next."""
        n = self.go_on(i, p)
        while n == 0:
            self.judge(i, p)
            self.keep_last(i, p)
            self.deal(i, p)
            n = self.go_on(i, p)
        self.show(i, p, n)
        return 0

    def go_on(self, i: int, p: Position) -> int:
        """Forced decisions and opponents' decisions; how many actions are legal then, none if the game is over."""
        learner = self.learning[i]
        rng = self.chances[i]
        self.policy.key = LONG_AGO
        while p.due != OVER:
            if learner != EVERYBODY and p.seat != learner:
                p.do(self.answer(p, rng))
                continue
            n = p.list_legal()
            if n > 1 or not self.auto:
                return n
            p.do(p.legal_ids[0])
        return 0

    def answer(self, p: Position, rng: Rng) -> int:
        """What an opponent does."""
        if self.rivals == HEURISTIC:
            return self.policy.choose(p, rng)
        n = p.list_legal()
        return p.legal_ids[rng.draw(n) if n > 1 else 0]

    def judge(self, i: int, p: Position) -> None:
        """The final scores of a game, and everybody's reward."""
        self.done[i] = 1
        best = LOWEST
        winners = 0
        for seat in range(self.players):
            points = p.final_points(seat)
            self.score[i, seat] = points
            order = points * 32768 + p.tie_rubles(seat)
            if order > best:
                best = order
                winners = 0
            if order == best:
                winners += 1
        for seat in range(self.players):
            points = p.final_points(seat)
            if self.how == BY_WIN:
                self.rewarded[i, seat] = 1.0 / winners if points * 32768 + p.tie_rubles(seat) == best else 0.0
                continue
            rival = LOWEST
            for other in range(self.players):
                if other != seat and self.score[i, other] > rival:
                    rival = self.score[i, other]
            self.rewarded[i, seat] = (points - rival) / 100.0

    def keep_last(self, i: int, p: Position) -> None:
        """The reward and the last observation of the seat that was asked last."""
        viewer = self.seat[i]
        self.own[i] = self.rewarded[i, viewer]
        n = self.encoder.encode(p, viewer, self.open_rubles, self.open_hands)
        for k in range(SIZE):
            self.last[i, k] = 0.0
        for k in range(n):
            self.last[i, self.encoder.place[k]] = self.encoder.value[k]

    def show(self, i: int, p: Position, n: int) -> None:
        """Write down what the seat to be asked sees and may do."""
        for k in range(self.allowed_n[i]):
            self.masked[i, self.allowed[i, k]] = 0
        for k in range(n):
            number = p.legal_ids[k]
            self.allowed[i, k] = number
            self.masked[i, number] = 1
        self.allowed_n[i] = n
        self.seat[i] = p.seat
        for k in range(self.places_n[i]):
            self.observed[i, self.places[i, k]] = 0.0
        n = self.encoder.encode(p, p.seat, self.open_rubles, self.open_hands)
        for k in range(n):
            place = self.encoder.place[k]
            self.places[i, k] = place
            self.observed[i, place] = self.encoder.value[k]
        self.places_n[i] = n

    def choose_all(self, numbers: memoryview[int]) -> None:
        """A random legal action in each game."""
        for i in range(self.games):
            numbers[i] = self.allowed[i, self.sampler.draw(self.allowed_n[i])]
