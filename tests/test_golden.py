"""Golden playthroughs and node counts: they change only when tools/golden.py writes them anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.golden_text import node_counts, playthrough
from tests.rulesets import CONFIGURATIONS

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_playthrough(name: str) -> None:
    expected = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for number, (found, wanted) in enumerate(
        zip(playthrough(CONFIGURATIONS[name], name).splitlines(), expected, strict=True), 1
    ):
        assert found == wanted, f"line {number} of golden/{name}.txt"


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_node_counts(name: str) -> None:
    expected = json.loads((GOLDEN / "nodes.json").read_text(encoding="utf-8"))
    assert node_counts(CONFIGURATIONS[name]) == expected[name]


def test_every_configuration_has_its_golden_files() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(CONFIGURATIONS)
    assert set(json.loads((GOLDEN / "nodes.json").read_text(encoding="utf-8"))) == set(CONFIGURATIONS)
