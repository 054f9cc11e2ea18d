"""Learning policy weights, from the plan to the file."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Final

from nevsky.bots.core.net import SHAPE
from nevsky.bots.network_file import load_network
from nevsky.bots.policy_weights import load_weights, save_weights
from nevsky.errors import NevskyError
from nevsky.parallel import import_ray
from nevsky.training.home import PolicyHome
from nevsky.training.plan import digest
from nevsky.training.policy.games import Job, Part, win_rate
from nevsky.training.policy.optimizer import OptimizerState, pack, read
from nevsky.training.policy.plan import PolicyPlan
from nevsky.training.policy.updates import Update, Updates
from nevsky.training.policy.workers import Workers

__all__ = ["PolicyListener", "train_policy"]

_NETWORK_SIZE: Final = sum((inputs + 1) * outputs for inputs, outputs in pairwise(SHAPE))
_MEASURE_EVERY: Final = 20
_MEASURE_GAMES: Final = 400


class PolicyListener:
    """Is told how a training goes. This one does not mind."""

    def started(self, done: int, total: int) -> None:
        """So many updates of all were there already."""

    def updated(self, update: Update, total: int) -> None:
        """Another update is done."""


def train_policy(
    plan: PolicyPlan,
    directory: Path,
    *,
    critic: Path | None = None,
    start: Path | None = None,
    jobs: int | None = None,
    ray: str | None = None,
    listener: PolicyListener | None = None,
) -> Path:
    """Do the updates that are still missing; where the weights lie.

    With a critic, a network, every phase teaches, otherwise only the end of each game. Policy weights start from those
    that are given, or from zero.
    """
    if jobs is not None and jobs < 1:
        raise NevskyError("jobs.from_one", jobs=jobs)
    if ray is not None:
        import_ray()  # before anything is written
    network = None if critic is None else _network(critic)
    weights = None if start is None else load_weights(plan.players, start)
    names = {
        "critic": None if network is None else digest(network),
        "start": None if weights is None else digest(weights),
    }
    with closing(PolicyHome(directory, {**plan.to_dict(), **names})) as home:
        state = read(home.state, plan) or OptimizerState.new(plan.players, weights)
        training = _Training(plan, home, state, listener or PolicyListener())
        if state.number < plan.updates:
            workers = min(jobs or os.cpu_count() or 1, plan.parts)
            training.go_on(Workers(Job(plan, network), workers, ray, jobs))
        training.keep()
        return home.weights


def _network(path: Path) -> array[float]:
    network = load_network(path)
    if len(network) != _NETWORK_SIZE:
        raise NevskyError("network.size", path=path, given=len(network), wanted=_NETWORK_SIZE)
    return network


class _Training:
    def __init__(self, plan: PolicyPlan, home: PolicyHome, state: OptimizerState, listener: PolicyListener) -> None:
        self._plan = plan
        self._home = home
        self._state = state
        self._listener = listener
        self._updates = Updates(home, state.number)

    def go_on(self, workers: Workers) -> None:
        """Do all updates that are missing."""
        plan, state = self._plan, self._state
        self._listener.started(state.number, plan.updates)
        with closing(workers):
            while state.number < plan.updates:
                update = self._update(workers)
                self._updates.add(update)
                # After the line: what was written of an update that is not in the state is forgotten next time.
                self._home.write(self._home.state, pack(state))
                if update.win_rate is not None:
                    self.keep()
                self._listener.updated(update, plan.updates)
            workers.finish()

    def _update(self, workers: Workers) -> Update:
        plan, state = self._plan, self._state
        began = perf_counter()
        results = sorted(workers.play(list(self._parts())), key=lambda each: each.number)
        gradient = [sum(values) for values in zip(*(each.gradient for each in results), strict=True)]
        rewards = [sum(values) for values in zip(*(each.rewards for each in results), strict=True)]
        state.update(plan, gradient, rewards)
        score = sum(each.winning_score for each in results) / plan.games
        seconds = perf_counter() - began
        return Update(state.number, state.number * plan.games, round(score, 3), round(seconds, 3), self._measure())

    def _parts(self) -> Iterator[Part]:
        state = self._state
        for number in range(self._plan.parts):
            yield Part(state.number + 1, number, state.weights, tuple(state.baseline))

    def _measure(self) -> float | None:
        plan, state = self._plan, self._state
        if state.number % _MEASURE_EVERY and state.number != plan.updates:
            return None
        return round(win_rate(plan.ruleset, state.average, _MEASURE_GAMES, plan.seed), 4)

    def keep(self) -> None:
        """Write the averaged weights and the plot."""
        home, plan = self._home, self._plan
        home.make(home.weights, lambda draft: save_weights(draft, {plan.players: self._state.average}))
        self._updates.draw()
