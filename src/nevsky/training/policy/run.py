"""Learning habits, from the plan to the file."""

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
from nevsky.bots.habits import load_habits, save_habits
from nevsky.bots.weights import load
from nevsky.errors import NevskyError
from nevsky.spreading import import_ray
from nevsky.training.home import PolicyHome
from nevsky.training.plan import digest
from nevsky.training.policy.games import Job, Part, win_rate
from nevsky.training.policy.plan import PolicyPlan
from nevsky.training.policy.state import State, pack, read
from nevsky.training.policy.steps import Step, Steps
from nevsky.training.policy.workers import Workers

__all__ = ["PolicyListener", "train_policy"]

_WEIGHTS: Final = sum((inputs + 1) * outputs for inputs, outputs in pairwise(SHAPE))
_MEASURE_EVERY: Final = 20
_MEASURE_GAMES: Final = 400


class PolicyListener:
    """Is told how a training goes. This one does not mind."""

    def started(self, done: int, total: int) -> None:
        """So many updates of all were there already."""

    def updated(self, step: Step, total: int) -> None:
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
    """Do the updates that are still missing; where the habits lie.

    With a critic, a network, every phase teaches, otherwise only the end of each game. Habits start from those that are
    given, or from none.
    """
    if jobs is not None and jobs < 1:
        raise NevskyError("jobs.from_one", jobs=jobs)
    if ray is not None:
        import_ray()  # before anything is written
    network = None if critic is None else _network(critic)
    habits = None if start is None else load_habits(plan.players, start)
    names = {
        "critic": None if network is None else digest(network),
        "start": None if habits is None else digest(habits),
    }
    with closing(PolicyHome(directory, {**plan.to_dict(), **names})) as home:
        state = read(home.state, plan) or State.new(plan.players, habits)
        training = _Training(plan, home, state, listener or PolicyListener())
        if state.number < plan.updates:
            workers = min(jobs or os.cpu_count() or 1, plan.parts)
            training.go_on(Workers(Job(plan, network), workers, ray, jobs))
        training.keep()
        return home.habits


def _network(path: Path) -> array[float]:
    weights = load(path)
    if len(weights) != _WEIGHTS:
        raise NevskyError("network.size", path=path, given=len(weights), wanted=_WEIGHTS)
    return weights


class _Training:
    def __init__(self, plan: PolicyPlan, home: PolicyHome, state: State, listener: PolicyListener) -> None:
        self._plan = plan
        self._home = home
        self._state = state
        self._listener = listener
        self._steps = Steps(home, state.number)

    def go_on(self, workers: Workers) -> None:
        """Do all updates that are missing."""
        plan, state = self._plan, self._state
        self._listener.started(state.number, plan.updates)
        with closing(workers):
            while state.number < plan.updates:
                step = self._update(workers)
                self._steps.add(step)
                # After the line: what was written of an update that is not in the state is forgotten next time.
                self._home.write(self._home.state, pack(state))
                if step.win_rate is not None:
                    self.keep()
                self._listener.updated(step, plan.updates)
            workers.finish()

    def _update(self, workers: Workers) -> Step:
        plan, state = self._plan, self._state
        began = perf_counter()
        taught = sorted(workers.play(list(self._parts())), key=lambda each: each.number)
        lessons = [sum(values) for values in zip(*(each.lessons for each in taught), strict=True)]
        rewards = [sum(values) for values in zip(*(each.rewards for each in taught), strict=True)]
        state.update(plan, lessons, rewards)
        score = sum(each.winning_score for each in taught) / plan.games
        seconds = perf_counter() - began
        return Step(state.number, state.number * plan.games, round(score, 3), round(seconds, 3), self._measure())

    def _parts(self) -> Iterator[Part]:
        state = self._state
        for number in range(self._plan.parts):
            yield Part(state.number + 1, number, state.habits, tuple(state.usual))

    def _measure(self) -> float | None:
        plan, state = self._plan, self._state
        if state.number % _MEASURE_EVERY and state.number != plan.updates:
            return None
        return round(win_rate(plan.ruleset, state.average, _MEASURE_GAMES, plan.seed), 4)

    def keep(self) -> None:
        """Write the averaged habits and the plot."""
        home, plan = self._home, self._plan
        home.make(home.habits, lambda draft: save_habits(draft, {plan.players: self._state.average}))
        self._steps.draw()
