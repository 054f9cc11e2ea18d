"""Random games through the harness."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from nevsky import COMPILED, Ruleset
from nevsky.rules.rng import Rng
from tests.harness import checksum, play_checked, play_sampled
from tests.rulesets import BASE, CONFIGURATIONS

BATCHES = 10
GAMES_IN_BATCH = 35


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("name", BASE)
def test_everything_holds_in_random_games(name: str, batch: int) -> None:
    for number in range(GAMES_IN_BATCH):
        play_checked(BASE[name], f"{name}-{batch}-{number}", positions_every=10, views_every=60)


@pytest.mark.parametrize("name", [name for name in CONFIGURATIONS if name not in BASE])
def test_everything_holds_with_the_market_and_modules(name: str) -> None:
    for number in range(6):
        play_checked(CONFIGURATIONS[name], f"{name}-{number}", positions_every=8, views_every=40)


def module_sets() -> list[Ruleset]:
    """Every set of modules that 1.3 allows, with every number of players."""
    rulesets = []
    for bits in range(64):
        modules = tuple(module for module in range(1, 7) if bits >> (module - 1) & 1)
        if set(modules) <= {1, 2}:
            rulesets += [Ruleset("second", players, modules=modules) for players in (2, 3, 4)]
        rulesets += [Ruleset("second", players, market=True, modules=modules) for players in (2, 3, 4, 5)]
    return rulesets


@pytest.mark.parametrize("part", range(4))
def test_everything_holds_in_sets_of_modules(part: int) -> None:
    rulesets = module_sets()
    rng = Rng.of("module sets", part)
    for number in range(15):
        ruleset = rulesets[rng.below(len(rulesets))]
        play_checked(ruleset, f"set-{part}-{number}", positions_every=15, views_every=60)


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everything_holds_in_every_set_of_modules(players: int) -> None:
    for ruleset in module_sets():
        if ruleset.players == players:
            for number in range(20):
                play_checked(ruleset, f"every-{number}", positions_every=10, views_every=40)


def test_open_tables_hold_too() -> None:
    for number in range(5):
        play_checked(Ruleset("second", 3, open_rubles=True), f"rubles-{number}")
        play_checked(Ruleset("second", 3, open_hands=True), f"hands-{number}")
        play_checked(Ruleset("second", 3, youngest=1), f"youngest-{number}")


def _checksums() -> dict[str, object]:
    return {f"{name}-{i}": checksum(ruleset, f"sum-{i}") for name, ruleset in CONFIGURATIONS.items() for i in range(3)}


def test_compiled_and_uncompiled_play_the_same_games() -> None:
    code = (
        "import json, nevsky; from tests.test_simulation import _checksums;"
        "print(json.dumps([nevsky.COMPILED, _checksums()]))"
    )
    root = str(Path(__file__).parent.parent)
    environment = {**os.environ, "NEVSKY_PURE": "1", "PYTHONPATH": root}
    out = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True, cwd=root
    )
    compiled, sums = json.loads(out.stdout)
    assert not compiled
    assert sums == json.loads(json.dumps(_checksums()))


def test_the_rules_are_compiled_where_there_is_a_compiler() -> None:
    assert COMPILED


def _many(name: str, first: int, last: int) -> int:
    for number in range(first, last):
        play_sampled(CONFIGURATIONS[name], f"long-{name}-{number}")
    return last - first


@pytest.mark.long
def test_a_million_games() -> None:
    share = 1_000_000 // len(CONFIGURATIONS) + 1
    with ProcessPoolExecutor() as pool:
        tasks = [
            pool.submit(_many, name, first, min(first + 1000, share))
            for name in CONFIGURATIONS
            for first in range(0, share, 1000)
        ]
        assert sum(task.result() for task in tasks) >= 1_000_000
