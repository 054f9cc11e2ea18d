"""A bot that remembers everything it was shown, and its level; workers learn of it when they start."""

from __future__ import annotations

import os
from pathlib import Path

from nevsky.bots import BOTS, LEVELS, Level, Suggestion
from nevsky.rules.view import View
from nevsky.server.workers import prepare

NAME = "watchful"
NOTES = "NEVSKY_TEST_NOTES"
"""Names the file in which bots note what they saw when they decide."""


class WatchfulBot:
    """Notes its seed, its seat, how much it was shown, and a digest of it, before each decision."""

    name = NAME

    def __init__(self, seed: int | str) -> None:
        self.seed = seed
        self.seen: list[View] = []
        self.decided = 0

    def observe(self, view: View) -> None:
        self.seen.append(view)

    def decide(self, view: View, milliseconds: int) -> str:
        from hashlib import sha256

        assert self.seen[-1].players[view.seat or 0] == view.players[view.seat or 0]
        assert {seen.seat for seen in self.seen} == {view.seat}
        digest = sha256(b"".join(seen.to_bytes() for seen in self.seen)).hexdigest()[:16]
        self.decided += 1
        note = f"{self.seed} {os.getpid()} {view.seat} {self.decided} {len(self.seen)} {digest}\n"
        with Path(os.environ[NOTES]).open("a") as file:
            file.write(note)
        return view.legal[0]

    def explain(self, view: View, milliseconds: int = 1000) -> list[Suggestion]:
        return [Suggestion(action, None, None, "") for action in view.legal]


def register() -> None:
    """Make the bot and its level known here."""
    BOTS[NAME] = WatchfulBot
    LEVELS[NAME] = Level(NAME, 50)


def prepare_watchful() -> None:
    """In a worker."""
    prepare()
    register()
