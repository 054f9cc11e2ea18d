"""Curves of all programs that learn: each with several seeds, measured again and again on the way.

    python examples/envs/curves.py ppo dqn clone policy --seeds 1 2 3 --out benchmarks/baselines --work work

A run is a file of figures, LEARNER-SEED.csv, and a player, LEARNER-SEED.pt or .weights. Runs that are there are not
repeated. Nothing depends on the clock: the same machine and the same version of torch give the same figures, apart
from the seconds. Needs the extras data, envs and train. `tools/baselines.py` draws the curves.
"""

from __future__ import annotations

import argparse
import csv
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

import clone
import dqn
import numpy as np
import ppo
import torch
from playing import Train, by_decisions
from policy import Policy, save_small, whole_number, win_rate

from nevsky import Ruleset
from nevsky.arena import enter, make_setup, run_arena
from nevsky.arena.intervals import Estimate, share_interval
from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.parameters import Parameters
from nevsky.bots.policy_weights import save_weights
from nevsky.datasets import export
from nevsky.envs.batch import Batch
from nevsky.training.policy.optimizer import read
from nevsky.training.policy.plan import make_policy_plan
from nevsky.training.policy.run import PolicyListener, train_policy
from nevsky.training.policy.updates import Update

RULESET = Ruleset("second", 2)
RIVALS = ("random", "heuristic")
WAYS = ("likeliest", "drawn")
MARKS = 8
"""So often a run is measured, and once before it begins."""
OTHER_DEALS = 1_000_000
"""Added to the seed for what is measured: these games are none of those that are learned from."""
COLUMNS = ("decisions", "games", "seconds", "rivals", "way", "measured", "wins", "low", "high")
NEW_GAME = -1000
Measure = Callable[[int, str, str], Estimate]
"""How often a player wins in so many games, against whom, and in which way it chooses."""


class Plan(NamedTuple):
    """How much is learned and measured; what else decides stands in the programs themselves."""

    decisions: int = 400_000
    """Of ppo, in `batch` games at once against the heuristic policy."""
    replayed: int = 150_000
    """Of dqn, likewise; it learns from each of them about twice, and takes longer for it."""
    batch: int = 128
    cloned: int = 200
    """Games of greedy against novice that clone learns from, in `MARKS` epochs."""
    updates: int = 24
    """Of policy, after `games` games each."""
    games: int = 500
    measured: int = 100
    """Games of each measurement on the way, for each way to choose and each opponent."""
    at_last: int = 500
    """And of the last one."""


class Mark(NamedTuple):
    """A moment of a run: what was learned from so far, and who plays then."""

    decisions: int | None
    games: int
    measure: Measure


Run = Callable[[Plan, int, Path, Path], Iterator[Mark]]
"""Learns by a plan, with a seed, a folder to work in and a path for the player."""


def of_policy(policy: Policy, seed: int) -> Measure:
    """A network as a player."""
    return lambda games, rivals, way: win_rate(policy, RULESET, games, seed + OTHER_DEALS, rivals, drawn=way == WAYS[1])


def of_weights(weights: Sequence[float] | None, temperature: float, seed: int) -> Measure:
    """The heuristic policy with weights as a player, without any search."""

    def measure(games: int, rivals: str, way: str) -> Estimate:
        policy, chooser = HeuristicPolicy(Parameters(), weights), np.random.default_rng(seed)
        batch = Batch(RULESET, games, seed=seed + OTHER_DEALS, opponents=rivals)
        going, shares, actions = np.ones(games, np.bool_), np.zeros(games), np.zeros(games, np.int64)
        while going.any():
            for place in np.flatnonzero(going).tolist():
                position = batch.position(place)
                policy.key = NEW_GAME
                number = policy.appraise(position)
                values = np.array(policy.values[:number])
                if way == WAYS[1]:
                    values += temperature * chooser.gumbel(size=number)
                actions[place] = position.legal()[int(values.argmax())]
            batch.step(actions, going)
            ended = going & batch.dones
            shares[ended] = batch.earned[ended]
            going &= ~ended
        return share_interval(shares.tolist())

    return measure


def by_playing(train: Train, amount: Callable[[Plan], int]) -> Run:
    """A run of ppo or dqn, with so many decisions."""

    def run(plan: Plan, seed: int, work: Path, out: Path) -> Iterator[Mark]:
        policy = Policy()
        start = deepcopy(policy)
        batch = Batch(RULESET, plan.batch, seed=seed, reward="score", opponents="heuristic")
        player = of_policy(policy, seed)
        yield Mark(0, 0, player)
        marks, decisions = 1, amount(plan)
        for now in train(policy, batch, by_decisions(decisions), seed):
            while marks < MARKS and now.decisions >= decisions * marks / MARKS:
                yield Mark(now.decisions, now.games, player)
                marks += 1
        save_small(policy, start, out.with_suffix(".pt"))
        yield Mark(now.decisions, now.games, player)

    return run


def by_cloning(plan: Plan, seed: int, work: Path, out: Path) -> Iterator[Mark]:
    """A run of clone; all runs learn from the same games, in another order and from another start."""
    league, table = work / "league", work / "games.parquet"
    if not table.exists():
        setup = make_setup(enter(["greedy", "novice"]), RULESET, games=plan.cloned, seed="clone", records=True)
        run_arena(setup, directory=league, jobs=1)
        export([league], table, observations=True, jobs=1)
    _, learned, _ = clone.read(table, "greedy")
    policy = Policy()
    start = deepcopy(policy)
    games = learned["game"].n_unique()
    yield Mark(0, 0, of_policy(policy, seed))
    for epoch, _ in enumerate(clone.learn(policy, learned, MARKS, seed), 1):
        if epoch == MARKS:
            save_small(policy, start, out.with_suffix(".pt"))
        yield Mark(epoch * len(learned), epoch * games, of_policy(policy, seed))


class EnoughError(Exception):
    """A training is to be measured here."""


class Until(PolicyListener):
    """Stops a training after so many updates; it can go on from there."""

    def __init__(self, number: int) -> None:
        self._number = number

    def updated(self, update: Update, total: int) -> None:
        if update.update == self._number:
            raise EnoughError


def by_gradient(plan: Plan, seed: int, work: Path, out: Path) -> Iterator[Mark]:
    """A run of ``nevsky train policy``."""
    home = work / f"policy-{seed}"
    shutil.rmtree(home, ignore_errors=True)  # a training that was interrupted would go on behind the first marks
    whole = make_policy_plan(RULESET.players, plan.updates, plan.games, seed=seed)
    yield Mark(None, 0, of_weights(None, whole.temperature, seed))
    done = 0
    for mark in range(1, MARKS + 1):
        number = -(-whole.updates * mark // MARKS)
        if number > done:
            with suppress(EnoughError):
                train_policy(whole, home, jobs=1, listener=Until(number))
        done = number
        state = read(home / "policy.state", whole)
        assert state is not None
        if mark == MARKS:
            save_weights(out.with_suffix(".weights"), {whole.players: state.average})
        yield Mark(None, number * whole.games, of_weights(state.average, whole.temperature, seed))


LEARNERS: dict[str, Run] = {
    "ppo": by_playing(ppo.train, lambda plan: plan.decisions),
    "dqn": by_playing(dqn.train, lambda plan: plan.replayed),
    "clone": by_cloning,
    "policy": by_gradient,
}


def rows(learner: str, plan: Plan, seed: int, work: Path, out: Path) -> Iterator[list[object]]:
    """The figures of a run; the seconds are those of the processor while it learned."""
    torch.manual_seed(seed)
    seconds = began = 0.0
    for number, mark in enumerate(LEARNERS[learner](plan, seed, work, out)):
        seconds += time.process_time() - began if number else 0.0
        games = plan.at_last if number == MARKS else plan.measured
        for rivals in RIVALS:
            for way in WAYS:
                found = mark.measure(games, rivals, way)
                shares = [round(share, 5) for share in found]
                yield [mark.decisions, mark.games, round(seconds, 1), rivals, way, games, *shares]
        began = time.process_time()


def run(learner: str, plan: Plan, seed: int, work: Path, out: Path) -> None:
    """Write the figures of a run when it is over; one that is there is kept."""
    path = out / f"{learner}-{seed}.csv"
    if path.exists():
        return
    found = []
    for row in rows(learner, plan, seed, work, path):
        found.append(row)
        print(f"{learner}-{seed}", *row, flush=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *found])


def main() -> None:
    options = argparse.ArgumentParser(description="Measure how programs learn.")
    options.add_argument("learners", nargs="+", choices=list(LEARNERS))
    options.add_argument("--seeds", nargs="+", type=whole_number, default=[1, 2, 3])
    options.add_argument("--out", type=Path, required=True, help="where figures and players go")
    options.add_argument("--work", type=Path, required=True, help="where games to learn from and trainings are kept")
    for name, usual in Plan()._asdict().items():
        options.add_argument(f"--{name.replace('_', '-')}", type=whole_number, default=usual)
    chosen = vars(options.parse_args())
    plan = Plan(**{name: chosen[name] for name in Plan._fields})
    for folder in (chosen["out"], chosen["work"]):
        folder.mkdir(parents=True, exist_ok=True)
    for learner in chosen["learners"]:
        for seed in chosen["seeds"]:
            run(learner, plan, seed, chosen["work"], chosen["out"])


if __name__ == "__main__":
    main()
