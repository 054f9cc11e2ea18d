"""Work that does not come to an end, and bots like that; workers learn of the bots when they start."""

from __future__ import annotations

import os
import signal
import time
from itertools import repeat

from nevsky.bots import BOTS, LEVELS, Level, Suggestion
from nevsky.rules.view import View
from nevsky.server.workers import prepare

NAME = "hanging"


def sleep_for_ever() -> None:
    while True:
        time.sleep(3600)


def spin_deafly() -> None:
    """A loop in C: no signal gets through that can be kept out, and no other thread runs."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    sum(repeat(0))


def die() -> None:
    os._exit(1)


def refuse_to_start() -> None:
    """In a worker."""
    raise RuntimeError("not today")


def answer() -> int:
    return os.getpid()


class HangingBot:
    """Never decides anything."""

    name = NAME

    def __init__(self, seed: int | str) -> None:
        self.seed = seed

    def decide(self, view: View, milliseconds: int) -> str:
        spin_deafly()
        return view.legal[0]

    def explain(self, view: View, milliseconds: int = 1000) -> list[Suggestion]:
        spin_deafly()
        return []


def register() -> None:
    """Make the bot and its level known here; as the last level it also gives the hints."""
    BOTS[NAME] = HangingBot
    LEVELS[NAME] = Level(NAME, 50)


def prepare_hanging() -> None:
    """In a worker."""
    prepare()
    register()
