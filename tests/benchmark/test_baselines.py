"""What is published about learners is what their runs gave, and the players that are passed on are theirs."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from tools.baselines import (
    FOLDER,
    LEARNERS,
    PAGE,
    PLOT,
    RIVALS,
    WAYS,
    Row,
    best_seed,
    curve,
    keep_players,
    last,
    page,
    plot,
    read_runs,
    settings,
    together,
)
from tools.generated import ROOT

from nevsky.arena.digests import digest
from nevsky.arena.intervals import Estimate
from nevsky.benchmark.agents import choose_agent
from nevsky.benchmark.pages import read_all
from nevsky.benchmark.protocol import NEVSKY_1
from nevsky.benchmark.results import result_of
from nevsky.benchmark.run import evaluate

RUNS = read_runs()
INSTINCT = ROOT / "examples" / "bots" / "instinct.py"
RESULTS = {result["agent"]["name"]: result for result in read_all(FOLDER.parent / "nevsky-1")}
MARKS = 9
LARGEST = 1_000_000


def player(learner: str) -> str:
    return f"{learner}.{'weights' if learner == 'policy' else 'pt'}"


def test_the_page_is_current() -> None:
    """Run tools/baselines.py when this fails."""
    text = PAGE.read_text(encoding="utf-8")
    assert page(text, RUNS) == text
    assert PLOT.read_text(encoding="utf-8") == plot(RUNS)


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_has_three_whole_runs(learner: str) -> None:
    assert list(RUNS[learner]) == [1, 2, 3]
    for run in RUNS[learner].values():
        assert len(run) == MARKS * len(RIVALS) * len(WAYS)
        assert all(row.wins.low <= row.wins.value <= row.wins.high for row in run)
        assert all(one.games <= other.games and one.seconds <= other.seconds for one, other in pairwise(run))
    games = {run[-1].measured for run in RUNS[learner].values()}
    assert games == {500}


@pytest.mark.parametrize("learner", LEARNERS)
def test_they_learned_something(learner: str) -> None:
    for run in RUNS[learner].values():
        assert max(last(run, "random", way).wins.low for way in WAYS) > 0.5


@pytest.mark.parametrize("learner", LEARNERS)
def test_players_are_small_and_every_one_is_on_the_leaderboard(learner: str) -> None:
    path = FOLDER / player(learner)
    assert path.stat().st_size < LARGEST
    agent = RESULTS[learner]["agent"]
    program = f"{INSTINCT.name}:Instinct" if learner == "policy" else f"torch:{path.name}"
    assert agent["what"] == program
    assert agent["digest"] == digest([str(INSTINCT if learner == "policy" else path)])
    text = PAGE.read_text(encoding="utf-8")
    assert re.search(rf"\b{learner} (is rated )?{RESULTS[learner]['rating']['value']:.0f}\b", text)


def test_the_result_of_the_policy_is_that_of_its_weights() -> None:
    """The digest knows only the program that reads them, so the first games are played again."""
    track, rival = NEVSKY_1.tracks[0], NEVSKY_1.rivals[0]
    one_track = track._replace(deals={rival.name: track.deals[rival.name]})
    part = NEVSKY_1._replace(name="part", rivals=(rival,), tracks=(one_track,))
    policy = choose_agent([f"{INSTINCT}:Instinct"], None, "policy")
    found = result_of(part, policy, evaluate(part, policy, jobs=1))["cells"]["duel-random"]
    assert found == RESULTS["policy"]["cells"]["duel-random"]


def test_bands_go_from_the_worst_run_to_the_best() -> None:
    def run(*wins: float) -> tuple[Row, ...]:
        rows = [Row(None, 1000 * i, i, "random", "drawn", 100, Estimate(share, 0, 1)) for i, share in enumerate(wins)]
        return (*rows, Row(None, 9000, 9, "random", "likeliest", 100, Estimate(0.0, 0, 1)))

    runs = [run(0.1, 0.5), run(0.3, 0.7), run(0.2, 0.9)]
    found = curve(runs, "random", "drawn")
    assert [(point.x, point.low, point.high) for point in found] == [(0, 0.1, 0.3), (1, 0.5, 0.9)]
    assert found[1].value == pytest.approx(0.7)
    assert together([last(each, "random", "drawn") for each in runs]).startswith("70.0% [64.6%, 74.9%]")


def test_the_player_that_is_passed_on_won_most_against_the_heuristic_policy() -> None:
    def run(share: float) -> tuple[Row, ...]:
        return (Row(None, 1, 1, "heuristic", "likeliest", 100, Estimate(share, 0, 1)),)

    assert best_seed({1: run(0.2), 2: run(0.4), 3: run(0.4)}) == 2


def test_of_all_players_the_best_is_kept(tmp_path: Path) -> None:
    for seed in RUNS["ppo"]:
        (tmp_path / f"ppo-{seed}.pt").write_text(f"{seed}")
        (tmp_path / f"ppo-{seed}.csv").write_text("")
    keep_players(RUNS, tmp_path)
    assert (tmp_path / "ppo.pt").read_text() == f"{best_seed(RUNS['ppo'])}"
    assert not (tmp_path / "ppo.csv").exists() and not (tmp_path / "dqn.pt").exists()


def test_settings_are_those_of_the_programs() -> None:
    found = settings()
    assert "| `ppo.py` | `CLIP` | 0.2 |" in found and "| `dqn.py` | `AHEAD` |" in found
    assert all(len(line.split(" | ")[-1]) > 5 for line in found.splitlines()[2:])
