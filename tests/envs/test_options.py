"""What may be chosen, and the sentences for everything else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nevsky import ACTIONS, Game, NevskyError, Ruleset
from nevsky.envs.gymnasium import SaintPetersburgEnv
from nevsky.envs.options import check_action, check_seed, final_rewards, make_ruleset
from nevsky.envs.pettingzoo import env
from nevsky.rules.game import Final, Result
from tests.rulesets import CONFIGURATIONS


@pytest.mark.parametrize("configuration", CONFIGURATIONS)
def test_a_ruleset_is_chosen_in_three_ways(configuration: str) -> None:
    ruleset = CONFIGURATIONS[configuration]
    assert make_ruleset(ruleset) is ruleset
    assert make_ruleset(ruleset.to_dict()) == ruleset
    assert make_ruleset(**ruleset._asdict()) == ruleset
    written = {**ruleset._asdict(), "modules": ",".join(map(str, ruleset.modules))}
    assert make_ruleset(**written) == ruleset


def test_without_a_choice_it_is_the_second_edition_for_four() -> None:
    assert make_ruleset() == Ruleset("second", 4)


BAD_FOR_BOTH: list[tuple[dict[str, Any], str]] = [
    ({"players": 1}, "The game is for 2 to 4 players, not 1."),
    ({"players": 5}, "Five players need the Market (rule 1.2)."),
    ({"players": "two"}, "The number of players is a whole number, not 'two'."),
    ({"edition": "third"}, "There is no edition 'third': choose first or second."),
    ({"edition": "first", "market": True}, "The first edition has no Market (rule 1.2)."),
    ({"market": 1}, "The option market is true or false, not 1."),
    ({"modules": "4"}, "Module 4 (Events) needs the Market (rule 1.3)."),
    ({"modules": "1;2"}, "Modules are numbers with commas in between, as in 1,4, not '1;2'."),
    ({"modules": "1,9"}, "There is no module 9: the modules are numbered from 1 to 6."),
    ({"modules": 3}, "The modules are a list of numbers, not 3."),
    ({"ruleset": Ruleset(), "players": 2}, "Give a ruleset or players, not both."),
    ({"ruleset": "second"}, "The ruleset is a Ruleset or what its to_dict() gives, not 'second'."),
    ({"ruleset": {"colour": 1}}, "A ruleset has no colour."),
    ({"colour": "red"}, "There is no option colour."),
    ({"reward": "glory"}, "There is no reward 'glory': choose win or score."),
    ({"reward": None}, "There is no reward None: choose win or score."),
    ({"auto": "yes"}, "The option auto is true or false, not 'yes'."),
    ({"infos": None}, "The option infos is true or false, not None."),
    ({"memory": 1}, "The option memory is true or false, not 1."),
    ({"actions": "few"}, "There is no set of actions, 'few': choose all or ruleset."),
    ({"shaping": "rubles"}, "There is no shaping 'rubles': choose lead or share."),
    ({"discount": 0}, "A discount is a number above 0 and at most 1, not 0."),
    ({"discount": 1.5}, "A discount is a number above 0 and at most 1, not 1.5."),
    ({"discount": "much"}, "A discount is a number above 0 and at most 1, not 'much'."),
    ({"render_mode": "oil"}, "There is no render mode 'oil': choose ansi, human or rgb_array."),
    ({"illegal": "ignore"}, "There is no way with what is illegal, 'ignore': choose "),
]


@pytest.mark.parametrize(("options", "sentence"), BAD_FOR_BOTH)
@pytest.mark.parametrize("make", [env, SaintPetersburgEnv])
def test_bad_options_get_a_sentence(make: Any, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NevskyError) as caught:
        make(**options)
    assert str(caught.value).startswith(sentence)


class NoBot:
    """It cannot decide."""

    def __init__(self, seed: int | str) -> None:
        self.seed = seed


BAD_FOR_ONE_SEAT: list[tuple[dict[str, Any], str]] = [
    ({"seat": 4}, "The seat is a number from 0 to 3 or random, not 4."),
    ({"seat": -1}, "The seat is a number from 0 to 3 or random, not -1."),
    ({"seat": True}, "The seat is a number from 0 to 3 or random, not True."),
    ({"seat": "first"}, "The seat is a number from 0 to 3 or random, not 'first'."),
    ({"seat": 2, "players": 2}, "The seat is a number from 0 to 1 or random, not 2."),
    ({"opponents": "tsar"}, "There is no bot 'tsar': choose random, novice, greedy, search, master, easy, medium, "),
    ({"opponents": ["random", "random"]}, "There are 3 opponents: name one for all of them or 3, not 2."),
    ({"opponents": ["random", "easy"], "players": 2}, "There is 1 opponent: name one, not 2."),
    ({"opponents": ["random", "random", 7]}, "An opponent is named by a bot's name, a level, "),
    ({"opponents": 7}, "Opponents are named by a bot's name, a level, file.py:Class or a class, or by a list "),
    ({"opponents": "missing.py:Bot"}, "There is no file missing.py."),
    ({"opponents": "missing.py"}, "Name the file and the class of a bot, as in mine.py:MyBot, not 'missing.py'."),
    ({"opponents": NoBot}, f"{NoBot!r} does not make a bot: NoBot has no method decide."),
    ({"opponents": lambda: None}, "<function <lambda> at "),
    ({"opponent_memory": "no"}, "The option opponent_memory is true or false, not 'no'."),
    ({"milliseconds": 0}, "The option milliseconds is a whole number from 1, not 0."),
    ({"milliseconds": 2.5}, "The option milliseconds is a whole number from 1, not 2.5."),
    ({"playouts": -3}, "The option playouts is a whole number from 1, not -3."),
]


@pytest.mark.parametrize(("options", "sentence"), BAD_FOR_ONE_SEAT)
def test_bad_options_of_a_learner_get_a_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NevskyError) as caught:
        SaintPetersburgEnv(**options)
    assert str(caught.value).startswith(sentence)


@given(st.integers(0, len(ACTIONS) - 1))
def test_actions_may_be_numbers_of_any_kind(number: int) -> None:
    for form in (number, np.int64(number), np.int16(number), np.array(number)):
        found = check_action(form)
        assert found == number
        assert type(found) is int


@given(
    st.one_of(
        st.integers(max_value=-1),
        st.integers(min_value=len(ACTIONS)),
        st.floats(),
        st.booleans(),
        st.text(),
        st.none(),
        st.just(np.array([1, 2])),
        st.just(np.array([1.0])),
    )
)
def test_what_is_no_action_is_refused(action: object) -> None:
    with pytest.raises(NevskyError, match="There is no action"):
        check_action(action)


@pytest.mark.parametrize("seed", [-1, True, 1.5, "seven", [1]])
def test_what_is_no_seed_is_refused(seed: object) -> None:
    with pytest.raises(NevskyError, match="A seed is a whole number from 0"):
        check_seed(seed)


@given(st.lists(st.tuples(st.integers(-40, 200), st.integers(0, 9)), min_size=2, max_size=5))
def test_rewards_follow_the_final_scoring(scores: list[tuple[int, int]]) -> None:
    best = max(scores)
    final = tuple(
        Final(seat, 0, 0, 0, 0, total, tie, tie, 1 + sum(other > (total, tie) for other in scores))
        for seat, (total, tie) in enumerate(scores)
    )
    result = Result(final, tuple(entry.seat for entry in final if entry.place == 1))
    shares = final_rewards(result, "win")
    assert sum(shares) == pytest.approx(1)
    assert all((share > 0) == (score == best) for share, score in zip(shares, scores, strict=True))
    leads = final_rewards(result, "score")
    for seat, lead in enumerate(leads):
        rivals = [total for other, (total, _) in enumerate(scores) if other != seat]
        assert lead * 100 == pytest.approx(scores[seat][0] - max(rivals))
    if len(scores) == 2:
        assert sum(leads) == pytest.approx(0)


def test_rewards_of_a_real_game() -> None:
    game = Game(Ruleset("second", 3), seed=5)
    while not game.over:
        game.push(game.legal_ids[0])
    assert game.result is not None
    rewards = final_rewards(game.result, "win")
    assert [seat for seat, reward in enumerate(rewards) if reward] == list(game.result.winners)
