"""Advice that one can trust: the same for the same position, best first, and it says how sure it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from nevsky import Game, Ruleset, View
from nevsky.bots import Suggestion
from nevsky.bots.comparing import Compared
from nevsky.bots.hint_reasons import hint_reasons
from nevsky.bots.master import MasterBot
from nevsky.bots.protocol import Comparison
from nevsky.bots.search import SearchBot
from nevsky.rules.actions import parse_action
from nevsky.rules.game import redeal
from nevsky.rules.rng import Rng

ASK = """
import json, sys
from nevsky import Game, Ruleset
from nevsky.bots.master import MasterBot
game = Game(Ruleset("second", 3), seed=5)
found = MasterBot(sys.argv[1]).explain(game.view(game.to_move, memory=True), 100)
print(json.dumps([(each.action, each.expected, each.comparison) for each in found]))
"""


def view_of(ruleset: Ruleset, seed: int = 5) -> View:
    game = Game(ruleset, seed)
    assert game.to_move is not None
    return game.view(game.to_move, memory=True)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, nothing ends early."""
    monkeypatch.setattr("nevsky.bots.search._PATIENCE", 10_000)


def elsewhere(seed: str) -> list[object]:
    """What another process answers to the first decision of a game."""
    code = ASK.replace("found =", "import nevsky.bots.search; nevsky.bots.search._PATIENCE = 10_000\nfound =")
    done = subprocess.run(
        [sys.executable, "-c", code, seed],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=True,
        timeout=120,
    )
    found: list[object] = json.loads(done.stdout)
    return found


def test_the_same_position_has_the_same_answer_in_another_process_too() -> None:
    assert elsewhere("1") == elsewhere("2")


@pytest.mark.parametrize(
    "ruleset", [Ruleset("second", 2), Ruleset("first", 4), Ruleset("second", 3, market=True, modules=(1, 5, 6))]
)
def test_an_answer_follows_from_what_the_seat_sees(ruleset: Ruleset, patient: None) -> None:
    view = view_of(ruleset)
    assert view.seat is not None
    bot = MasterBot("one")
    found = bot.explain(view, 60)
    assert bot.explain(view, 60) == found, "asked twice"
    assert MasterBot("two").explain(view, 60) == found, "another bot"
    other = redeal(view, "another deal").view(view.seat, memory=True)
    assert MasterBot("three").explain(other, 60) == found, "the seat cannot tell these deals apart"


def test_asking_for_advice_changes_no_decision() -> None:
    view = view_of(Ruleset("second", 2))
    asked, silent = SearchBot(3, playouts=80), SearchBot(3, playouts=80)
    asked.explain(view)
    assert [asked.decide(view, 50) for _ in range(3)] == [silent.decide(view, 50) for _ in range(3)]


def compared(found: list[Suggestion]) -> list[Comparison]:
    return [each.comparison for each in found if each.comparison is not None]


@pytest.mark.parametrize("ruleset", [Ruleset("second", 2), Ruleset("second", 4), Ruleset("second", 5, market=True)])
def test_suggestions_stand_in_the_order_of_what_they_cost(ruleset: Ruleset, patient: None) -> None:
    view = view_of(ruleset)
    found = MasterBot().explain(view, 100)
    lines = compared(found)
    assert len(lines) == len(found) > 2
    assert lines[0].behind == lines[0].doubt == 0
    assert [each.behind for each in lines] == sorted(each.behind for each in lines)
    assert [each.close for each in lines] == sorted((each.close for each in lines), reverse=True)
    for each, line in zip(found, lines, strict=True):
        assert line.thorough
        assert len(line.chances) == ruleset.players
        assert sum(line.chances) == pytest.approx(1)
        assert view.seat is not None and each.win == line.chances[view.seat]


def test_more_playouts_make_it_surer() -> None:
    view = view_of(Ruleset("second", 3))
    few, many = (max(each.doubt for each in compared(MasterBot(0, number).explain(view))) for number in (100, 1600))
    assert many < few / 2


def test_without_time_it_says_that_it_is_less_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nevsky.bots.search._PATIENCE", 0)
    monkeypatch.setattr("nevsky.bots.search._LEAST_PATIENCE", 0.0)
    lines = compared(MasterBot().explain(view_of(Ruleset("second", 3)), 1000))
    assert lines
    assert not any(each.thorough for each in lines)
    assert all(0 < each.playouts < 50 for each in lines)


def beside(view: View, *scores: tuple[float, ...], behind: float = 5.0) -> list[str]:
    """The reasons for the first legal actions after playouts that ended with these scores."""
    comparison = [
        Comparison(at and behind, 1.0, not at or behind < 1, (0.5, 0.5), 100, True) for at in range(len(scores))
    ]
    texts = [text for text in view.legal if text.startswith("buy")]
    found = [
        Compared(parse_action(text).id, each, line) for text, each, line in zip(texts, scores, comparison, strict=False)
    ]
    return [why.key for why in hint_reasons(view, found)]


def test_a_reason_says_whose_points_an_action_changes() -> None:
    view = view_of(Ruleset("second", 2), 7)._replace(seat=0)
    assert beside(view, (70, 60), (66, 60)) == ["good_scored", "fewer"]
    assert beside(view, (70, 60), (70, 66)) == ["good_scored", "helps"]
    assert beside(view, (70, 60), (70.1, 60.2)) == ["good_scored", "seldom"]
    assert beside(view, (70, 60), (69, 61), behind=0.5) == ["good_scored", "good_scored"]


def test_the_best_of_equals_claims_no_lead() -> None:
    game, rng, tried = Game(Ruleset("first", 2), 3), Rng.of(3), 0
    while not game.over:
        assert game.to_move is not None
        view = game.view(game.to_move, memory=True)
        if sum(text.startswith("buy") for text in view.legal) > 1:
            ahead = (74, 60) if view.seat == 0 else (60, 74)
            if beside(view, ahead, (60, 60))[0] == "more":
                assert beside(view, ahead, (60, 60), behind=0.5)[0] == "even"
                tried += 1
        game.push(view.legal[rng.below(len(view.legal))])
    assert tried
