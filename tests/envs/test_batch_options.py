"""Memory, fewer actions and rewards on the way: in a batch they are what they are in the other environments."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nevsky import ACTIONS, Game, NevskyError, Ruleset
from nevsky.envs.action_sets import action_set
from nevsky.envs.batch import Batch
from nevsky.envs.history import HISTORY, History, history_array
from nevsky.envs.observing import Observer
from nevsky.envs.options import final_rewards
from nevsky.envs.shaping import Shaper, choose_potential
from nevsky.telling import UNNAMED, Telling
from tests.envs.test_batch import everything
from tests.modules.test_pick_pocket import at_start, unseen
from tests.rulesets import CONFIGURATIONS

SOME = ["first-3", "second-2", "market-4", "module-1-market", "all-modules-3", "all-modules-5"]


def drive(game: Game, number: int, *, auto: bool) -> None:
    """Make a choice, and then, as the environments do, whatever leaves none."""
    game.push(number)
    go_on(game, auto=auto)


def go_on(game: Game, *, auto: bool) -> None:
    while auto and not game.over and len(game.legal_ids) == 1:
        game.push_auto(game.legal_ids[0])


def alone(batch: Batch, place: int) -> Game:
    """The game that a batch plays in a place, from its start."""
    game = Game(batch.ruleset, batch.game_seed(place))
    go_on(game, auto=batch.auto)
    return game


def steps(batch: Batch, ended: int, seed: int) -> Iterator[tuple[Game, int, int]]:
    """Play the first game of a batch so many times beside the same game by itself; the latter before and after."""
    chance, game = np.random.default_rng(seed), alone(batch, 0)
    while ended:
        seat = game.to_move
        assert seat is not None
        yield game, seat, -1
        choices = batch.legal[0, : batch.legal_counts[0]]
        number = int(choices[chance.integers(len(choices))])
        batch.step([number])
        drive(game, number if batch.action_set is None else int(batch.action_set.to_full[number]), auto=batch.auto)
        yield game, seat, number
        if game.over:
            game, ended = alone(batch, 0), ended - 1


@pytest.mark.parametrize("actions", ["all", "ruleset"])
@pytest.mark.parametrize("auto", [True, False])
@pytest.mark.parametrize("name", SOME)
def test_a_batch_remembers_what_other_environments_remember(name: str, auto: bool, actions: str) -> None:
    ruleset = CONFIGURATIONS[name]
    batch = Batch(ruleset, 1, seed=5, auto=auto, memory=True, actions=actions)
    observer = Observer(memory=True, actions=batch.action_set)
    assert batch.history is not None and batch.final_history is not None
    for game, seat, number in steps(batch, 2, seed=1):
        if number < 0:
            seen = observer.observe(game, seat)
            assert batch.seats[0] == seat
            np.testing.assert_array_equal(batch.observations[0], seen["observation"])
            np.testing.assert_array_equal(batch.masks[0], seen["action_mask"])
            np.testing.assert_array_equal(batch.history[0], seen["history"])
        elif game.over:
            seen = observer.observe(game, seat)
            np.testing.assert_array_equal(batch.final_observations[0], seen["observation"])
            np.testing.assert_array_equal(batch.final_history[0], seen["history"])


def test_what_is_chosen_in_secret_stays_secret() -> None:
    ruleset, kinds = CONFIGURATIONS["all-modules-3"], set()
    batch = Batch(ruleset, 1, memory=True, seed=0)
    observer = Observer(memory=True)
    assert batch.history is not None
    for seed in range(8):
        batch.reset(seed)
        for game, seat, number in steps(batch, 1, seed):
            if number < 0:
                np.testing.assert_array_equal(batch.history[0], observer.observe(game, seat)["history"])
            elif game.over:
                kinds |= {facts.due for facts in Telling(game).moves if facts.secret == UNNAMED}
    assert kinds == {"drawn", "assignment"}


@pytest.mark.parametrize("start", [unseen, at_start])
def test_nobody_hears_of_a_secret_question(start: Callable[[], Game]) -> None:
    """Whoever keeps a Pick Pocket that was drawn unseen was never asked about it, as far as others know (12.2)."""
    game = start()
    batch = Batch(game.ruleset, 1, memory=True, seed=0)
    saved = batch.save(0)
    assert saved.log is not None and batch.history is not None
    saved.position, saved.log = game.position, saved.log._replace(made=0, since=saved.log.since * 0)
    batch.restore(saved)
    history, seat = History(game), game.to_move
    earlier = [len(history.since(game, other)) for other in range(3)]
    for step in range(4):
        assert seat is not None
        earlier[seat] = 0
        batch.step([0])
        drive(game, 0, auto=True)
        seat = game.to_move
        assert seat is not None and batch.seats[0] == seat
        expected = history_array(history.since(game, seat)[earlier[seat] :], seat, 3, None)
        np.testing.assert_array_equal(batch.history[0], expected)
        if step == 0:
            assert (expected[0, 0] < 0) == (start is unseen), "a Pick Pocket that all have seen is kept openly"


@pytest.mark.parametrize("learners", [(0,), (0, 2)])
def test_what_opponents_do_is_remembered(learners: tuple[int, ...]) -> None:
    """The rows of a decision are those of the actions that led to it from the last one of the seat."""
    batch = Batch(players=3, games=4, seed=2, opponents="heuristic", learners=learners, memory=True)
    assert batch.history is not None
    others = 0
    for _ in range(60):
        batch.step(batch.sample())
        for rows, seat, number in zip(batch.history, batch.seats, batch.numbers, strict=True):
            told = rows[rows[:, 0] >= 0]
            assert (rows[len(told) :] == -1).all() and ((told[:, 0] + seat) % 3 < 3).all()
            others += int((told[:, 0] > 0).sum())
            assert number >= 0
    assert others > 300 and batch.history.shape[1] == HISTORY


def test_rubles_are_remembered_and_the_ruleset_stays() -> None:
    plain, remembering = Batch(players=3, games=2, seed=1), Batch(players=3, games=2, seed=1, memory=True)
    assert plain.history is None and plain.final_history is None
    assert not remembering.ruleset.open_rubles
    assert plain.observations[0, 274 + 2] == 0 and remembering.observations[0, 274 + 2] == 1


@pytest.mark.parametrize("opponents", [None, "heuristic"])
@pytest.mark.parametrize("name", ["second-2", "all-modules-4"])
def test_games_are_the_same_with_fewer_actions(name: str, opponents: str | None) -> None:
    ruleset = CONFIGURATIONS[name]
    whole = Batch(ruleset, 3, seed=4, opponents=opponents)
    small = Batch(ruleset, 3, seed=4, opponents=opponents, actions="ruleset")
    mapping = action_set(ruleset)
    assert small.action_set is mapping and whole.action_set is None
    assert small.masks.shape == (3, len(mapping))
    for _ in range(150):
        np.testing.assert_array_equal(whole.masks[:, mapping.to_full], small.masks)
        assert whole.masks.sum() == small.masks.sum()
        numbers, ids = small.sample(), whole.sample()
        np.testing.assert_array_equal(mapping.to_full[numbers], ids)
        whole.step(ids)
        small.step(numbers)
        np.testing.assert_array_equal(whole.observations, small.observations)
        np.testing.assert_array_equal(whole.rewards, small.rewards)
        for i in range(3):
            n = small.legal_counts[i]
            assert mapping.to_full[small.legal[i, :n]].tolist() == whole.legal[i, :n].tolist()


def test_illegal_actions_are_named_by_their_own_numbers() -> None:
    batch = Batch(players=2, games=2, seed=1, actions="ruleset")
    with pytest.raises(NevskyError, match="action 1067, 'pub 10', is not possible"):
        batch.step([int(batch.legal[0, 0]), 1067])
    with pytest.raises(NevskyError, match="1067"):
        batch.step([int(batch.legal[0, 0]), 1068])
    assert ACTIONS[int(action_set(batch.ruleset).to_full[1067])].text == "pub 10"
    with pytest.raises(NevskyError, match="few"):
        Batch(players=2, actions="few")


@pytest.mark.parametrize("shaping", ["lead", "share"])
@pytest.mark.parametrize("name", SOME)
def test_every_seat_is_paid_what_other_environments_pay(name: str, shaping: str) -> None:
    ruleset = CONFIGURATIONS[name]
    batch = Batch(ruleset, 1, seed=9, reward="score", shaping=shaping, discount=0.9)
    shaper = Shaper(choose_potential(shaping), 0.9)
    paid = 0
    for game, seat, number in steps(batch, 2, seed=3):
        rewards = [0.0] * ruleset.players
        if number < 0:
            if not paid or batch.dones[0]:
                shaper.begin()
                shaper.decides(game, seat)
            continue
        if game.result is not None:
            rewards = [reward + shaper.ends(other) for other, reward in enumerate(final_rewards(game.result, "score"))]
        else:
            asked = game.to_move
            assert asked is not None
            rewards[asked] = shaper.decides(game, asked)
        paid += 1
        assert batch.rewards[0].tolist() == pytest.approx(rewards, abs=1e-6)
        assert batch.earned[0] == batch.rewards[0, seat]
    assert paid > 100


@given(st.integers(0, 2**32), st.sampled_from(["lead", "share"]), st.sampled_from([1.0, 0.9]))
@settings(max_examples=6, deadline=None)
def test_a_learners_return_is_shifted_by_the_start_alone(seed: int, shaping: str, discount: float) -> None:
    options: dict[str, Any] = {"players": 3, "games": 4, "seed": seed, "opponents": "random", "reward": "score"}
    plain, shaped = Batch(**options), Batch(**options, shaping=shaping, discount=discount)
    assert shaped.potentials is not None
    places = np.arange(4)
    start = shaped.potentials[places, shaped.seats]
    difference, step, running = np.zeros(4), 0, np.ones(4, np.bool_)
    while running.any():
        actions = plain.sample()
        plain.step(actions, running)
        shaped.step(actions, running)
        np.testing.assert_array_equal(plain.dones, shaped.dones)
        difference += np.where(running, discount**step * (shaped.earned - plain.earned), 0)
        running &= ~plain.dones
        step += 1
    assert difference == pytest.approx(-start, abs=1e-5)


def test_what_cannot_be_shaped_is_refused() -> None:
    with pytest.raises(NevskyError, match="no function"):
        Batch(players=2, shaping=len)  # type: ignore[arg-type]
    with pytest.raises(NevskyError, match="luck"):
        Batch(players=2, shaping="luck")
    with pytest.raises(NevskyError, match="discount"):
        Batch(players=2, shaping="lead", discount=0)


OPTIONS: dict[str, Any] = {"memory": True, "actions": "ruleset", "shaping": "share", "discount": 0.95}


def all_arrays(batch: Batch) -> dict[str, bytes]:
    assert batch.history is not None and batch.final_history is not None and batch.potentials is not None
    more: dict[str, npt.NDArray[Any]] = {
        "history": batch.history,
        "final": batch.final_history,
        "potentials": batch.potentials,
    }
    return {**everything(batch), **{name: array.tobytes() for name, array in more.items()}}


@pytest.mark.parametrize("learners", [None, (0, 1)])
def test_what_is_remembered_and_owed_is_saved(learners: tuple[int, ...] | None) -> None:
    ruleset = CONFIGURATIONS["all-modules-3"]
    batch = Batch(ruleset, 3, seed=2, opponents="random", learners=learners, **OPTIONS)
    for _ in range(120):
        batch.step(batch.sample())
    saved = batch.save()
    again = pickle.loads(pickle.dumps(batch))
    assert all_arrays(again) == all_arrays(batch)
    for _ in range(60):
        batch.step(actions := batch.sample())
        assert (again.sample() == actions).all()
        again.step(actions)
        assert all_arrays(again) == all_arrays(batch)
    later = all_arrays(batch)
    batch.restore(saved)
    for _ in range(60):
        batch.step(batch.sample())
    assert all_arrays(batch) == later


def test_games_can_change_over_to_other_options() -> None:
    plain, full = Batch(players=2, games=2, seed=1), Batch(players=2, games=2, seed=1, **OPTIONS)
    with pytest.raises(NevskyError, match="without memory"):
        full.restore(plain.save(0))
    plain.restore(full.save(0))
    paid = Batch(players=2, games=2, seed=8, shaping="lead")
    for _ in range(30):
        plain.step(plain.sample())
    paid.restore(plain.save(0), 1)
    assert paid.potentials is not None
    seat = paid.seats[1]
    assert paid.potentials[1, seat] == pytest.approx(standing(paid, 1), abs=1e-9)
    assert paid.potentials[1, 1 - seat] == 0


def standing(batch: Batch, place: int) -> float:
    """The lead of whoever is asked, in a game of two."""
    position, seat = batch.position(place), int(batch.seats[place])
    points = [position.points[s] + position.final_parts(s)[0] for s in range(2)]
    return (points[seat] - points[1 - seat]) / 100


def test_threads_change_nothing() -> None:
    one, two = (Batch(Ruleset("second", 3), 32, seed=1, threads=n, **OPTIONS) for n in (1, 2))
    for _ in range(60):
        one.step(actions := one.sample())
        two.step(actions)
        assert all_arrays(one) == all_arrays(two)
