"""Several threads in one batch: quicker, and otherwise the same."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nevsky import COMPILED, NevskyError, Ruleset
from nevsky.envs.batch import Batch
from nevsky.envs.games import GameRow
from tests.envs.test_batch import SOME, everything, positions
from tests.envs.test_batch_saved import SETUPS
from tests.rulesets import CONFIGURATIONS


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    name=st.sampled_from(SOME),
    setup=st.sampled_from(sorted(SETUPS)),
    games=st.integers(1, 40),
    threads=st.integers(2, 5),
    seed=st.integers(0, 1000),
)
def test_any_number_of_threads_plays_the_same(name: str, setup: str, games: int, threads: int, seed: int) -> None:
    ruleset = CONFIGURATIONS[name]
    one = Batch(ruleset, games, seed=seed, **SETUPS[setup])
    many = Batch(ruleset, games, seed=seed, threads=threads, **SETUPS[setup])
    assert many.threads == min(threads, games)
    assert everything(one) == everything(many)
    for step in range(60):
        actions = one.sample()
        assert (many.sample() == actions).all()
        only = np.arange(games) % 3 != step % 3 if step % 4 == 0 else None
        one.step(actions, only)
        many.step(actions, only)
    assert everything(one) == everything(many)
    assert positions(one) == positions(many)
    assert everything(many.copy()) == everything(one)


def test_an_illegal_action_changes_nothing_on_any_thread() -> None:
    batch = Batch(Ruleset("second", 2), 50, seed=1, threads=2)
    before = everything(batch)
    actions = batch.sample()
    actions[49] = -1
    with pytest.raises(NevskyError, match=r"^Game 49"):
        batch.step(actions)
    assert everything(batch) == before


def helpers() -> int:
    return sum(thread.name.startswith("nevsky-batch") for thread in threading.enumerate())


def left_after_a_while(before: int) -> int:
    gc.collect()
    until = time.monotonic() + 20
    while helpers() > before and time.monotonic() < until:
        time.sleep(0.01)
    return helpers()


def test_threads_end_with_their_batch() -> None:
    gc.collect()
    before = helpers()
    batch = Batch(Ruleset("second", 2), 8, seed=1, threads=3)
    assert helpers() == before + (2 if COMPILED else 0)
    del batch
    assert left_after_a_while(before) == before


@pytest.mark.skipif(not COMPILED, reason="uncompiled there are no threads")
def test_a_thread_that_cannot_be_started_is_told_and_the_others_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(name: str, **options: Any) -> threading.Thread:
        if name == "nevsky-batch-3":
            raise RuntimeError("can't start new thread")
        return threading.Thread(name=name, **options)

    monkeypatch.setattr("nevsky.envs.games.Thread", start)
    gc.collect()
    before = helpers()
    with pytest.raises(RuntimeError, match="can't start"):
        Batch(Ruleset("second", 2), 20, seed=1, threads=5)
    assert left_after_a_while(before) == before


def test_other_threads_of_python_may_use_a_batch_too() -> None:
    batch = Batch(Ruleset("second", 2), 64, seed=1, opponents="heuristic")
    failures: list[BaseException] = []

    def look() -> None:
        try:
            for _ in range(30):
                batch.restore(batch.save(5), 6)
                batch.position(3).legal()
        except BaseException as error:
            failures.append(error)

    others = [threading.Thread(target=look) for _ in range(2)]
    for other in others:
        other.start()
    for _ in range(20):
        batch.restore(batch.save())
        with suppress(NevskyError):  # a game may be restored between both calls
            batch.step(batch.sample())
    for other in others:
        other.join()
    assert not failures


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_has_threads_of_its_own() -> None:
    batch = Batch(Ruleset("second", 2), 8, seed=1, threads=2)
    expected = batch.copy()
    expected.step(expected.sample())
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        batch.step(batch.sample())
        os._exit(0 if everything(batch) == everything(expected) else 1)
    _, status = os.waitpid(child, 0)
    assert status == 0


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_failure_on_any_thread_is_told_after_all_have_ended(threads: int) -> None:
    batch = Batch(Ruleset("second", 2), 20, seed=1, threads=threads)
    for place in (3, 17):
        batch._places[place].root = None  # type: ignore[assignment]  # nothing can be dealt from there
        with pytest.raises(TypeError):
            batch._row.deal()
        batch.reset(seed=1)
        assert everything(batch) == everything(Batch(Ruleset("second", 2), 20, seed=1))


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_threads_that_slept_are_woken(threads: int) -> None:
    one, many = (Batch(Ruleset("second", 2), 200, seed=2, threads=several) for several in (1, threads))
    for pause in (0.0, 0.02, 0.0, 0.0, 0.05):
        time.sleep(pause)
        actions = one.sample()
        one.step(actions)
        many.step(actions)
    assert everything(one) == everything(many)


def test_a_row_is_made_of_places_and_croupiers() -> None:
    if COMPILED:
        with pytest.raises(TypeError, match="is no Place"):
            GameRow([None], [])  # type: ignore[list-item]
        with pytest.raises(ValueError, match="needs places"):
            GameRow([], [])
