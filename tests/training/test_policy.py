"""Learning weights: the same on any number of processes, going on where it stopped, and better than before."""

from __future__ import annotations

import json
import os
import signal
import sys
from array import array
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from nevsky import NevskyError, Ruleset
from nevsky.bots.core.features import NUMBER_OF_WEIGHTS
from nevsky.bots.core.policy_gradient import PolicyGradient
from nevsky.bots.network_file import save_network
from nevsky.bots.parameters import Parameters
from nevsky.bots.policy_weights import COUNTS, load_weights, save_weights
from nevsky.rules.modules import MODULES
from nevsky.rules.rng import Rng
from nevsky.rules.snapshot import blank
from nevsky.training.plan import RULESETS, Plan
from nevsky.training.policy import run as running
from nevsky.training.policy.games import Job, Part, play_part, rewards, win_rate
from nevsky.training.policy.optimizer import OptimizerState, pack, unpack
from nevsky.training.policy.plan import PolicyPlan, make_policy_plan
from nevsky.training.policy.run import PolicyListener, train_policy
from nevsky.training.policy.updates import Update
from nevsky.training.run import train
from nevsky.training.samples import play_games
from tests.cli.command import Run, under_way
from tests.test_parallel import Ray
from tests.training.conftest import play

WEIGHTS_OF_NETWORK = 135_530
SMALL = make_policy_plan(3, updates=4, games=510, seed="neva")
"""Three parts, the last one small."""


@pytest.fixture(autouse=True)
def few_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_MEASURE_EVERY", 3)
    monkeypatch.setattr(running, "_MEASURE_GAMES", 30)


def contents(directory: Path) -> dict[str, bytes]:
    """All files, without the time that things took."""
    found = {path.name: path.read_bytes() for path in directory.iterdir() if path.is_file()}
    found["policy.jsonl"] = json.dumps([{**line, "seconds": 0} for line in lines(directory)]).encode()
    return found


def lines(directory: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (directory / "policy.jsonl").read_text().splitlines()]


def lively_network() -> array[float]:
    """A network that says something."""
    rng = Rng.of("network")
    return array("f", ((rng.below(2001) - 1000) / 8000 for _ in range(WEIGHTS_OF_NETWORK)))


class Stop(PolicyListener):
    """Somebody presses Ctrl-C after so many updates."""

    def __init__(self, number: int) -> None:
        self.number = number

    def updated(self, step: Update, total: int) -> None:
        if step.update == self.number:
            raise KeyboardInterrupt


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert train_policy(SMALL, one, jobs=1) == one / "policy.weights"
    train_policy(SMALL, two, jobs=2)
    assert contents(one) == contents(two)
    names = {"plan.json", "policy.weights", "policy.jsonl", "policy.state", "policy.svg"}
    assert set(contents(one)) == names
    found = lines(one)
    assert [(line["update"], line["games"]) for line in found] == [(1, 510), (2, 1020), (3, 1530), (4, 2040)]
    assert [line["update"] for line in found if "win_rate" in line] == [3, 4]
    assert all(20 < line["winning_score"] < 200 for line in found)
    plot = ElementTree.parse(one / "policy.svg")
    points = [line.get("points", "").split() for line in plot.iter("{http://www.w3.org/2000/svg}polyline")]
    assert list(map(len, points)) == [4, 2]
    state = unpack((one / "policy.state").read_bytes(), SMALL)
    for players in COUNTS:
        assert list(load_weights(players, one / "policy.weights")) == pytest.approx(list(state.average), abs=1e-3)
    train_policy(SMALL._replace(seed="volga"), tmp_path / "other", jobs=1)
    assert contents(tmp_path / "other")["policy.state"] != contents(one)["policy.state"]


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    plan = SMALL._replace(games=60)
    train_policy(plan, whole, jobs=1)
    with pytest.raises(KeyboardInterrupt):
        train_policy(plan, parts, jobs=1, listener=Stop(1))
    with (parts / "policy.jsonl").open("a") as file:  # killed in the middle of a line
        file.write('{"update": 2, "ga')
    with pytest.raises(KeyboardInterrupt):
        train_policy(plan, parts, jobs=1, listener=Stop(2))
    assert [line["update"] for line in lines(parts)] == [1, 2]
    with (parts / "policy.jsonl").open("a") as file:  # killed before the state was written
        file.write('{"update": 3, "games": 180, "winning_score": 1, "seconds": 1}\n')
    (parts / "policy.state.tmp").write_bytes(b"the power went out")
    train_policy(plan, parts, jobs=1)
    assert contents(parts) == contents(whole)
    before = contents(whole)
    (whole / "policy.weights").unlink()
    train_policy(plan, whole, jobs=1, listener=Stop(4))
    assert contents(whole) == before


def test_another_plan_is_refused_and_nothing_changes(small: Plan, tmp_path: Path) -> None:
    plan = SMALL._replace(games=20, updates=1)
    train_policy(plan, tmp_path, jobs=1)
    before = contents(tmp_path)
    sentence = (
        r"holds another training, which differs in players \(3 there\), temperature \(0.4 there\): choose another"
    )
    with pytest.raises(NevskyError, match=sentence):
        train_policy(plan._replace(players=2, temperature=0.5), tmp_path, jobs=1)
    with pytest.raises(NevskyError, match=r"differs in updates \(1 there\)"):
        train_policy(plan._replace(updates=2), tmp_path, jobs=1)
    with pytest.raises(NevskyError, match=r"differs in start \(nothing there\)"):
        train_policy(plan, tmp_path, jobs=1, start=tmp_path / "policy.weights")
    save_network(tmp_path.parent / "critic.net", [0.0] * WEIGHTS_OF_NETWORK)
    with pytest.raises(NevskyError, match=r"differs in critic \(nothing there\)"):
        train_policy(plan, tmp_path, jobs=1, critic=tmp_path.parent / "critic.net")
    with pytest.raises(NevskyError, match="holds a training of another kind"):
        train(small, tmp_path, 1, jobs=1)
    assert contents(tmp_path) == before and not (tmp_path / "samples").exists()


def test_a_damaged_state_is_told(tmp_path: Path) -> None:
    plan = SMALL._replace(games=20, updates=2)
    train_policy(plan, tmp_path, jobs=1)
    path = tmp_path / "policy.state"
    whole = path.read_bytes()
    assert pack(unpack(whole, plan)) == whole
    for data, sentence in (
        (b"something else", "It is not one of this program"),
        (whole[:-1], "It is damaged"),
        (whole[:-1] + bytes([whole[-1] ^ 1]), "It is damaged"),
        (pack(OptimizerState.new(2)), "It is damaged"),
        (pack(OptimizerState(array("d", [0.3] * 3), number=3)), "It is damaged"),
    ):
        path.write_bytes(data)
        with pytest.raises(NevskyError, match=rf"The state .* cannot be used\. {sentence}.* begins again"):
            train_policy(plan, tmp_path, jobs=1)
        assert path.read_bytes() == data
    path.unlink()
    train_policy(plan, tmp_path, jobs=1)
    assert path.read_bytes() == whole and len(lines(tmp_path)) == 2


def test_learning_helps(tmp_path: Path) -> None:
    plan = make_policy_plan(2, updates=24, games=500, seed="learns")
    path = train_policy(plan, tmp_path, jobs=1)
    assert win_rate(plan.ruleset, [0.0] * NUMBER_OF_WEIGHTS, 400, "fair") == pytest.approx(0.5, abs=0.05)
    assert win_rate(plan.ruleset, load_weights(2, path), 400, "fair") > 0.58


def test_a_critic_lets_every_phase_teach() -> None:
    plan = make_policy_plan(2, games=3, seed="critic")
    weights = array("d", [0.0] * NUMBER_OF_WEIGHTS)
    part = Part(1, 0, weights, (0.5, 0.5))
    indifferent = play_part(Job(plan, array("f", bytes(4 * WEIGHTS_OF_NETWORK))), part)
    learner, rng = PolicyGradient(Parameters(), weights), Rng.of("policy", "critic", 1, 0)
    scores = 0
    for _ in range(3):
        p = blank(plan.ruleset)
        p.new_game(rng, -1)
        learner.decay(0)
        while not p.over:
            learner.decay(0.9)
            learner.play_phase(p, rng, plan.temperature)
        for seat, reward in enumerate(rewards(p)):
            learner.credit(seat, reward - 0.5)
        scores += max(p.total(0), p.total(1))[0]
    assert list(indifferent.gradient) == pytest.approx(learner.take_gradient(), abs=1e-9)
    assert indifferent.winning_score == scores
    assert sum(indifferent.rewards) == pytest.approx(3)
    alone = play_part(Job(plan, None), part)
    assert alone.rewards == indifferent.rewards and alone.gradient != indifferent.gradient
    lively = play_part(Job(plan, lively_network()), part)
    assert lively.rewards == alone.rewards and lively.gradient not in (alone.gradient, indifferent.gradient)


def test_rewards_are_for_the_win_and_for_the_lead() -> None:
    rng = Rng.of("rewards")
    learner = PolicyGradient(Parameters(), [0.0] * NUMBER_OF_WEIGHTS)
    p = blank(make_policy_plan(4).ruleset)
    p.new_game(rng, -1)
    while not p.over:
        learner.play_phase(p, rng, 0.4)
    totals = [p.total(seat) for seat in range(4)]
    found = rewards(p)
    winner = totals.index(max(totals))
    assert sorted(range(4), key=lambda seat: totals[seat]) == sorted(range(4), key=lambda seat: found[seat])
    assert found[winner] >= 0.75 and all(0 < found[seat] < 0.5 for seat in range(4) if seat != winner)


def test_a_start_and_a_critic_are_used(tmp_path: Path) -> None:
    plan = SMALL._replace(games=20, updates=1)
    start, critic = tmp_path / "start.weights", tmp_path / "critic.net"
    save_weights(start, {3: [1.5] * NUMBER_OF_WEIGHTS})
    save_network(critic, lively_network())
    plain = load_weights(3, train_policy(plan, tmp_path / "plain", jobs=1))
    warm = load_weights(3, train_policy(plan, tmp_path / "warm", jobs=1, start=start))
    judged = load_weights(3, train_policy(plan, tmp_path / "judged", jobs=1, start=start, critic=critic))
    assert max(map(abs, plain)) < 0.1 and all(1.4 < weight < 1.6 for weight in warm) and judged != warm
    save_network(tmp_path / "small.net", [0.0] * 10)
    with pytest.raises(NevskyError, match="has 10 weights, not 135,530"):
        train_policy(plan, tmp_path / "none", jobs=1, critic=tmp_path / "small.net")
    with pytest.raises(NevskyError, match=r"critic\.net does not hold policy weights"):
        train_policy(plan, tmp_path / "none", jobs=1, start=critic)
    assert not (tmp_path / "none").exists()


def test_with_the_box_every_part_has_modules_of_its_own() -> None:
    plan = make_policy_plan(4, updates=3, games=5000, box=True)
    rulesets = [plan.ruleset_of(update, part) for update in (1, 2, 3) for part in range(plan.parts)]
    assert all(ruleset.market and ruleset.players == 4 for ruleset in rulesets)
    assert len(set(rulesets)) > 20
    for module in MODULES:
        assert 15 < sum(module in ruleset.modules for ruleset in rulesets) < 45
    assert rulesets == [plan.ruleset_of(update, part) for update in (1, 2, 3) for part in range(plan.parts)]
    base = make_policy_plan(4)
    assert base.ruleset_of(1, 0) == Ruleset("second", 4) != plan.ruleset
    assert make_policy_plan(5).ruleset_of(1, 0).market


def test_what_the_box_teaches_is_not_what_the_base_game_teaches(tmp_path: Path) -> None:
    plans = [make_policy_plan(3, updates=1, games=20, box=box) for box in (False, True)]
    base, box = (train_policy(plan, tmp_path / str(plan.box), jobs=1) for plan in plans)
    assert load_weights(3, base) != load_weights(3, box)
    with pytest.raises(NevskyError, match="differs in box"):
        train_policy(plans[0], tmp_path / "True", jobs=1)


def test_the_rate_falls_to_a_tenth() -> None:
    plan = make_policy_plan(2, updates=11, rate=0.1)
    assert [plan.rate_of(number) for number in (1, 6, 11)] == pytest.approx([0.1, 0.055, 0.01])
    assert make_policy_plan(2, updates=1).rate_of(1) == 0.06


@pytest.mark.usefixtures("no_torch")
def test_positions_are_those_of_the_weights(small: Plan, tmp_path: Path) -> None:
    lively = array("d", (0.3 * (i % 7 - 3) for i in range(NUMBER_OF_WEIGHTS)))
    plain = play_games(RULESETS[0], 2, "weights", playouts=2)
    assert play_games(RULESETS[0], 2, "weights", playouts=2, weights=array("d", [0.0] * NUMBER_OF_WEIGHTS)) == plain
    assert play_games(RULESETS[0], 2, "weights", playouts=2, weights=lively) != plain
    path = tmp_path / "some.weights"
    save_weights(path, {2: lively})
    plan = small._replace(games=14)
    without = play(plan, tmp_path / "without")
    with pytest.raises(NevskyError, match=r"differs in weights \(nothing there\)"):
        train(plan, tmp_path / "without", 1, jobs=1, weights=path)
    with pytest.raises(NevskyError, match="Training needs torch"):
        train(plan, tmp_path / "with", 1, jobs=1, weights=path)
    assert {each.name: each.read_bytes() for each in (tmp_path / "with" / "samples").iterdir()} != without
    with pytest.raises(NevskyError, match=r"differs in weights \([0-9a-f]{16} there\)"):
        train(plan, tmp_path / "with", 1, jobs=1)


def test_the_command_tells_where_the_weights_are(run: Run, tmp_path: Path) -> None:
    words = ("train", "policy", "--players", 2, "--out", tmp_path, "--updates", 3, "--games", 20, "--jobs", 1)
    answer = run(*words)
    assert answer.code == 0
    assert f"The policy weights for 2 players are {tmp_path / 'policy.weights'}" in answer.out
    assert f"nevsky arena --bot {tmp_path / 'policy.weights'} --bot master --players 2\n" in answer.out
    assert "update 3: 60 games, winners had" in answer.err and "won against the plain policy" in answer.err
    again = run(*words)
    assert again.code == 0 and again.out == answer.out and again.err == ""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--players", 1), "The number of players is a whole number from 2 to 5, not 1."),
        (("--updates", 0), "The number of updates is a whole number from 1 to 100,000, not 0."),
        (("--games", 0), "The number of games is a whole number from 1 to 1,000,000, not 0."),
        (("--temperature", 0), "The temperature is a number from 0.001 to 10, not 0."),
        (("--rate", "nan"), "The rate is a number from 0.001 to 10, not nan."),
        (("--jobs", -1), "The number of processes is a whole number from 0, not -1."),
        (("--critic", "nothing.net"), "The network nothing.net cannot be read"),
        (("--start", "nothing.weights"), "The policy weights nothing.weights cannot be read"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(
    run: Run, tmp_path: Path, words: tuple[object, ...], sentence: str
) -> None:
    answer = run("train", "policy", "--players", 2, "--out", tmp_path / "out", *words)
    assert answer.code == 2 and sentence in answer.err and answer.out == ""
    assert not (tmp_path / "out").exists()


def test_what_to_train_has_to_be_said(run: Run, tmp_path: Path) -> None:
    answer = run("train", "--out", tmp_path / "out")
    assert answer.code == 2 and "nevsky train value, or nevsky train policy" in answer.err
    assert "policy" in run("train", "--help").out
    assert not (tmp_path / "out").exists()


def test_a_missing_ray_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    answer = run("train", "policy", "--players", 2, "--out", tmp_path / "out", "--ray", "local")
    assert (
        answer.code == 2
        and 'nevsky train policy needs ray, which is not installed: pip install "nevsky[ray]".' in answer.err
    )
    assert not (tmp_path / "out").exists()


def test_one_ray_serves_all_updates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", stand_in := Ray())  # it does the last parts first
    train_policy(SMALL, tmp_path / "there", jobs=2, ray="local")
    assert stand_in.most == 3 and stand_in.ended == 1
    train_policy(SMALL, tmp_path / "here", jobs=1)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_ray_learns_the_same_weights(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    train_policy(SMALL, tmp_path / "here", jobs=1)
    train_policy(SMALL, tmp_path / "there", jobs=2, ray="local")
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    words = ("--players", 2, "--out", tmp_path, "--updates", 5000, "--games", 500, "--jobs", 2)
    path = tmp_path / "policy.jsonl"
    some = lambda: path.exists() and path.read_text().count("\n") > 2  # noqa: E731
    with under_way("train", "policy", *words, until=some) as process:
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130 and "Stopped. What is done is kept" in said and "Traceback" not in said
    plan: PolicyPlan = make_policy_plan(2, updates=5000, games=500)
    number = unpack((tmp_path / "policy.state").read_bytes(), plan).number
    assert 2 <= number <= len(lines(tmp_path)) <= number + 1
