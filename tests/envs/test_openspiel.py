"""The OpenSpiel game: OpenSpiel's own tests and bots, and nobody knows what a seat may not know."""

# ruff: noqa: E402  (OpenSpiel is not to be had for every Python)

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pyspiel = pytest.importorskip("pyspiel")

import numpy as np
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts
from open_spiel.python.observation import make_observation

from nevsky import ACTIONS, Game, NevskyError, Ruleset
from nevsky.cards import CARDS, KIND
from nevsky.encoding import SIZE, Encoder
from nevsky.envs import openspiel
from nevsky.envs.openspiel import NevskyState
from nevsky.envs.openspiel_deal import begin, chances, plan, words
from nevsky.envs.openspiel_guess import has_secrets
from nevsky.envs.openspiel_play import CHANCE, Play, unseen
from nevsky.envs.openspiel_rollout import RolloutEvaluator
from nevsky.rules.snapshot import describe
from tests.rulesets import CONFIGURATIONS

ALL_MODULES = "market=True,modules=1/2/3/4/5/6/"
SPECIFICATIONS = [
    "edition=first,players=2",
    "edition=first,players=3,auto=False",
    "edition=second,players=2,reward=score",
    "edition=second,players=4",
    "players=3,reward=score,modules=1/2/",
    "players=5,market=True",
    "players=4,market=True,modules=5/,open_hands=True",
    "players=2,open_rubles=True," + ALL_MODULES,
    "players=5," + ALL_MODULES,
]
SECRETIVE = [
    "players=2",
    "players=3,modules=1/",
    "players=2,modules=1/,auto=False",
    "players=4,market=True,modules=5/",
    "players=5," + ALL_MODULES,
]
"""Rulesets in which the others have something to hide."""


def load(parameters: str = "players=2") -> Any:
    return pyspiel.load_game(f"{openspiel.SHORT_NAME}({parameters})")


def curious(state: NevskyState, rng: random.Random) -> int:
    """A player who likes to look at cards and to keep them."""
    legal: list[int] = state.legal_actions()
    liked = [
        number
        for number in legal
        if ACTIONS[number].verb == "observe"
        or (ACTIONS[number].verb == "take" and ACTIONS[number].drawn)
        or (ACTIONS[number].verb in ("buy", "play") and ACTIONS[number].card == "observatory")
    ]
    return rng.choice(liked if liked and rng.random() < 0.8 else legal)


def go_on(state: NevskyState, rng: random.Random, wish: int = -1) -> None:
    """One more step; whoever looks at a card finds the one that is wished for, if it is there."""
    if not state.is_chance_node():
        state.apply_action(curious(state, rng))
        return
    outcomes, shares = zip(*state.chance_outcomes(), strict=True)
    looks = state.play.position is not None and " observe " in state.play.history[-1].text
    state.apply_action(wish if looks and wish in outcomes else rng.choices(outcomes, shares)[0])


def course(game: Any, seed: int, wish: int = -1) -> Iterator[NevskyState]:
    """All states of a game of curious players."""
    rng = random.Random(seed)
    state: NevskyState = game.new_initial_state()
    while not state.is_terminal():
        yield state
        go_on(state, rng, wish)
    yield state


def knowledge(state: NevskyState, seat: int) -> tuple[object, ...]:
    return (
        state.information_state_string(seat),
        state.information_state_tensor(seat),
        state.observation_string(seat),
        state.observation_tensor(seat),
    )


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
    play = Play(ruleset, auto=True)
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


def test_a_clone_goes_its_own_way() -> None:
    rng = random.Random(2)
    for at, state in enumerate(course(load(), 2)):
        if at % 30 == 7 and not state.is_terminal():
            before = knowledge(state, 0)
            clone = state.clone()
            while not clone.is_terminal():
                go_on(clone, rng)
            assert knowledge(state, 0) == before


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


def find(game: Any, wish: int, seeds: int = 60) -> Iterator[NevskyState]:
    """States in which a seat decides while somebody else has an unseen card."""
    for seed in range(seeds):
        for state in course(game, seed, wish):
            position = state.play.position
            if position is not None and not state.is_chance_node() and not state.is_terminal():
                mover = state.current_player()
                if any(unseen(position, seat) for seat in range(position.n) if seat != mover):
                    yield state


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


def match(game: Any, bot: Any, seed: int, seat: int = 0) -> float:
    """What a bot gets on one seat, all others playing at random."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, shares)[0])
        elif state.current_player() == seat:
            state.apply_action(bot.step(state))
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return float(state.returns()[seat])


def test_openspiels_mcts_beats_random() -> None:
    game = load("players=2")
    bot = mcts.MCTSBot(game, 1.0, 20, RolloutEvaluator(1, 1), random_state=np.random.RandomState(1))
    assert sum(match(game, bot, seed, seed % 2) for seed in range(2)) == 2


def test_openspiels_ismcts_beats_random() -> None:
    game = load("players=2")
    chance = random.Random(1)
    bot = ismcts.ISMCTSBot(game, RolloutEvaluator(1, 1), 1.0, 25, random_state=np.random.RandomState(1))
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, chance.random))
    assert sum(match(game, bot, seed, seed % 2) for seed in range(2)) == 2


@pytest.mark.parametrize("parameters", ["players=2", "players=3," + ALL_MODULES])
def test_openspiels_bots_play_whole_games(parameters: str) -> None:
    game = load(parameters)
    evaluator = (
        mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)) if game.num_players() == 2 else RolloutEvaluator()
    )
    assert 0 <= match(game, mcts.MCTSBot(game, 1.0, 2, evaluator, random_state=np.random.RandomState(2)), 1) <= 1
    for observations in (False, True):
        bot = ismcts.ISMCTSBot(
            game,
            evaluator,
            1.0,
            2,
            random_state=np.random.RandomState(2),
            use_observation_string=observations,
            allow_inconsistent_action_sets=observations,
        )
        assert 0 <= match(game, bot, 1) <= 1


def test_ismcts_searches_where_the_others_have_secrets() -> None:
    game = load("players=3," + ALL_MODULES)
    bot = ismcts.ISMCTSBot(game, RolloutEvaluator(1, 1), 1.0, 40, random_state=np.random.RandomState(1))
    states = [state.clone() for at, state in enumerate(find(game, KIND["pick_pocket"], 9)) if at % 20 == 0][:4]
    assert states
    for state in states:
        assert bot.step(state) in state.legal_actions()


def test_rollouts_are_random_games() -> None:
    game = load("players=2,reward=score")
    evaluator = RolloutEvaluator(50, 3)
    state = game.new_initial_state()
    values = evaluator.evaluate(state)
    assert values.sum() == pytest.approx(0)
    assert sum(share for _, share in evaluator.prior(state)) == pytest.approx(1)
    assert np.array_equal(RolloutEvaluator(50, 3).evaluate(state), values)
    for end in course(game, 1):
        last = end
    assert evaluator.evaluate(last).tolist() == pytest.approx(last.returns())


def test_openspiels_environment_for_learning_plays_it() -> None:
    environment = rl_environment.Environment(load("players=2"))
    environment.seed(1)
    step = environment.reset()
    rng = random.Random(1)
    while not step.last():
        seat = step.observations["current_player"]
        step = environment.step([rng.choice(step.observations["legal_actions"][seat])])
    assert sum(step.rewards) == pytest.approx(1)
