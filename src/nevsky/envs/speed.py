"""Decisions a second of all environments, and of other people's games beside them, measured in one run."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, TypeAlias

import nevsky
from nevsky.bench import calibration
from nevsky.errors import NevskyError
from nevsky.extras import needing
from nevsky.rules.ruleset import Ruleset

__all__ = ["BATCHES", "SHARED", "run"]

BATCHES: Final = (1, 64, 256, 1024)
"""How many games the batches that are measured have."""
SHARED: Final = BATCHES[1:]
"""Those of them that several threads share."""
_THREADS: Final = 2
_CLASSICS: Final = {"tic-tac-toe": "tictactoe-v3", "connect four": "connect_four-v3", "chess": "chess-v6"}
_ROUNDS: Final = 3
_CHUNK: Final = 16
_WARM_UP: Final = 100
"""Steps before the measuring, after which the games are spread over all phases."""

Work: TypeAlias = Callable[[], int]
"""Does a little and tells how many decisions that were."""


def run(seconds: float, ruleset: Ruleset) -> dict[str, Any]:
    """Everything ``nevsky bench envs`` shows. All take turns several times, and the best time of each counts."""
    if not (math.isfinite(seconds) and seconds > 0):
        raise NevskyError("bench.seconds", seconds=seconds)
    works, missing = _prepare(ruleset)
    best = dict.fromkeys(works, 0.0)
    for _ in range(_ROUNDS):
        for name, work in works.items():
            best[name] = max(best[name], _rate(work, seconds / _ROUNDS))
    found: dict[str, Any] = {
        "version": nevsky.__version__,
        "compiled": nevsky.COMPILED,
        "calibration": calibration(min(seconds, 0.5)),
        "ruleset": ruleset.to_dict(),
        "decisions_per_second": best,
        "missing": missing,
    }
    gains = {str(games): best[_batch_name(games, _THREADS)] / best[_batch_name(games)] for games in SHARED}
    found["threads"] = {"threads": _THREADS, "ratio": gains}
    single = best.get("PettingZoo")
    if single:
        found["ratio"] = {str(games): best[_batch_name(games)] / single for games in BATCHES}
    return found


def _rate(work: Work, seconds: float) -> float:
    done = 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        done += work()
    return done / elapsed


def _batch_name(games: int, threads: int = 1) -> str:
    name = "batch of 1 game" if games == 1 else f"batch of {games:,} games"
    return name if threads == 1 else f"{name}, {threads} threads"


def _prepare(ruleset: Ruleset) -> tuple[dict[str, Work], dict[str, str]]:
    """What can be measured here, and a sentence for each thing that cannot."""
    with needing("envs", __name__):
        import numpy  # noqa: F401
    works: dict[str, Work] = {}
    for games in BATCHES:  # with one thread and with several one after the other, as other work comes and goes
        for threads in (1, _THREADS) if games in SHARED else (1,):
            works[_batch_name(games, threads)] = _batch(ruleset, games, threads)
    missing: dict[str, str] = {}
    makers: dict[str, Callable[[], Work]] = {
        f"Gymnasium vector of {BATCHES[-1]:,} games": lambda: _vector(ruleset),
        "PettingZoo": lambda: _pettingzoo(ruleset),
        "OpenSpiel": lambda: _openspiel(_own_game(ruleset)),
        **{f"PettingZoo's {name}": _classic(id_) for name, id_ in _CLASSICS.items()},
        "OpenSpiel's backgammon": lambda: _openspiel("backgammon"),
    }
    for name, make in makers.items():
        try:
            works[name] = make()
        except (ImportError, LookupError, RuntimeError) as error:
            package = getattr(error, "name", None)
            missing[name] = f"{package or error} is not installed." if package else f"It cannot be made: {error}."
    return works, missing


def _batch(ruleset: Ruleset, games: int, threads: int) -> Work:
    from nevsky.envs.batch import Batch

    batch = Batch(ruleset, games, seed=1, threads=threads)
    for _ in range(_WARM_UP):
        batch.step(batch.sample())

    def work() -> int:
        batch.step(batch.sample())
        return games

    return work


def _vector(ruleset: Ruleset) -> Work:
    from nevsky.envs.vector import VectorSaintPetersburg

    env = VectorSaintPetersburg(BATCHES[-1], ruleset, copy=False)
    env.reset(seed=1)

    def work() -> int:
        env.step(env.batch.sample())
        return env.num_envs

    return work


def _pettingzoo(ruleset: Ruleset) -> Work:
    from nevsky.envs.pettingzoo import env

    return _agents(env(ruleset=ruleset))


def _classic(id_: str) -> Callable[[], Work]:
    def make() -> Work:
        import pettingzoo

        try:
            if hasattr(pettingzoo, "make"):  # from 1.27 on
                env = pettingzoo.make("aec", f"classic/{id_}")
            else:
                env = import_module(f"pettingzoo.classic.{id_.replace('-', '_')}").env()
        except Exception as error:
            if isinstance(error.__cause__, ImportError):  # a library that only this game needs
                raise error.__cause__ from None
            raise
        return _agents(env)

    return make


def _agents(env: Any) -> Work:
    """As PettingZoo's own benchmark goes about it: look, choose at random what the mask allows, step."""
    import numpy as np

    chance = random.Random(1)  # noqa: S311
    env.reset(seed=1)

    def work() -> int:
        for _ in range(_CHUNK):
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.reset()
                continue
            env.step(chance.choice(np.flatnonzero(observation["action_mask"]).tolist()))
        return _CHUNK

    return work


def _own_game(ruleset: Ruleset) -> str:
    """Our game in the words of OpenSpiel."""
    from nevsky.envs.openspiel import SHORT_NAME

    modules = "".join(f"{module}/" for module in ruleset.modules)
    choices = f"edition={ruleset.edition},players={ruleset.players},market={ruleset.market}"
    return f"{SHORT_NAME}({choices},modules={modules})" if modules else f"{SHORT_NAME}({choices})"


def _openspiel(name: str) -> Work:
    """Moves of players; chance acts in between. What a player is shown are its legal moves and the tensor."""
    import pyspiel

    chance = random.Random(1)  # noqa: S311
    game = pyspiel.load_game(name)
    state = game.new_initial_state()

    def work() -> int:
        nonlocal state
        done = 0
        while done < _CHUNK:
            if state.is_terminal():
                state = game.new_initial_state()
            elif state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, chances)[0])
            else:
                state.observation_tensor(state.current_player())
                state.apply_action(chance.choice(state.legal_actions()))
                done += 1
        return done

    return work
