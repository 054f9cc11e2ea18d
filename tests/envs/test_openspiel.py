"""The OpenSpiel game: OpenSpiel's own tests, and the deal that its chance makes."""


# ruff: noqa: E402  (OpenSpiel is not to be had for every Python)

from __future__ import annotations

import pickle
import random
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.observation import make_observation

from nevsky import ACTIONS, Game, NevskyError, Ruleset
from nevsky.cards import CARDS, KIND
from nevsky.envs import openspiel
from nevsky.envs.action_sets import action_set
from nevsky.envs.openspiel_deal import BoxDeal, begin, chances, plan, words
from nevsky.envs.openspiel_play import CHANCE, Play
from nevsky.envs.openspiel_rollout import RolloutEvaluator
from nevsky.rules.snapshot import describe
from tests.envs.openspiel_games import ALL_MODULES, SPECIFICATIONS, course, go_on, knowledge, load
from tests.rulesets import CONFIGURATIONS


@pytest.mark.parametrize("parameters", SPECIFICATIONS)
def test_openspiels_random_simulations(parameters: str) -> None:
    pyspiel.random_sim_test(load(parameters), 1, True, False)


@pytest.mark.parametrize("parameters", ["", *SPECIFICATIONS])
def test_the_text_of_a_game_loads_it_again(parameters: str) -> None:
    game = load(parameters)
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)
    assert again.ruleset == game.ruleset


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"players": 9}, "The game is for 2 to 4 players, not 9."),
        ({"players": 5}, "Five players need the Market"),
        ({"actions": "few"}, "There is no set of actions, 'few': choose all or ruleset."),
        ({"reward": "glory"}, "There is no reward 'glory': choose win or score."),
        ({"edition": "third"}, "There is no edition 'third'"),
        ({"modules": "3"}, "needs the Market"),
        ({"modules": "1/9"}, "There is no module 9"),
        ({"modules": "all"}, "Modules are numbers, each followed by a slash"),
    ],
)
def test_bad_parameters_get_a_sentence(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NevskyError, match=sentence.replace("(", r"\(")):
        pyspiel.load_game(openspiel.SHORT_NAME, parameters)


def test_parameters_that_are_refused_without_openspiel_looking_at_them() -> None:
    with pytest.raises(NevskyError, match="has no parameter colour"):
        openspiel.NevskyGame({"colour": "red"})
    with pytest.raises(NevskyError, match="auto is true or false"):
        openspiel.NevskyGame({"auto": 1})
    with pytest.raises(NevskyError, match="Modules are numbers"):
        openspiel.NevskyGame({"modules": 1})
    with pytest.raises(NevskyError, match="no parameters for observations"):
        load().make_py_observer(None, {"colour": True})
    with pytest.raises(NevskyError, match="secrets of all players"):
        make_observation(
            load(), pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
        )
    with pytest.raises(NevskyError, match="There is no player 2"):
        load().new_initial_state().resample_from_infostate(2, random.random)
    with pytest.raises(NevskyError, match="rollouts is a whole number from 1"):
        RolloutEvaluator(0)


def test_what_is_not_possible_changes_nothing() -> None:
    state = load().new_initial_state()
    with pytest.raises(NevskyError, match="Chance cannot have the outcome 99 here"):
        state.apply_action(99)
    assert state.history() == []
    rng = random.Random(1)
    while state.is_chance_node():
        go_on(state, rng)
    before = str(state), state.history()
    with pytest.raises(NevskyError, match="not possible now"):
        state.apply_action(ACTIONS.index(next(action for action in ACTIONS if action.verb == "pub")))
    assert (str(state), state.history()) == before


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_the_rules_play_the_same_game_from_whole_piles(configuration: str) -> None:
    """Cards drawn one by one are the same game as piles that were shuffled at the start."""
    ruleset = CONFIGURATIONS[configuration]
    rng = random.Random(configuration)
    play = Play(BoxDeal(ruleset), auto=True)
    while not play.over:
        outcomes, shares = zip(*play.chances(), strict=True) if play.mover == CHANCE else (play.legal(), None)
        play.apply(rng.choices(outcomes, shares)[0])
    n = len(plan(ruleset))
    start = describe(begin(ruleset, play.inputs[:n]))
    turned: list[int] = [step.number for step in play.history[n - 2 * ruleset.players :] if step.actor == CHANCE]
    assert play.position is not None
    piles: dict[str, list[str]] = {}
    for pile, name in enumerate(("worker", "market", "building", "noble", "exchange")):
        if name in start["piles"]:
            order = [kind for kind in turned if CARDS[kind].pile == name] + play.position.pile_of(pile)
            piles[name] = [CARDS[kind].exact for kind in order]
    extras = {name: start[name] for name in ("assistants", "assignments", "obstacles") if name in start}
    if "obstacles" in extras:
        extras["obstacles"] = extras["obstacles"]["tiles"]
    game = Game.from_piles(ruleset, piles, start["tokens"], **extras)
    for step in play.history:
        if step.actor != CHANCE:
            assert game.to_move == step.actor
            game.push(step.number)
    assert game.over
    assert game.state() == describe(play.position)


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_chance_deals_what_the_rules_deal(configuration: str) -> None:
    """Every seeded deal is possible here, with a probability, and the probabilities add up."""
    ruleset = CONFIGURATIONS[configuration]
    for seed in range(20):
        game = Game(ruleset, seed)
        start = describe(game.start_position)
        dealt: list[int] = []
        wanted = {
            "tokens": ["tokens " + " ".join(map(str, game.tokens.values()))],
            "assignment": [
                f"assignment {number} to {seat}"
                for seat, own in enumerate(start.get("assignments", []))
                for number in own
            ],
            "obstacle": [
                f"obstacle {tile} at {at}" for at, tile in start.get("obstacles", {}).get("tiles", {}).items()
            ],
            "card": [f"+{card}" for card in start["row1"]],
        }
        for what in plan(ruleset):
            outcomes = chances(ruleset, dealt)
            assert sum(share for _, share in outcomes) == pytest.approx(1)
            texts = {words(ruleset, dealt, number): number for number, _ in outcomes}
            assert len(texts) == len(outcomes)
            if what == "assistants":
                found = {
                    frozenset(word.split(":")[0] + word.split(":")[1] for word in text.split()[1:]): number
                    for text, number in texts.items()
                }
                dealt.append(found[frozenset(f"{name}{seat}" for name, seat in start["assistants"].items())])
            else:
                dealt.append(texts[wanted[what].pop(0)])
        arranged = describe(begin(ruleset, dealt))
        assert {key: value for key, value in arranged.items() if key != "piles"} == {
            key: value for key, value in start.items() if key != "piles"
        }


@pytest.mark.parametrize(("n", "market", "ways"), [(2, False, 6), (3, False, 36), (4, False, 24), (2, True, 20)])
def test_tokens_are_dealt_in_all_ways(n: int, market: bool, ways: int) -> None:
    ruleset = Ruleset("second", n, market=market)
    assert len(chances(ruleset, [])) == ways
    seen = {tuple(Game(ruleset, seed).tokens.values()) for seed in range(600)}
    assert len(seen) == ways


def test_the_youngest_has_two_tokens() -> None:
    ruleset = Ruleset("first", 3, youngest=1)
    for number, _ in chances(ruleset, []):
        assert words(ruleset, [], number).split()[1:].count("1") == 2


def test_a_number_of_real_obstacles_is_dealt_evenly() -> None:
    ruleset = Ruleset("second", 2, market=True, modules=(6,), real_obstacles=2)
    tiles = chances(ruleset, [0])
    assert sum(share for tile, share in tiles if tile >= 5) == pytest.approx(2 / 5)
    assert [tile for tile, _ in chances(ruleset, [0, 5, 6])] == [0, 1, 2, 3, 4]


def test_the_next_card_is_any_of_the_pile() -> None:
    state = load().new_initial_state()
    state.apply_action(0)
    workers = Counter(CARDS[kind].pile for kind, _ in state.chance_outcomes())
    assert set(workers) == {"worker"}
    shares = dict(state.chance_outcomes())
    assert shares[KIND["lumberjack"]] == pytest.approx(6 / 31)
    state.apply_action(KIND["lumberjack"])
    assert dict(state.chance_outcomes())[KIND["lumberjack"]] == pytest.approx(5 / 30)


@pytest.mark.parametrize("parameters", ["players=3,modules=1/", "players=2," + ALL_MODULES])
def test_states_can_be_written_down_and_read_at_any_point(parameters: str) -> None:
    game = load(parameters)
    for at, state in enumerate(course(game, 3)):
        if at % 40 in (0, 5):
            for again in (game.deserialize_state(state.serialize()), pickle.loads(pickle.dumps(state)), state.clone()):
                assert str(again) == str(state)
                assert again.history() == state.history()
                assert again.current_player() == state.current_player()
                assert all(knowledge(again, seat) == knowledge(state, seat) for seat in range(game.num_players()))


@pytest.mark.parametrize("parameters", ["players=2", "players=4,market=True", "players=3," + ALL_MODULES])
def test_the_same_game_is_played_with_fewer_numbers(parameters: str) -> None:
    full, few = load(parameters), load("actions=ruleset," + parameters)
    numbers = few.action_set
    assert full.action_set is None and few.num_distinct_actions() == len(numbers) < full.num_distinct_actions()
    assert numbers is action_set(few.ruleset)
    here, there, rng = full.new_initial_state(), few.new_initial_state(), random.Random(3)
    while not here.is_terminal():
        assert here.current_player() == there.current_player()
        legal, chosen = here.legal_actions(), there.legal_actions()
        place = rng.randrange(len(legal))
        if here.is_chance_node():
            assert legal == chosen
        else:
            assert numbers.to_full[chosen].tolist() == legal
            assert chosen == pyspiel.State.legal_actions(there) and len(there.legal_actions_mask()) == len(numbers)
            assert knowledge(here, 0) == knowledge(there, 0)
        assert here.action_to_string(legal[place]) == there.action_to_string(chosen[place])
        here.apply_action(legal[place])
        there.apply_action(chosen[place])
    assert there.is_terminal() and here.returns() == there.returns() and str(here) == str(there)


def test_what_is_no_number_of_the_ruleset_is_refused() -> None:
    state, rng = load("players=2,actions=ruleset").new_initial_state(), random.Random(1)
    while state.is_chance_node():
        go_on(state, rng)
    with pytest.raises(NevskyError, match="action ids go from 0 to 1067"):
        state.apply_action(1068)


def test_a_clone_goes_its_own_way() -> None:
    rng = random.Random(2)
    for at, state in enumerate(course(load(), 2)):
        if at % 30 == 7 and not state.is_terminal():
            before = knowledge(state, 0)
            clone = state.clone()
            while not clone.is_terminal():
                go_on(clone, rng)
            assert knowledge(state, 0) == before


@pytest.mark.parametrize("parameters", ["players=2,reward=score", "players=3,reward=score", "players=4"])
def test_returns_come_at_the_end(parameters: str) -> None:
    game = load(parameters)
    for state in course(game, 6):
        if not state.is_terminal():
            assert state.returns() == [0] * game.num_players()
    assert state.play.position is not None
    result = Game.from_position(state.play.position, state.play.ruleset).result
    assert result is not None
    totals = [entry.total for entry in result.final]
    if "score" in parameters:
        leads = [total - max(totals[:seat] + totals[seat + 1 :]) for seat, total in enumerate(totals)]
        assert state.returns() == [lead / 100 for lead in leads]
    else:
        assert [value > 0 for value in state.returns()] == [seat in result.winners for seat in range(4)]
    if game.utility_sum() is not None:
        assert sum(state.returns()) == pytest.approx(game.utility_sum())
    assert all(game.min_utility() <= value <= game.max_utility() for value in state.returns())


def test_a_state_that_is_not_over_has_no_utilities() -> None:
    state = load().new_initial_state()
    rng = random.Random(1)
    while state.is_chance_node():
        go_on(state, rng)
    with pytest.raises(NevskyError, match="not over"):
        state.utilities(state.play.position)


@pytest.mark.parametrize("parameters", ["players=2", "players=3,modules=1/", "players=2," + ALL_MODULES])
def test_what_is_answered_at_once_is_what_openspiel_answers(parameters: str) -> None:
    """Python asks our state, code in C++ goes through OpenSpiel's: both hear the same."""
    theirs = pyspiel.State
    for at, state in enumerate(course(load(parameters), 4)):
        if at % 7:
            continue
        seat = at % state.num_players()
        assert state.is_chance_node() == theirs.is_chance_node(state)
        assert state.legal_actions() == theirs.legal_actions(state)
        assert state.legal_actions(seat) == theirs.legal_actions(state, seat)
        assert state.observation_tensor(seat) == theirs.observation_tensor(state, seat)
        assert state.information_state_tensor(seat) == theirs.information_state_tensor(state, seat)
        assert state.observation_string(seat) == theirs.observation_string(state, seat)
        assert state.information_state_string(seat) == theirs.information_state_string(state, seat)
        if state.current_player() >= 0:
            assert state.observation_tensor() == state.observation_tensor(state.current_player())
    with pytest.raises(NevskyError, match="There is no player"):
        state.observation_tensor()


def test_threads_do_not_mix_up_their_tensors() -> None:
    states = [list(course(load(), seed))[-1] for seed in range(3)]
    wanted = [state.observation_tensor(0) for state in states]
    mixed: list[int] = []

    def look(place: int) -> None:
        mixed.extend(place for _ in range(10000) if states[place].observation_tensor(0) != wanted[place])

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as crew:
            list(crew.map(look, range(3)))
    finally:
        sys.setswitchinterval(usual)
    assert not mixed
