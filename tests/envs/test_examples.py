"""The examples do what they say."""

from __future__ import annotations

import importlib.util
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import nevsky
from nevsky import Ruleset
from nevsky.arena import enter, make_setup, run_arena
from nevsky.datasets import export

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "envs"
with_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
"""Torch itself is left to the examples' own processes: it need not be imported here."""


def run(name: str, *options: object, code: int = 0) -> str:
    """What an example says; with another code, what it complains about."""
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name), *map(str, options)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


def shares(text: str, words: str) -> list[float]:
    """The percentages after some words, in order."""
    return [float(found) / 100 for found in re.findall(rf"{words} ([\d.]+)%", text)]


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / "random_agent.py"))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some recorded games of greedy and random."""
    home = tmp_path_factory.mktemp("clone")
    setup = make_setup(enter(["greedy", "random"]), Ruleset("second", 2), games=20, seed="neva", records=True)
    run_arena(setup, directory=home / "league", jobs=1)
    export([home / "league"], home / "games.parquet", observations=True, jobs=1)
    export([home / "league"], home / "bare.parquet", jobs=1)
    return home / "games.parquet"


def test_the_shares_of_all_seats_add_up(example: dict[str, Any]) -> None:
    shares = example["all_seats"](6)
    assert sum(shares.values()) == pytest.approx(1)
    assert shares == example["all_seats"](6)


def test_chance_loses_against_bots(example: dict[str, Any]) -> None:
    assert example["one_seat"](5, opponents="greedy") < 0


@with_torch
def test_ppo_runs_and_keeps_its_weights(tmp_path: Path) -> None:
    out = tmp_path / "weights.pt"
    said = run(
        "ppo.py",
        "--seconds",
        0.1,
        "--games",
        20,
        "--batch",
        4,
        "--players",
        3,
        "--opponents",
        "heuristic",
        "--out",
        out,
    )
    found = re.findall(r"^(before|after) ?.*: wins .* of 20 games against (random|heuristic)$", said, re.MULTILINE)
    assert found == [(when, whom) for when in ("before", "after") for whom in ("random", "heuristic")]
    assert "points ahead on average" in said
    assert out.stat().st_size > 100_000


@with_torch
def test_a_win_rate_is_repeated_by_its_seed() -> None:
    first, again = (run("ppo.py", "--seconds", 0, "--games", 40, "--seed", 3) for _ in range(2))
    assert first == again
    before, after = shares(first, "wins")
    assert before == after  # by the likeliest actions of a network that knows nothing: anything
    before, after = shares(first, "actions and")
    assert before == after == pytest.approx(0.5, abs=0.3)


@with_torch
def test_cloning_comes_near_the_bot(table: Path) -> None:
    said = run("clone.py", table, "--epochs", 6, "--games", 60)
    (reached,), (chance,) = shares(said, "agreement with greedy:"), shares(said, "of a random legal action")
    assert 0.05 < chance < 0.3
    assert reached > 2 * chance
    before, after = shares(said, "wins")
    assert after > before


@with_torch
@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("ppo.py", ["--games", 0], "0 is not a whole number from 1."),
        ("ppo.py", ["--out", "no/such/weights.pt"], "no/such/weights.pt cannot be written"),
        ("ppo.py", ["--seed", -1], "seed is a whole number"),
        ("clone.py", ["nothing.parquet"], "nothing.parquet"),
        ("clone.py", ["{home}/games.parquet", "--bot", "tsar"], "too few decisions of 'tsar'"),
        ("clone.py", ["{home}/bare.parquet"], "export it with --observations"),
    ],
)
def test_bad_options_get_a_sentence(table: Path, name: str, options: list[object], words: str) -> None:
    said = run(name, *(str(option).format(home=table.parent) for option in options), code=2)
    assert words in said
    assert "Traceback" not in said


@with_torch
@pytest.mark.long
def test_ppo_learns_to_beat_random_players() -> None:
    said = run("ppo.py", "--seconds", 60, "--games", 400)
    for words in ("wins", "actions and"):
        before, after = shares(said, words)
        assert before < 0.65
        assert after > 0.8


def test_what_to_cite_is_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", text, re.MULTILINE)[1] == nevsky.__version__  # type: ignore[index]
    assert f"Version {nevsky.__version__}" in (ROOT / "docs" / "envs.md").read_text(encoding="utf-8")
