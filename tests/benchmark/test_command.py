"""nevsky evaluate as a person uses it, with every kind of agent."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from nevsky.bots.core.features import NUMBER_OF_WEIGHTS
from nevsky.bots.policy_weights import save_weights
from tests.cli.command import Run

PROGRAM = Path(__file__).parents[1] / "bots" / "bad_program.py"
EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
LEARNED = Path(__file__).parents[2] / "benchmarks" / "baselines" / "ppo.pt"


def needs(module: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(importlib.util.find_spec(module) is None, reason=f"{module} is not installed")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the duel, against those who answer at once."""
    from nevsky.benchmark import protocol

    whole = protocol.NEVSKY_1
    brief = whole._replace(rivals=whole.rivals[:2], tracks=whole.tracks[:1])
    monkeypatch.setattr(protocol, "NEVSKY_1", brief)


def test_a_quick_evaluation_tells_figures_and_that_they_compare_with_nothing(run: Run, tmp_path: Path) -> None:
    out, page = tmp_path / "greedy.json", tmp_path / "greedy.md"
    answer = run("evaluate", "--bot", "greedy", "--quick", "--jobs", 1, "--out", out, "--page", page)
    assert answer.code == 0 and "not comparable" in answer.out
    result = json.loads(out.read_text())
    assert result["protocol"] == "nevsky-1-quick" and not result["comparable"]
    assert "Not comparable" in page.read_text()
    answer = run("evaluate", "--leaderboard", tmp_path)
    assert answer.code == 2 and "made by the protocol 'nevsky-1-quick'" in answer.err


def model(folder: Path) -> Path:
    """A model of Stable-Baselines3 that knows next to nothing."""
    from sb3_contrib import MaskablePPO

    from nevsky.envs.sb3 import BatchVecEnv

    made = MaskablePPO(
        "MlpPolicy", BatchVecEnv(2, players=2), n_steps=16, batch_size=16, policy_kwargs={"net_arch": [8]}
    )
    made.save(folder / "model.zip")
    return folder / "model.zip"


@pytest.mark.parametrize(
    "kind",
    [
        "level",
        "file",
        "module",
        "weights",
        "program",
        pytest.param("torch", marks=needs("torch")),
        pytest.param("sb3", marks=needs("sb3_contrib")),
    ],
)
def test_every_kind_of_agent_is_evaluated(run: Run, tmp_path: Path, kind: str) -> None:
    weights = tmp_path / "neva.weights"
    save_weights(weights, {2: [0.5] * NUMBER_OF_WEIGHTS, 3: [0.5] * NUMBER_OF_WEIGHTS})
    words: dict[str, tuple[object, ...]] = {
        "torch": ("--bot", f"torch:{LEARNED}"),
        "sb3": ("--bot", f"sb3:{model(tmp_path) if kind == 'sb3' else ''}"),
        "level": ("--bot", "easy"),
        "file": ("--bot", f"{EXAMPLES}/thrifty.py:Thrifty"),
        "module": ("--bot", "nevsky.bots.random:RandomBot", "--name", "chance"),
        "weights": ("--bot", weights, "--playouts", 2),
        "program": ("--bot-cmd", f"{sys.executable} {PROGRAM} none {tmp_path}", "--playouts", 1),
    }
    answer = run("evaluate", *words[kind], "--quick", "--jobs", 1, "--json")
    assert answer.code == 0, answer.err
    result = answer.data
    names = {
        "level": "novice",
        "file": "thrifty",
        "module": "chance",
        "weights": "neva-2",
        "program": "none",
        "torch": "ppo",
        "sb3": "model",
    }
    assert result["agent"]["name"] == names[kind] and str(tmp_path) not in json.dumps(result["agent"])
    assert result["forfeits"] == {} and result["cells"]["duel-novice"]["games"] == 2
    used = result["time"]["duel"]["processor_ms"]
    assert used is None if kind == "program" and not sys.platform.startswith("linux") else used > 0


def test_where_nobody_tells_what_a_program_used_the_clock_does(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nevsky.bots.programs.computed", lambda process: None)
    out, page = tmp_path / "none.json", tmp_path / "none.md"
    words = ("--bot-cmd", f"{sys.executable} {PROGRAM} none {tmp_path}", "--playouts", 1, "--quick", "--jobs", 1)
    answer = run("evaluate", *words, "--out", out, "--page", page)
    assert answer.code == 0 and "(clock)" in answer.out, answer.err
    assert json.loads(out.read_text())["time"]["duel"]["processor_ms"] is None
    assert "ms on the clock per decision" in page.read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Name one agent"),
        (("--bot", "greedy", "--bot", "random"), "Name one agent with --bot or --bot-cmd, not 2"),
        (("--bot", "master"), "master thinks as long as the clock allows"),
        (("--bot", "hard"), "search thinks as long as the clock allows"),
        (("--bot", "greedy", "--playouts", 5), "greedy does not count playouts"),
        (("--bot", "master", "--playouts", 0), "The number of playouts"),
        (("--bot", "greedy", "--time", 100), "Nevsky-1 is the same for everybody: there is no --time"),
        (("--bot", "greedy", "--games", 10), "there is no --games"),
        (("--bot", "greedy", "--seed", "neva"), "there is no --seed"),
        (("--bot", "greedy", "--players", 3), "there is no --players"),
        (
            (
                "--bot",
                "nowhere.at_all:Bot",
            ),
            "There is no module nowhere.at_all",
        ),
        (("--bot", "greedy", "--out", "/no/such/folder/x.json"), "cannot be written"),
        (("--bot", "greedy", "--leaderboard", "."), "--leaderboard plays nothing"),
        (("--leaderboard", "/no/such/folder"), "There is no directory"),
    ],
)
def test_what_is_not_comparable_is_refused_with_a_sentence(run: Run, words: tuple[object, ...], sentence: str) -> None:
    answer = run("evaluate", *words)
    assert answer.code == 2 and sentence in answer.err and answer.out == ""
