"""The greedy bot in positions where the right action is plain to see."""

from __future__ import annotations

from typing import Any

import pytest

from nevsky import Game
from nevsky.bots import make_bot
from nevsky.bots.protocol import Suggestion
from tests.rules.table import arrange


def decision(**position: Any) -> str:
    return make_bot("greedy").decide(_view(arrange(**position)), 50)


def suggestions(**position: Any) -> list[Suggestion]:
    return make_bot("greedy").explain(_view(arrange(**position)), 50)


def _view(game: Game) -> Any:
    return game.view(game.to_move)


def test_it_buys_workers_early() -> None:
    assert decision(phase="worker", row1=["lumberjack", "theater"], rubles=12) == "buy lumberjack"


def test_it_takes_the_cheaper_of_two_equal_cards() -> None:
    assert decision(phase="worker", row1=["shepherd"], row2=["shepherd"], rubles=20) == "buy shepherd row 2"


def test_it_does_not_fill_its_hand_at_the_very_end() -> None:
    assert decision(phase="exchange", row1=["judge", "library"], rubles=3, last_round=True) == "pass"


def test_it_buys_a_new_noble_at_the_very_end() -> None:
    areas = [["author", "administrator", "secretary"], []]
    position = {"phase": "exchange", "row1": ["controller", "author"], "rubles": 25, "last_round": True}
    assert decision(**position, areas=areas, to_move=0) == "buy controller"


def test_it_plays_a_card_that_would_cost_points_on_the_hand() -> None:
    position = {"phase": "exchange", "hands": [["lumberjack"], []], "to_move": 0}
    assert decision(**position, rubles=9, last_round=True) == "play lumberjack"


def test_it_lays_an_exchange_card_on_the_card_that_brings_least() -> None:
    areas = [["market", "theater"], []]
    position = {"phase": "building", "row1": ["hermitage"], "rubles": 20, "areas": areas, "to_move": 0}
    assert decision(**position) == "buy hermitage onto market"


@pytest.mark.parametrize(("last_round", "rubles", "expected"), [(False, 9, "pub 0"), (True, 60, "pub 5")])
def test_it_goes_to_the_pub_only_with_rubles_to_spare(last_round: bool, rubles: int, expected: str) -> None:
    position = {"phase": "building", "due": "pub", "areas": [["pub"], []], "to_move": 0}
    assert decision(**position, rubles=rubles, last_round=last_round) == expected


def test_it_explains_its_choice() -> None:
    found = suggestions(phase="worker", row1=["lumberjack", "theater"], rubles=12)
    assert found[0].action == "buy lumberjack"
    assert found[0].reason.startswith("The Lumberjack brings about")
    scores = [suggestion.expected or 0 for suggestion in found]
    assert scores == sorted(scores, reverse=True)
    assert "pass" in [suggestion.action for suggestion in found]


def test_its_first_suggestion_is_its_decision() -> None:
    game = Game(seed=3)
    bot = make_bot("greedy", 1)
    for _ in range(60):
        view = _view(game)
        action = bot.decide(view, 50)
        assert bot.explain(view, 50)[0].action == action
        game.push(action)
