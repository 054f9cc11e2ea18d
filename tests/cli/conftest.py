"""The command inside the test's own process, and a record to read."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import nevsky
from nevsky.cli import main
from nevsky.record import save
from nevsky.simulate import play_random_game
from tests.cli.command import Answer, Run


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Call the command in this process."""

    def call(*words: object) -> Answer:
        monkeypatch.setattr(sys, "argv", ["nevsky", *map(str, words)])
        code: object = 0
        try:
            main()
        except SystemExit as leaving:
            code = leaving.code or 0
        assert isinstance(code, int)
        return Answer(code, *capsys.readouterr())

    return call


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished game of three."""
    path = tmp_path_factory.mktemp("records") / "game.json"
    save(play_random_game(nevsky.Ruleset("second", 3), "cli"), path)
    return path
