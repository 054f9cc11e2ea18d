"""Games that teach habits, and games that show what they are worth."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import exp
from typing import Final, NamedTuple

from nevsky.bots.core.instinct import WEIGHTS, Instinct
from nevsky.bots.core.net import Net
from nevsky.bots.core.practice import Practice
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import blank
from nevsky.training.policy.plan import PolicyPlan

__all__ = ["Job", "Part", "Taught", "play_part", "rewards", "win_rate"]

_POINTS: Final = 12.0
"""Points of a lead that make it look safe."""
_MEMORY: Final = 0.9
"""With a critic: what a phase's play has still to do with what happens in the next one."""
_NEW_GAME: Final = -1000


class Job(NamedTuple):
    """What is the same for all games of a training."""

    plan: PolicyPlan
    critic: array[float] | None


class Part(NamedTuple):
    """Some games before an update."""

    update: int
    number: int
    habits: array[float]
    usual: tuple[float, ...]
    """What each seat has got so far on average; without a critic only what differs from it teaches."""


class Taught(NamedTuple):
    """What a part taught."""

    number: int
    lessons: array[float]
    winning_score: float
    """The sum of the winners' scores."""
    rewards: tuple[float, ...]
    """For each seat the sum of what it got."""


def play_part(job: Job, part: Part) -> Taught:
    """Play the games of a part."""
    plan = job.plan
    practice = Practice(WEIGHTS, part.habits)
    critic = None if job.critic is None else Net(job.critic)
    rng = Rng.of("policy", plan.seed, part.update, part.number)
    start = blank(plan.ruleset_of(part.update, part.number))
    score, got = 0.0, [0.0] * plan.players
    for _ in range(plan.games_of(part.number)):
        p = start.copy()
        p.new_game(rng, -1)
        practice.fade(0.0)
        reward = (
            _with_end(practice, p, rng, plan.heat, part.usual)
            if critic is None
            else _with_critic(practice, p, rng, plan.heat, critic)
        )
        score += max(p.total(seat) for seat in range(p.n))[0]
        for seat in range(p.n):
            got[seat] += reward[seat]
    return Taught(part.number, array("d", practice.lessons()), score, tuple(got))


def _with_end(practice: Practice, p: Position, rng: Rng, heat: float, usual: Sequence[float]) -> list[float]:
    """A game of which only the end teaches."""
    while not p.over:
        practice.practise(p, rng, heat)
    reward = rewards(p)
    for seat in range(p.n):
        practice.credit(seat, reward[seat] - usual[seat])
    return reward


def _with_critic(practice: Practice, p: Position, rng: Rng, heat: float, critic: Net) -> list[float]:
    """A game in which every phase teaches, by what it changed in the eyes of a network."""
    before = _expected(critic, p)
    while not p.over:
        practice.practise(p, rng, heat)
        now = rewards(p) if p.over else _expected(critic, p)
        for seat in range(p.n):
            practice.credit(seat, now[seat] - before[seat])
        before = now
        practice.fade(_MEMORY)
    return before


def _expected(critic: Net, p: Position) -> list[float]:
    critic.look(p)
    wins, scores = critic.wins(), critic.scores()
    return [_reward(wins[seat], seat, scores[: p.n]) for seat in range(p.n)]


def rewards(p: Position) -> list[float]:
    """What each seat gets for a game that is over: half for the win, half for the lead over the best rival."""
    totals = [p.total(seat) for seat in range(p.n)]
    best = max(totals)
    share = 1 / totals.count(best)
    scores = [float(score) for score, _ in totals]
    return [_reward(share if totals[seat] == best else 0.0, seat, scores) for seat in range(p.n)]


def _reward(win: float, seat: int, scores: Sequence[float]) -> float:
    lead = scores[seat] - max(score for other, score in enumerate(scores) if other != seat)
    return 0.5 * win + 0.5 / (1 + exp(-lead / _POINTS))


def win_rate(ruleset: Ruleset, habits: Sequence[float], games: int, seed: str) -> float:
    """How often habits win against the plain instinct, one against all others.

    Every deal is played once from each seat, so there may be a few games more.
    """
    practised, plain = Instinct(WEIGHTS, habits), Instinct(WEIGHTS)
    start = blank(ruleset)
    seats = ruleset.players
    deals = -(-games // seats)
    won = 0.0
    for game in range(deals * seats):
        rng = Rng.of("policy", "measure", seed, game // seats)
        p = start.copy()
        p.new_game(rng, -1)
        own = game % seats
        practised.key = plain.key = _NEW_GAME
        while not p.over:
            p.play((practised if p.seat == own else plain).pick(p, rng))
        totals = [p.total(seat) for seat in range(seats)]
        if totals[own] == max(totals):
            won += 1 / totals.count(totals[own])
    return won / (deals * seats)
