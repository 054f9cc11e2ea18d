"""Games of a batch can be saved, restored, copied and pickled, and go on as if nothing had been."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nevsky import NevskyError, Ruleset
from nevsky.envs.batch import Batch
from nevsky.envs.frozen import FrozenNetwork
from nevsky.envs.vector import VectorSaintPetersburg
from tests.envs.test_batch import SOME, everything, positions
from tests.envs.test_batch_opponents import layers
from tests.rulesets import CONFIGURATIONS

SETUPS: dict[str, dict[str, Any]] = {
    "all asked": {},
    "heuristic": {"opponents": "heuristic", "learner": "random"},
    "master": {"opponents": "master-policy", "reward": "score", "auto": False},
    "two learn": {"opponents": "random", "learners": (0, 1)},
    "network": {"opponents": FrozenNetwork(layers(6), "tanh", sample=True), "learner": 1},
}
usual = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def run(batch: Batch, steps: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(steps):
        actions = batch.sample()
        batch.step(actions)
        found.append((actions.tolist(), everything(batch)))
    return [*found, positions(batch)]


def begin(name: str, setup: str, steps: int, games: int = 3) -> Batch:
    batch = Batch(CONFIGURATIONS[name], games, seed=steps, **SETUPS[setup])
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


@usual
@given(
    name=st.sampled_from(SOME),
    setup=st.sampled_from(sorted(SETUPS)),
    steps=st.integers(0, 150),
    after=st.integers(1, 80),
    way=st.sampled_from(["copy", "pickle", "save", "saved and pickled", "copy module"]),
)
def test_what_was_kept_goes_on_in_the_same_way(name: str, setup: str, steps: int, after: int, way: str) -> None:
    batch = begin(name, setup, steps)
    before = everything(batch)
    if way == "copy":
        again = batch.copy()
    elif way == "pickle":
        again = pickle.loads(pickle.dumps(batch))
    elif way == "copy module":
        again = copy.deepcopy(batch)
    else:
        saved = batch.save()
        if way == "saved and pickled":
            saved = pickle.loads(pickle.dumps(saved))
        again = Batch(CONFIGURATIONS[name], 3, seed=99, **SETUPS[setup])
        again.restore(saved)
    assert everything(again) == before
    assert [again.game_seed(i) for i in range(3)] == [batch.game_seed(i) for i in range(3)]
    assert again.seed == batch.seed
    expected = run(batch, after)
    assert run(again, after) == expected
    assert everything(batch) == everything(again) != before


@usual
@given(
    name=st.sampled_from(SOME),
    setup=st.sampled_from(sorted(SETUPS)),
    steps=st.integers(0, 120),
    after=st.integers(1, 60),
    places=st.tuples(st.integers(0, 2), st.integers(0, 2)),
    pickled=st.booleans(),
)
def test_one_game_can_go_back_while_the_others_go_on(
    name: str, setup: str, steps: int, after: int, places: tuple[int, int], pickled: bool
) -> None:
    batch = begin(name, setup, steps)
    source, target = places
    saved = batch.save(source)
    if pickled:
        saved = pickle.loads(pickle.dumps(saved))
    row, mask = batch.observations[source].copy(), batch.masks[source].copy()
    played, shown = [], []
    for _ in range(after):
        actions = batch.sample()
        batch.step(actions)
        played.append(int(actions[source]))
        shown.append(batch.observations[source].copy())
        if batch.numbers[source] > saved.number:
            break  # the learner of the next game may depend on the place
    kept = [batch.observations[i].copy() for i in range(3)]
    batch.restore(saved, target)
    np.testing.assert_array_equal(batch.observations[target], row)
    np.testing.assert_array_equal(batch.masks[target], mask)
    for i in {0, 1, 2} - {target}:
        np.testing.assert_array_equal(batch.observations[i], kept[i])
    only = np.arange(3) == target
    for action, expected in zip(played[:-1], shown[:-1], strict=True):
        batch.step(np.full(3, action), only)
        np.testing.assert_array_equal(batch.observations[target], expected)
    batch.step(np.full(3, played[-1]), only)
    if target == source:
        np.testing.assert_array_equal(batch.observations[target], shown[-1])


def test_the_same_deals_follow_a_game_that_went_back() -> None:
    batch = Batch(Ruleset("second", 2), 2, seed=1)
    saved = batch.save(1)
    seeds = []
    for _ in range(2):
        batch.restore(saved)
        while batch.numbers[1] < 2:
            batch.step(batch.sample(), np.array([False, True]))
        seeds.append((batch.game_seed(1), batch.numbers.tolist()))
    assert seeds == [("1/1/2", [0, 2])] * 2


def test_what_was_saved_stays_as_it_was() -> None:
    batch = begin("all-modules-5", "heuristic", 30)
    saved = batch.save(0)
    first = pickle.dumps(saved)
    for _ in range(40):
        batch.step(batch.sample())
    assert pickle.dumps(saved) == first
    batch.restore(saved)
    batch.step(batch.sample())
    assert pickle.dumps(saved) == first


def test_a_search_can_try_a_decision_in_many_ways() -> None:
    batch = Batch(Ruleset("second", 2), 1, seed=3, opponents="heuristic", learner=0)
    legal = batch.legal[0, : batch.legal_counts[0]].tolist()
    tries = Batch(Ruleset("second", 2), len(legal), seed=9, opponents="heuristic", learner=0)
    for place in range(len(legal)):
        tries.restore(batch.save(0), place)
    tries.step(legal)
    for place, action in enumerate(legal):
        one = batch.copy()
        one.step([action])
        np.testing.assert_array_equal(tries.observations[place], one.observations[0])


def test_saved_games_are_small() -> None:
    batch = begin("second-4", "heuristic", 200)
    assert len(pickle.dumps(batch.save(0))) < 12_000


def test_a_pickle_needs_no_file_of_weights(tmp_path: Any) -> None:
    from nevsky.bots.policy_weights import MASTER_WEIGHTS

    file = tmp_path / "mine.weights"
    file.write_bytes(MASTER_WEIGHTS.read_bytes())
    batch = Batch(players=2, games=2, seed=1, opponents=file)
    kept = pickle.dumps(batch)
    file.unlink()
    assert run(pickle.loads(kept), 20) == run(batch, 20)


def test_gymnasiums_vector_can_be_pickled_with_its_batch() -> None:
    env = VectorSaintPetersburg(2, players=2, opponents="heuristic")
    env.reset(seed=1)
    again: VectorSaintPetersburg = pickle.loads(pickle.dumps(env))
    for _ in range(30):
        actions = env.batch.sample()
        np.testing.assert_array_equal(env.step(actions)[0]["observation"], again.step(actions)[0]["observation"])


def test_what_does_not_fit_gets_a_sentence() -> None:
    batch = Batch(Ruleset("second", 3), 2, seed=1)
    against = Batch(Ruleset("second", 3), 2, seed=1, opponents="random")
    cases: list[tuple[Any, int | None, str]] = [
        (Batch(Ruleset("second", 2), 2, seed=1).save(0), None, "another ruleset"),
        (Batch(Ruleset("second", 2), 2, seed=1).save(), None, "another ruleset"),
        (Batch(Ruleset("second", 3), 3, seed=1).save(), None, "saved games is 3, and that of the batch 2"),
        (batch.save(), 1, "saved games is 2"),
        (batch.save(0), 2, "games go from 0 to 1"),
        (Batch(Ruleset("second", 3), 3, seed=1).save(2), None, "games go from 0 to 1"),
        (against.save(0), None, "saved game is 2, and in this batch 0"),
        ("a game", None, "what save"),
    ]
    before = everything(batch)
    for saved, place, words in cases:
        with pytest.raises(NevskyError, match=words):
            batch.restore(saved, place)
        assert everything(batch) == before
    with pytest.raises(NevskyError, match="games go from 0 to 1"):
        batch.save(2)
