"""On Windows, as far as it can be seen from here: what is missing there is hidden from the command."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nevsky.locking import hold
from nevsky.server.admin import listening
from nevsky.server.admin.listening import own_name, user_name
from tests.server.elsewhere import COMMAND


def told(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *map(str, words)], capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one that commands work on."""
    monkeypatch.setenv("NEVSKY_DATABASE", str(tmp_path / "n.db"))
    monkeypatch.setenv("USERNAME", "vera")  # as on Windows
    return tmp_path / "n.db"


@contextmanager
def serving() -> Iterator[str]:
    """A server that runs there, and its address."""
    words = [*COMMAND, "serve", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None
            yield found[0]
        finally:
            server.kill()


def test_the_server_starts_and_nobody_else_takes_its_database(database: Path) -> None:
    with serving() as address:
        assert b"<script" in urllib.request.urlopen(address, timeout=20).read()
        second = told("serve", "--port", "0")
        assert second.returncode == 2
        assert "is already at work on" in second.stderr and "Traceback" not in second.stderr
        asked = told("admin", "guests", "list")
        assert asked.returncode == 2
        assert "is already at work on" in asked.stderr, "no server can be asked there while it runs"
    listed = told("admin", "guests", "list")
    assert listed.returncode == 0, listed.stderr
    assert database.is_file()


def test_a_program_as_a_bot_is_refused_in_a_sentence() -> None:
    done = told("arena", "--bot-cmd", "./steady", "--bot", "random", "--games", "2")
    assert done.returncode == 2
    assert done.stderr == (
        "nevsky: Programs play on Linux and macOS only, not on this system; a bot in Python plays everywhere.\n"
    )


def test_games_and_arenas_are_played(tmp_path: Path) -> None:
    played = told("simulate", "--games", "3", "--players", "2")
    assert played.returncode == 0, played.stderr
    met = told("arena", "--bot", "greedy", "--bot", "random", "--players", "2", "--games", "2", "--out", tmp_path / "a")
    assert met.returncode == 0, met.stderr


def test_what_is_held_stays_readable_where_it_stood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.server.elsewhere import Locking

    path = tmp_path / "held"
    path.write_text("who holds it")
    monkeypatch.setitem(sys.modules, "msvcrt", Locking())
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with path.open("rb+", buffering=0) as file:
        file.seek(4)
        hold(file.fileno())
        assert file.tell() == 4
        assert path.stat().st_size == 12


def test_who_asks_is_known_where_the_system_does_not_vouch_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The socket is its owner's alone."""
    assert own_name() == user_name(os.getuid())
    monkeypatch.delattr(socket, "SO_PEERCRED")
    assert listening._user(object()) == own_name()  # type: ignore[arg-type]
    monkeypatch.delattr(os, "getuid")
    monkeypatch.setenv("LOGNAME", "vera")
    assert own_name() == "vera"
