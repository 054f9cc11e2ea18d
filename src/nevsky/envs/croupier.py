"""Whoever deals and runs games of a batch, one game at a time and without Python's lock, but for the dealing.

Only the rows of games are touched that changed, and in them only the numbers that are not zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nevsky.encoding import SIZE, Encoder
from nevsky.envs.batch_input import CHANCE, ROTATING, SEVERAL
from nevsky.envs.chronicle import Chronicle
from nevsky.envs.rivals import Rival
from nevsky.envs.wages import Wages
from nevsky.rules.constants import OVER
from nevsky.rules.course import FullPosition
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng

if TYPE_CHECKING:
    from nevsky.envs.batch_arrays import Arrays, Options

__all__ = ["Croupier", "Place"]

LOWEST = -2000000000
NOBODY = -1
ASKED = -1
BY_WIN = 0


class Place:
    """One game of a batch: its position, where its deals come from and the stream of its opponents."""

    p: Position
    full: FullPosition | None
    deals: Rng
    chance: Rng
    root: tuple[int, int]

    def __init__(self, position: Position, root: tuple[int, int]) -> None:
        self.p = position
        self.full = position if isinstance(position, FullPosition) else None
        self.deals = Rng(0, 0, 0, 1)
        self.chance = Rng(0, 0, 0, 1)
        self.root = root

    def copy_position(self) -> Position:
        """A copy of the position."""
        return self.p.copy()

    def set_position(self, position: Position) -> None:
        """Go on from another position of the same ruleset."""
        position.copy_into(self.p)


class Croupier:
    """Runs games. What it needs for that it has for itself, so that several can work side by side."""

    players: int
    how: int
    auto: int
    fixed: int
    youngest: int
    known_rubles: int
    open_hands: int
    blank: Position
    encoder: Encoder
    rivals: Rival | None
    chronicle: Chronicle | None
    wages: Wages | None
    observed: memoryview[float]
    masked: memoryview[int]
    rewarded: memoryview[float]
    own: memoryview[float]
    done: memoryview[int]
    seat: memoryview[int]
    learner: memoryview[int]
    asked: memoryview[int]
    rival: memoryview[int]
    seating: memoryview[int]
    score: memoryview[int]
    number: memoryview[int]
    full: memoryview[int]
    reduced: memoryview[int]
    allowed: memoryview[int]
    allowed_n: memoryview[int]
    places: memoryview[int]
    places_n: memoryview[int]
    last: memoryview[float]

    def __init__(self, options: Options, arrays: Arrays, blank: Position) -> None:
        ruleset = options.ruleset
        self.players = ruleset.players
        self.how = options.how
        self.auto = int(options.auto)
        self.fixed = options.fixed
        self.youngest = -1 if ruleset.youngest is None else ruleset.youngest
        self.known_rubles = int(ruleset.open_rubles or options.memory)
        self.open_hands = int(ruleset.open_hands)
        self.blank = blank
        self.encoder = Encoder()
        self.rivals = None
        self.chronicle = Chronicle(options, arrays) if options.memory else None
        self.wages = Wages(options, arrays) if options.shaping >= 0 else None
        views = arrays.views()
        self.observed = views["observations"]
        self.masked = views["masks"]
        self.rewarded = views["rewards"]
        self.own = views["earned"]
        self.done = views["dones"]
        self.seat = views["seats"]
        self.learner = views["learners"]
        self.asked = views["asked"]
        self.rival = views["rivals"]
        self.seating = views["seating"]
        self.score = views["scores"]
        self.number = views["numbers"]
        self.full = views["to_full"]
        self.reduced = views["to_reduced"]
        self.allowed = views["legal"]
        self.allowed_n = views["legal_counts"]
        self.places = views["places"]
        self.places_n = views["places_counts"]
        self.last = views["final_observations"]

    def set_rivals(self, rivals: Rival | None) -> None:
        """Whoever answers from now on; None if every seat is asked."""
        self.rivals = rivals

    def find_illegal(self, numbers: memoryview[int], wanted: memoryview[int], games: int) -> int:
        """The first game whose action is not legal, or -1."""
        for i in range(games):
            found = 0 if wanted[i] else 1
            for k in range(self.allowed_n[i]):
                if self.allowed[i, k] == numbers[i]:
                    found = 1
                    break
            if not found:
                return i
        return -1

    def choose_all(self, numbers: memoryview[int], sampler: Rng, games: int) -> None:
        """A random legal action in each game."""
        for i in range(games):
            numbers[i] = self.allowed[i, sampler.draw(self.allowed_n[i])]

    def carry_out(self, i: int, place: Place, number: int) -> int:
        """One legal action; whether the game is over now."""
        actor = place.p.seat
        self.act(i, place, self.full[number], 1)
        over = self.settle(i, place)
        if self.wages is not None and not over:
            self.own[i] = self.rewarded[i, actor]
        return over

    def act(self, i: int, place: Place, action: int, chosen: int) -> None:
        """Carry out the action with this id, for which its seat was asked or not."""
        if self.chronicle is not None:
            self.chronicle.note(i, place.p, action, chosen)
        place.p.do(action)

    def forget_rewards(self, i: int) -> None:
        """What was told of rewards or an end in the step before holds no longer."""
        if self.done[i] or self.wages is not None:
            self.done[i] = 0
            self.own[i] = 0.0
            for seat in range(self.players):
                self.rewarded[i, seat] = 0.0

    def prepare(self, i: int, place: Place) -> int:
        """An empty table and streams for the next game, which follow from the root and the game's number alone."""
        self.number[i] += 1
        number = self.number[i]
        self.blank.copy_into(place.p)
        seed, where = place.root
        place.deals = Rng.of(seed, where, number)
        if self.rivals is not None:
            place.chance = Rng.of("opponents", seed, where, number)
        return 0

    def start(self, i: int, place: Place) -> int:
        """Deal what was prepared; whether the game is over without anybody having been asked."""
        place.p.deal(place.deals, self.youngest)
        if self.chronicle is not None:
            self.chronicle.begin(i)
        if self.wages is not None:
            self.wages.begin(i)
        self.place_seats(i, place)
        return self.settle(i, place)

    def place_seats(self, i: int, place: Place) -> None:
        """Who is asked in this game, and which rival sits on each of the other seats."""
        learner = NOBODY
        if self.fixed == SEVERAL or self.rivals is None:
            for seat in range(self.players):
                self.rival[i, seat] = self.seating[i, seat]
        else:
            learner = self.fixed
            if self.fixed == ROTATING:
                learner = (i + self.number[i]) % self.players
            elif self.fixed == CHANCE:
                learner = place.chance.draw(self.players)
            for k in range(self.players):
                self.rival[i, (learner + k) % self.players] = k - 1
        self.tell_seats(i, learner)

    def tell_seats(self, i: int, learner: int) -> None:
        """Write down who is asked in this game."""
        self.learner[i] = learner
        for seat in range(self.players):
            self.asked[i, seat] = 1 if self.rival[i, seat] == ASKED else 0

    def settle(self, i: int, place: Place) -> int:
        """Go on until somebody has to be asked; whether the game is over instead."""
        n = self.go_on(i, place)
        if n:
            self.show(i, place, n)
            if self.wages is not None:
                self.wages.decides(i, place.p, place.full, place.p.seat)
            return 0
        self.judge(i, place.p)
        if self.wages is not None:
            self.wages.ends(i)
        self.keep_last(i, place)
        return 1

    def go_on(self, i: int, place: Place) -> int:
        """Forced decisions and opponents' decisions; how many actions are legal then, none if the game is over."""
        if self.rivals is not None:
            self.rivals.forget()
        while place.p.due != OVER:
            rival = self.rival[i, place.p.seat]
            if rival != ASKED:
                answer = self.rivals.answer(rival, place.p, place.full, place.chance)  # type: ignore[union-attr]
                self.act(i, place, answer, 0)
                continue
            n = place.p.list_legal()
            if n > 1 or not self.auto:
                return n
            self.act(i, place, place.p.legal_ids[0], 0)
        return 0

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

    def keep_last(self, i: int, place: Place) -> None:
        """The reward and the last observation of the seat that was asked last."""
        viewer = self.seat[i]
        self.own[i] = self.rewarded[i, viewer]
        n = self.encoder.encode_known(place.p, place.full, viewer, self.known_rubles, self.open_hands)
        for k in range(SIZE):
            self.last[i, k] = 0.0
        for k in range(n):
            self.last[i, self.encoder.place[k]] = self.encoder.value[k]
        if self.chronicle is not None:
            self.chronicle.tell(i, place.p, place.full, viewer, 1)

    def show(self, i: int, place: Place, n: int) -> None:
        """Write down what the seat to be asked sees and may do."""
        for k in range(self.allowed_n[i]):
            self.masked[i, self.allowed[i, k]] = 0
        for k in range(n):
            number = self.reduced[place.p.legal_ids[k]]
            self.allowed[i, k] = number
            self.masked[i, number] = 1
        self.allowed_n[i] = n
        self.seat[i] = place.p.seat
        for k in range(self.places_n[i]):
            self.observed[i, self.places[i, k]] = 0.0
        n = self.encoder.encode_known(place.p, place.full, place.p.seat, self.known_rubles, self.open_hands)
        for k in range(n):
            at = self.encoder.place[k]
            self.places[i, k] = at
            self.observed[i, at] = self.encoder.value[k]
        self.places_n[i] = n
        if self.chronicle is not None:
            self.chronicle.tell(i, place.p, place.full, place.p.seat, 0)

    def show_again(self, i: int, place: Place) -> None:
        """Write down a decision that was reached before."""
        self.show(i, place, place.p.list_legal())
        if self.wages is not None and not self.wages.begun[i, place.p.seat]:
            self.wages.decides(i, place.p, place.full, place.p.seat)
