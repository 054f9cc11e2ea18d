"""``nevsky bench envs``: all environments in one run, and a sentence for what is not installed."""

from __future__ import annotations

import sys

import pytest

from nevsky import Ruleset
from nevsky.envs import speed
from tests.cli.command import Run

SHARED = ["batch of 64 games", "batch of 256 games", "batch of 1,024 games"]
BATCHES = ["batch of 1 game", *(f"{name}{threads}" for name in SHARED for threads in ("", ", 2 threads"))]
OURS = [*BATCHES, "Gymnasium vector of 1,024 games", "PettingZoo"]
OTHERS = [
    "OpenSpiel", "PettingZoo's tic-tac-toe", "PettingZoo's connect four", "PettingZoo's chess", "OpenSpiel's backgammon"
]  # fmt: skip


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hardly any time for each."""
    monkeypatch.setattr(speed, "_WARM_UP", 1)
    monkeypatch.setattr(speed, "calibration", lambda _: 1.0)


@pytest.mark.usefixtures("small")
def test_all_environments_are_measured(run: Run) -> None:
    answer = run("bench", "envs", "--json", "--seconds", 0.03, "--players", 5, "--market", "--modules", "1,6")
    assert answer.code == 0
    found = answer.data
    rates, missing = found["decisions_per_second"], found["missing"]
    assert [name for name in rates if name in OURS] == OURS
    assert set(rates) | set(missing) == {*OURS, *OTHERS}
    assert not set(rates) & set(missing)
    assert all(rate > 0 for rate in rates.values())
    assert found["ratio"]["64"] == pytest.approx(rates["batch of 64 games"] / rates["PettingZoo"])
    gains = [rates[f"{name}, 2 threads"] / rates[name] for name in SHARED]
    assert found["threads"]["threads"] == 2
    assert found["threads"]["ratio"] == pytest.approx(dict(zip(("64", "256", "1024"), gains, strict=True)))
    assert found["ruleset"] == Ruleset("second", 5, market=True, modules=(1, 6)).to_dict()


@pytest.mark.usefixtures("small")
def test_what_is_not_installed_is_left_out(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.setitem(sys.modules, "nevsky.envs.pettingzoo", None)
    answer = run("bench", "envs", "--seconds", 0.03)
    assert answer.code == 0
    assert "batch of 1,024 games" in answer.out
    assert "OpenSpiel's backgammon was left out: pyspiel is not installed." in answer.out
    assert "PettingZoo was left out:" in answer.out
    assert "the decisions of the PettingZoo environment" not in answer.out


@pytest.mark.usefixtures("small")
def test_the_figures_can_be_read(run: Run) -> None:
    answer = run("bench", "envs", "--seconds", 0.03)
    assert answer.code == 0
    for words in (
        *OURS,
        "decisions/s",
        "A batch of 64 makes",
        "times the decisions of one with 256 games",
        "calibration loop",
    ):
        assert words in answer.out


@pytest.mark.parametrize("seconds", [0, -1, "nan", "inf"])
def test_bad_times_get_a_sentence(run: Run, seconds: object) -> None:
    answer = run("bench", "envs", "--seconds", seconds)
    assert (answer.code, answer.out) == (2, "")
    assert "number of seconds above 0" in answer.err
