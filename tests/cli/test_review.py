"""nevsky review."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nevsky import Ruleset
from nevsky.record import save
from nevsky.texts import LANGUAGES, text
from tests.cli.command import Run
from tests.review.test_review import random_game


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("review") / "game.json"
    save(random_game(Ruleset("second", 2), 3), path)
    return path


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_is_told_in_every_language(run: Run, record: Path, language: str) -> None:
    told = run("review", record, "--seat", "0", "--descents", "20", "--language", language)
    assert told.code == 0
    assert text("review.improve", language) in told.out
    assert "Player 2:" not in told.out
    assert " ± " in told.out.split(text("review.improve", language))[0], "the luck of the deal with its uncertainty"


def test_a_review_as_json_is_the_same_twice(run: Run, record: Path) -> None:
    first, again = (run("review", record, "--json", "--descents", "20").out for _ in range(2))
    assert first == again
    seats = [json.loads(line) for line in first.splitlines()]
    assert [each["seat"] for each in seats] == [0, 1]
    assert sum(each["luck"]["chance"] for each in seats) == pytest.approx(1, abs=1e-3)
    assert all(each["luck"]["doubt"] > 0 and each["made"] is not None for each in seats)
    assert all(each["decisions"] == len(each["verdicts"]) > 20 for each in seats)


def test_wrong_wishes_are_refused(run: Run, record: Path) -> None:
    assert "0 to 1" in run("review", record, "--seat", "2").err
    assert run("review", record, "--descents", "5").code == 2
