"""Many games at once: each of them is the game that one would play alone."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nevsky
from nevsky import ACTIONS, Game, NevskyError, Ruleset
from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.encoding import SIZE, Encoder
from nevsky.envs.batch import Batch
from nevsky.envs.options import final_rewards
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.snapshot import blank, describe
from tests.rulesets import CONFIGURATIONS

ROOT = Path(__file__).parent.parent.parent
FILLED = (
    "observations masks rewards earned dones seats learners asked scores numbers legal_counts final_observations"
).split()
SOME = ["first-3", "second-2", "second-4", "market-5", "module-1-market", "modules-1-2", "all-modules-5"]


def row_of(position: Position, ruleset: Ruleset, seat: int) -> npt.NDArray[np.float32]:
    encoder = Encoder()
    encoder.encode(position, seat, int(ruleset.open_rubles), int(ruleset.open_hands))
    row = np.zeros(SIZE, np.float32)
    for place, value in encoder.numbers().items():
        row[place] = value
    return row


def everything(batch: Batch) -> dict[str, bytes]:
    found = {name: getattr(batch, name).tobytes() for name in FILLED}
    legal = [batch.legal[i, : batch.legal_counts[i]].tolist() for i in range(batch.games)]
    return {**found, "legal": repr(legal).encode()}


def positions(batch: Batch) -> list[dict[str, Any]]:
    return [describe(batch.position(i)) for i in range(batch.games)]


def check_decision(batch: Batch, i: int, position: Position, ruleset: Ruleset) -> None:
    assert batch.seats[i] == position.seat
    legal = position.legal()
    assert batch.legal[i, : batch.legal_counts[i]].tolist() == legal
    assert np.flatnonzero(batch.masks[i]).tolist() == sorted(legal)
    assert batch.masks[i].max() == 1
    np.testing.assert_array_equal(batch.observations[i], row_of(position, ruleset, position.seat))


def check_end(batch: Batch, i: int, game: Game, asked: int) -> None:
    assert game.result is not None
    expected = final_rewards(game.result, batch.reward)
    assert batch.rewards[i].tolist() == pytest.approx(expected)
    assert batch.earned[i] == batch.rewards[i, asked]
    assert batch.scores[i].tolist() == [final.total for final in game.result.final]
    np.testing.assert_array_equal(batch.final_observations[i], row_of(game.position, game.ruleset, asked))


@pytest.mark.parametrize("auto", [True, False])
@pytest.mark.parametrize("name", SOME)
def test_games_are_those_that_one_would_play_alone(name: str, auto: bool) -> None:
    ruleset = CONFIGURATIONS[name]
    batch = Batch(ruleset, 3, seed=11, auto=auto, reward="win" if auto else "score")
    games = [Game(ruleset, batch.game_seed(i), auto=auto) for i in range(3)]
    ended = 0
    while ended < 3:
        for i, game in enumerate(games):
            check_decision(batch, i, game.position, ruleset)
        asked, actions = batch.seats.tolist(), batch.sample()
        batch.step(actions)
        for i, game in enumerate(games):
            game.push(int(actions[i]))
            assert batch.dones[i] == game.over
            if game.over:
                check_end(batch, i, game, asked[i])
                games[i] = Game(ruleset, batch.game_seed(i), auto=auto)
                ended += 1
            else:
                assert not batch.rewards[i].any()
                assert not batch.earned[i]


def test_open_tables_show_more() -> None:
    ruleset = Ruleset("second", 3, open_rubles=True, open_hands=True, youngest=1)
    batch = Batch(ruleset, 2, seed=5)
    for _ in range(60):
        batch.step(batch.sample())
        for i in range(2):
            check_decision(batch, i, batch.position(i), ruleset)
    assert batch.observations[0, 274 + 2] == 1


@pytest.mark.parametrize("opponents", ["random", "heuristic"])
@pytest.mark.parametrize("name", ["second-3", "all-modules-5"])
def test_opponents_answer_as_they_would_elsewhere(name: str, opponents: str) -> None:
    ruleset = CONFIGURATIONS[name]
    batch = Batch(ruleset, 2, seed=3, opponents=opponents, reward="score")
    policy = HeuristicPolicy()

    def go_on(position: Position, learner: int, rng: Rng) -> Position:
        policy.key = -1000
        while not position.over:
            legal = position.legal()
            if position.seat == learner and len(legal) > 1:
                break
            if position.seat == learner:
                position.play(legal[0])
            elif opponents == "heuristic":
                position.play(policy.pick(position, rng))
            else:
                position.play(legal[rng.below(len(legal)) if len(legal) > 1 else 0])
        return position

    for i in range(2):
        for number in range(2):
            learner = (i + number) % ruleset.players
            assert batch.learners[i] == learner
            assert batch.game_seed(i) == f"3/{i}/{number}"
            position = blank(ruleset)
            position.new_game(Rng.of(batch.game_seed(i)))
            rng = Rng.of(f"opponents/3/{i}/{number}")
            go_on(position, learner, rng)
            while not position.over:
                assert batch.seats[i] == learner
                check_decision(batch, i, position, ruleset)
                actions = batch.sample()
                batch.step(actions, np.arange(2) == i)
                position.play(int(actions[i]))
                go_on(position, learner, rng)
            assert batch.dones[i]
            totals = [position.total(seat)[0] for seat in range(ruleset.players)]
            assert batch.scores[i].tolist() == totals
            assert batch.earned[i] == pytest.approx(
                (totals[learner] - max(total for seat, total in enumerate(totals) if seat != learner)) / 100
            )


def test_where_the_learner_sits() -> None:
    ruleset = Ruleset("second", 4)
    seats = {
        learner: Batch(ruleset, 40, seed=1, opponents="random", learner=learner).learners.tolist()
        for learner in ("rotating", "random", 2)
    }
    assert seats["rotating"] == [i % 4 for i in range(40)]
    assert seats[2] == [2] * 40
    assert set(seats["random"]) == {0, 1, 2, 3}
    assert seats["random"] != seats["rotating"]
    assert Batch(ruleset, 3, seed=1).learners.tolist() == [-1, -1, -1]


def digest(ruleset: Ruleset, opponents: str | list[str] | None, steps: int, **options: Any) -> str:
    """A batch that ran for a while, boiled down."""
    batch = Batch(ruleset, 3, seed=2026, opponents=opponents, **options)
    found = hashlib.sha256()
    for _ in range(steps):
        batch.step(batch.sample())
        for part in everything(batch).values():
            found.update(part)
        if batch.history is not None:
            found.update(batch.history.tobytes())
        found.update(batch.state().tobytes())
    return found.hexdigest()


def digests() -> list[str]:
    return [
        digest(Ruleset("second", 2), None, 150),
        digest(Ruleset("second", 3), "heuristic", 60),
        digest(Ruleset("second", 4), ["master-policy", "random", "heuristic"], 30),
        digest(CONFIGURATIONS["all-modules-5"], None, 120),
        digest(CONFIGURATIONS["all-modules-4"], "random", 60),
        digest(CONFIGURATIONS["all-modules-3"], None, 60, memory=True, actions="ruleset", shaping="share"),
    ]


@pytest.mark.parametrize("pure", [False, True])
def test_seeds_give_the_same_everywhere_compiled_or_not(pure: bool) -> None:
    code = "import nevsky; from tests.envs.test_batch import digests; print(nevsky.COMPILED, *digests())"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "5"}
    environment.pop("NEVSKY_PURE", None)
    if pure:
        environment["NEVSKY_PURE"] = "1"
    out = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, cwd=ROOT
    )
    compiled, *theirs = out.stdout.split()
    assert compiled == ("False" if pure else str(nevsky.COMPILED))
    assert theirs == digests()


def test_the_batch_is_compiled_with_the_rules() -> None:
    for name in ("envs.croupier", "envs.games", "envs.rivals", "envs.witness", "bots.core.policy_net"):
        source = sys.modules[f"nevsky.{name}"].__file__
        assert source is not None
        assert source.endswith(".py") is not nevsky.COMPILED


def test_resetting_is_starting_anew() -> None:
    ruleset = Ruleset("second", 2)
    batch = Batch(ruleset, 4, seed=1)
    kept = {name: getattr(batch, name) for name in FILLED}
    while batch.numbers.max() == 0:
        batch.step(batch.sample())
    assert batch.scores.any()
    batch.reset(8)
    assert everything(batch) == everything(Batch(ruleset, 4, seed=8))
    assert all(getattr(batch, name) is array for name, array in kept.items()), "arrays stay where they are"
    batch.reset()
    first = everything(batch)
    batch.reset()
    assert everything(batch) != first


def test_games_do_not_depend_on_how_many_there_are() -> None:
    few, many = Batch(seed=4, games=2), Batch(seed=4, games=7)
    for _ in range(150):
        actions = many.sample()
        many.step(actions)
        few.step(actions[:2])
        np.testing.assert_array_equal(few.observations, many.observations[:2])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), name=st.sampled_from(SOME), steps=st.integers(0, 80), index=st.integers(0, 3))
def test_an_illegal_action_changes_nothing_anywhere(data: st.DataObject, name: str, steps: int, index: int) -> None:
    batch = Batch(CONFIGURATIONS[name], 4, seed=steps)
    for _ in range(steps):
        batch.step(batch.sample())
    actions = batch.sample()
    legal = set(batch.legal[index, : batch.legal_counts[index]].tolist())
    wrong = data.draw(
        st.one_of(st.integers(0, len(ACTIONS) - 1), st.integers(-(2**62), 2**62)).filter(lambda x: x not in legal)
    )
    right = actions.copy()
    actions[index] = wrong
    before = everything(batch), positions(batch)
    with pytest.raises(NevskyError, match=rf"^Game {index}: .*action {wrong}, .*\.$"):
        batch.step(actions)
    assert (everything(batch), positions(batch)) == before
    batch.step(right)
    assert positions(batch) != before[1]


def test_some_games_can_wait() -> None:
    batch = Batch(Ruleset("second", 3), 3, seed=1)
    before = positions(batch)
    actions = batch.sample()
    actions[1] = -1
    batch.step(actions, np.array([True, False, True]))
    after = positions(batch)
    assert after[1] == before[1]
    assert after[0] != before[0]
    assert after[2] != before[2]
    with pytest.raises(NevskyError, match="3 times true or false"):
        batch.step(actions, np.array([True, False]))


@pytest.mark.parametrize(
    "actions", [[1, 2], [[1, 2, 3]], [0.0, 1.0, 2.0], [True, False, True], "abc", None, [1, [2], 3], [None, 1, 2]]
)
def test_what_is_no_action_is_refused(actions: Any) -> None:
    batch = Batch(Ruleset("second", 2), 3, seed=1)
    before = everything(batch), positions(batch)
    with pytest.raises(NevskyError, match=r"^The actions are 3 action ids"):
        batch.step(actions)
    assert (everything(batch), positions(batch)) == before


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"games": 0}, "games is a whole number from 1, not 0"),
        ({"games": 10**6}, "at most 65536 games"),
        ({"games": 2.5}, "whole number"),
        ({"players": 5}, "Five players need the Market"),
        ({"ruleset": Ruleset(), "players": 3}, "not both"),
        ({"modules": "9"}, "no module 9"),
        ({"reward": "fame"}, "choose win or score"),
        ({"auto": 1}, "auto is true or false"),
        ({"opponents": "hard"}, "choose random, heuristic or master-policy"),
        ({"threads": 0}, "threads is a whole number from 1"),
        ({"learner": 1}, "needs opponents"),
        ({"opponents": "random", "learner": 4}, "seat from 0 to 3"),
        ({"opponents": "random", "learner": "me"}, "seat from 0 to 3"),
        ({"opponents": "random", "learner": -1}, "learner"),
        ({"seed": -1}, "seed"),
        ({"seed": "7"}, "seed"),
    ],
)
def test_bad_options_get_a_sentence(options: dict[str, Any], words: str) -> None:
    with pytest.raises(NevskyError, match=words) as raised:
        Batch(**options)
    assert str(raised.value).endswith(".")


def test_there_is_no_game_beyond_the_last() -> None:
    batch = Batch(games=2, seed=1)
    for index in (2, -1, True, "0"):
        with pytest.raises(NevskyError, match="games go from 0 to 1"):
            batch.position(index)  # type: ignore[arg-type]
        with pytest.raises(NevskyError, match="games go from 0 to 1"):
            batch.state(index)  # type: ignore[arg-type]


def test_copies_of_positions_and_lists_of_actions_are_safe() -> None:
    batch = Batch(Ruleset("second", 2), 1, seed=1)
    before = positions(batch)
    copy = batch.position(0)
    copy.play(copy.legal()[0])
    assert positions(batch) == before
    with pytest.raises(ValueError, match="read-only"):
        batch.legal[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        batch.legal_counts[0] = 1


def test_samples_reach_every_action() -> None:
    batch = Batch(Ruleset("second", 2), 1, seed=1)
    legal = batch.legal[0, : batch.legal_counts[0]].tolist()
    assert {int(batch.sample()[0]) for _ in range(400)} == set(legal)
