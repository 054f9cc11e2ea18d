"""Gymnasium's vector API: its wrappers work, and the games are those of the batch inside."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from nevsky import NevskyError, Ruleset
from nevsky.envs.batch import Batch
from nevsky.envs.observing import action_space, observation_space
from nevsky.envs.registration import GYMNASIUM_ID, register_envs
from nevsky.envs.vector import VectorSaintPetersburg

RULESETS = [Ruleset("second", 2), Ruleset("second", 5, market=True, modules=(1, 2, 3, 4, 5, 6))]


def legal_actions(observation: dict[str, Any], rng: np.random.Generator) -> Any:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in observation["action_mask"]])


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("opponents", ["random", "heuristic"])
def test_steps_are_those_of_the_batch(ruleset: Ruleset, opponents: str) -> None:
    env = VectorSaintPetersburg(3, ruleset, opponents=opponents, reward="score", seat="rotating")
    batch = Batch(ruleset, 3, seed=5, opponents=opponents, reward="score")
    rng = np.random.default_rng(1)
    observation, infos = env.reset(seed=5)
    ended = 0
    while ended < 4:
        assert env.observation_space.contains(observation)
        assert infos["seat"].tolist() == batch.learners.tolist()
        np.testing.assert_array_equal(observation["observation"], batch.observations)
        np.testing.assert_array_equal(observation["action_mask"], batch.masks)
        actions = legal_actions(observation, rng)
        learners = batch.learners.tolist()
        batch.step(actions)
        observation, rewards, terminations, truncations, infos = env.step(actions)
        assert (rewards.shape, terminations.shape, truncations.shape) == ((3,), (3,), (3,))
        assert rewards.tolist() == batch.earned.tolist()
        assert terminations.tolist() == batch.dones.tolist()
        assert not truncations.any()
        assert ("final_obs" in infos) == bool(terminations.any())
        for i in np.flatnonzero(terminations):
            ended += 1
            assert infos["_final_obs"].tolist() == terminations.tolist()
            assert env.single_observation_space.contains(infos["final_obs"][i])
            np.testing.assert_array_equal(infos["final_obs"][i]["observation"], batch.final_observations[i])
            final = infos["final_info"]
            assert final["seat"][i] == learners[i]
            assert final["scores"][i].tolist() == batch.scores[i].tolist()
            assert final["points"][i] == batch.scores[i, learners[i]]
    env.close()


def test_what_gymnasium_asks_of_a_vector() -> None:
    env = VectorSaintPetersburg(4, players=3)
    assert isinstance(env, VectorEnv)
    assert env.num_envs == 4
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.single_observation_space == observation_space()
    assert env.single_action_space == action_space()
    assert env.action_space.contains(env.batch.sample())
    env.close()


def test_it_is_found_by_its_id() -> None:
    register_envs()
    env = gymnasium.make_vec(GYMNASIUM_ID, num_envs=3, players=2, opponents="heuristic")
    assert isinstance(env.unwrapped, VectorSaintPetersburg)
    observation, _ = env.reset(seed=1)
    assert observation["observation"].shape[0] == 3
    env.close()


@pytest.mark.skipif(
    tuple(map(int, gymnasium.__version__.split(".")[:2])) < (1, 4),
    reason="Gymnasium's own statistics know games that follow in the same step from 1.4 on",
)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_statistics_of_whole_games(ruleset: Ruleset) -> None:
    env = DictInfoToList(RecordEpisodeStatistics(VectorSaintPetersburg(4, ruleset)))
    rng = np.random.default_rng(1)
    observation, _ = env.reset(seed=2)
    lengths = np.zeros(4, int)
    seen = 0
    while seen < 5:
        observation, rewards, terminations, _, infos = env.step(legal_actions(observation, rng))
        lengths += 1
        for i in np.flatnonzero(terminations):
            assert infos[i]["episode"]["l"] == lengths[i]
            assert infos[i]["episode"]["r"] == pytest.approx(rewards[i])
            lengths[i] = 0
            seen += 1
    env.close()


def play(env: VectorSaintPetersburg, seed: int | None) -> list[bytes]:
    rng = np.random.default_rng(0)
    observation, _ = env.reset(seed=seed)
    found = []
    for _ in range(40):
        observation, *_ = env.step(legal_actions(observation, rng))
        found.append(observation["observation"].tobytes())
    return found


def test_seeds_repeat_games_and_the_games_after_them() -> None:
    one, other = VectorSaintPetersburg(2, players=2), VectorSaintPetersburg(2, players=2)
    assert play(one, 7) == play(other, 7)
    first, second = play(one, None), play(other, None)
    assert first == second
    assert first != play(one, None)
    assert play(one, 7) != play(other, 8)


def test_observations_stay_as_they_were_unless_asked_otherwise() -> None:
    for copy in (True, False):
        env = VectorSaintPetersburg(2, players=2, copy=copy)
        observation, _ = env.reset(seed=1)
        before = observation["observation"].tobytes()
        env.step(env.batch.sample())
        assert (observation["observation"].tobytes() == before) is copy


def test_an_illegal_action_raises_or_is_refused() -> None:
    env = VectorSaintPetersburg(3, players=2)
    with pytest.raises(NevskyError, match=r"call reset\(\) first"):
        env.step(np.zeros(3, np.int64))
    before, _ = env.reset(seed=1)
    actions = env.batch.sample()
    actions[1] = np.flatnonzero(before["action_mask"][1] == 0)[0]
    with pytest.raises(NevskyError, match=f"^Game 1: action {actions[1]}"):
        env.step(actions)
    np.testing.assert_array_equal(env.batch.observations, before["observation"])
    refusing = VectorSaintPetersburg(3, players=2, illegal="refuse")
    refusing.reset(seed=1)
    for wrong in (actions[1], -1, 10**9):
        actions = refusing.batch.sample()
        actions[1] = wrong
        after, rewards, terminations, _, infos = refusing.step(actions)
        assert infos["refused"].tolist() == [False, True, False]
        np.testing.assert_array_equal(after["observation"][1], before["observation"][1])
        assert not np.array_equal(after["observation"][0], before["observation"][0])
        assert not rewards.any()
        assert not terminations.any()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"opponents": "hard"}, "choose random, heuristic or master-policy"),
        ({"opponents": None, "seat": 1}, "needs opponents"),
        ({"learners": (0, 2), "seat": 1}, "not both"),
        ({"threads": 0}, "threads is a whole number from 1"),
        ({"seat": 9}, "seat from 0 to"),
        ({"illegal": "ignore"}, "choose raise or refuse"),
        ({"copy": "yes"}, "copy is true or false"),
        ({"render_mode": "human"}, "not drawn"),
        ({"colour": "red"}, "no option colour"),
    ],
)
def test_bad_options_get_a_sentence(options: dict[str, Any], words: str) -> None:
    with pytest.raises(NevskyError, match=words):
        VectorSaintPetersburg(**{"num_envs": 2, **options})


def test_every_game_can_have_a_seed_of_its_own() -> None:
    env = VectorSaintPetersburg(3, players=2, seat=0)
    first, _ = env.reset(seed=[5, 6, 5])
    rows = first["observation"]
    assert np.array_equal(rows[0], rows[2]) and not np.array_equal(rows[0], rows[1])
    again, _ = env.reset(seed=[6, 5, 7])
    assert np.array_equal(again["observation"][:2], rows[1::-1])
    assert env.batch.game_seed(1) == "5/0/0" and env.batch.seed == (6, 5, 7)
    env.reset(seed=np.array([1, 2, 3]).tolist())
    with pytest.raises(NevskyError, match=r"one for each \(here 3\), not 2"):
        env.reset(seed=[1, 2])


def test_masks_are_told_under_the_name_that_others_ask_for() -> None:
    env = VectorSaintPetersburg(3, players=2, flat=True)
    with pytest.raises(NevskyError, match="reset"):
        env.action_masks()
    rows, _ = env.reset(seed=1)
    assert rows in env.observation_space
    assert env.action_masks().dtype == np.bool_ and np.array_equal(env.action_masks(), env.batch.masks != 0)
    rows, *_ = env.step(env.batch.sample())
    assert np.array_equal(rows, env.batch.observations)


def test_bad_resets_get_a_sentence() -> None:
    env = VectorSaintPetersburg(2)
    with pytest.raises(NevskyError, match="seed"):
        env.reset(seed=-3)
    with pytest.raises(NevskyError, match="no option reset_mask"):
        env.reset(options={"reset_mask": np.array([True, False])})


def test_several_seats_can_learn_against_networks_on_several_threads() -> None:
    options: dict[str, Any] = {"opponents": ["master-policy", "heuristic"], "learners": (0, 2), "reward": "score"}
    env = VectorSaintPetersburg(4, players=4, threads=2, **options)
    batch = Batch(players=4, games=4, seed=3, **options)
    _, infos = env.reset(seed=3)
    seen: set[int] = set()
    ended = 0
    while ended < 4:
        assert infos["seat"].tolist() == batch.seats.tolist()
        seen |= set(infos["seat"].tolist())
        actions, asked = batch.sample(), batch.seats.copy()
        batch.step(actions)
        observation, rewards, terminations, _, infos = env.step(actions)
        np.testing.assert_array_equal(observation["observation"], batch.observations)
        assert rewards.tolist() == batch.earned.tolist()
        for i in np.flatnonzero(terminations):
            ended += 1
            assert infos["final_info"]["seat"][i] == asked[i]
            assert infos["final_info"]["points"][i] == batch.scores[i, asked[i]]
    assert seen == {0, 2}


def test_without_opponents_every_seat_is_asked() -> None:
    env = VectorSaintPetersburg(2, players=3, opponents=None)
    _, infos = env.reset(seed=1)
    seen = set(infos["seat"].tolist())
    for _ in range(20):
        *_, infos = env.step(env.batch.sample())
        seen |= set(infos["seat"].tolist())
    assert seen == {0, 1, 2}
