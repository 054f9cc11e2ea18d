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
from tools.baselines import read_runs

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


def inside(code: str) -> str:
    """What Python says beside the examples."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join([str(EXAMPLES), *sys.path])},
    ).stdout


@with_torch
def test_dqn_runs_and_its_weights_are_a_bot(tmp_path: Path) -> None:
    out = tmp_path / "weights.pt"
    said = run("dqn.py", "--decisions", 400, "--games", 20, "--batch", 4, "--players", 3, "--out", out)
    assert re.search(r"^after .* games: wins .* of 20 games against random$", said, re.MULTILINE)
    assert re.search(r"^ +256 decisions .* points ahead on average$", said, re.MULTILINE)
    setup = make_setup(enter([f"torch:{out}", "random"]), Ruleset("second", 2), games=2)
    assert run_arena(setup, jobs=1)[0].results


@with_torch
def test_a_number_of_decisions_repeats_the_learning() -> None:
    first, again = (run("dqn.py", "--decisions", 600, "--games", 20, "--batch", 4) for _ in range(2))
    assert first == again


@with_torch
def test_dqn_counts_what_is_earned_until_a_game_ends() -> None:
    said = inside(
        "import torch, dqn\n"
        "step = lambda reward, going: dqn.Step(None, None, torch.tensor(reward), torch.tensor(going))\n"
        "steps = [step([0., 0.], [1., 1.]), step([3., 0.], [0., 1.]), step([5., 0.], [1., 1.])]\n"
        "print([part.tolist() for part in dqn.earned(steps)])"
    )
    assert said.strip() == "[[3.0, 0.0], [0.0, 1.0]]"  # the five belong to the next game


@with_torch
def test_what_dqn_expects_is_the_worth_of_the_position_on_average() -> None:
    said = inside(
        "import torch, dqn\nfrom policy import Batch, Policy, of_batch\n"
        "torch.manual_seed(1)\npolicy, asked = Policy(), of_batch(Batch(games=5, seed=1, players=2))\n"
        "found, worth = dqn.expected(policy, asked), policy.logits(asked)[1]\n"
        "means = [row[:n].mean().item() for row, n in zip(found, asked.counts.tolist())]\n"
        "print(torch.allclose(torch.tensor(means), worth, atol=1e-5))\n"
        "print(all((row[n:] == dqn.NOT_LEGAL).all() for row, n in zip(found, asked.counts.tolist())))"
    )
    assert said.split() == ["True", "True"]


@with_torch
def test_curves_are_measured_for_every_learner(tmp_path: Path) -> None:
    options = ["--decisions", 2000, "--replayed", 2000, "--batch", 4, "--cloned", 10, "--updates", 4, "--games", 4]
    options += ["--measured", 2, "--at-last", 4, "--out", tmp_path / "out", "--work", tmp_path / "work"]
    run("curves.py", "ppo", "dqn", "clone", "policy", "--seeds", 5, *options)
    runs = read_runs(tmp_path / "out")
    assert list(runs) == ["ppo", "dqn", "clone", "policy"]
    for found in runs.values():
        assert list(found) == [5] and len(found[5]) == 9 * 4
        assert [row.measured for row in found[5]] == [2] * 8 * 4 + [4] * 4
        assert found[5][0].games == 0 < found[5][-1].games
    assert [row.games for row in runs["policy"][5][::4]] == [0, 4, 4, 8, 8, 12, 12, 16, 16]
    assert runs["ppo"][5][-1].decisions == 2048 and runs["dqn"][5][-1].decisions == 2000
    names = {path.name for path in (tmp_path / "out").iterdir() if path.suffix != ".csv"}
    assert names == {"ppo-5.pt", "dqn-5.pt", "clone-5.pt", "policy-5.weights"}
    for name in names:
        spec = f"{'torch:' if name.endswith('.pt') else ''}{tmp_path / 'out' / name}"
        setup = make_setup(enter([spec, "random"]), Ruleset("first", 2), games=2, playouts=1)
        assert run_arena(setup, jobs=1)[0].results
    kept = (tmp_path / "out" / "ppo-5.csv").stat().st_mtime_ns
    run("curves.py", "ppo", "--seeds", 5, *options)
    assert (tmp_path / "out" / "ppo-5.csv").stat().st_mtime_ns == kept  # a run that is there is not repeated


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
