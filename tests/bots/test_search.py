"""The bot that thinks ahead."""

from __future__ import annotations

import time

import pytest

from nevsky import Game, Ruleset
from nevsky.bots import make_bot
from nevsky.bots.match import play_match
from nevsky.bots.search import SearchBot


def test_thinking_ahead_beats_greed() -> None:
    result = play_match(
        [lambda seed: SearchBot(seed, playouts=60), lambda seed: make_bot("greedy", seed)], Ruleset("second", 2), 8
    )
    assert result.shares[0].wins >= 0.6, str(result.shares)


def test_a_novice_beats_chance_and_loses_to_greed() -> None:
    ruleset = Ruleset("second", 2)
    novice = lambda seed: make_bot("novice", seed)  # noqa: E731
    assert play_match([novice, lambda seed: make_bot("random", seed)], ruleset, 20).shares[0].wins >= 0.7
    assert play_match([novice, lambda seed: make_bot("greedy", seed)], ruleset, 20).shares[0].wins <= 0.3


@pytest.mark.parametrize("milliseconds", [20, 120])
def test_a_search_keeps_to_its_time(milliseconds: int) -> None:
    game = Game(Ruleset("second", 4), seed=3)
    assert game.to_move is not None
    bot = SearchBot(1)
    view = game.view(game.to_move, memory=True)
    bot.decide(view, milliseconds)
    started = time.process_time()
    bot.decide(view, milliseconds)
    assert time.process_time() - started <= 1.2 * milliseconds / 1000 + 0.05


def test_a_search_tells_scores_and_chances() -> None:
    game = Game(Ruleset("second", 3), seed=5)
    assert game.to_move is not None
    view = game.view(game.to_move, memory=True)
    found = SearchBot(2, playouts=200).explain(view)
    assert SearchBot(2, playouts=200).decide(view, 50) in {each.action for each in found}
    for each in found:
        assert each.expected is not None
        assert 20 < each.expected < 200
        assert each.win is not None
        assert each.reason.endswith(".")
    assert sum(each.win or 0 for each in found) <= len(found)


def test_what_it_tells_of_the_other_actions_is_looked_at_as_often() -> None:
    game = Game(Ruleset("second", 4), seed=7)
    assert game.to_move is not None
    view = game.view(game.to_move, memory=True)
    assert len(view.legal) >= 5
    found = SearchBot(1, playouts=500).explain(view)
    assert len(found) == len({each.action for each in found}) == 5
    assert {each.action for each in found} <= set(view.legal)
    for each in found:
        assert each.comparison is not None
        assert each.comparison.playouts == 100


def test_the_same_number_of_playouts_decides_the_same_way() -> None:
    games = []
    for _ in range(2):
        game = Game(Ruleset("second", 2, market=True, modules=(1, 5)), seed=9)
        bots = [SearchBot(seat, playouts=15) for seat in range(2)]
        while game.to_move is not None and len(game.moves) < 60:
            game.push(bots[game.to_move].decide(game.view(game.to_move), 50))
        games.append(game.moves)
    assert games[0] == games[1]
