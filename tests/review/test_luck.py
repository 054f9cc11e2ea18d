"""The luck of a deal: the same figures every time, nothing of how people played in it, and true to what deals bring."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from statistics import correlation, fmean

import pytest

from nevsky import Game, Ruleset, record
from nevsky.bots.master import MasterBot
from nevsky.bots.match import play_game
from nevsky.review import Luck, Trials, luck_of, luck_of_seats, samples
from nevsky.rules.game import redeal
from tests.review.test_review import random_game

FEW = Trials(own=4, others=30, games=20)
ELSEWHERE = """
import json, sys
from nevsky import record
from nevsky.review import Trials, luck_of_seats
found = luck_of_seats(record.from_json(sys.stdin.read()), [0, 1, 2], Trials(4, 30, 20))
print(json.dumps([each.to_dict() for each in found.values()]))
"""


def test_the_same_game_has_the_same_luck_elsewhere_too() -> None:
    game = random_game(Ruleset("second", 3), 5)
    here = [each.to_dict() for each in luck_of_seats(game, range(3), FEW).values()]
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=record.to_json(game),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert json.loads(done.stdout) == here


@pytest.mark.parametrize(
    "ruleset", [Ruleset("first", 2), Ruleset("second", 4, market=True, modules=(1, 2, 3, 4, 5, 6))]
)
def test_how_people_played_has_no_part_in_it(ruleset: Ruleset) -> None:
    one = random_game(ruleset, 11)
    other = Game(ruleset, 11, seats=["Z", "Y", "X", "W"][: ruleset.players], auto=True)
    while not other.over:
        other.push(other.legal_ids[0])
    assert one.moves != other.moves
    seats = range(ruleset.players)
    found = luck_of_seats(one, seats, FEW)
    assert found == luck_of_seats(other, seats, FEW)
    assert sum(each.chance for each in found.values()) == pytest.approx(1, abs=1e-3)
    assert sum(each.chance_luck for each in found.values()) == pytest.approx(0, abs=1e-3), "chances are shared out"


def test_batches_are_the_same_from_wherever_one_begins() -> None:
    game = random_game(Ruleset("second", 2), 3)
    every = list(samples(game, 0, FEW))
    for first in (0, 3, 4, 5, FEW.batches):
        assert list(samples(game, 0, FEW, first)) == every[first:]
    assert len(every) == FEW.batches


def test_deals_are_good_and_bad_in_equal_parts_and_strong_bots_feel_it() -> None:
    ruleset = Ruleset("second", 2)
    lucks, results = [], []
    for number in range(10):
        played = play_game([MasterBot(seat, playouts=6) for seat in range(2)], ruleset, f"luck-{number}")
        assert played.result is not None
        lucks.append(luck_of_seats(played, [0], FEW)[0])
        results.append(played.result.final[0].total - played.result.final[1].total)
    assert correlation([each.chance_luck for each in lucks], results) > 0.3
    assert abs(fmean(each.luck for each in lucks)) < 4
    assert 0.25 < fmean(each.better for each in lucks) < 0.75
    assert sorted(lucks, key=lambda each: each.luck) == sorted(lucks, key=lambda each: (each.better, each.luck))


def test_more_games_say_it_more_surely() -> None:
    game = random_game(Ruleset("second", 2), 9)
    some = luck_of_seats(game, [1], FEW)[1]
    more = luck_of_seats(game, [1], Trials(16, 120, 20))[1]
    assert more.doubt < some.doubt and more.chance_doubt < some.chance_doubt
    assert abs(some.luck - more.luck) < 2 * some.doubt


def test_a_game_that_began_in_the_middle_is_dealt_anew_from_there() -> None:
    ruleset = Ruleset("second", 2)
    whole = random_game(ruleset, 4)
    game = Game(ruleset, 4, auto=True)
    for action, _ in whole.moves[: len(whole.moves) * 3 // 4]:
        if not game.over and action.id in game.legal_ids:
            game.push(action)
    view = game.view(0, memory=True)
    middle = Game.from_position(redeal(view, 1).position, ruleset)
    found = list(samples(middle, 0, FEW))
    luck = luck_of(found, 0, FEW)
    assert luck.points >= view.players[0].points - 10, "what was made by then is not lost"
    assert luck == luck_of(list(samples(middle, 0, FEW)), 0, FEW)


def test_luck_comes_back_from_plain_data_unless_it_was_found_by_other_means() -> None:
    luck = luck_of_seats(random_game(Ruleset("second", 2), 1), [0], FEW)[0]
    data = json.loads(json.dumps(luck.to_dict()))
    assert Luck.from_dict(data) == luck
    assert Luck.from_dict({**data, "version": 0}) is None
    assert Luck.from_dict(None) is None
