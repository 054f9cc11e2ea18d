"""What learners can be told beyond one look at the table: what bots know, and nothing that is secret."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from nevsky import ACTIONS, Game, Ruleset
from nevsky.envs.action_sets import action_set
from nevsky.envs.gymnasium import SaintPetersburgEnv
from nevsky.envs.history import HISTORY, History, Seen, history_array
from nevsky.envs.layout import SEAT_SIZE, name_of
from nevsky.envs.observing import Observer
from nevsky.envs.pettingzoo import env
from nevsky.telling import HIDDEN, UNNAMED, Telling
from tests.envs.playing import choose, play, some_games
from tests.modules.test_pick_pocket import unseen
from tests.rulesets import CONFIGURATIONS


@pytest.mark.parametrize("configuration", ["first-3", "second-4", "all-modules-5"])
def test_only_rubles_are_remembered(configuration: str) -> None:
    ruleset = CONFIGURATIONS[configuration]
    plain, remembering = Observer(), Observer(memory=True)
    for game in some_games(ruleset, 6):
        if game.over:
            continue
        for seat in range(ruleset.players):
            before, after = plain.observe(game, seat)["observation"], remembering.observe(game, seat)["observation"]
            changed = {name_of(int(place)).partition(".")[2] for place in np.flatnonzero(before != after)}
            assert changed <= {"rubles", "rubles_known"} and "rubles_known" in changed
            view = game.view(seat, memory=True)
            for i in range(ruleset.players):
                rubles = view.players[(seat + i) % ruleset.players].rubles
                assert rubles is not None and after[i * SEAT_SIZE + 1] * 25 == pytest.approx(rubles)


def test_the_ruleset_stays_what_it_is() -> None:
    learner = SaintPetersburgEnv(players=3, memory=True)
    learner.reset(seed=1)
    assert learner.ruleset == Ruleset("second", 3)
    assert learner.game is not None and not learner.game.ruleset.open_rubles


@pytest.mark.parametrize("configuration", ["second-3", "market-4", "all-modules-3"])
@pytest.mark.parametrize("auto", [True, False])
def test_the_history_is_all_that_happened_since_the_last_decision(configuration: str, auto: bool) -> None:
    table: Any = env(ruleset=CONFIGURATIONS[configuration], memory=True, auto=auto)
    table.reset(seed=2)
    game, rng, players = table.unwrapped.game, random.Random(3), table.max_num_agents
    last = dict.fromkeys(table.agents, 0)
    for agent in table.agent_iter():
        observation, _, over, _, info = table.last()
        if over:
            table.step(None)
            continue
        assert observation in table.observation_space(agent)
        seat, telling = table.possible_agents.index(agent), Telling(game)
        known = [facts for facts in telling.moves[last[agent] :] if telling.secrecy(facts, seat) != HIDDEN]
        wanted = [
            (facts.move.seat, None if telling.secrecy(facts, seat) == UNNAMED else facts.move.action) for facts in known
        ]
        assert [(entry["seat"], entry["action"]) for entry in info["since"]] == [
            (who, None if action is None else action.text) for who, action in wanted
        ]
        rows = [[(who - seat) % players, -1 if action is None else action.id] for who, action in wanted[-HISTORY:]]
        assert observation["history"][: len(rows)].tolist() == rows
        assert (observation["history"][len(rows) :] == -1).all()
        last[agent] = game.made + 1
        table.step(choose(observation, rng))


def test_what_is_chosen_in_secret_stays_secret() -> None:
    ruleset = CONFIGURATIONS["all-modules-4"]
    kept: set[str] = set()
    for seed in range(12):
        game, rng = Game(ruleset, seed), random.Random(seed)
        history = History(game)
        while not game.over:
            due, seat = game.due, game.to_move
            assert seat is not None
            others = [other for other in range(ruleset.players) if other != seat]
            before = [history.since(game, other) for other in others]
            action = ACTIONS[rng.choice(game.legal_ids)]
            game.push(action)
            after = [history.since(game, other) for other in others]
            if (due == "drawn" and action.verb == "take") or (due == game.due == "assignment"):
                assert after == [[*seen, Seen(seat, None)] for seen in before]
            elif due == "pick_pocket":
                continue
            elif due != "assignment":
                assert after == [[*seen, Seen(seat, action.id)] for seen in before]
                continue
            kept.add(str(due))
    assert kept == {"drawn", "assignment"}


def test_nobody_hears_of_a_secret_question() -> None:
    """Whoever keeps a Pick Pocket that was drawn unseen was never asked about it, as far as others know (12.2)."""
    game = unseen()
    history = History(game)
    before = [history.since(game, seat) for seat in (0, 2)]
    game.push("pass")
    assert [history.since(game, seat) for seat in (0, 2)] == before
    game.push("pass")
    assert history.since(game, 2) == [*before[1], Seen(0, 0)]


def test_a_history_follows_a_game_that_goes_back() -> None:
    game = Game(Ruleset("second", 2), seed=1)
    history = History(game)
    first = game.legal_ids[0]
    game.push(first)
    assert history.since(game, 1) == [Seen(0, first)] or history.since(game, 0) == [Seen(1, first)]
    game.undo()
    assert history.since(game, 0) == history.since(game, 1) == []


def test_a_history_has_the_learners_numbers_and_seats_from_its_own() -> None:
    ruleset = Ruleset("second", 3)
    reduced = action_set(ruleset)
    seen = [Seen(2, int(reduced.to_full[1000])), Seen(0, None)]
    assert history_array(seen, 2, 3, reduced)[:3].tolist() == [[0, 1000], [1, -1], [-1, -1]]
    assert history_array(seen, 2, 3, None)[0, 1] == reduced.to_full[1000]
    many = [Seen(0, number % 5) for number in range(HISTORY + 7)]
    assert history_array(many, 0, 3, None)[:, 1].tolist() == [entry.action for entry in many[7:]]


def test_a_learner_is_told_what_the_others_did() -> None:
    learner = SaintPetersburgEnv(players=3, seat=0, memory=True, opponents="greedy")
    observation, info = learner.reset(seed=3)
    others, over, rng = 0, False, random.Random(1)
    while not over:
        assert observation in learner.observation_space
        told = [row for row in observation["history"].tolist() if row[0] >= 0]
        assert len(told) == len(info["since"])
        others += any(seat > 0 for seat, _ in told)
        observation, _, over, _, info = learner.step(choose(observation, rng))
    assert others > 10 and "since" not in info


def test_flat_observations_remember_rubles_and_infos_the_rest() -> None:
    learner = SaintPetersburgEnv(players=2, seat=1, memory=True, flat=True)
    row, info = learner.reset(seed=3)
    assert row in learner.observation_space and row[SEAT_SIZE + 2] == 1 and isinstance(info["since"], list)


def test_without_memory_nothing_is_different() -> None:
    table: Any = env(players=3)
    table.reset(seed=1)
    observation, _, _, _, info = table.last()
    assert set(observation) == {"observation", "action_mask"} and set(info) == {"due"}
    play(table, random.Random(1))
