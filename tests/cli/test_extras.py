"""Parts of the package that not everybody installs."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import nevsky.envs
from nevsky.extras import extra_with

WITHOUT = (
    "import sys; sys.modules[{module!r}] = None; sys.argv = ['nevsky', *{words!r}]; from nevsky.cli import main; main()"
)


def _environments() -> list[str]:
    return [f"nevsky.envs.{found.name}" for found in pkgutil.iter_modules(nevsky.envs.__path__)]


def _without(module: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT.format(module=module, words=words)], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("sqlalchemy", "server"),
        ("prometheus_client", "server"),
        ("gymnasium.spaces", "envs"),
        ("torch", "train"),
        ("pyspiel", None),
    ],
)
def test_an_extra_is_known_by_the_modules_it_brings(module: str, extra: str | None) -> None:
    assert extra_with(module) == extra


@pytest.mark.parametrize(
    ("words", "module", "extra"),
    [
        ("serve", "fastapi", "server"),
        ("worker", "structlog", "server"),
        ("bench envs", "numpy", "envs"),
        ("arena --bot random --bot random --games 2 --ray local --out {out}", "ray", "ray"),
        ("export {record} --out {out}.parquet", "polars", "data"),
    ],
)
def test_a_command_whose_extra_is_missing_says_what_to_install(
    words: str, module: str, extra: str, record: Path, tmp_path: Path
) -> None:
    said = _without(module, *words.format(record=record, out=tmp_path / "out").split())
    sentence = (
        f'nevsky {words.split(maxsplit=1)[0]} needs {module}, which is not installed: pip install "nevsky[{extra}]".'
    )
    assert (said.returncode, said.stdout, said.stderr) == (2, "", f"nevsky: {sentence}\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [
        ("gymnasium", "gymnasium", "envs"),
        ("vector", "gymnasium", "envs"),
        ("pettingzoo", "pettingzoo", "envs"),
        ("action_sets", "numpy", "envs"),
        ("features", "numpy", "envs"),
        ("truth", "numpy", "envs"),
        ("openspiel", "pyspiel", "openspiel"),
        ("openspiel_mini", "pyspiel", "openspiel"),
        ("openspiel_rollout", "numpy", "openspiel"),
    ],
)
def test_an_environment_whose_library_is_missing_says_what_to_install(name: str, module: str, extra: str) -> None:
    words = f"import sys; sys.modules[{module!r}] = None; import nevsky.envs.{name}"
    said = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=False).stderr
    sentence = f'nevsky.envs.{name} needs {module}, which is not installed: pip install "nevsky[{extra}]".'
    assert said.splitlines()[-1] == f"nevsky.extras.MissingExtraError: {sentence}"


@pytest.mark.parametrize("module", ["numpy", "gymnasium", "pettingzoo", "pyspiel", "stable_baselines3"])
def test_no_environment_fails_without_a_sentence(module: str) -> None:
    words = f"""
import importlib, sys
sys.modules[{module!r}] = None
from nevsky.extras import MissingExtraError
for name in {_environments()!r}:
    try:
        importlib.import_module(name)
    except MissingExtraError as error:
        assert error.name == {module!r}, name
"""
    subprocess.run([sys.executable, "-c", words], check=True)


def test_a_batch_without_numpy_says_what_to_install() -> None:
    words = "import sys; sys.modules['numpy'] = None; from nevsky.envs.batch import Batch; Batch()"
    said = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=False).stderr
    assert said.endswith('nevsky.envs.batch needs numpy, which is not installed: pip install "nevsky[envs]".\n')


def test_what_no_extra_brings_is_an_error_as_any_other() -> None:
    assert "ModuleNotFoundError" in _without("nevsky.simulate", "simulate").stderr


@pytest.mark.parametrize("name", [name for name in _environments() if name != "nevsky.envs.drawing"])
def test_environments_do_not_load_what_only_draws(name: str) -> None:
    words = f"import sys, {name}; print('rich' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True).stdout == "False\n"
