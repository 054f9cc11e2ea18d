"""The command `nevsky worker`: what it says, and what `nevsky bench bots` measures with it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.engines import Redis

NEVSKY = [sys.executable, "-m", "nevsky"]


def _run(*words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NEVSKY_")} | settings
    return subprocess.run([*NEVSKY, *words], env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_it_begins_says_so_and_leaves_when_told(redis: str, redis_server: Redis) -> None:
    worker = subprocess.Popen([*NEVSKY, "worker", "--redis", redis, "--processes", "2"], stdout=subprocess.PIPE)
    assert worker.stdout is not None
    with worker:
        assert worker.stdout.readline() == b"2 processes think for bots.\n"
        while b"*0" in redis_server.ask("KEYS *workers"):
            pass
        worker.send_signal(signal.SIGINT)
        assert worker.wait(30) == 0
    assert redis_server.ask("KEYS *workers") == b"*0\r\n"


def test_what_it_cannot_use_is_told_in_a_sentence(redis: str) -> None:
    for words, settings, sentence in (
        ((), {}, "Workers need to know where Redis is"),
        (("--redis", "http://localhost"), {}, "NEVSKY_REDIS is an address like"),
        ((), {"NEVSKY_REDIS": redis.replace("//", "//anna:hunter2@")}, "cannot be used: "),
        (("--redis", redis, "--processes", "0"), {}, "--processes"),
    ):
        found = _run("worker", *words, **settings)
        assert found.returncode == 2
        assert sentence in found.stderr
        assert "Traceback" not in found.stderr and "hunter2" not in found.stderr


def test_a_server_with_redis_needs_postgresql(redis: str, tmp_path: Path) -> None:
    found = _run("serve", "--port", "0", "--database", str(tmp_path / "n.db"), NEVSKY_REDIS=redis)
    assert found.returncode == 2
    assert "share one PostgreSQL database" in found.stderr
    assert not (tmp_path / "n.db").exists()


def test_the_cost_of_a_decision_is_measured() -> None:
    if shutil.which("redis-server") is None and shutil.which("valkey-server") is None:
        pytest.skip("Redis is not installed (on Debian: apt install redis-server).")
    found = _run("bench", "bots", "--seconds", "0.3", "--json")
    assert found.returncode == 0, found.stderr
    figures = json.loads(found.stdout)
    assert figures["shared"]["decisions_per_second"] > 0 < figures["own"]["decisions_per_second"]
    assert set(figures["shared"]["processor_us"]) == {"server", "redis", "worker"}
