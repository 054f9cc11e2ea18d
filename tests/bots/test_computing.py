"""What a program computes is counted, whoever does it for the program, and nothing is made up where nobody can tell."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nevsky.arena.lines import read_timings, write_line
from nevsky.bots import programs
from nevsky.bots.computing import computed
from nevsky.bots.programs import close_programs
from tests.bots.test_external import after_decisions

DECISIONS = 6
LEAST = 30 * DECISIONS
"""Milliseconds that the programs here compute for so many decisions."""
TICK = 10
"""The time of children that have ended is told in such steps."""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells it")


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield
    close_programs()


@pytest.mark.parametrize("fault", ["computes", "lets_compute", "computes_and_ends"])
def test_what_a_program_computed_is_told(fault: str, tmp_path: Path) -> None:
    player = after_decisions(fault, tmp_path, DECISIONS, milliseconds=5000, patience=60)
    assert player.processor is not None and LEAST - TICK <= player.processor < 4 * LEAST
    before = player.processor
    player.game_over({})
    assert player.processor >= before, "what it was stays known when the program has gone"


def test_another_game_begins_at_nothing(tmp_path: Path) -> None:
    for _ in range(3):
        player = after_decisions("computes", tmp_path, 1, milliseconds=5000, patience=60)
        player.game_over({})
        assert player.processor is not None and 30 <= player.processor < 80
    assert len([path for path in tmp_path.iterdir() if path.name.isdecimal()]) == 1, "the same program played them all"


def test_who_waits_computes_nothing(tmp_path: Path) -> None:
    player = after_decisions("late", tmp_path, 2, milliseconds=5000, patience=60)
    assert player.processor is not None and player.processor < 100 < player.time_taken


def test_a_child_that_runs_counts() -> None:
    work = "import time\nwhile time.process_time() < 0.2: pass\nprint(flush=True)\ntime.sleep(60)"
    start = "import subprocess, sys\nsubprocess.run([sys.executable, '-c', sys.argv[1]])"
    with subprocess.Popen(
        [sys.executable, "-c", start, work], stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        told = computed(process.pid)
        os.killpg(process.pid, 9)
    assert told is not None and told > 0.2
    assert computed(process.pid) is None, "nobody is there any more"


def test_where_nobody_can_tell_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "computed", lambda process: None)
    player = after_decisions("computes", tmp_path, 2, milliseconds=5000, patience=60)
    assert player.processor is None
    line = {"game": 0, "ms": [1, 2], "longest": [1, 2], "overruns": [0, 0], "processor": [None, 1.5]}
    with (tmp_path / "timings.jsonl").open("w") as file:
        write_line(file, line)
    assert read_timings(tmp_path / "timings.jsonl", 2) == {0: line}
