"""The environment for PettingZoo: its own tests, whole games of every ruleset, secrets and seeds."""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import pickle
import random
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest

from nevsky import ACTIONS, Game, NevskyError, Ruleset, redeal
from nevsky.envs.drawing import draw_game
from nevsky.envs.pettingzoo import env, raw_env
from tests.envs.playing import choose, elsewhere, play, some_games
from tests.modules.test_pick_pocket import unseen
from tests.rulesets import CONFIGURATIONS

with warnings.catch_warnings():  # PettingZoo's tests import a game of its own in a way that it warns of
    warnings.simplefilter("ignore", DeprecationWarning)
    theirs: Any = importlib.import_module("pettingzoo.test")

SAMPLED = ["first-2", "second-4", "market-5", "module-1", "module-2-market", "all-modules-3"]

pytestmark = [  # what the test says about every environment with masks that is not one of PettingZoo's own
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]


@pytest.mark.parametrize("configuration", SAMPLED)
@pytest.mark.parametrize("illegal", ["raise", "lose"])
def test_pettingzoos_test_of_the_interface(configuration: str, illegal: str) -> None:
    theirs.api_test(env(ruleset=CONFIGURATIONS[configuration], illegal=illegal), num_cycles=100)


OPTIONS: dict[str, Any] = {"memory": True, "actions": "ruleset", "shaping": "share", "discount": 0.9}


@pytest.mark.parametrize("configuration", ["second-2", "all-modules-3"])
@pytest.mark.parametrize("illegal", ["raise", "lose"])
def test_pettingzoos_test_of_the_interface_with_all_options(configuration: str, illegal: str) -> None:
    theirs.api_test(env(ruleset=CONFIGURATIONS[configuration], illegal=illegal, **OPTIONS), num_cycles=100)


@pytest.mark.parametrize("configuration", SAMPLED)
def test_pettingzoos_test_of_seeds(configuration: str) -> None:
    theirs.seed_test(lambda: env(ruleset=CONFIGURATIONS[configuration]), num_cycles=60)
    theirs.seed_test(lambda: env(ruleset=CONFIGURATIONS[configuration], **OPTIONS), num_cycles=60)


@pytest.mark.parametrize("configuration", ["second-2", "all-modules-5"])
def test_pettingzoos_test_of_drawing(configuration: str, capsys: pytest.CaptureFixture[str]) -> None:
    ruleset = CONFIGURATIONS[configuration]
    theirs.render_test(
        lambda render_mode: env(ruleset=ruleset, render_mode=render_mode), {"ansi": lambda text: "Row 1" in text}
    )
    assert "Your turn" in capsys.readouterr().out


def test_pettingzoos_benchmark(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With a clock on which its five seconds are over after a thousand looks at it."""
    module = importlib.import_module("pettingzoo.test.performance_benchmark")
    ticks = itertools.count()
    monkeypatch.setattr(module.time, "time", lambda: next(ticks) / 200)
    theirs.performance_benchmark(env(players=3))
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_whole_games_of_every_ruleset(configuration: str) -> None:
    ruleset = CONFIGURATIONS[configuration]
    for reward in ("win", "score"):
        table: Any = env(ruleset=ruleset, reward=reward)
        table.reset(seed=11)
        game = table.unwrapped.game
        got = play(table, random.Random(3))
        assert not table.agents
        assert game.over
        totals = [entry.total for entry in game.result.final]
        for seat, agent in enumerate(table.possible_agents):
            if reward == "win":
                assert got[agent] == (1 / len(game.result.winners) if seat in game.result.winners else 0)
            else:
                assert got[agent] * 100 == pytest.approx(totals[seat] - max(totals[:seat] + totals[seat + 1 :]))
        if reward == "win":
            assert sum(got.values()) == pytest.approx(1)


def test_a_seed_gives_the_deal_that_it_gives_everywhere() -> None:
    table = raw_env(players=3)
    table.reset(seed=7)
    game = Game(Ruleset("second", 3), 7, auto=True)
    assert table.game is not None
    assert table.game.state() == game.state()
    assert table.agent_selection == f"player_{game.to_move}"
    observation = table.observe(table.agent_selection)
    assert np.flatnonzero(observation["action_mask"]).tolist() == sorted(game.legal_ids)


def test_deals_without_a_seed_follow_from_the_last_one() -> None:
    deals = []
    for _ in range(2):
        table = raw_env(players=2)
        table.reset(seed=5)
        for _ in range(3):
            table.reset()
            assert table.game is not None
            deals.append(table.game.piles)
    assert deals[:3] == deals[3:]
    assert deals[0] != deals[1] != deals[2]
    fresh = [raw_env(players=2), raw_env(players=2)]
    for table in fresh:
        table.reset()
    assert fresh[0].game is not None and fresh[1].game is not None
    assert fresh[0].game.piles != fresh[1].game.piles


def test_without_auto_every_decision_is_shown() -> None:
    seen = {True: 0, False: 0}
    for auto in seen:
        table = raw_env(players=2, auto=auto)
        table.reset(seed=2)
        rng = random.Random(4)
        while not all(table.terminations.values()):
            observation = table.observe(table.agent_selection)
            seen[auto] += int(observation["action_mask"].sum()) == 1
            table.step(choose(observation, rng))
    assert seen[True] == 0
    assert seen[False] > 0


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_nobody_observes_what_the_seat_may_not_know(configuration: str) -> None:
    """Everything hidden is dealt anew, and every observation, mask included, stays the same to the bit."""
    ruleset = CONFIGURATIONS[configuration]
    table = raw_env(ruleset)
    changed = 0
    for number, game in enumerate(some_games(ruleset, 8)):
        if game.over:
            continue
        for seat, agent in enumerate(table.possible_agents):
            table.game = game
            before = table.observe(agent)
            table.game = redeal(game.view(seat), number)
            after = table.observe(agent)
            changed += table.game.state() != game.state()
            for key in before:
                assert before[key].tobytes() == after[key].tobytes()
    assert changed > 0


def test_a_secret_question_shows_in_no_observation_of_others() -> None:
    """Whoever is asked about a Pick Pocket drawn unseen, to all others the start player's turn has come (12.2)."""
    game = unseen(piles={})
    table = raw_env(game.ruleset)
    for seat, agent in enumerate(table.possible_agents):
        view = game.view(seat)
        assert (view.to_move == game.to_move) == (seat == game.to_move)
        table.game = game
        before = table.observe(agent)
        table.game = redeal(view, 3)
        after = table.observe(agent)
        assert all(before[key].tobytes() == after[key].tobytes() for key in before)
        legal = [ACTIONS[number].text for number in np.flatnonzero(before["action_mask"])]
        assert sorted(legal) == sorted(view.legal)
        if seat != game.to_move:
            table.game = game.copy()
            table.game.push("pass")
            assert all(before[key].tobytes() == table.observe(agent)[key].tobytes() for key in before)


def hidden_anew(game: Game, rng: random.Random) -> Game:
    """The same game, with the cards that are still in the piles in another order."""
    piles = game.piles
    for pile, left in game.view(None).piles.items():
        cards = piles[pile][len(piles[pile]) - left :]
        rng.shuffle(cards)
        piles[pile][len(piles[pile]) - left :] = cards
    other = Game.from_piles(game.ruleset, piles, game.tokens, auto=True, **game.deal)
    for action, auto in game.moves:
        if not auto:
            other.push(action)
    return other


@pytest.mark.parametrize("configuration", ["second-2", "market-3", "all-modules-4"])
def test_a_drawing_shows_what_the_seat_may_know(configuration: str) -> None:
    ruleset = CONFIGURATIONS[configuration]
    rng = random.Random(6)
    drawn = 0
    for game in some_games(ruleset, 8, 120):
        if game.over:
            continue
        other = hidden_anew(game, rng)
        seat = game.to_move
        assert seat is not None
        text = draw_game(game, seat)
        assert text == draw_game(other, seat)
        assert text.count("rubles hidden") == ruleset.players - 1
        drawn += other.state() != game.state()
    assert drawn > 0


def test_choices_are_drawn_with_the_ids_of_their_actions() -> None:
    table = raw_env(players=2, render_mode="ansi")
    table.reset(seed=7)
    text = table.render()
    assert table.game is not None and text is not None
    choices = text.partition("Your turn")[2]
    for action in table.game.legal_actions:
        assert f" {action.id}  buy " in choices
    rng = random.Random(1)
    while not table.game.over:
        table.step(choose(table.observe(table.agent_selection), rng))
    assert "Final scoring" in str(table.render())


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    table: Any = env(players=2)
    table.reset(seed=1)
    raw = table.unwrapped
    before = (raw.game.state(), raw.agent_selection, dict(raw.rewards), dict(raw.infos))
    mask = table.observe(table.agent_selection)["action_mask"]
    for action in (int(np.flatnonzero(mask == 0)[0]), len(ACTIONS), -1, None, "pass", 1.0, True):
        with pytest.raises(NevskyError, match=r"\.$"):
            table.step(action)
        assert (raw.game.state(), raw.agent_selection, dict(raw.rewards), dict(raw.infos)) == before
    table.step(int(np.flatnonzero(mask)[0]))
    assert raw.game.state() != before[0]


def test_an_illegal_action_may_also_lose_the_game() -> None:
    table: Any = env(players=3, illegal="lose")
    table.reset(seed=1)
    loser = table.agent_selection
    mask = table.observe(loser)["action_mask"]
    table.step(int(np.flatnonzero(mask == 0)[0]))
    got = {}
    for agent in table.agent_iter():
        _, reward, terminated, _, _ = table.last()
        assert terminated
        got[agent] = reward
        table.step(None)
    assert got == {agent: -1 if agent == loser else 0 for agent in table.possible_agents}


def test_calls_out_of_order_get_a_sentence() -> None:
    table = raw_env(players=2)
    for call in (lambda: table.step(0), lambda: table.observe("player_0")):
        with pytest.raises(NevskyError, match="call reset"):
            call()
    table.reset(seed=1)
    with pytest.raises(NevskyError, match="There is no agent 'player_2'"):
        table.observe("player_2")
    with pytest.raises(NevskyError, match="render_mode"):
        table.render()
    with pytest.raises(NevskyError, match="A seed is"):
        table.reset(seed=-4)


FINGERPRINT = """
import hashlib, random
from nevsky.envs.pettingzoo import env
from tests.envs.playing import choose
table = env(players=4, market=True, modules="1,2,3,4,5,6", reward="score")
table.reset(seed=99)
found = hashlib.sha256()
rng = random.Random(1)
for _ in range(2):
    for agent in table.agent_iter():
        observation, reward, over, _, info = table.last()
        found.update(observation["observation"].tobytes() + observation["action_mask"].tobytes())
        found.update(f"{agent} {reward} {over} {sorted(info.items())}".encode())
        table.step(None if over else choose(observation, rng))
    table.reset()
print(found.hexdigest())
"""


def test_seeds_reproduce_in_other_processes(capsys: pytest.CaptureFixture[str]) -> None:
    exec(FINGERPRINT, {})
    assert elsewhere(FINGERPRINT) == capsys.readouterr().out.strip()


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has a registry from version 1.27 on")
def test_the_registry_of_pettingzoo_knows_it() -> None:
    made: Any = pettingzoo.make("aec", "nevsky/saint_petersburg_v0", players=2)
    assert str(made.unwrapped) == "saint_petersburg_v0"
    made.reset(seed=1)
    assert made.agents == ["player_0", "player_1"]


def test_it_can_be_pickled() -> None:
    table = raw_env(players=5, market=True, modules=(3,), reward="score", auto=False)
    again = pickle.loads(pickle.dumps(table))
    assert (again.ruleset, again.reward, again.auto) == (table.ruleset, "score", False)
    again = pickle.loads(pickle.dumps(raw_env(players=2, **OPTIONS)))
    again.reset(seed=1)
    assert (
        set(again.last()[0]) == {"observation", "action_mask", "history"} and again.action_space("player_0").n == 1068
    )


def test_infos_may_be_left_out() -> None:
    table = raw_env(players=3, memory=True, infos=False)
    table.reset(seed=3)
    rng = random.Random(3)
    nothing: dict[str, dict[str, Any]] = {agent: {} for agent in table.agents}
    while not any(table.terminations.values()):
        assert table.infos == nothing
        table.step(choose(table.observe(table.agent_selection), rng))
    assert table.infos == nothing
    again = pickle.loads(pickle.dumps(table))
    again.reset(seed=3)
    assert again.infos == nothing


@pytest.mark.skipif(importlib.util.find_spec("torchrl") is None, reason="torchrl is not installed")
@pytest.mark.filterwarnings("ignore")
def test_torchrl_plays_a_game() -> None:
    """Its wrapper makes tensors of infos, and wants the same ones at every step."""
    wrapper = importlib.import_module("torchrl.envs").PettingZooWrapper
    table = wrapper(env(players=2, infos=False), use_mask=True, categorical_actions=True)
    table.set_seed(3)
    game = table.rollout(1000)
    assert bool(game["next", "done"][-1].all())
    got = [float(game["next", agent, "reward"].sum()) for agent in ("player_0", "player_1")]
    assert sum(got) == 1
    with pytest.raises(TypeError):
        wrapper(env(players=2), use_mask=True, categorical_actions=True)
