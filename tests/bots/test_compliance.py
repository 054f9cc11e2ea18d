"""The check as the arena plays: bots that observe, views with memory, and a limit of time."""

from __future__ import annotations

import shlex
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from nevsky import Game, NevskyError, Ruleset, View
from nevsky.bots.compliance import check_bot
from nevsky.bots.driver import Driver, show
from nevsky.bots.external import ExternalBot
from nevsky.bots.programs import close_programs
from nevsky.bots.protocol import Suggestion
from nevsky.bots.random import RandomBot

DUEL = [Ruleset("second", 2)]
PROGRAM = Path(__file__).with_name("bad_program.py")


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield
    close_programs()


class Watcher(RandomBot):
    """Believes what it was told: nothing else can be the case when it is asked."""

    last: View | None = None

    def observe(self, view: View) -> None:
        assert view != self.last
        self.last = view

    def decide(self, view: View, milliseconds: int) -> str:
        self._compare(view)
        return super().decide(view, milliseconds)

    def explain(self, view: View, milliseconds: int = 1000) -> list[Suggestion]:
        self._compare(view)
        return super().explain(view, milliseconds)

    def _compare(self, view: View) -> None:
        assert self.last is not None
        assert self.last.legal == view.legal and self.last.row1 == view.row1 and self.last.seat == view.seat
        assert all(player.rubles is not None for player in view.players), "these are views with memory"


def test_who_observes_is_told_as_in_a_match() -> None:
    check_bot(Watcher, [*DUEL, Ruleset("second", 3, market=True, modules=(6,), real_obstacles=5)])


class Faulty(RandomBot):
    fault: Exception | type[BaseException] | None = None

    def observe(self, view: View) -> None:
        if self.fault is None:
            view.piles.clear()
        else:
            raise self.fault


class Leaving(Faulty):
    fault = SystemExit


class Failing(Faulty):
    fault = ValueError("\ud800")


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        (Faulty, "The bot random changed the view when asked to observe"),
        (Leaving, r"The bot random raised SystemExit \(\) when asked to observe"),
        (Failing, r"The bot random raised ValueError \(\\ud800\) when asked to observe"),
    ],
)
def test_what_goes_wrong_while_it_observes_is_told(bot: type[Faulty], sentence: str) -> None:
    with pytest.raises(NevskyError, match=sentence):
        check_bot(bot, DUEL)


class Leaver(RandomBot):
    def decide(self, view: View, milliseconds: int) -> str:
        raise SystemExit(3)


class Nameless(RandomBot):
    @property
    def name(self) -> str:  # type: ignore[override]
        raise RuntimeError("no name today")


class Chatty(RandomBot):
    def decide(self, view: View, milliseconds: int) -> str:
        print("let me think")
        return super().decide(view, milliseconds)


def test_a_bot_that_leaves_is_told() -> None:
    with pytest.raises(NevskyError, match=r"raised SystemExit \(3\) when asked to decide"):
        check_bot(Leaver, DUEL)
    with pytest.raises(NevskyError, match=r"cannot be made from a seed: RuntimeError \(no name today\)"):
        check_bot(Nameless, DUEL)


def test_what_it_prints_does_not_stand_among_what_we_say(capsys: pytest.CaptureFixture[str]) -> None:
    check_bot(Chatty, DUEL)
    told = capsys.readouterr()
    assert told.out == "" and "let me think" in told.err


class Sleeper(RandomBot):
    seconds = 60.0

    def decide(self, view: View, milliseconds: int) -> str:
        with suppress(Exception):
            time.sleep(self.seconds)
        return super().decide(view, milliseconds)


class Dozer(Sleeper):
    seconds = 0.07


class Dreamer(RandomBot):
    def explain(self, view: View, milliseconds: int = 1000) -> list[Suggestion]:
        while True:
            time.sleep(1)


class Starer(RandomBot):
    def observe(self, view: View) -> None:
        time.sleep(60)


@pytest.mark.parametrize(("bot", "task"), [(Sleeper, "decide"), (Dreamer, "explain"), (Starer, "observe")])
def test_a_bot_that_never_comes_to_an_end_fails(bot: type[RandomBot], task: str) -> None:
    start = time.monotonic()
    with pytest.raises(NevskyError, match=f"The bot random was not done after 0.1 s when asked to {task}"):
        check_bot(bot, DUEL, patience=0.1)
    assert time.monotonic() - start < 10


def test_a_bot_that_is_slow_all_the_time_fails() -> None:
    with pytest.raises(NevskyError, match=r"took much longer than 10 ms for (\d+) of \1 decisions"):
        check_bot(Dozer, DUEL, milliseconds=10, deterministic=False)


def test_where_nobody_can_be_interrupted_the_clock_still_tells() -> None:
    found: list[str] = []

    def check() -> None:
        try:
            check_bot(Dozer, DUEL, patience=0.05)
        except NevskyError as error:
            found.append(str(error))

    thread = threading.Thread(target=check)
    thread.start()
    thread.join(30)
    assert "was not done after 0.05 s when asked to decide" in found[0]


@pytest.mark.parametrize(("fault", "sentence"), [("watcher_leaves", "it ended"), ("watcher_talks", "names no action")])
def test_a_program_that_goes_wrong_while_it_observes_is_found(fault: str, sentence: str, tmp_path: Path) -> None:
    command = shlex.join([sys.executable, "-I", "-S", str(PROGRAM), fault, str(tmp_path)])
    with pytest.raises(NevskyError, match=f"The bot {fault} raised BotFailureError .*{sentence}"):
        check_bot(lambda seed: ExternalBot(command, seed), DUEL, milliseconds=5000)


def test_who_spoils_what_it_is_shown_is_not_shown_it_again() -> None:
    game = Game(DUEL[0], seed=1)
    shown: list[dict[str, int]] = []

    class Spoiler(RandomBot):
        def observe(self, view: View) -> None:
            shown.append(dict(view.piles))
            view.piles.clear()

    for driver in (Driver(Spoiler, seed, milliseconds=50) for seed in range(2)):
        show(game, {0: driver})
        show(game, {0: driver})
    assert shown == [game.view(0).piles] * 2
