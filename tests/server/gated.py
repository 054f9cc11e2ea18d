"""Bots that note what they are asked for, and a slow kind that waits at a gate; workers learn of both."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from nevsky.bots import BOTS, LEVELS, Level, Suggestion
from nevsky.rules.view import View
from nevsky.server.workers import prepare

FOLDER = "NEVSKY_TEST_GATE"
"""Names the folder with the notes, and with the gate once it is open."""


class QuickBot:
    """Does at once what it is asked for."""

    name = "quick"

    def __init__(self, seed: int | str) -> None:
        self.seed = seed

    def decide(self, view: View, milliseconds: int) -> str:
        self.note("decide")
        return view.legal[0]

    def explain(self, view: View, milliseconds: int = 1000) -> list[Suggestion]:
        self.note("explain")
        return [Suggestion(action, None, None, "") for action in view.legal]

    def note(self, task: str) -> None:
        with (Path(os.environ[FOLDER]) / "notes").open("a") as file:
            file.write(f"{self.name} {task}\n")


class SlowBot(QuickBot):
    """The same after the gate was opened."""

    name = "slow"

    def note(self, task: str) -> None:
        super().note(task)
        while not (Path(os.environ[FOLDER]) / "open").exists():
            time.sleep(0.005)


LEVEL = {QuickBot: Level("quick", 50), SlowBot: Level("slow", 2000)}


def prepare_gated() -> None:
    """In a worker."""
    prepare()
    for bot, level in LEVEL.items():
        BOTS[bot.name] = bot
        LEVELS[bot.name] = level


class Gate:
    """What a test holds of it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self) -> None:
        (self._folder / "open").touch()

    def notes(self) -> list[str]:
        """What was begun, in order."""
        path = self._folder / "notes"
        return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Levels of quick and slow bots, here and in workers; the slow ones give the hints."""
    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.setattr("nevsky.server.workers.prepare", prepare_gated)
    for bot, level in LEVEL.items():
        monkeypatch.setitem(BOTS, bot.name, bot)
        monkeypatch.setitem(LEVELS, bot.name, level)
    return Gate(tmp_path)
