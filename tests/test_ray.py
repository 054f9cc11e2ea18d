"""The arena and training on a real Ray that is started for the purpose: no process is left, however it ends.

That the games are the same as without Ray is tested beside the other tests of the arena and of training.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final
from uuid import uuid4

import pytest

from tests.cli.command import COMMAND, Answer

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("ray")]
pytest.importorskip("ray", reason="needs Ray: pip install 'nevsky[ray]'")

PROGRAM: Final = Path(__file__).parent / "bots" / "bad_program.py"
DYING: Final = """
import os
from nevsky.bots.random import RandomBot

class Dying(RandomBot):
    name = "dying"

    def decide(self, view, milliseconds):
        os._exit(3)
"""
REFUSING: Final = """
import sys
from nevsky.errors import NevskyError

if "ray" in sys.modules:
    raise NevskyError("game.over")
from nevsky.bots.random import RandomBot

class Refusing(RandomBot):
    name = "refusing"
"""


def processes(mark: str) -> list[str]:
    """What runs with a mark in its environment: whatever was started, by whomever."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            alive = (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
            if alive and mark.encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode()[:80])
        except OSError:
            continue
    return found


def on_ray(
    *words: object, until: Callable[[], bool] | None = None, ending: signal.Signals = signal.SIGINT, **environment: str
) -> Answer:
    """The command on Ray, ended as soon as that is so; nothing may be left of it."""
    mark = f"NEVSKY_TEST_{uuid4().hex}"
    process = subprocess.Popen(
        [*COMMAND, *map(str, words), "--ray", "local", "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, mark: "1", **environment},
    )
    try:
        deadline = time.monotonic() + 120
        while until and process.poll() is None and not until() and time.monotonic() < deadline:
            time.sleep(0.05)
        if until:
            assert process.poll() is None and until()
            assert len(processes(mark)) > 3
            (os.kill if ending == signal.SIGKILL else os.killpg)(process.pid, ending)
        out, err = process.communicate(timeout=180)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    # If we are killed, helpers of Ray need a minute to notice that they are alone.
    deadline = time.monotonic() + (120 if ending == signal.SIGKILL else 20)
    while time.monotonic() < deadline and processes(mark):
        time.sleep(0.1)
    assert not processes(mark)
    return Answer(process.returncode, out, err)


def arena(out: Path, *bots: object, games: int = 20_000) -> tuple[object, ...]:
    return ("arena", *bots, "--players", 2, "--games", games, "--playouts", 5, "--out", out)


def lines(directory: Path) -> int:
    path = directory / "results.jsonl"
    return path.read_text().count("\n") if path.exists() else 0


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_an_arena_that_is_stopped_keeps_its_games_and_leaves_no_process(ending: signal.Signals, tmp_path: Path) -> None:
    words = arena(tmp_path, "--bot", "greedy", "--bot", "random")
    answer = on_ray(*words, until=lambda: lines(tmp_path) > 4, ending=ending)
    assert lines(tmp_path) > 4
    if ending == signal.SIGINT:
        assert answer.code == 130 and "Stopped after" in answer.err and "Traceback" not in answer.err


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_a_program_that_hangs_ends_with_the_arena(ending: signal.Signals, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    pids.mkdir()
    program = f"python3 -I -S {PROGRAM} silent {pids}"
    words = arena(tmp_path / "out", "--bot", "random", "--bot-cmd", program)
    on_ray(*words, until=lambda: len(list(pids.glob("[0-9]*"))) > 2, ending=ending)


def test_a_training_that_is_stopped_keeps_its_chunks_and_leaves_no_process(tmp_path: Path) -> None:
    words = ("train", "value", "--out", tmp_path, "--games", 100_000, "--descents", 0, "--playouts", 1)
    answer = on_ray(*words, until=lambda: len(list(tmp_path.glob("samples/*.bin"))) > 2)
    assert answer.code == 130 and "the same command goes on" in answer.err and "Traceback" not in answer.err
    assert len(list(tmp_path.glob("samples/*.bin"))) > 2


def test_a_bot_that_takes_its_process_with_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "dying.py").write_text(DYING)
    answer = on_ray(*arena(tmp_path / "out", "--bot", "random", "--bot", f"{tmp_path / 'dying.py'}:Dying", games=2))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.endswith("nevsky: A process of the arena has died, perhaps with one of the bots."
                               " What was played is kept.\n")  # fmt: skip
    assert "Traceback" not in answer.err


def test_a_machine_without_the_bot_is_told(tmp_path: Path) -> None:
    (tmp_path / "refusing.py").write_text(REFUSING)
    bots = ("--bot", "random", "--bot", f"{tmp_path / 'refusing.py'}:Refusing")
    answer = on_ray(*arena(tmp_path / "out", *bots, games=2))
    assert (answer.code, answer.out) == (2, "")
    assert "The game is over." in answer.err and "Traceback" not in answer.err


def test_local_means_here_whatever_other_cluster_there_is(tmp_path: Path) -> None:
    words = arena(tmp_path, "--bot", "random", "--bot", "random", games=4)
    answer = on_ray(*words, RAY_ADDRESS="127.0.0.1:1")
    assert answer.code == 0 and lines(tmp_path) == 5
