"""Sets of games by one command: the same games again, whoever makes them and however often it was stopped."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from nevsky import NevskyError, Ruleset
from nevsky.datasets import Recipe, card_path, fingerprint, make_games, records_path
from nevsky.record import load
from tests.cli.command import Run

RECIPE = Recipe("master", 2, Ruleset("second", 2), "neva")
GAMES = ("--games", 12, "--playouts", 2, "--seed", "neva")


def test_a_set_is_made_by_one_command_and_can_be_made_again(run: Run, tmp_path: Path) -> None:
    one, other = tmp_path / "one.parquet", tmp_path / "other.parquet"
    answer = run("export", *GAMES, "--out", one, "--jobs", 2)
    assert answer.code == 0, answer.err
    assert "12 games" in answer.out
    assert run("export", *GAMES, "--out", other, "--jobs", 1).code == 0
    games = pl.read_parquet(one)
    assert games["id"].to_list() == pl.read_parquet(other)["id"].to_list()
    assert games["id"].n_unique() == 12
    assert games["seats"].to_list() == [["master", "master"]] * 12
    card = card_path(one).read_text(encoding="utf-8")
    assert fingerprint(games["id"].to_list()) in card
    assert "nevsky export --games 12 --bot master --playouts 2 --edition second --players 2 --seed neva" in card
    assert f"| rounds per game | {sum(games['rounds'].to_list()) / 12:.2f} |" in card
    assert load(records_path(one) / "game-000011.json").over


def test_what_was_played_is_not_played_again(tmp_path: Path) -> None:
    directory = tmp_path / "records"
    first = make_games(RECIPE, 2, directory, jobs=1)
    stamps = [path.stat().st_mtime_ns for path in first]
    told: list[tuple[int, int]] = []
    more = make_games(RECIPE, 3, directory, jobs=1, progress=lambda done, total: told.append((done, total)))
    assert more[:2] == first and [path.stat().st_mtime_ns for path in first] == stamps
    assert told == [(2, 3), (3, 3)]


def test_games_of_different_recipes_are_never_mixed(run: Run, tmp_path: Path) -> None:
    directory = tmp_path / "set-records"
    make_games(RECIPE, 1, directory, jobs=1)
    with pytest.raises(NevskyError, match="made in another way"):
        make_games(RECIPE._replace(seed="volga"), 1, directory, jobs=1)
    out = tmp_path / "set.parquet"
    assert "made in another way" in run("export", "--games", 1, "--bot", "greedy", "--out", out).err
    assert "not both" in run("export", directory, "--games", 1, "--out", out).err
    assert "--games" in run("export", "--out", out).err
    assert "no bot 'tsar'" in run("export", "--games", 1, "--bot", "tsar", "--out", tmp_path / "t.parquet").err
    assert not out.exists()
