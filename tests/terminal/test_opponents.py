"""Who sits at the terminal's table: levels, bots of one's own, programs, and what the strongest one advises."""

from __future__ import annotations

import re
import shlex
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nevsky import Game, Ruleset, View
from nevsky.bots import LEVELS, make_bot
from nevsky.bots.random import RandomBot
from nevsky.cli import app
from nevsky.record import load
from nevsky.rules.view import make_view
from nevsky.terminal import Opponent, at_level, new_game
from nevsky.texts import LANGUAGES, text
from tests.terminal.seat import Seat, any_of, arrange, first, flat, script

PROGRAM = Path(__file__).parent.parent / "bots" / "bad_program.py"
THRIFTY = Path(__file__).parent.parent.parent / "examples" / "bots" / "thrifty.py"


def play(game: Game, *opponents: Opponent, language: str = "en") -> str:
    return Seat(game, any_of("opponents"), language=language, opponents=opponents).run()


def test_opponents_play_at_the_medium_level_if_nobody_says_otherwise() -> None:
    game = new_game(Ruleset("second", 3), "neva", "You")
    play(game)
    bots = {seat: make_bot("medium", f"neva-{seat}") for seat in (1, 2)}
    again = Game(Ruleset("second", 3), "neva")
    decided = 0
    for move, _ in game.replay():
        if move.seat in bots and not move.auto:
            decided += 1
            assert bots[move.seat].decide(again.view(move.seat, memory=True), 50) == move.action.text
        again.push(move.action)
    assert decided > 20


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays(level: str) -> None:
    game = new_game(Ruleset("second", 2), f"level-{level}", "You")
    play(game, at_level(level)._replace(milliseconds=5))
    assert game.over


class Watcher(RandomBot):
    """Remembers what it was shown."""

    made: list[Watcher] = []  # noqa: RUF012

    def __init__(self, seed: int | str) -> None:
        super().__init__(seed)
        self.seed = seed
        self.shown: list[View] = []
        self.made.append(self)

    def observe(self, view: View) -> None:
        self.shown.append(view)


def test_one_bot_for_each_seat_is_told_what_it_sees() -> None:
    Watcher.made.clear()
    game = new_game(Ruleset("second", 3), "watched", "You")
    play(game, *[Opponent(Watcher, 50)] * 2)
    assert [bot.seed for bot in Watcher.made] == ["watched-1", "watched-2"]
    positions = [game.start_position, *(after for _, after in game.replay())]
    for seat, bot in enumerate(Watcher.made, 1):
        views = [make_view(position, game.ruleset, seat) for position in positions]
        assert bot.shown == [view for view, last in zip(views, [None, *views], strict=False) if view != last]


def test_after_an_undo_a_bot_knows_only_what_has_happened() -> None:
    Watcher.made.clear()
    game = arrange()
    Seat(game, script("1", "u"), opponents=[Opponent(Watcher, 50)] * 2).run()
    assert len(Watcher.made) == 4
    old, new = Watcher.made[0], Watcher.made[2]
    assert old.seed == new.seed
    assert len(old.shown) > len(new.shown)
    assert new.shown == [make_view(game.start_position, game.ruleset, 1)]


class Cheat(RandomBot):
    """Fails at every decision."""

    def decide(self, view: View, milliseconds: int) -> str:
        raise ValueError("[red]no idea[/]")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_that_fails_does_not_stop_the_game(language: str) -> None:
    game = new_game(Ruleset("second", 2), "cheat", "You", [cheat := Opponent(Cheat, 50, "cheat")])
    output = flat(play(game, cheat, language=language))
    assert game.over
    failed = sum(move.seat == 1 and not move.auto for move, _ in game.replay())
    told = text("screen.bot_failed", language, name="cheat", number=failed, reason="ValueError: [red]no idea[/]")
    assert flat(told) in output


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_names_the_best_choices_and_why(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nevsky.terminal.opponents._HINT", 100)
    monkeypatch.setattr("nevsky.bots.search._PATIENCE", 10_000)
    game = new_game(Ruleset("second", 3), "7", "You")
    seat = Seat(game, script("h", "hint"), language=language)
    output = flat(seat.run())
    assert all(move.seat != 0 for move, _ in game.replay()), "a hint is not a move"
    title = flat(text("screen.hint", language).replace("[head]", "").replace("[/]", ""))
    assert output.count(title) == 2
    _, one, two = output.split(title)
    figures = flat(text("screen.hint_figures", language, score="{}", names="{}").split("{}")[1])
    assert one.count(figures) == two.count(figures) > 1
    assert text("screen.hint_best", language) in one
    chances = re.findall(rf"{text('you', language).lower()} (\d+) %, \S+ (\d+) %, \S+ (\d+) %", one)
    assert len(chances) == one.count(figures)
    assert all(98 <= sum(map(int, shares)) <= 102 for shares in chances)
    assert two.startswith(one[: one.rindex("%")]), "asked again it says the same"
    assert any(f"{choice.number} " in one for choice in seat.session.decision().choices)


def test_without_advice_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nevsky.terminal.loop.think_about", lambda view: [])
    assert text("screen.no_hint") in Seat(arrange(), script("h")).run()


def test_named_bots_sit_on_the_left_and_the_level_fills_the_other_seats(tmp_path: Path) -> None:
    target = tmp_path / "game.json"
    good = shlex.join([sys.executable, "-I", "-S", str(PROGRAM), "good", str(tmp_path)])
    words = ["--players", "4", "--bot-cmd", good, "--bot", f"{THRIFTY}:Thrifty", "--level", "easy", "--time", "2000"]
    done = CliRunner().invoke(app, ["play", "--seed", "left", "--record", str(target), *words], input="1\n" * 1000)
    assert done.exit_code == 0, done.output
    game = load(target)
    assert game.seats[1:3] == ("good", "thrifty") and game.seats[3][0].isupper()
    told = " ".join(done.output.split())
    assert "--level easy --bot-cmd" in told and ":Thrifty" in told and "--time 2000 --seed left" in told
    assert told.index("--bot-cmd") < told.index(":Thrifty")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--level tsar", "There is no level 'tsar': choose easy, medium, hard or master."),
        ("--bot tsar", "There is no bot 'tsar'"),
        ("--players 2 --bot greedy --bot random", "There is 1 opponent, so name no more bots than that, not 2."),
        ("--players 3 --bot greedy --bot random --bot-cmd x", "There are 2 opponents, so name no more bots"),
        ("--bot missing.py:Bot", "There is no file missing.py."),
        ("--bot-cmd /no/such/program", "The program /no/such/program cannot play"),
        ("--time 0", "The time for a decision is 1 to"),
    ],
)
def test_opponents_that_do_not_exist_are_refused(words: str, sentence: str) -> None:
    result = CliRunner().invoke(app, ["play", *words.split()])
    assert result.exit_code != 0
    assert result.stderr.startswith(f"nevsky: {sentence}")


def test_who_thinks_for_long_is_waited_for_with_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(RandomBot):
        def decide(self, view: View, milliseconds: int) -> str:
            time.sleep(0.001)
            return super().decide(view, milliseconds)

    said: list[str] = []
    monkeypatch.setattr("nevsky.terminal.paper.Paper.wait", lambda _, words: said.append(words))
    game = new_game(Ruleset("second", 2), "slow", "You", [snail := Opponent(Slow, 300, "snail")])
    Seat(game, first, opponents=[snail]).run()
    assert set(said) == {"snail is thinking …", ""}
    said.clear()
    Seat(new_game(Ruleset("second", 2), "slow", "You"), first, opponents=[Opponent(Slow, 50)]).run()
    assert not said
