"""Verdicts that can be repeated, that know no more than the seat did, and that call no noise a mistake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from nevsky import Game, Ruleset
from nevsky.bots.reasons import Reason
from nevsky.review import Effort, Verdict, decisions, judge, moments, review_seat, summarize
from nevsky.review.verdict import mark_of
from nevsky.rules.game import redeal
from nevsky.rules.moves import play_move

QUICK = Effort(40)
ELSEWHERE = """
import json, sys
from nevsky import record
from nevsky.review import Effort, review_seat
game = record.from_json(sys.stdin.read())
print(json.dumps([each.to_dict() for each in review_seat(game, 1, Effort(20))]))
"""


def random_game(ruleset: Ruleset, seed: int) -> Game:
    from nevsky.rules.rng import Rng

    game, rng = Game(ruleset, seed, auto=True), Rng.of("choices", seed)
    while not game.over:
        legal = game.legal_ids
        game.push(legal[rng.below(len(legal))])
    return game


@pytest.fixture(scope="module")
def game() -> Game:
    return random_game(Ruleset("second", 2), 3)


def test_the_same_game_has_the_same_verdicts_in_another_process_too(game: Game) -> None:
    from nevsky import record

    here = [each.to_dict() for each in review_seat(game, 1, Effort(20))]
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=record.to_json(game).encode(),
        env={**os.environ, "PYTHONHASHSEED": "77"},
        capture_output=True,
        check=True,
        timeout=120,
    )
    assert json.loads(done.stdout) == json.loads(json.dumps(here))


def test_a_decision_is_judged_alone_or_after_others_alike(game: Game) -> None:
    some = list(decisions(game, 0))[:6]
    assert [judge(game.ruleset, each, QUICK) for each in reversed(some)] == [
        judge(game.ruleset, each, QUICK) for each in some
    ][::-1]


@pytest.mark.parametrize("ruleset", [Ruleset("second", 3), Ruleset("second", 3, market=True, modules=(1, 2, 5))])
def test_what_the_seat_could_not_know_changes_nothing(ruleset: Ruleset) -> None:
    game = random_game(ruleset, 5)
    for played in list(decisions(game))[10:60:9]:
        before = Game.from_position(played.before, ruleset)
        known = before.view(played.move.seat, memory=True)
        other = redeal(known, seed=4)
        assert other.view(played.move.seat, memory=True) == known
        instead = play_move(other.position, played.move.number, played.move.action.id, False)
        assert judge(ruleset, instead, QUICK) == judge(ruleset, played, QUICK)


def test_only_decisions_with_a_choice_are_judged(game: Game) -> None:
    for each in decisions(game):
        assert len(each.before.legal()) > 1
    assert [each.move.seat for each in decisions(game, 1)] == [1] * len(list(decisions(game, 1)))


def test_a_card_thrown_away_at_the_end_is_a_mistake() -> None:
    """Who passes with five points in the hand that could be laid loses them, and everybody could know it."""
    game = random_game(Ruleset("second", 2), 3)
    found = review_seat(game, 0, Effort(100)) + review_seat(game, 1, Effort(100))
    assert {each.mark for each in found} >= {"best", "mistake", "blunder"}
    for each in found:
        if each.mark in ("inaccuracy", "mistake", "blunder"):
            assert each.behind - each.doubt > 0.7
            assert each.better != each.played
            assert each.why.say("de")


def verdict(step: int, behind: float, doubt: float, stake: float) -> Verdict:
    mark = mark_of(behind, doubt, first=behind <= 0)
    why = Reason("often")
    return Verdict(step, 0, 1, "worker", "turn", "pass", "", mark, behind, doubt, 0, 0, 0.5, stake, 50, why, why)


def test_nothing_within_the_noise_is_called_a_mistake() -> None:
    for behind in (0.1, 1.5, 3.0, 6.0, 20.0):
        assert mark_of(behind, behind + 0.01, first=False) == "good"
    assert mark_of(1.6, 0.5, first=False) == "inaccuracy"
    assert mark_of(3.2, 1.0, first=False) == "mistake"
    assert mark_of(7.0, 2.0, first=False) == "blunder"
    assert mark_of(7.0, 2.0, first=True) == "best"


def test_accuracy_and_moments_count_only_what_is_sure() -> None:
    noise = [verdict(number, 5.0, 6.0, 0.2) for number in range(4)]
    assert summarize(noise).accuracy == 100.0
    assert moments(noise) == []
    found = [*noise, verdict(9, 8.0, 1.0, 0.1), verdict(10, -9.0, 1.0, -0.3), verdict(11, 3.5, 1.0, 0.05)]
    assert [each.step for each in moments(found)] == [9, 10, 11]
    assert summarize(found).accuracy < 90  # type: ignore[operator]
    assert summarize([]).accuracy is None


def test_a_verdict_comes_back_from_plain_data(game: Game) -> None:
    each = judge(game.ruleset, next(decisions(game)), QUICK)
    assert Verdict.from_dict(json.loads(json.dumps(each.to_dict()))) == each


def test_progress_is_told(game: Game) -> None:
    told: list[tuple[int, int]] = []
    tell: Callable[[int, int], None] = lambda done, total: told.append((done, total))  # noqa: E731
    found = review_seat(game, 0, Effort(20), tell)
    assert told == [(number, len(found)) for number in range(len(found))]
