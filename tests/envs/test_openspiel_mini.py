"""Nevsky-mini: its whole tree, who knows what in it, and that it can be solved."""


# ruff: noqa: E402  (OpenSpiel is not to be had for every Python)

from __future__ import annotations

import pickle
import random
import runpy
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability

from nevsky import ACTIONS, NevskyError
from nevsky.cards import CARDS
from nevsky.envs import openspiel_mini
from nevsky.envs.openspiel_mini_deal import ACTION_TEXTS, AREA, BOX, MiniDeal
from nevsky.envs.openspiel_state import NevskyState
from nevsky.rules.snapshot import describe
from tests.envs.openspiel_games import knowledge

EXAMPLE = Path(__file__).parents[2] / "examples" / "openspiel" / "mini_cfr.py"
HISTORIES = {"chance": 463, "decision": 6510, "end": 7654}
INFORMATION_STATES = 2861
"""Of each player."""
NUMBERS = 21
"""Of actions."""


def load(reward: str = "score") -> Any:
    return pyspiel.load_game(openspiel_mini.SHORT_NAME, {"reward": reward})


def below(state: NevskyState) -> Iterator[NevskyState]:
    """A state and all that can follow."""
    yield state
    for number in state.legal_actions():
        yield from below(state.child(number))


@pytest.fixture(scope="module")
def tree() -> list[NevskyState]:
    return list(below(load().new_initial_state()))


def test_the_size_of_the_game(tree: list[NevskyState]) -> None:
    """Whoever changes the rules or the deal changes the game that people have solved."""
    found = Counter(
        "end" if state.is_terminal() else "chance" if state.is_chance_node() else "decision" for state in tree
    )
    assert found == HISTORIES
    for seat in (0, 1):
        own = {state.information_state_string() for state in tree if state.current_player() == seat}
        assert len(own) == INFORMATION_STATES


@pytest.mark.parametrize("reward", ["score", "win"])
def test_openspiels_random_simulations(reward: str) -> None:
    pyspiel.random_sim_test(load(reward), 3, True, False)


def test_the_bounds_that_the_game_tells(tree: list[NevskyState]) -> None:
    game = load()
    ends = [state for state in tree if state.is_terminal()]
    assert all(game.min_utility() <= value <= game.max_utility() for state in ends for value in state.returns())
    assert all(sum(state.returns()) == pytest.approx(0) for state in ends)
    for state in ends:
        by_chance = sum(1 for step in state.play.history if step.actor < 0)
        assert by_chance <= game.max_chance_nodes_in_history()
        assert len(state.history()) - by_chance <= game.max_game_length()


def test_chance_adds_up() -> None:
    """Along any pair of strategies all ends together have probability 1: here along the first legal actions."""
    total = 0.0
    stack = [(load().new_initial_state(), 1.0)]
    while stack:
        state, share = stack.pop()
        if state.is_terminal():
            total += share
        elif state.is_chance_node():
            stack += [(state.child(number), share * part) for number, part in state.chance_outcomes()]
        else:
            stack.append((state.child(state.legal_actions()[0]), share))
    assert total == pytest.approx(1)


def test_players_remember_all_they_did_and_knew() -> None:
    """Perfect recall: an information state tells which ones its player has gone through, and what they chose there."""
    for seat in (0, 1):
        courses: dict[str, set[tuple[tuple[str, int], ...]]] = defaultdict(set)
        stack: list[tuple[NevskyState, tuple[tuple[str, int], ...]]] = [(load().new_initial_state(), ())]
        while stack:
            state, own = stack.pop()
            mine = state.current_player() == seat
            known = state.information_state_string(seat) if mine else ""
            if mine:
                courses[known].add(own)
            for number in state.legal_actions():
                stack.append((state.child(number), (*own, (known, number)) if mine else own))
        assert all(len(found) == 1 for found in courses.values())


def test_nobody_knows_the_others_noble_before_it_is_played(tree: list[NevskyState]) -> None:
    """What a player knows does not depend on a noble that the other one still has, nor does what they may do."""
    alike: dict[tuple[int, tuple[tuple[int, int], ...]], dict[int, Any]] = defaultdict(dict)
    for state in tree:
        seat = state.current_player()
        position = state.play.position
        if seat < 0 or position is None:
            continue
        other = 1 - seat
        steps = [(step.actor, step.number) for step in state.play.history]  # those that made themselves, too
        hidden = steps[other][1]
        if hidden in position.hand_of(other) and not position.seen_of(other)[0]:
            rest = tuple(steps[:other] + steps[other + 1 :])
            alike[seat, rest][hidden] = (*knowledge(state, seat), state.legal_actions())
    pairs = [list(found.values()) for found in alike.values() if len(found) == 2]
    assert len(pairs) > 100
    assert all(one == two for one, two in pairs)


def test_a_resampled_state_is_any_that_the_player_cannot_tell_apart(tree: list[NevskyState]) -> None:
    rng = random.Random(1)
    decisions = [state for state in tree if state.current_player() >= 0]
    changed = 0
    for state in rng.sample(decisions, 60):
        seat = state.current_player()
        other = state.resample_from_infostate(seat, rng.random)
        assert knowledge(other, seat) == knowledge(state, seat)
        assert other.legal_actions() == state.legal_actions()
        changed += other.history() != state.history()
    assert changed


def test_the_start_is_one_of_the_rules() -> None:
    deal = MiniDeal()
    dealt: list[int] = []
    while len(dealt) < deal.length:
        dealt.append(deal.chances(dealt)[-1][0])
    start = describe(deal.begin(dealt))
    assert start["hands"] == [["administrator"], ["administrator"]]
    assert start["hands_seen"] == [[False], [False]]
    assert start["row1"] == ["gold_miner"]
    assert start["last_round"]
    everything = (
        Counter(start["out"]) + Counter(start["row1"]) + Counter(card for hand in start["hands"] for card in hand)
    )
    everything += Counter(card for pile in start["piles"].values() for card in pile)
    everything += Counter(AREA * 2)
    assert everything.total() == sum(card.copies_second for card in CARDS if card.module == 0)
    assert Counter(start["out"]).total() == everything.total() - sum(map(len, BOX.values())) - 2 * len(AREA)


def test_actions_are_numbered_without_gaps_and_each_comes_up(tree: list[NevskyState]) -> None:
    game = load()
    assert game.num_distinct_actions() == NUMBERS
    used = {number for state in tree if state.current_player() >= 0 for number in state.legal_actions()}
    assert used == set(range(NUMBERS))


def test_numbers_lead_to_ids_and_texts_and_back(tree: list[NevskyState]) -> None:
    numbers = load().action_set
    assert [ACTIONS[id_].text for id_ in numbers.to_full] == list(ACTION_TEXTS)
    assert numbers.to_reduced[numbers.to_full].tolist() == list(range(NUMBERS))
    for state in tree[::50]:
        if state.current_player() >= 0:
            legal = state.legal_actions()
            assert numbers.to_full[legal].tolist() == state.play.legal()
            assert [state.action_to_string(number) for number in legal] == [ACTION_TEXTS[number] for number in legal]


def test_what_is_no_number_or_not_legal_is_refused(tree: list[NevskyState]) -> None:
    state = next(state for state in tree if state.current_player() == 0).clone()
    with pytest.raises(NevskyError, match="action ids go from 0 to 20"):
        state.apply_action(NUMBERS)
    with pytest.raises(NevskyError, match=r"pub 3.* is not possible now"):
        state.apply_action(NUMBERS - 1)


def test_tables_have_a_column_for_each_number() -> None:
    table = policy.TabularPolicy(load())
    assert table.action_probability_array.shape == (2 * INFORMATION_STATES, NUMBERS)


def test_states_can_be_written_down_and_read(tree: list[NevskyState]) -> None:
    game = load()
    for state in tree[5::500]:
        for again in (game.deserialize_state(state.serialize()), pickle.loads(pickle.dumps(state)), state.clone()):
            assert str(again) == str(state) and again.history() == state.history()
            assert again.legal_actions() == state.legal_actions()


def test_the_text_of_the_game_loads_it_again() -> None:
    assert str(pyspiel.load_game(str(load("win")))) == str(load("win"))
    with pytest.raises(NevskyError, match="has no parameter colour"):
        openspiel_mini.MiniGame({"colour": "red"})
    with pytest.raises(NevskyError, match="There is no reward 'glory'"):
        load("glory")


@pytest.mark.long
def test_cfr_solves_it() -> None:
    game = load()
    solver = cfr.CFRPlusSolver(game)
    found = []
    for _ in range(3):
        for _ in range(4):
            solver.evaluate_and_update_policy()
        found.append(exploitability.exploitability(game, solver.average_policy()))
    assert found[0] > found[1] > found[2]
    assert found[2] < 0.005


def test_the_curves_are_drawn() -> None:
    example = runpy.run_path(str(EXAMPLE))
    rows = [
        example["Row"](name, done, seconds, points)
        for name in example["ALGORITHMS"]
        for done, seconds, points in ((1, 2.5, 3.1), (8, 14.0, 0.2), (20, 31.0, 0.04))
    ]
    picture = ElementTree.fromstring(example["draw"](rows))
    assert len(picture.findall("{*}polyline")) == len(example["ALGORITHMS"])
    assert len(picture.findall("{*}circle")) == len(rows)
    alone = ElementTree.fromstring(example["draw"]([example["Row"](next(iter(example["ALGORITHMS"])), 1, 0.0, 1.0)]))
    assert len(alone.findall("{*}circle")) == 1


@pytest.mark.long
def test_the_example_writes_a_table_and_a_picture(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, str(EXAMPLE), "--iterations", "2", "--out", str(tmp_path / "mini")], check=True, timeout=600
    )
    lines = (tmp_path / "mini.csv").read_text().splitlines()
    assert lines[0] == "algorithm,iterations,seconds,exploitability"
    assert [line.split(",")[:2] for line in lines[1:]] == [
        ["CFR+", "1"],
        ["CFR+", "2"],
        ["external-sampling MCCFR", "2"],
    ]
    assert ElementTree.parse(tmp_path / "mini.svg").getroot().tag.endswith("svg")
