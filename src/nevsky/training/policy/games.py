"""Games that policy weights are learned from, and games that show what they are worth."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import exp
from typing import Final, NamedTuple

from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.core.net import Net
from nevsky.bots.core.policy_gradient import PolicyGradient
from nevsky.bots.parameters import Parameters
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import blank
from nevsky.training.policy.plan import PolicyPlan

__all__ = ["Job", "Part", "PartResult", "play_part", "rewards", "win_rate"]

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
    weights: array[float]
    baseline: tuple[float, ...]
    """What each seat has got so far on average; without a critic only what differs from it teaches."""


class PartResult(NamedTuple):
    """What the games of a part gave."""

    number: int
    gradient: array[float]
    winning_score: float
    """The sum of the winners' scores."""
    rewards: tuple[float, ...]
    """For each seat the sum of what it got."""


def play_part(job: Job, part: Part) -> PartResult:
    """Play the games of a part."""
    plan = job.plan
    learner = PolicyGradient(Parameters(), part.weights)
    critic = None if job.critic is None else Net(job.critic)
    rng = Rng.of("policy", plan.seed, part.update, part.number)
    start = blank(plan.ruleset_of(part.update, part.number))
    score, got = 0.0, [0.0] * plan.players
    for _ in range(plan.games_of(part.number)):
        p = start.copy()
        p.new_game(rng, -1)
        learner.decay(0.0)
        reward = (
            _with_end(learner, p, rng, plan.temperature, part.baseline)
            if critic is None
            else _with_critic(learner, p, rng, plan.temperature, critic)
        )
        score += max(p.total(seat) for seat in range(p.n))[0]
        for seat in range(p.n):
            got[seat] += reward[seat]
    return PartResult(part.number, array("d", learner.take_gradient()), score, tuple(got))


def _with_end(
    learner: PolicyGradient, p: Position, rng: Rng, temperature: float, baseline: Sequence[float]
) -> list[float]:
    """A game of which only the end teaches."""
    while not p.over:
        learner.play_phase(p, rng, temperature)
    reward = rewards(p)
    for seat in range(p.n):
        learner.credit(seat, reward[seat] - baseline[seat])
    return reward


def _with_critic(learner: PolicyGradient, p: Position, rng: Rng, temperature: float, critic: Net) -> list[float]:
    """A game in which every phase teaches, by what it changed in the eyes of a network."""
    before = _expected(critic, p)
    while not p.over:
        learner.play_phase(p, rng, temperature)
        now = rewards(p) if p.over else _expected(critic, p)
        for seat in range(p.n):
            learner.credit(seat, now[seat] - before[seat])
        before = now
        learner.decay(_MEMORY)
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


def win_rate(ruleset: Ruleset, weights: Sequence[float], games: int, seed: str) -> float:
    """How often a policy with weights wins against the plain heuristic policy, one against all others.

    Every deal is played once from each seat, so there may be a few games more.
    """
    trained, plain = HeuristicPolicy(Parameters(), weights), HeuristicPolicy()
    start = blank(ruleset)
    seats = ruleset.players
    deals = -(-games // seats)
    won = 0.0
    for game in range(deals * seats):
        rng = Rng.of("policy", "measure", seed, game // seats)
        p = start.copy()
        p.new_game(rng, -1)
        own = game % seats
        trained.key = plain.key = _NEW_GAME
        while not p.over:
            p.play((trained if p.seat == own else plain).pick(p, rng))
        totals = [p.total(seat) for seat in range(seats)]
        if totals[own] == max(totals):
            won += 1 / totals.count(totals[own])
    return won / (deals * seats)
