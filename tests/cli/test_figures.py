"""Simulations of the whole box, records that cannot be written, and the speed figures."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

import nevsky
from tests.cli.command import Run


@pytest.mark.parametrize("cores", [1, 2])
def test_a_record_that_cannot_be_written_is_a_sentence(run: Run, tmp_path: Path, cores: int) -> None:
    in_the_way = tmp_path / "game-000000.json"
    in_the_way.mkdir()
    answer = run("simulate", "--games", 1 if cores == 1 else 300, "--cores", cores, "--records", tmp_path)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == f"nevsky: The record {in_the_way} cannot be written: Is a directory.\n"


def test_a_full_disk_is_a_sentence(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("nevsky.record.save", full)
    answer = run("simulate", "--games", 1, "--records", tmp_path)
    assert answer.code == 2
    assert answer.err.endswith("No space left on device.\n")


def test_a_simulation_of_the_whole_box(run: Run) -> None:
    options = ("--players", 5, "--market", "--modules", "6,1,2", "--good-company", "mayor, merchant")
    answer = run("simulate", *options, "--real-obstacles", 0, "--youngest", 4, "--games", 3, "--json")
    assert answer.code == 0
    wanted = nevsky.Ruleset(
        "second",
        5,
        market=True,
        modules=(1, 2, 6),
        good_company=("mayor", "merchant"),
        real_obstacles=0,
        youngest=4,
    )
    assert answer.data["ruleset"] == wanted.to_dict()
    assert "5 players, Market, modules 1, 2, 6, seed 0" in run("simulate", *options, "--games", 3).out


@pytest.fixture
def quick_import(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measuring the import starts many processes; one is enough here."""
    from nevsky import bench

    measure = bench.import_milliseconds
    monkeypatch.setattr(bench, "import_milliseconds", lambda: measure(1))


PLAYS = ("random_play_2", "random_play_4", "random_play_full")
FIGURES = {
    "compiled",
    "calibration",
    "random_play_2",
    "random_play_4",
    "random_play_full",
    "full_ratio",
    "playouts_2",
    "playouts_4",
    "master_playouts_2",
    "master_playouts_4",
    "playouts_full",
    "clone_us",
    "game_copy_us",
    "legal_us",
    "view_us",
}


@pytest.mark.usefixtures("quick_import")
def test_bench_measures_both_speeds(run: Run, tmp_path: Path) -> None:
    answer = run("bench", "--json", "--seconds", 0.05, "--kernel", tmp_path / "no-kernel.c")
    assert answer.code == 0
    found = answer.data
    assert found["version"] == nevsky.__version__
    assert found["kernel"] is None
    assert "import_ms" in found
    parts = {"compiled": True, "uncompiled": False} if nevsky.COMPILED else {"uncompiled": False}
    for part, compiled in parts.items():
        assert set(found[part]) >= FIGURES
        assert found[part]["compiled"] is compiled
        for play in PLAYS:
            assert found[part][play]["games_per_second"] > 0
            assert found[part][play]["actions_per_second"] > 0
        assert all(found[part][name] > 0 for name in FIGURES - {"compiled", *PLAYS})


@pytest.mark.usefixtures("quick_import")
def test_bench_can_be_read(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nevsky import bench

    monkeypatch.setattr(bench, "_uncompiled", bench.figures)
    answer = run("bench", "--seconds", 0.02, "--kernel", tmp_path / "no-kernel.c", "--processor")
    assert answer.code == 0
    assert answer.out.startswith("Ratios (processor time):\n  2 players: ")
    for words in (
        "games/s, 4 players",
        "5 players, Market",
        "playouts/s, 2 players",
        "playouts/s, 4 players",
        "playouts/s of master, 4 players",
        "playouts/s, 5 players, Market",
        "legal actions",
        "calibration loop",
        "import:",
        "No C kernel",
    ):
        assert words in answer.out
