"""Shaped rewards: whatever is paid on the way adds up to what was there at the start."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nevsky import Game, View, redeal
from nevsky.envs.gymnasium import SaintPetersburgEnv
from nevsky.envs.pettingzoo import env
from nevsky.envs.shaping import POTENTIALS, Shaper
from tests.envs.playing import choose, some_games
from tests.rulesets import CONFIGURATIONS


def hand_and_rubles(view: View) -> float:
    """A potential of a user, which need not be a good one."""
    assert view.seat is not None
    own = view.players[view.seat]
    return 3 + len(own.hand) - (own.rubles or 0) / 7


def potential_of(shaping: Any, game: Game, seat: int) -> float:
    """What the option means."""
    return POTENTIALS[shaping](game, seat) if isinstance(shaping, str) else hand_and_rubles(game.view(seat))


SHAPINGS: list[Any] = [*POTENTIALS, hand_and_rubles]


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=60), st.floats(0.05, 1))
def test_the_discounted_sum_is_minus_the_first_potential(potentials: list[float], discount: float) -> None:
    ahead = iter(potentials)
    shaper = Shaper(lambda _game, _seat: next(ahead), discount)
    game: Any = None
    shaper.begin()
    assert shaper.decides(game, 0) == 0, "nobody is paid for where the game begins"
    paid = [shaper.decides(game, 0) for _ in potentials[1:]] + [shaper.ends(0)]
    assert sum(discount**step * reward for step, reward in enumerate(paid)) == pytest.approx(-potentials[0], abs=1e-6)
    assert shaper.ends(0) == 0, "the end is paid once"


@pytest.mark.parametrize("shaping", SHAPINGS)
@given(st.integers(0, 2**32), st.sampled_from([1.0, 0.9]), st.sampled_from(["second-2", "market-3", "all-modules-3"]))
@settings(max_examples=8, deadline=None)
def test_a_learners_return_is_shifted_by_the_start_alone(
    shaping: Any, seed: int, discount: float, configuration: str
) -> None:
    ruleset = CONFIGURATIONS[configuration]
    plain = SaintPetersburgEnv(ruleset, reward="score")
    shaped = SaintPetersburgEnv(ruleset, reward="score", shaping=shaping, discount=discount)
    observation, _ = plain.reset(seed=seed)
    shaped.reset(seed=seed)
    assert shaped.game is not None
    start = potential_of(shaping, shaped.game, shaped.seat)
    rng, over, step, difference, paid = random.Random(seed), False, 0, 0.0, 0
    while not over:
        action = choose(observation, rng)
        observation, reward, over, _, _ = plain.step(action)
        _, other, over_there, _, _ = shaped.step(action)
        assert over == over_there
        difference += discount**step * (other - reward)
        paid += other != reward
        step += 1
    assert difference == pytest.approx(-start) and paid > 1


@pytest.mark.parametrize("shaping", SHAPINGS)
def test_every_agents_return_is_shifted_by_its_start_alone(shaping: Any) -> None:
    table: Any = env(players=3, reward="win", shaping=shaping, discount=0.95)
    table.reset(seed=4)
    first: dict[str, float] = {}
    steps = dict.fromkeys(table.agents, 0)
    got = dict.fromkeys(table.agents, 0.0)
    rng, game = random.Random(4), table.unwrapped.game
    for agent in table.agent_iter():
        observation, reward, over, _, _ = table.last()
        seat = table.possible_agents.index(agent)
        if agent not in first:
            first[agent] = potential_of(shaping, game, seat)
            assert reward == 0
        else:
            if over:
                reward -= 1 / len(game.result.winners) if seat in game.result.winners else 0
            got[agent] += 0.95 ** (steps[agent] - 1) * reward
        steps[agent] += 1
        table.step(None if over else choose(observation, rng))
    assert got == pytest.approx({agent: -value for agent, value in first.items()})


@pytest.mark.parametrize("kind", ["learner", "table"])
def test_a_forfeited_game_pays_back_as_well(kind: str) -> None:
    if kind == "learner":
        learner = SaintPetersburgEnv(players=2, shaping=hand_and_rubles, illegal="lose")
        learner.reset(seed=3)
        assert learner.game is not None
        start = hand_and_rubles(learner.game.view(learner.seat))
        assert learner.step(5000)[1] == pytest.approx(-1 - start)
        return
    table: Any = env(players=2, shaping=hand_and_rubles, illegal="lose")
    table.reset(seed=3)
    start = hand_and_rubles(table.unwrapped.game.view(table.unwrapped.game.to_move))
    loser = table.agent_selection
    table.step(5000)
    got = {agent: table.unwrapped._cumulative_rewards[agent] for agent in table.possible_agents}
    assert got[loser] == pytest.approx(-1 - start)


def test_a_refused_action_leads_from_a_state_to_itself() -> None:
    learner = SaintPetersburgEnv(players=2, shaping=hand_and_rubles, discount=0.5)
    learner.reset(seed=3)
    assert learner.game is not None
    here = hand_and_rubles(learner.game.view(learner.seat))
    _, reward, over, _, info = learner.step(5000)
    assert reward == pytest.approx(0.5 * here - here) and not over and "refused" in info


@pytest.mark.parametrize("name", POTENTIALS)
@pytest.mark.parametrize("configuration", ["second-3", "all-modules-4"])
def test_no_potential_gives_a_secret_away(name: str, configuration: str) -> None:
    for number, game in enumerate(some_games(CONFIGURATIONS[configuration], 8)):
        if game.over:
            continue
        for seat in range(game.ruleset.players):
            other = redeal(game.view(seat), number)
            assert POTENTIALS[name](other, seat) == POTENTIALS[name](game, seat)


def test_a_lead_and_a_share_are_what_they_say() -> None:
    game = Game(CONFIGURATIONS["second-2"], seed=1)
    assert [potential(game, 0) for potential in POTENTIALS.values()] == [0, 0]
    for position in some_games(CONFIGURATIONS["second-2"], 5):
        leads = [POTENTIALS["lead"](position, seat) for seat in range(2)]
        shares = [POTENTIALS["share"](position, seat) for seat in range(2)]
        assert sum(leads) == pytest.approx(0) and sum(shares) == pytest.approx(0)
        assert (leads[0] > 0) == (shares[0] > 0)
