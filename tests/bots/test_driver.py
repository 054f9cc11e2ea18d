"""Bots at a table of the arena: what they do wrong costs them decisions, and nobody else anything."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from nevsky import Game, Ruleset
from nevsky.arena import enter, figures_of, make_setup, run_arena
from nevsky.arena.contestant import Contestant
from nevsky.bots.loading import load_bot
from tests.cli.command import COMMAND

BOTS = """
import os
import sys
from nevsky.bots.random import RandomBot

class Unspeakable(Exception):
    def __str__(self): raise RuntimeError("no")
    __repr__ = __str__

class Lie(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__

class Boundless(RandomBot):
    def decide(self, view, milliseconds): return 10**5000

class Silent(RandomBot):
    def decide(self, view, milliseconds): return Unspeakable()

class Liar(RandomBot):
    def decide(self, view, milliseconds): return Lie("buy kremlin")

class Fails(RandomBot):
    def decide(self, view, milliseconds): raise Unspeakable

class Torn(RandomBot):
    def decide(self, view, milliseconds): raise ValueError("\\ud800\\nand more" + "!" * 1000)

class Leaves(RandomBot):
    def decide(self, view, milliseconds): sys.exit(3)

class Blind(RandomBot):
    @property
    def observe(self): raise RuntimeError("no eyes")

class Startled(RandomBot):
    name = "startled"
    def observe(self, view): raise RuntimeError("oh")

class Flees(RandomBot):
    def observe(self, view): sys.exit(3)

class Chats(RandomBot):
    name = "chats"

    def __init__(self, seed):
        print("good morning")
        super().__init__(seed)

    def observe(self, view):
        print("I see")

    def decide(self, view, milliseconds):
        print("let me think")
        if "JOBS2" in os.environ:
            os.write(1, b"hm\\n")
        return super().decide(view, milliseconds)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    return path


def seated(path: Path, wanted: str) -> Contestant:
    return Contestant(load_bot(f"{path}:{wanted}"), "neva", wanted, 60.0, clocked=True)


@pytest.mark.parametrize(
    ("wanted", "kind", "told"),
    [
        ("Boundless", "illegal", "an answer of the type int is no action text"),
        ("Silent", "illegal", "an answer of the type Unspeakable is no action text"),
        ("Liar", "illegal", "'buy kremlin' is not legal"),
        ("Fails", "crash", "Unspeakable: <Unspeakable>"),
        ("Torn", "crash", "ValueError: \\ud800\\nand more" + "!" * 190),
        ("Leaves", "crash", "SystemExit: 3"),
        ("Blind", "crash", "RuntimeError: no eyes"),
    ],
)
def test_whatever_a_bot_answers_or_raises_costs_a_decision(path: Path, wanted: str, kind: str, told: str) -> None:
    player = seated(path, wanted)
    game = Game(Ruleset("second", 2), seed=1)
    for number in range(3):
        assert game.to_move is not None
        game.push(player.decide(game.view(game.to_move, memory=True), 50))
        assert player.forfeits == {kind: number + 1}
    assert player.last_failure == told


@pytest.mark.parametrize(("wanted", "told"), [("Startled", "RuntimeError: oh"), ("Flees", "SystemExit: 3")])
def test_who_fails_while_it_observes_keeps_its_decisions(path: Path, wanted: str, told: str) -> None:
    player = seated(path, wanted)
    game = Game(Ruleset("second", 2), seed=1)
    assert game.to_move is not None
    player.observe(game.view(game.to_move))
    assert player.last_failure == told
    player.decide(game.view(game.to_move, memory=True), 50)
    assert player.decisions == 1 and not player.forfeits


def test_a_league_counts_no_more_forfeits_than_decisions(path: Path) -> None:
    setup = make_setup(enter([f"{path}:Startled", "random"]), Ruleset("second", 2), 2, playouts=5)
    store, _ = run_arena(setup, jobs=1)
    figures = figures_of(store)
    assert figures is not None and all(not bot.forfeits for bot in figures.standings)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_bots_print_does_not_spoil_the_figures(path: Path, jobs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if jobs == "2":
        monkeypatch.setenv("JOBS2", "1")
    words = ["--bot", f"{path}:Chats", "--bot", "random", "--games", "2", "--playouts", "5", "--jobs", jobs, "--json"]
    done = subprocess.run([*COMMAND, "arena", *words], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["games"] == 2
    assert "let me think" in done.stderr and "I see" in done.stderr and ("hm" in done.stderr) is (jobs == "2")
