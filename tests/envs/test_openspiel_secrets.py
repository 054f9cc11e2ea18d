"""The OpenSpiel game: nobody knows what a seat may not know."""


# ruff: noqa: E402  (OpenSpiel is not to be had for every Python)

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pyspiel = pytest.importorskip("pyspiel")

import numpy as np
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.observation import make_observation

from nevsky.cards import KIND
from nevsky.encoding import SIZE, Encoder
from nevsky.envs import openspiel
from nevsky.envs.openspiel_guess import has_secrets
from nevsky.envs.openspiel_play import unseen
from tests.envs.openspiel_games import (
    SECRETIVE,
    course,
    find,
    go_on,
    knowledge,
    load,
)


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(SECRETIVE), st.integers(0, 10**6))
def test_a_resampled_state_cannot_be_told_from_the_real_one(parameters: str, seed: int) -> None:
    game = load(parameters)
    rng = random.Random(seed)
    for state in course(game, seed, KIND["pick_pocket"]):
        if rng.random() > 0.05:
            continue
        seat = state.current_player() if state.current_player() >= 0 else rng.randrange(game.num_players())
        other = state.resample_from_infostate(seat, rng.random)
        assert knowledge(other, seat) == knowledge(state, seat)
        if seat == state.current_player():
            assert other.legal_actions() == state.legal_actions()
        replayed = game.new_initial_state()
        for number in other.history():
            replayed.apply_action(number)
        assert str(replayed) == str(other)


def test_an_unseen_card_is_any_that_the_seat_cannot_place() -> None:
    game = load("players=2")
    state = next(find(game, KIND["mistress_of_ceremonies"])).clone()
    position, seat = state.play.position, state.current_player()
    assert position is not None
    real = unseen(position, 1 - seat)
    pile = position.t.pile[real[0]]
    unplaced = Counter(position.pile_of(pile) + [kind for kind in real if position.t.pile[kind] == pile])
    rng = random.Random(1)
    found: Counter[int] = Counter()
    for _ in range(400):
        other = state.resample_from_infostate(seat, rng.random)
        found[unseen(other.play.position, 1 - seat)[0]] += 1
    for kind, count in unplaced.items():
        expected = 400 * count / unplaced.total()
        assert abs(found[kind] - expected) < 5 * expected**0.5
    assert set(found) <= set(unplaced)


def test_nobody_learns_from_the_question_that_a_pick_pocket_was_drawn() -> None:
    game = load("players=2,modules=1/")
    asked = next(
        state.clone()
        for seed in range(200)
        for state in course(game, seed, KIND["pick_pocket"])
        if state.play.secret_question
    )
    holder = asked.current_player()
    other = 1 - holder
    declined = asked.clone()
    declined.apply_action(0)
    assert knowledge(asked, other) == knowledge(declined, other)
    assert "pick_pocket" not in asked.information_state_string(other)
    assert asked.information_state_string(holder) != declined.information_state_string(holder)
    rng = random.Random(1)
    round_ = declined.play.position.round
    while declined.current_player() != other or declined.play.history[-1].seen_by(other) is None:
        go_on(declined, rng)
    assert declined.play.position.round == round_
    worlds = {
        KIND["pick_pocket"] in unseen(declined.resample_from_infostate(other, rng.random).play.position, holder)
        for _ in range(60)
    }
    assert worlds == {False, True}


def test_only_who_looks_at_a_card_knows_it() -> None:
    game = load("players=2")
    before = next(
        state.clone()
        for seed in range(50)
        for state in course(game, seed)
        if state.is_chance_node() and " observe " in str(state).rpartition(";")[2]
    )
    looks = before.play.history[-1].actor
    first, second = (before.child(number) for number, _ in before.chance_outcomes()[:2])
    assert knowledge(first, 1 - looks) == knowledge(second, 1 - looks)
    assert all(a != b for a, b in zip(knowledge(first, looks), knowledge(second, looks), strict=True))


def test_where_nothing_is_hidden_the_state_itself_is_the_sample() -> None:
    for state in course(load("players=2,open_hands=True"), 5):
        position = state.play.position
        if position is None or position.drawn < 0:
            assert not any(has_secrets(state.play, seat) for seat in (0, 1))
    assert state.resample_from_infostate(0, random.random).history() == state.history()


def test_what_the_tensors_hold() -> None:
    game = load("players=3")
    assert game.observation_tensor_shape() == [SIZE]
    assert game.information_state_tensor_shape() == [SIZE + 32]
    encoder = Encoder()
    for at, state in enumerate(course(game, 4)):
        if at % 25 or state.play.position is None:
            continue
        for seat in range(3):
            for row, rubles in ((state.observation_tensor(seat), 0), (state.information_state_tensor(seat)[:SIZE], 1)):
                encoder.encode(state.play.position, seat, rubles, 0)
                expected = np.zeros(SIZE, np.float32)
                for place, value in encoder.numbers().items():
                    expected[place] = value
                assert np.array_equal(np.array(row, np.float32), expected)
    observation = make_observation(game)
    observation.set_from(state, 1)
    assert observation.dict["observation"].shape == (SIZE,)


@pytest.mark.parametrize("recall", [False, True])
def test_public_and_private_part_of_what_a_seat_knows(recall: bool) -> None:
    game = load("players=3,market=True,modules=1/5/")
    none, single = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
    public = make_observation(game, pyspiel.IIGObservationType(True, recall, none))
    private = make_observation(game, pyspiel.IIGObservationType(False, recall, single))
    nothing = make_observation(game, pyspiel.IIGObservationType(False, recall, none))
    whole = make_observation(game, pyspiel.IIGObservationType(True, recall, single))
    rng = random.Random(1)
    secrets = 0
    for at, state in enumerate(course(game, 8)):
        if at % 20 or state.is_chance_node():
            continue
        seat = rng.randrange(3)
        other = state.resample_from_infostate(seat, rng.random)
        assert public.string_from(other, seat) == public.string_from(state, (seat + 1) % 3)
        assert private.string_from(other, seat) == private.string_from(state, seat)
        assert nothing.string_from(state, seat) == ""
        secrets += private.string_from(other, seat - 1) != private.string_from(state, seat - 1)
        seen = [whole.string_from(s, seat - 1) for s in (state, other)]
        parts = [(public.string_from(s, 0), private.string_from(s, seat - 1)) for s in (state, other)]
        assert (seen[0] == seen[1]) == (parts[0] == parts[1])
    assert secrets
    public.set_from(state, 0)
    assert public.tensor is None


@pytest.mark.long
def test_openspiels_playthrough_goes_to_the_end() -> None:
    text = generate_playthrough.playthrough(f"{openspiel.SHORT_NAME}(players=2)", None, seed=1)
    assert "IsTerminal() = True" in text


def test_different_histories_have_different_information_states() -> None:
    game = load("players=2")
    strings: set[str] = set()
    tensors: set[bytes] = set()
    decisions = 0
    for seed in range(3):
        for state in course(game, seed):
            if not state.is_chance_node() and not state.is_terminal():
                decisions += 1
                strings.add(state.information_state_string())
                tensors.add(np.array(state.information_state_tensor(), np.float32).tobytes())
    assert len(strings) == len(tensors) == decisions
