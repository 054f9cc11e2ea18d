"""Parts of the package that not everybody installs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from nevsky.cli.extras import extra_with

WITHOUT = (
    "import sys; sys.modules[{module!r}] = None; sys.argv = ['nevsky', *{words!r}]; from nevsky.cli import main; main()"
)


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


def test_a_command_whose_extra_is_missing_says_what_to_install() -> None:
    said = _without("fastapi", "serve")
    assert said.returncode == 2
    assert said.stderr == 'nevsky: nevsky serve needs fastapi, which is not installed: pip install "nevsky[server]".\n'


def test_what_no_extra_brings_is_an_error_as_any_other() -> None:
    assert "ModuleNotFoundError" in _without("nevsky.simulate", "simulate").stderr


def test_environments_do_not_load_what_only_draws() -> None:
    words = (
        "import sys, nevsky.envs.gymnasium, nevsky.envs.pettingzoo, nevsky.envs.vector; print('rich' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True).stdout == "False\n"
