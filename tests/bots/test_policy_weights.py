"""Policy weights: the file that keeps them, and the policy gradient that learns them."""

from __future__ import annotations

import os
import random
import struct
import subprocess
import sys
from math import log
from pathlib import Path

import pytest

import nevsky
from nevsky import Game, NevskyError, Ruleset
from nevsky.bots.core.features import NUMBER_OF_STAGED, NUMBER_OF_WEIGHTS, FeatureWeights
from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.core.policy_gradient import PolicyGradient
from nevsky.bots.master import MasterBot
from nevsky.bots.parameters import Parameters
from nevsky.bots.policy_weights import BOX_WEIGHTS, COUNTS, MASTER_WEIGHTS, load_weights, save_weights
from nevsky.rules.actions import ACTIONS
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.snapshot import blank
from nevsky.training.policy.games import win_rate

ROOT = Path(__file__).parents[2]
TEMPERATURE = 0.4
SIZE = 2 * NUMBER_OF_WEIGHTS


def table(seed: int, scale: float = 0.5) -> list[float]:
    numbers = random.Random(seed)
    return [round(numbers.gauss(0, scale) * 1024) / 1024 for _ in range(NUMBER_OF_WEIGHTS)]


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "all.weights"
    tables = {players: [float(players) + i / 8 for i in range(NUMBER_OF_WEIGHTS)] for players in COUNTS}
    save_weights(path, tables)
    for players in COUNTS:
        found = load_weights(players, path)
        assert found.typecode == "d" and list(found) == pytest.approx(tables[players], rel=1e-3)
        assert load_weights(players, path) is found
    data = path.read_bytes()
    assert data.startswith(b"nevsky-weights-2\n") and len(data) == 17 + 4 * SIZE
    assert struct.unpack_from("<2e", data, 17 + SIZE) == (3.0, 3.125)
    save_weights(path, {2: [7.0] * NUMBER_OF_WEIGHTS})
    assert load_weights(2, path)[0] == 7.0  # not what was read before


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ((4,), [4, 4, 4, 4]),
        ((2, 4), [2, 2, 4, 4]),
        ((3,), [3, 3, 3, 3]),
        ((3, 5), [3, 3, 3, 5]),
        ((5, 2), [2, 2, 2, 5]),
    ],
)
def test_missing_numbers_of_players_get_the_nearest_lower_ones(
    given: tuple[int, ...], found: list[int], tmp_path: Path
) -> None:
    path = tmp_path / "some.weights"
    save_weights(path, {players: [float(players)] * NUMBER_OF_WEIGHTS for players in given})
    assert [load_weights(players, path)[0] for players in COUNTS] == found


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "The policy weights bad.weights cannot be read: No such file"),
        (b"", "bad.weights does not hold policy weights of this program"),
        (b"nevsky-net-1\n" + bytes(4 * SIZE), "bad.weights does not hold policy weights of this program"),
        (b"nevsky-weights-2\n" + bytes(4 * SIZE - 1), "does not hold 15,452 policy weights for each number of players"),
        (b"nevsky-weights-2\n" + bytes(5 * SIZE), "does not hold 15,452 policy weights for each number of players"),
        (
            b"nevsky-weights-2\n" + struct.pack("<e", float("nan")) * (2 * SIZE),
            "holds policy weights that are not numbers",
        ),
    ],
)
def test_bad_files_are_told(data: bytes | None, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.weights"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(NevskyError, match=sentence):
        load_weights(2, path)


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        ({}, "for at least one number of them"),
        ({6: [0.0] * NUMBER_OF_WEIGHTS}, "Policy weights are kept for 2 to 5 players"),
        ({2: [0.0] * 12}, "There are 15,452 policy weights, not 12, for 2 players"),
        ({2: [float("inf")] * NUMBER_OF_WEIGHTS}, "Some policy weights for 2 players are not numbers"),
        ({2: [1e6] * NUMBER_OF_WEIGHTS}, "Some policy weights for 2 players are too large"),
    ],
)
def test_what_cannot_be_kept_is_refused(tables: dict[int, list[float]], sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "new.weights"
    with pytest.raises(NevskyError, match=sentence):
        save_weights(path, tables)
    assert not path.exists()
    with pytest.raises(NevskyError, match="There are policy weights for 2 to 5 players, not for 6"):
        load_weights(6, path)
    with pytest.raises(NevskyError, match=r"The policy weights new\.weights cannot be written"):
        save_weights(tmp_path / "nowhere" / "new.weights", {2: [0.0] * NUMBER_OF_WEIGHTS})


def test_trainings_are_merged_into_one_file(tmp_path: Path) -> None:
    for players in (2, 4):
        (tmp_path / str(players)).mkdir()
        save_weights(tmp_path / str(players) / "policy.weights", {players: [float(players)] * NUMBER_OF_WEIGHTS})

    def merge(*sources: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, str(ROOT / "tools" / "merge_weights.py"), "master.weights", *sources]
        return subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)

    for sources, sentence in (
        (["2=2", "2=4"], "There are two sources for 2 players."),
        (["4"], "as in 4=policy.weights, not '4'."),
        (["7=4"], "as in 4=policy.weights, not '7=4'."),
        (["2=plan.json"], "The policy weights plan.json cannot be read"),
    ):
        answer = merge(*sources)
        assert answer.returncode == 2 and sentence in answer.stderr and "Traceback" not in answer.stderr
        assert not (tmp_path / "master.weights").exists()
    assert merge("4=4/policy.weights", "2=2").returncode == 0
    assert [load_weights(players, tmp_path / "master.weights")[0] for players in COUNTS] == [2, 2, 4, 4]


def middle(players: int, seed: str) -> Position:
    """The start of a phase with some cards on the table."""
    p = blank(Ruleset("second", players, market=players == 5))
    rng = Rng.of("middle", seed)
    p.new_game(rng, -1)
    policy = HeuristicPolicy()
    for _ in range(6):
        phase = (p.round, p.phase)
        while (p.round, p.phase) == phase and not p.over:
            p.play(policy.pick(p, rng))
    return p


def odds(values: list[float]) -> list[float]:
    """The chances of actions, as the heuristic policy reckons them."""
    steps = [(max(values) - value) / TEMPERATURE for value in values]
    parts = [1 / (1 + x + x * x * (0.48 + 0.235 * x)) for x in steps]
    return [part / sum(parts) for part in parts]


def explicit(
    p: Position, rng: Rng, weights: list[float], direction: list[float]
) -> tuple[list[float], Position, list[int]]:
    """For each seat how a phase's actions and a direction go together, from the values of actions alone."""
    here = HeuristicPolicy(Parameters(), weights)
    there = HeuristicPolicy(Parameters(), [a + b for a, b in zip(weights, direction, strict=True)])
    found, actions = [0.0] * p.n, []
    now = (p.round, p.phase)
    while not p.over and (p.round, p.phase) == now:
        n = here.appraise(p)
        there.appraise(p)
        if n > 1:
            values = list(here.values[:n])
            pulls = [new - old for new, old in zip(there.values[:n], values, strict=True)]
            chances = odds(values)
            at = rng.below(1 << 20) / 1048576
            chosen = 0
            for i, chance in enumerate(chances):
                at -= chance
                if at < 0:
                    chosen = i
                    break
            mean = sum(chance * pull for chance, pull in zip(chances, pulls, strict=True))
            found[p.seat] += pulls[chosen] - mean
            action = p.legal()[chosen]
        else:
            action = p.legal()[0]
        actions.append(action)
        p.play(action)
    return found, p, actions


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_gradient_points_to_what_would_make_actions_likelier(players: int) -> None:
    start, weights = middle(players, f"gradient-{players}"), table(players)
    learner = PolicyGradient(Parameters(), weights)
    gradient = []
    for seat in range(players):
        learner.decay(0)
        played = start.copy()
        learner.play_phase(played, Rng.of("phase", players), TEMPERATURE)
        learner.credit(seat, 1.0)
        gradient.append(learner.take_gradient())
    assert any(any(slope) for slope in gradient)
    for number in range(5):
        direction = table(100 + number, 1.0)
        found, end, _ = explicit(start.copy(), Rng.of("phase", players), weights, direction)
        assert (end.round, end.phase, end.seat) == (played.round, played.phase, played.seat)
        for seat in range(players):
            noted = sum(a * b for a, b in zip(gradient[seat], direction, strict=True))
            assert noted == pytest.approx(found[seat], abs=1e-6)


def likelihood(p: Position, actions: list[int], weights: list[float]) -> float:
    """The logarithm of the chance that a phase is played like this."""
    policy = HeuristicPolicy(Parameters(), weights)
    found = 0.0
    for action in actions:
        n = policy.appraise(p)
        found += log(odds(list(policy.values[:n]))[p.legal().index(action)])
        p.play(action)
    return found


def test_following_the_gradient_makes_what_was_done_likelier() -> None:
    start, weights = middle(3, "likelier"), table(9)
    learner = PolicyGradient(Parameters(), weights)
    learner.play_phase(start.copy(), Rng.of("done"), TEMPERATURE)
    for seat in range(3):
        learner.credit(seat, 1.0)
    slope = learner.take_gradient()
    *_, actions = explicit(start.copy(), Rng.of("done"), weights, weights)
    chances = [
        likelihood(start.copy(), actions, [weight + step * part for weight, part in zip(weights, slope, strict=True)])
        for step in (-0.02, 0.0, 0.02)
    ]
    assert chances[0] < chances[1] < chances[2] < 0


def test_credit_and_fading() -> None:
    p, learner = middle(2, "fading"), PolicyGradient(Parameters(), [0.0] * NUMBER_OF_WEIGHTS)
    learner.play_phase(p.copy(), Rng.of("one"), TEMPERATURE)
    learner.credit(0, 1.0)
    whole = learner.take_gradient()
    assert any(whole) and not any(learner.take_gradient())
    learner.credit(0, -2.0)
    assert learner.take_gradient() == [-2 * value for value in whole]
    learner.decay(0.5)
    learner.credit(0, 1.0)
    assert learner.take_gradient() == [value / 2 for value in whole]
    learner.decay(0)
    learner.credit(0, 1.0)
    assert not any(learner.take_gradient())
    with pytest.raises(ValueError, match="There are 15452 policy weights, not 3"):
        PolicyGradient(Parameters(), [0.0] * 3)


def digests() -> list[str]:
    """Games of learner boiled down."""
    found = []
    for players in COUNTS:
        learner, rng = PolicyGradient(Parameters(), table(players)), Rng.of("digest", players)
        for _ in range(2):
            p = blank(Ruleset("second", players, market=players == 5))
            p.new_game(rng, -1)
            learner.decay(0)
            while not p.over:
                learner.play_phase(p, rng, TEMPERATURE)
                for seat in range(players):
                    learner.credit(seat, p.total(seat)[0] / 10 - 3)
                learner.decay(0.9)
            found += [f"{p.total(seat)[0]}" for seat in range(players)]
        found += [f"{value:.4f}" for value in learner.take_gradient() if abs(value) > 1e-3]
    return found


def in_new_process(asked: str, *, pure: bool) -> list[str]:
    """The words of what is asked here, in a process with compiled code or without."""
    code = f"import nevsky; from tests.bots.test_policy_weights import *; print(nevsky.COMPILED, {asked})"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("NEVSKY_PURE", None)
    if pure:
        environment["NEVSKY_PURE"] = "1"
    out = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, cwd=ROOT
    )
    compiled, *words = out.stdout.split()
    assert compiled == ("False" if pure else str(nevsky.COMPILED))
    return words


@pytest.mark.parametrize("pure", [False, True])
def test_learning_is_the_same_compiled_or_not(pure: bool) -> None:
    assert in_new_process("*digests()", pure=pure) == digests()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_weights_of_the_package_beat_the_plain_policy(players: int) -> None:
    assert win_rate(Ruleset("second", players), load_weights(players), 120 * players, "weights") > 1.4 / players


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("modules", [(), (1, 2, 3, 4, 5, 6)])
def test_the_weights_for_the_box_beat_the_plain_policy(players: int, modules: tuple[int, ...]) -> None:
    ruleset = Ruleset("second", players, market=True, modules=modules)
    assert win_rate(ruleset, load_weights(players, BOX_WEIGHTS), 120 * players, "box") > 1.4 / players


@pytest.mark.parametrize(
    ("ruleset", "path"),
    [
        (Ruleset("first", 3), MASTER_WEIGHTS),
        (Ruleset("second", 4), MASTER_WEIGHTS),
        (Ruleset("second", 2, modules=(1,)), BOX_WEIGHTS),
        (Ruleset("second", 5, market=True), BOX_WEIGHTS),
    ],
)
def test_master_has_weights_for_the_base_game_and_for_the_box(ruleset: Ruleset, path: Path) -> None:
    view = Game(ruleset, seed=3).view(Game(ruleset, seed=3).to_move, memory=True)
    master, named = MasterBot(1, playouts=40), MasterBot(1, playouts=40, weights=path)
    other = MasterBot(1, playouts=40, weights=MASTER_WEIGHTS if path == BOX_WEIGHTS else BOX_WEIGHTS)
    assert master.explain(view) == named.explain(view) != other.explain(view)


def misplaced_marks() -> str:
    """What is wrong with the marks of actions in all kinds of games; only uncompiled code shows them."""
    weight = FeatureWeights([0.0] * NUMBER_OF_WEIGHTS)
    rng = Rng.of("marks")
    for ruleset in (
        Ruleset("first", 2),
        Ruleset("second", 4),
        Ruleset("second", 5, market=True),
        Ruleset("second", 3, market=True, modules=frozenset({1, 2, 3, 4, 5, 6})),
    ):
        p = blank(ruleset)
        p.new_game(rng, -1)
        while not p.over:
            for time in (0.0, 1.7, 9.0):
                weight.set_context(p, time)
                for number in p.legal():
                    marks = weight.feature[: weight.list_features(p, number, p.different_nobles(p.seat))]
                    if len(set(marks)) != len(marks) or not all(0 <= mark < NUMBER_OF_WEIGHTS for mark in marks):
                        return f"{ACTIONS[number]}: {marks}"
                    span = NUMBER_OF_STAGED // 6
                    if {mark // span for mark in marks if mark < NUMBER_OF_STAGED} != {min(int(time * 1.25), 5)}:
                        return f"{ACTIONS[number]} {time} rounds before the end: {marks}"
            p.play(p.legal()[rng.below(len(p.legal()))])
    return "nothing"


def test_marks_lie_in_the_table_and_in_their_stage() -> None:
    assert in_new_process("misplaced_marks()", pure=True) == ["nothing"]
