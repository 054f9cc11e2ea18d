"""How long somebody stood in line for a processor, as Linux tells it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from nevsky.bots import waiting
from nevsky.bots.waiting import Waiting

BUSY_THREAD = (
    "import os, threading\nos.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    "def work():\n    while True: pass\n"
    "thread = threading.Thread(target=work)\nprint(flush=True)\nthread.start()\nthread.join()\n"
)


@pytest.fixture
def threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(waiting, "_PROCESSES", str(tmp_path))
    return tmp_path / "7" / "task"


def put(folder: Path, **seconds: float) -> None:
    for name, each in seconds.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "schedstat").write_text(f"12345 {int(each * 1e9)} 9\n")


def test_the_thread_that_waited_longest_counts_from_one_look_to_the_next(threads: Path) -> None:
    put(threads, main=5.0, worker=1.0)
    process = Waiting(7)
    assert process.seconds() == 0.0, "what was before does not count"
    put(threads, main=5.5, worker=3.0)
    assert process.seconds() == pytest.approx(2.0)
    put(threads, main=9.5, worker=3.5)
    assert process.seconds() == pytest.approx(6.0)


def test_a_thread_that_began_in_between_counts_from_its_beginning(threads: Path) -> None:
    put(threads, main=1.0)
    process = Waiting(7)
    put(threads, main=1.0, worker=0.25)
    assert process.seconds() == pytest.approx(0.25)


def test_nothing_is_added_when_threads_end_or_nothing_is_told(threads: Path) -> None:
    put(threads, main=1.0, worker=1.0)
    process = Waiting(7)
    (threads / "worker" / "schedstat").unlink()
    (threads / "main" / "schedstat").write_text("")
    assert process.seconds() == 0.0
    assert Waiting(8).seconds() == 0.0


@pytest.mark.skipif(not Path("/proc/thread-self/schedstat").exists(), reason="this system does not tell")
def test_a_program_whose_second_thread_works_is_not_charged_for_a_busy_machine() -> None:
    programs = [subprocess.Popen([sys.executable, "-c", BUSY_THREAD], stdout=subprocess.PIPE) for _ in range(2)]
    try:
        for program in programs:
            assert program.stdout is not None and program.stdout.readline()
        process = Waiting(programs[0].pid)
        until = time.monotonic() + 20
        while process.seconds() < 0.1 and time.monotonic() < until:
            time.sleep(0.02)
        assert process.seconds() >= 0.1, "two share a core"
    finally:
        for program in programs:
            program.kill()
            program.communicate()
