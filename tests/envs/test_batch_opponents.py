"""Who answers inside of a batch, and who is asked."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from nevsky import ACTIONS, NevskyError, Ruleset
from nevsky.bots.core.features import NUMBER_OF_WEIGHTS
from nevsky.bots.core.heuristic import HeuristicPolicy
from nevsky.bots.master import trained_policy, weighted_policy
from nevsky.bots.policy_weights import MASTER_WEIGHTS, load_weights, save_weights
from nevsky.encoding import SIZE
from nevsky.envs.batch import Batch
from nevsky.envs.frozen import FrozenNetwork, FrozenWeights
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.snapshot import blank
from tests.envs.test_batch import row_of
from tests.rulesets import CONFIGURATIONS

BOX = CONFIGURATIONS["all-modules-4"]
Layers = list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]


def layers(*sizes: int, seed: int = 1) -> Layers:
    chance = np.random.default_rng(seed)
    shapes = list(zip((*sizes, len(ACTIONS)), (SIZE, *sizes), strict=True))
    return [
        ((chance.normal(size=shape) / 4).astype(np.float32), chance.normal(size=shape[0]).astype(np.float32))
        for shape in shapes
    ]


def logits(network: Layers, row: npt.NDArray[Any], bend: Any, legal: list[int]) -> npt.NDArray[np.float64]:
    """What such a network says of the legal actions, the plain way."""
    x = row.astype(np.float64)
    for w, b in network[:-1]:
        x = bend(x @ w.T.astype(np.float64) + b)
    w, b = network[-1]
    found: npt.NDArray[np.float64] = w[legal].astype(np.float64) @ x + b[legal]
    return found


def end_of_first_game(batch: Batch) -> tuple[float, int]:
    while not batch.dones[0]:
        batch.step(batch.sample())
    return float(batch.rewards[0].sum()), int(batch.scores[0].sum())


def play_alone(ruleset: Ruleset, batch: Batch, answer: Any) -> None:
    """The first game of a batch beside the same game elsewhere, with opponents that are asked there."""
    learner = int(batch.learners[0])
    position = blank(ruleset)
    position.new_game(Rng.of(batch.game_seed(0)))
    rng = Rng.of(f"opponents/{batch.game_seed(0)}")
    while not position.over:
        answer(None, -1, rng)
        while not position.over:
            legal = position.legal()
            if position.seat != learner:
                position.play(answer(position, (position.seat - learner - 1) % ruleset.players, rng))
            elif len(legal) > 1:
                break
            else:
                position.play(legal[0])
        if batch.dones[0]:
            break
        assert batch.seats[0] == learner
        np.testing.assert_array_equal(batch.observations[0], row_of(position, ruleset, learner))
        actions = batch.sample()
        batch.step(actions)
        position.play(int(actions[0]))
    assert batch.scores[0].tolist() == [position.total(seat)[0] for seat in range(ruleset.players)]


def by_policies(policies: list[HeuristicPolicy | None]) -> Any:
    def answer(position: Position | None, number: int, rng: Rng) -> int:
        if position is None:
            for policy in policies:
                if policy is not None:
                    policy.key = -1000
            return 0
        policy = policies[number]
        if policy is not None:
            return int(policy.pick(position, rng))
        legal = position.legal()
        return legal[rng.below(len(legal)) if len(legal) > 1 else 0]

    return answer


@pytest.mark.parametrize("ruleset", [Ruleset("second", 3), BOX], ids=["base", "box"])
def test_masters_policy_is_that_of_master(ruleset: Ruleset) -> None:
    batch = Batch(ruleset, 1, seed=3, opponents="master-policy")
    policy = trained_policy(ruleset)
    play_alone(ruleset, batch, by_policies([policy] * (ruleset.players - 1)))


def test_every_seat_can_have_another_opponent() -> None:
    ruleset = Ruleset("second", 4)
    batch = Batch(ruleset, 1, seed=3, opponents=["random", "master-policy", "heuristic"], learner=2)
    play_alone(ruleset, batch, by_policies([None, trained_policy(ruleset), HeuristicPolicy()]))


def test_weights_of_ones_own(tmp_path: Path) -> None:
    ruleset = Ruleset("second", 3)
    table = np.random.default_rng(1).normal(size=NUMBER_OF_WEIGHTS).astype(np.float16).astype(np.float64)
    file = tmp_path / "own.weights"
    save_weights(file, {3: table.tolist()})
    ways: list[Any] = [file, str(file), table, table.tolist(), array("d", table), FrozenWeights(table.tolist())]
    for way in ways:
        batch = Batch(ruleset, 1, seed=3, opponents=way)
        play_alone(ruleset, batch, by_policies([weighted_policy(table.tolist())] * 2))
    shipped = Batch(ruleset, 2, seed=1, opponents=MASTER_WEIGHTS)
    named = Batch(ruleset, 2, seed=1, opponents="master-policy")
    given = Batch(ruleset, 2, seed=1, opponents=load_weights(3))
    assert end_of_first_game(shipped) == end_of_first_game(named) == end_of_first_game(given)


BENDS: dict[str, Any] = {"relu": lambda x: np.maximum(x, 0), "tanh": np.tanh}


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("sizes", [(), (8,), (16, 4), (5, 6, 7)])
def test_a_network_says_what_its_arrays_say(sizes: tuple[int, ...], activation: str) -> None:
    given = layers(*sizes)
    for ruleset in (Ruleset("second", 3), BOX):
        net = FrozenNetwork(given, activation).net(ruleset)
        position = blank(ruleset)
        position.new_game(Rng.of(5))
        rng = Rng.of(6)
        for _ in range(30):
            row = row_of(position, ruleset, position.seat)
            expected = logits(given, row, BENDS[activation], position.legal())
            np.testing.assert_allclose(net.values(position), expected, rtol=1e-4, atol=1e-4)
            position.play_random(rng, 3)
            if position.over:
                break


def test_a_network_answers_with_the_best_legal_action() -> None:
    ruleset, given = Ruleset("second", 3), layers(16)

    def answer(position: Position | None, number: int, rng: Rng) -> int:
        if position is None:
            return 0
        legal = position.legal()
        found = logits(given, row_of(position, ruleset, position.seat), BENDS["relu"], legal)
        return legal[int(found.argmax())]

    play_alone(ruleset, Batch(ruleset, 1, seed=4, opponents=FrozenNetwork(given)), answer)


def test_a_network_can_draw_by_its_chances() -> None:
    ruleset = Ruleset("second", 2)
    bias = np.linspace(0, 8, len(ACTIONS), dtype=np.float32)
    position = Batch(ruleset, 1, seed=4).position(0)
    legal = position.legal()
    chances = np.exp(bias[legal] - bias[legal].max())
    chances /= chances.sum()
    flat = [(np.zeros((len(ACTIONS), SIZE), np.float32), bias)]
    drawing = FrozenNetwork(flat, sample=True).net(ruleset)
    rng = Rng.of(1)
    drawn = [drawing.pick(position, rng) for _ in range(3000)]
    for number, chance in zip(legal, chances, strict=True):
        assert abs(drawn.count(number) / 3000 - chance) < 0.04
    sure = FrozenNetwork(flat).net(ruleset)
    assert {sure.pick(position, rng) for _ in range(20)} == {max(legal)}


@pytest.mark.parametrize("activation", BENDS)
def test_a_network_whose_numbers_overflow_still_answers(activation: str) -> None:
    ruleset = Ruleset("second", 2)
    huge: Layers = [(np.full_like(w, 3e38) * np.where(w > 0, 1, -1), np.full_like(b, 3e38)) for w, b in layers(8)]
    net = FrozenNetwork(huge, activation, sample=True).net(ruleset)
    position, rng = Batch(ruleset, 1, seed=4).position(0), Rng.of(1)
    assert not np.isfinite(net.values(position)).all()
    assert {net.pick(position, rng) for _ in range(20)} <= set(position.legal())


def test_a_stronger_opponent_leaves_less() -> None:
    shares = {}
    for name in ("random", "heuristic"):
        batch = Batch(Ruleset("second", 2), 40, seed=1, opponents=name)
        won: list[float] = []
        while len(won) < 40:
            batch.step(batch.sample())
            won += batch.earned[batch.dones].tolist()
        shares[name] = sum(won) / len(won)
    assert shares["random"] > 0.3
    assert shares["heuristic"] < 0.1


def test_any_seats_can_learn() -> None:
    batch = Batch(Ruleset("second", 4), 6, seed=1, opponents=["random", "heuristic"], learners=(0, 2))
    assert batch.asked.tolist() == [[True, False, True, False]] * 6
    assert batch.learners.tolist() == [-1] * 6
    seen: set[int] = set()
    while batch.numbers.min() < 2:
        asked = batch.seats.copy()
        batch.step(batch.sample())
        seen |= set(batch.seats.tolist())
        np.testing.assert_array_equal(batch.earned, batch.rewards[np.arange(6), asked])
    assert seen == {0, 2}


def test_every_game_can_have_other_learners() -> None:
    mask = np.array([[True, False, False], [False, True, True], [True, True, True]])
    batch = Batch(Ruleset("second", 3), 3, seed=1, opponents="heuristic", learners=mask)
    mask[:] = True
    seen: list[set[int]] = [set(), set(), set()]
    for _ in range(250):
        batch.step(batch.sample())
        for i in range(3):
            seen[i].add(int(batch.seats[i]))
    assert seen == [{0}, {1, 2}, {0, 1, 2}]
    assert batch.numbers.min() > 0


def test_if_all_learn_it_is_as_without_opponents() -> None:
    ruleset = Ruleset("second", 3)
    one, other = Batch(ruleset, 2, seed=1), Batch(ruleset, 2, seed=1, learners=(0, 1, 2))
    for _ in range(100):
        actions = one.sample()
        one.step(actions)
        other.step(actions)
        np.testing.assert_array_equal(one.observations, other.observations)


def test_opponents_can_be_exchanged_on_the_way() -> None:
    ruleset = Ruleset("second", 2)
    batch = Batch(ruleset, 20, seed=1, opponents="random")
    batch.set_opponents(FrozenNetwork(layers(4)))
    batch.step(batch.sample())
    batch.set_opponents(["heuristic"])
    won: list[float] = []
    while len(won) < 20:
        batch.step(batch.sample())
        won += batch.earned[batch.dones].tolist()
    assert sum(won) < 5
    for other, begun in ((None, batch), ("random", Batch(ruleset, 1, seed=1))):
        with pytest.raises(NevskyError, match="goes on"):
            begun.set_opponents(other)


W, B = np.zeros((len(ACTIONS), SIZE), np.float32), np.zeros(len(ACTIONS), np.float32)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"opponents": ["random"]}, "There are 2 opponents"),
        ({"opponents": ["random"] * 2, "learners": (0, 1)}, "There is 1 opponent"),
        ({"opponents": ["random", 5]}, "An opponent inside of a batch"),
        ({"opponents": 5}, "An opponent inside of a batch"),
        ({"opponents": [0.0, 1.0]}, "Policy weights are 15452"),
        ({"opponents": np.zeros((2, 2))}, "Policy weights are 15452"),
        ({"opponents": [float("nan")] * NUMBER_OF_WEIGHTS}, "Policy weights are 15452"),
        ({"opponents": "nowhere.weights"}, "nowhere.weights"),
        ({"learners": (0, 1)}, "needs opponents"),
        ({"opponents": "random", "learners": (0, 1), "learner": 2}, "not both"),
        ({"opponents": "random", "learners": ()}, "The learners are seats from 0 to 2"),
        ({"opponents": "random", "learners": (0, 0)}, "The learners are"),
        ({"opponents": "random", "learners": (0, 3)}, "The learners are"),
        ({"opponents": "random", "learners": (0, -1)}, "The learners are"),
        ({"opponents": "random", "learners": 1.5}, "The learners are"),
        ({"opponents": "random", "learners": [[0], [1, 2]]}, "The learners are"),
        ({"opponents": "random", "learners": np.ones((1, 3), np.bool_)}, "The learners are"),
        ({"opponents": "random", "learners": np.zeros((2, 3), np.bool_)}, "The learners are"),
    ],
)
def test_bad_options_get_a_sentence(options: dict[str, Any], words: str) -> None:
    with pytest.raises(NevskyError, match=words) as raised:
        Batch(**{"players": 3, "games": 2, "seed": 1, **options})
    assert str(raised.value).endswith(".")


@pytest.mark.parametrize(
    ("given", "options", "words"),
    [
        ([], {}, "1 to 16 layers, not 0"),
        ([(W, B)] * 17, {}, "1 to 16 layers, not 17"),
        ([(W.T, B)], {}, r"Layer 1 .*\(5206, 2079\)"),
        ([(W, B[:-1])], {}, "Layer 1"),
        ([(W[:0], B[:0]), (W[:, :0], B)], {}, "Layer 1"),
        ([(W[:4], B[:4]), (W, B)], {}, r"Layer 2 .*\(5206, 4\)"),
        ([(np.float32(1), B)], {}, "Layer 1"),
        ([(W + np.inf, B)], {}, "not finite"),
        ([(W, B)], {"activation": "gelu"}, "choose relu or tanh"),
        ([(W, B)], {"sample": 1}, "sample is true or false"),
    ],
)
def test_bad_networks_get_a_sentence(given: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(NevskyError, match=words):
        FrozenNetwork(given, **options)
