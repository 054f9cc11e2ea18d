"""The OpenSpiel game: its searches and its environment for learning."""


# ruff: noqa: E402  (OpenSpiel is not to be had for every Python)

from __future__ import annotations

import random
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")

import numpy as np
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts

from nevsky.cards import KIND
from nevsky.envs.openspiel_rollout import RolloutEvaluator
from tests.envs.openspiel_games import (
    ALL_MODULES,
    course,
    find,
    load,
)


def match(game: Any, bot: Any, seed: int, seat: int = 0) -> float:
    """What a bot gets on one seat, all others playing at random."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, shares)[0])
        elif state.current_player() == seat:
            state.apply_action(bot.step(state))
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return float(state.returns()[seat])


def test_openspiels_mcts_beats_random() -> None:
    game = load("players=2")
    bot = mcts.MCTSBot(game, 1.0, 20, RolloutEvaluator(1, 1), random_state=np.random.RandomState(1))
    assert sum(match(game, bot, seed, seed % 2) for seed in range(2)) == 2


def test_openspiels_ismcts_beats_random() -> None:
    game = load("players=2,actions=ruleset")
    chance = random.Random(1)
    bot = ismcts.ISMCTSBot(game, RolloutEvaluator(1, 1), 1.0, 25, random_state=np.random.RandomState(1))
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, chance.random))
    assert sum(match(game, bot, seed, seed % 2) for seed in range(2)) == 2


@pytest.mark.parametrize("parameters", ["players=2", "players=2,actions=ruleset", "players=3," + ALL_MODULES])
def test_openspiels_bots_play_whole_games(parameters: str) -> None:
    game = load(parameters)
    evaluator = (
        mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)) if game.num_players() == 2 else RolloutEvaluator()
    )
    assert 0 <= match(game, mcts.MCTSBot(game, 1.0, 2, evaluator, random_state=np.random.RandomState(2)), 1) <= 1
    for observations in (False, True):
        bot = ismcts.ISMCTSBot(
            game,
            evaluator,
            1.0,
            2,
            random_state=np.random.RandomState(2),
            use_observation_string=observations,
            allow_inconsistent_action_sets=observations,
        )
        assert 0 <= match(game, bot, 1) <= 1


def test_ismcts_searches_where_the_others_have_secrets() -> None:
    game = load("players=3," + ALL_MODULES)
    bot = ismcts.ISMCTSBot(game, RolloutEvaluator(1, 1), 1.0, 40, random_state=np.random.RandomState(1))
    states = [state.clone() for at, state in enumerate(find(game, KIND["pick_pocket"], 9)) if at % 20 == 0][:4]
    assert states
    for state in states:
        assert bot.step(state) in state.legal_actions()


def test_rollouts_are_random_games() -> None:
    game = load("players=2,reward=score")
    evaluator = RolloutEvaluator(50, 3)
    state = game.new_initial_state()
    values = evaluator.evaluate(state)
    assert values.sum() == pytest.approx(0)
    assert sum(share for _, share in evaluator.prior(state)) == pytest.approx(1)
    assert np.array_equal(RolloutEvaluator(50, 3).evaluate(state), values)
    for end in course(game, 1):
        last = end
    assert evaluator.evaluate(last).tolist() == pytest.approx(last.returns())


def test_openspiels_environment_for_learning_plays_it() -> None:
    environment = rl_environment.Environment(load("players=2"))
    environment.seed(1)
    step = environment.reset()
    rng = random.Random(1)
    while not step.last():
        seat = step.observations["current_player"]
        step = environment.step([rng.choice(step.observations["legal_actions"][seat])])
    assert sum(step.rewards) == pytest.approx(1)
