"""The state for critics: everything that is secret can be read from it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from nevsky import Game, NevskyError
from nevsky.cards import CARDS, PILES
from nevsky.envs.batch import Batch
from nevsky.envs.gymnasium import SaintPetersburgEnv
from nevsky.envs.pettingzoo import env
from nevsky.envs.truth import STATE_SIZE, Truth, state_layout
from nevsky.envs.vector import VectorSaintPetersburg
from nevsky.rules.constants import KINDS
from tests.envs.playing import play, some_games
from tests.rulesets import CONFIGURATIONS


def read(state: Any) -> dict[str, dict[str, float]]:
    """What is counted, by field and label."""
    found: dict[str, dict[str, float]] = {}
    for field in state_layout():
        numbers = np.round(state[field.start : field.stop] * field.scale, 3)
        found[field.name] = {field.labels[i]: float(numbers[i]) for i in np.flatnonzero(numbers)}
    return found


def counted(cards: list[str]) -> dict[str, float]:
    return {card: float(cards.count(card)) for card in cards}


def test_the_layout_has_no_gaps() -> None:
    at = 0
    for field in state_layout():
        assert field.start == at and field.stop - field.start == len(field.labels)
        at = field.stop
    assert at == STATE_SIZE and len({field.name for field in state_layout()}) == len(state_layout())


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_secrets_can_be_read_from_a_state(configuration: str) -> None:
    ruleset = CONFIGURATIONS[configuration]
    truth = Truth()
    for game in some_games(ruleset, 4):
        wanted = game.state()
        for first in range(ruleset.players):
            told = read(truth.state(game, first))
            for i in range(ruleset.players):
                seat = (first + i) % ruleset.players
                hand, seen = wanted["hands"][seat], wanted["hands_seen"][seat]
                assert told[f"seat{i}.held"] == counted(hand)
                assert told[f"seat{i}.seen"] == counted([card for card, open_ in zip(hand, seen, strict=True) if open_])
                assert told[f"seat{i}.rubles"].get("", 0) == pytest.approx(wanted["rubles"][seat], abs=0.01)
                assert not told[f"seat{i}.unknown"]
                if 5 in ruleset.modules:
                    numbers = game.position.assignments.dealt[seat * 3 : seat * 3 + 3]  # type: ignore[attr-defined]
                    assert set(told[f"seat{i}.dealt"]) == {str(number) for number in numbers}
            for pile, cards in wanted["piles"].items():
                places = told[f"pile_{pile}"]
                assert [CARDS[int(kind) - 1].exact for kind in places.values()] == cards
                assert list(places) == [str(place) for place in range(1, len(cards) + 1)]
            in_piles = [card for cards in wanted["piles"].values() for card in cards]
            assert told["unseen"] == counted(in_piles)
            assert told["drawn"] == ({wanted["drawn"]: 1} if wanted["drawn"] else {})


def test_a_card_that_only_its_finder_sees_is_in_it() -> None:
    drawn = 0
    for seed in range(60):
        game, rng = Game(CONFIGURATIONS["second-2"], seed, auto=True), random.Random(seed)
        while not game.over and not drawn:
            for first in range(2):
                told = read(Truth().state(game, first))
                card = game.state()["drawn"]
                assert told["drawn"] == ({card: 1} if card else {})
                drawn += bool(card) and first != game.to_move
            looks = [number for number in game.legal_ids if 3009 <= number < 3014]
            game.push(rng.choice(looks or game.legal_ids))
        if drawn:
            return
    pytest.fail("nobody looked at a card")


def test_all_agents_share_a_state_and_wrappers_pass_it_on() -> None:
    table: Any = env(players=3, market=True, modules="5")
    table.reset(seed=1)
    before = table.state()
    assert before in table.state_space and before.dtype == np.float32
    assert np.array_equal(before, Truth().state(table.unwrapped.game, 0))
    play(table, random.Random(1))
    assert not np.array_equal(before, table.state())


def test_a_learner_sits_first_in_its_own() -> None:
    learner = SaintPetersburgEnv(players=4, seat=2)
    learner.reset(seed=1)
    assert learner.game is not None
    assert learner.state() in learner.state_space
    assert np.array_equal(learner.state(), Truth().state(learner.game, 2))


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_a_batch_tells_it_about_each_game(configuration: str) -> None:
    ruleset = CONFIGURATIONS[configuration]
    batch, truth = Batch(ruleset, 3, seed=2), Truth()
    games = [Game(ruleset, batch.game_seed(i), auto=True) for i in range(3)]
    for step in range(120):
        states, from_last = batch.state(), batch.state(first=ruleset.players - 1)
        for i, game in enumerate(games):
            assert np.array_equal(states[i], truth.state(game, batch.seats[i]))
            assert np.array_equal(from_last[i], truth.state(game, ruleset.players - 1))
        one = step % 3
        assert np.array_equal(batch.state(one), states[one])
        assert np.array_equal(batch.state(one, first=0), truth.state(games[one], 0))
        actions = batch.sample()
        batch.step(actions)
        for i in range(3):
            games[i].push(int(actions[i]))
            if games[i].over:
                games[i] = Game(ruleset, batch.game_seed(i), auto=True)


def test_learners_in_a_batch_sit_first_as_in_the_environment() -> None:
    batch = Batch(games=4, seed=1, players=3, opponents="heuristic", threads=2)
    for _ in range(30):
        batch.step(batch.sample())
        states = batch.state()
        assert states.dtype == np.float32 and states.shape == (4, STATE_SIZE)
        for i, learner in enumerate(batch.learners):
            assert np.array_equal(states[i], Truth().row(batch.position(i), int(learner)))


def test_states_of_a_batch_are_new_and_have_a_sentence_for_what_is_no_seat() -> None:
    batch = Batch(games=2, seed=1, players=2)
    before = batch.state()
    kept = before.copy()
    batch.step(batch.sample())
    assert np.array_equal(before, kept) and not np.array_equal(batch.state(), kept)
    for seat in (2, -1, True, "0"):
        with pytest.raises(NevskyError, match="There is no player"):
            batch.state(first=seat)  # type: ignore[arg-type]


def test_a_vector_tells_it_for_all_games() -> None:
    vector = VectorSaintPetersburg(3, players=2, opponents="random")
    with pytest.raises(NevskyError, match="no games yet"):
        vector.state()
    vector.reset(seed=1)
    assert vector.state() in vector.state_space and vector.state()[0] in vector.single_state_space
    assert np.array_equal(vector.state(), vector.batch.state())


def test_the_piles_have_room() -> None:
    assert [field.name for field in state_layout()[-5:]] == [f"pile_{pile}" for pile in PILES]
    assert all(field.scale == KINDS for field in state_layout()[-5:])
