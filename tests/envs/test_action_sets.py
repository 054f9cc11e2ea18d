"""Actions numbered by what a ruleset needs: the same game, with fewer numbers."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nevsky import ACTIONS, NevskyError, Ruleset
from nevsky.envs.action_sets import action_set
from nevsky.envs.gymnasium import SaintPetersburgEnv
from nevsky.envs.pettingzoo import env
from tests.rulesets import CONFIGURATIONS


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_both_mappings_lead_back(configuration: str) -> None:
    found = action_set(CONFIGURATIONS[configuration])
    assert (found.to_reduced[found.to_full] == np.arange(len(found))).all()
    others = np.setdiff1d(np.arange(len(ACTIONS)), found.to_full)
    assert (found.to_reduced[others] == -1).all() and len(others) + len(found) == len(ACTIONS)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_the_same_game_is_played_in_both_numberings(configuration: str) -> None:
    ruleset = CONFIGURATIONS[configuration]
    full: Any = env(ruleset=ruleset)
    reduced: Any = env(ruleset=ruleset, actions="ruleset")
    mapping = reduced.unwrapped.action_set
    assert reduced.action_space("player_0").n == len(mapping)
    full.reset(seed=5)
    reduced.reset(seed=5)
    rng = random.Random(1)
    for agent in full.agent_iter():
        here, _, over, _, _ = full.last()
        there, reward, over_there, _, _ = reduced.last()
        assert agent == reduced.agent_selection and over == over_there and reward == full.last()[1]
        assert np.array_equal(here["observation"], there["observation"])
        assert there in reduced.observation_space(agent)
        legal = np.flatnonzero(there["action_mask"])
        assert np.array_equal(mapping.to_full[legal], np.flatnonzero(here["action_mask"]))
        number = None if over else int(rng.choice(legal.tolist()))
        reduced.step(number)
        full.step(None if number is None else int(mapping.to_full[number]))
    assert not reduced.agents


def test_a_learner_gets_them_too() -> None:
    learner = SaintPetersburgEnv(players=2, actions="ruleset")
    observation, _ = learner.reset(seed=1)
    assert observation in learner.observation_space and learner.action_space.n == 1068  # type: ignore[attr-defined]
    assert learner.action_masks().shape == (1068,)
    rng, over = random.Random(1), False
    while not over:
        legal = np.flatnonzero(observation["action_mask"])
        observation, _, over, _, info = learner.step(int(rng.choice(legal.tolist())))
        assert "refused" not in info
    assert np.flatnonzero(observation["action_mask"]).tolist() == [0]
    learner.reset(seed=1)
    assert "is not possible now" in learner.step(1067)[4]["refused"]
    assert "ids go from 0 to 1067" in learner.step(1068)[4]["refused"]


@given(st.one_of(st.integers(max_value=-1), st.integers(min_value=1068), st.floats(), st.booleans(), st.none()))
def test_what_is_no_number_of_it_is_refused(action: object) -> None:
    with pytest.raises(NevskyError, match="There is no action"):
        action_set(Ruleset("second", 2)).full(action)


def test_nobody_can_spoil_a_mapping_that_all_share() -> None:
    with pytest.raises(ValueError, match="read-only"):
        action_set(Ruleset("second", 2)).to_full[0] = 1
