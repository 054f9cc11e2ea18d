"""Calling the command from tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

COMMAND = (sys.executable, "-c", "from nevsky.cli import main; main()")
"""The command in a process of its own, for what a test cannot see from inside."""


class Answer(NamedTuple):
    """What a command gave back."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Answer]


def run_outside(*words: object, entry: str = "", **environment: str) -> Answer:
    done = subprocess.run(
        [*COMMAND, *map(str, words)],
        input=entry,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )
    return Answer(done.returncode, done.stdout, done.stderr)


@contextmanager
def under_way(*words: object, until: Callable[[], bool]) -> Iterator[subprocess.Popen[str]]:
    """The command in a process of its own, once that is so; whoever ends it hears what it has said."""
    process = subprocess.Popen(
        [*COMMAND, *map(str, words)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not until():
            time.sleep(0.02)
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
