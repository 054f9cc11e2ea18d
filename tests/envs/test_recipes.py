"""The recipes for other people's learners run with what is installed; what is not is skipped."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "examples" / "recipes"
PAGE = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
NEEDED = {
    "cleanrl_ppo": ["torch"],
    "rllib_ppo": ["ray", "tensorboardX", "torch", "tree"],  # ray has RLlib in it, but not what RLlib needs
    "sb3_ppo": ["sb3_contrib"],
    "tianshou_dqn": ["tianshou"],
    "torchrl_ppo": ["torchrl"],
}


def missing(name: str) -> str:
    """The modules that a recipe needs and that are not installed."""
    return ", ".join(module for module in NEEDED[name] if importlib.util.find_spec(module) is None)


def test_every_recipe_is_on_the_page_and_tested() -> None:
    found = {path.stem for path in RECIPES.glob("*.py")} - {"measure"}
    assert found == set(NEEDED) == set(re.findall(r"^\| `(\w+)\.py` ", PAGE, re.MULTILINE))


def test_every_recipe_is_learned_with_in_some_job() -> None:
    """Each job imports what it is there for, so that nothing is skipped there unnoticed."""
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    there = [set(re.findall(r"\w+", words)) for words in re.findall(r'-c "import ([^;]+);', workflow)]
    for name, modules in NEEDED.items():
        assert any(set(modules) <= each for each in there), f"no job has what {name} needs"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.skipif(bool(missing(name)), reason=f"not installed: {missing(name)}"))
        for name in NEEDED
    ],
)
def test_a_recipe_learns_for_a_moment(name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(RECIPES / f"{name}.py"), "--steps", "1024", "--games", "2"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    line = r"^(before|after [\d,]+ decisions): wins .* of 2 games against random players$"
    found = re.findall(line, done.stdout, re.MULTILINE)
    assert len(found) == 2
    assert int(re.sub(r"\D", "", found[1])) >= 1024
