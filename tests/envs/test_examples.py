"""The example for both environments does what it says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

import nevsky

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "examples" / "envs" / "random_agent.py"))


def test_the_shares_of_all_seats_add_up(example: dict[str, Any]) -> None:
    shares = example["all_seats"](6)
    assert sum(shares.values()) == pytest.approx(1)
    assert shares == example["all_seats"](6)


def test_chance_loses_against_bots(example: dict[str, Any]) -> None:
    assert example["one_seat"](5, opponents="greedy") < 0


def test_what_to_cite_is_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", text, re.MULTILINE)[1] == nevsky.__version__  # type: ignore[index]
    assert f"Version {nevsky.__version__}" in (ROOT / "docs" / "envs.md").read_text(encoding="utf-8")
