"""A training from its plan to its networks."""

from __future__ import annotations

import os
from array import array
from collections.abc import Generator, Mapping
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Final

from nevsky.bots.core.net import SHAPE
from nevsky.bots.network_file import load_network, save_network
from nevsky.bots.policy_weights import COUNTS, load_weights
from nevsky.errors import NevskyError
from nevsky.parallel import import_ray
from nevsky.rules.rng import Rng
from nevsky.training.chunks import Job, read
from nevsky.training.curves import Curves
from nevsky.training.home import Home
from nevsky.training.learning import Fit, Learner
from nevsky.training.plan import Plan, check, digest
from nevsky.training.samples import Samples
from nevsky.training.workers import Played, in_processes, on_ray, one_by_one

__all__ = ["Listener", "train"]

_SIZE: Final = sum((inputs + 1) * outputs for inputs, outputs in pairwise(SHAPE))


class Listener:
    """Is told how a training goes. This one does not mind."""

    def playing(self, generation: int, done: int, total: int) -> None:
        """So many games of a generation are played."""

    def learning(self, generation: int, positions: int) -> None:
        """A generation begins to learn from so many positions."""

    def learned(self, generation: int, fit: Fit) -> None:
        """A generation has learned for another epoch."""


def train(
    plan: Plan,
    directory: Path,
    generations: int = 3,
    *,
    jobs: int | None = None,
    ray: str | None = None,
    listener: Listener | None = None,
    weights: Path | None = None,
) -> Path:
    """Play and learn what is still missing, with policy weights if there are any; where the last network lies."""
    check("generations", generations)
    if jobs is not None and jobs < 1:
        raise NevskyError("jobs.from_one", jobs=jobs)
    if ray is not None:
        import_ray()  # before anything is written
    tables = None if weights is None else {players: load_weights(players, weights) for players in COUNTS}
    name = None if tables is None else digest(*tables.values())
    with closing(Home(directory, plan, name)) as home:
        training = _Training(plan, home, jobs, ray, listener or Listener(), tables)
        for generation in range(1, generations + 1):
            if not home.network(generation).exists():
                training.bring_up(generation)
        return home.network(generations)


class _Training:
    def __init__(
        self,
        plan: Plan,
        home: Home,
        jobs: int | None,
        ray: str | None,
        listener: Listener,
        weights: Mapping[int, array[float]] | None,
    ) -> None:
        self._plan = plan
        self._home = home
        self._jobs = jobs
        self._ray = ray
        self._listener = listener
        self._weights = weights

    def bring_up(self, generation: int) -> None:
        """Let a generation play, and learn from its games and those of the one before."""
        sources = [number for number in (generation - 1, generation) if number]
        for number in sources:
            self._play(number)
        self._learn(generation, sources)

    def _network(self, generation: int) -> array[float] | None:
        """The network that a generation starts with."""
        if generation == 1:
            return None
        path = self._home.network(generation - 1)
        network = load_network(path)
        if len(network) != _SIZE:
            raise NevskyError("network.size", path=path, given=len(network), wanted=_SIZE)
        return network

    def _play(self, generation: int) -> None:
        plan, home, listener = self._plan, self._home, self._listener
        todo = [number for number in range(plan.chunks) if not home.samples(generation, number).exists()]
        if not todo:
            return
        done = plan.games - sum(map(plan.games_of, todo))
        listener.playing(generation, done, plan.games)
        job = Job(plan, generation, self._network(generation), self._weights)
        with closing(self._chunks(job, todo)) as chunks:
            for number, data in chunks:
                home.write(home.samples(generation, number), data)
                done += plan.games_of(number)
                listener.playing(generation, done, plan.games)

    def _chunks(self, job: Job, todo: list[int]) -> Generator[Played, None, None]:
        if self._ray is not None:
            return on_ray(job, todo, self._ray, self._jobs)
        workers = min(self._jobs or os.cpu_count() or 1, len(todo))
        return one_by_one(job, todo) if workers == 1 else in_processes(job, todo, workers)

    def _samples(self, sources: list[int]) -> list[Samples]:
        many = [read(self._home.samples(source, chunk)) for source in sources for chunk in range(self._plan.chunks)]
        return [samples for samples in many if samples.sizes]

    def _learn(self, generation: int, sources: list[int]) -> None:
        plan, home = self._plan, self._home
        network = self._network(generation)
        try:
            learner = Learner(Rng.of("learning", plan.seed, generation).below(1 << 31), network)
        except NevskyError as error:
            raise NevskyError("training.not_learned", why=error, generation=generation) from error
        before = learner.weights()
        many = self._samples(sources)
        positions = sum(len(samples.sizes) // 2 for samples in many)
        self._listener.learning(generation, positions)
        curves = Curves(home)
        curves.restart(generation)

        def tell(fit: Fit) -> None:
            curves.add(generation, fit)
            self._listener.learned(generation, fit)

        if many:
            learner.fit(many, plan.epochs, tell=tell)
        if (found := learner.weights()) == before:
            raise NevskyError("training.too_few", positions=positions)
        home.make(home.network(generation), lambda draft: save_network(draft, found))
        load_network.cache_clear()
