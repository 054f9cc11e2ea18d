"""Bots at a table: what they do wrong costs them decisions, and nobody else anything."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from nevsky import Game, Ruleset, View
from nevsky import bots as registry
from nevsky.arena import enter, figures_of, make_setup, run_arena
from nevsky.bots import driver, make_bot
from nevsky.bots.driver import Driver, StrictDriver, limit_playouts, play_on
from nevsky.bots.loading import load_bot
from nevsky.bots.programs import BotFailureError
from nevsky.bots.protocol import Suggestion
from nevsky.bots.random import RandomBot
from nevsky.bots.search import SearchBot
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


def seated(path: Path, wanted: str) -> Driver:
    return Driver(load_bot(f"{path}:{wanted}"), "neva", milliseconds=50, patience=60.0)


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
        game.push(player.decide(game.view(game.to_move, memory=True)))
        assert player.forfeits == {kind: number + 1}
    assert player.last_failure == told


@pytest.mark.parametrize(("wanted", "told"), [("Startled", "RuntimeError: oh"), ("Flees", "SystemExit: 3")])
def test_who_fails_while_it_observes_keeps_its_decisions(path: Path, wanted: str, told: str) -> None:
    player = seated(path, wanted)
    game = Game(Ruleset("second", 2), seed=1)
    assert game.to_move is not None
    player.observe(game.view(game.to_move))
    assert player.last_failure == told
    player.decide(game.view(game.to_move, memory=True))
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


class Dozer(RandomBot):
    """Sleeps over every task."""

    def decide(self, view: View, milliseconds: int) -> str:
        time.sleep(0.3)
        return super().decide(view, milliseconds)

    def explain(self, view: View, milliseconds: int = 1000) -> list[Suggestion]:
        time.sleep(30)
        return []


def first_view() -> View:
    game = Game(Ruleset("second", 2), seed=1)
    assert game.to_move is not None
    return game.view(game.to_move, memory=True)


def test_who_is_too_late_forfeits_and_is_not_waited_for() -> None:
    driver = Driver(Dozer, "neva", milliseconds=10, patience=0.1)
    start = time.monotonic()
    assert driver.decide(first_view()) in first_view().legal
    assert driver.explain(first_view()) == []
    assert time.monotonic() - start < 1
    assert driver.forfeits == {"timeout": 1} and driver.overruns == 1
    assert driver.last_failure == "it was not done after 0.1 s"


def test_an_answer_that_comes_too_late_does_not_count_where_nobody_can_be_interrupted() -> None:
    driver = Driver(Dozer, "neva", milliseconds=10, patience=0.1)
    thread = threading.Thread(target=lambda: driver.decide(first_view()))
    thread.start()
    thread.join(30)
    assert driver.forfeits == {"timeout": 1}


def test_another_alarm_still_rings_after_a_decision() -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        Driver(RandomBot, "neva", milliseconds=10).decide(first_view())
        time.sleep(0.4)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung == [signal.SIGALRM]


def test_random_actions_for_a_bot_that_fails_come_from_a_stream_of_their_own(path: Path) -> None:
    moves = []
    for _ in range(2):
        game = Game(Ruleset("second", 2), seed=1)
        play_on(game, {0: seated(path, "Fails"), 1: Driver(RandomBot, 1, milliseconds=50)})
        moves.append(game.moves)
    assert moves[0] == moves[1]


def test_a_strict_driver_forfeits_nothing(path: Path) -> None:
    driver = StrictDriver(load_bot(f"{path}:Leaves"), "neva", milliseconds=50)
    with pytest.raises(BotFailureError, match="SystemExit: 3"):
        driver.decide(first_view())
    assert not driver.forfeits and driver.last_failure == "SystemExit: 3"


def test_a_bot_is_made_once_and_needs_no_game() -> None:
    """As if the game were elsewhere: only views and texts go to and fro."""
    made: list[int | str] = []

    class Counting(RandomBot):
        def __init__(self, seed: int | str) -> None:
            made.append(seed)
            super().__init__(seed)
            self.told = 0

        def observe(self, view: View) -> None:
            assert view.seat == 1
            self.told += 1

    driver = Driver(Counting, "neva", milliseconds=50)
    game = Game(Ruleset("second", 2), seed=3)
    while (seat := game.to_move) is not None:
        driver.observe(game.view(1))
        driver.observe(game.view(1))
        game.push(driver.decide(game.view(1, memory=True)) if seat == 1 else game.legal_ids[0])
    assert made == ["neva"] and driver.observes and not driver.last_failure
    assert isinstance(driver.bot, Counting) and driver.decisions < driver.bot.told <= len(game.moves)


@pytest.mark.parametrize("memory", [True, False])
def test_a_driver_can_be_without_memory(memory: bool) -> None:
    class Attentive(RandomBot):
        def __init__(self, seed: int | str) -> None:
            super().__init__(seed)
            self.told = 0
            self.known: set[bool] = set()

        def observe(self, view: View) -> None:
            self.told += 1

        def decide(self, view: View, milliseconds: int) -> str:
            self.known.add(view.players[0].rubles is not None)
            return super().decide(view, milliseconds)

    drivers = {seat: Driver(Attentive, seat, milliseconds=50, memory=memory) for seat in range(2)}
    play_on(Game(Ruleset("second", 2), seed=3), drivers)
    bot = drivers[1].bot
    assert isinstance(bot, Attentive)
    assert bot.known == {memory} and (bot.told > 0) is memory


@pytest.mark.parametrize("bot", registry.BOTS)
def test_our_bots_can_play_without_memory(bot: str) -> None:
    game = Game(Ruleset("second", 3, market=True, modules=(1, 2, 3, 4, 5, 6)), seed=4)
    make = limit_playouts(registry.BOTS[bot], 4)
    play_on(game, {seat: StrictDriver(make, seat, milliseconds=20, memory=False) for seat in range(3)})
    assert game.over


def test_it_plays_until_somebody_else_has_a_choice() -> None:
    game = Game(Ruleset("second", 3), seed=2)
    drivers = {seat: Driver(RandomBot, seat, milliseconds=50) for seat in (1, 2)}
    asked = 0
    play_on(game, drivers)
    while not game.over:
        assert game.to_move == 0 and len(game.legal_ids) > 1
        asked += 1
        game.push(game.legal_ids[0])
        play_on(game, drivers)
    assert asked > 10
    slow = Game(Ruleset("second", 3), seed=2)
    forced = 0
    play_on(slow, drivers, forced=False)
    while not slow.over:
        assert slow.to_move == 0
        forced += len(slow.legal_ids) == 1
        slow.push(slow.legal_ids[0])
        play_on(slow, drivers, forced=False)
    assert forced > 0


def test_what_a_driver_explains_is_legal() -> None:
    driver = Driver(lambda seed: make_bot("greedy", seed), 1, milliseconds=50)
    assert {entry.action for entry in driver.explain(first_view(), 50)} <= set(first_view().legal)

    class Dreamer(RandomBot):
        def explain(self, view: View, milliseconds: int = 1000) -> list[Suggestion]:
            return [Suggestion("buy kremlin", None, None, "."), Suggestion(view.legal[0], None, None, "."), None]  # type: ignore[list-item]

    dreams = Driver(Dreamer, 1, milliseconds=50).explain(first_view())
    assert [entry.action for entry in dreams] == [first_view().legal[0]]


def test_playouts_are_for_those_who_count_them() -> None:
    searching = limit_playouts(SearchBot, 5)("neva")
    assert isinstance(searching, SearchBot) and searching.playouts == 5
    assert not hasattr(limit_playouts(RandomBot, 5)("neva"), "playouts")
    assert SearchBot("neva").playouts == getattr(limit_playouts(SearchBot, None)("neva"), "playouts")  # noqa: B009


def test_waiting_for_a_busy_machine_is_not_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        name = "slow"

        def __init__(self, seed: int | str = 0) -> None: ...

        def decide(self, view: View, milliseconds: int) -> str:
            time.sleep(0.12)
            return view.legal[0]

        def explain(self, view: View, milliseconds: int = 1000) -> list[Suggestion]:
            return []

    game = Game(Ruleset("second", 2), seed=1)
    assert game.to_move is not None
    view = game.view(game.to_move)
    plain = Driver(Slow, 1, milliseconds=50)
    plain.decide(view)
    assert plain.overruns == 1 and plain.longest > 100, "sleeping is taking time"
    stood = iter([1.0, 1.0, 1000.0])
    monkeypatch.setattr(driver, "own_waiting", lambda: next(stood))
    kept_waiting = Driver(Slow, 1, milliseconds=50)
    kept_waiting.decide(view)
    assert kept_waiting.overruns == 0 and kept_waiting.longest == 0
