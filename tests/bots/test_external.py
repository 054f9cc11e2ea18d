"""Bot programs: they play, and whatever they do wrong costs them a decision and nobody else anything."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from nevsky import Game, NevskyError, Ruleset
from nevsky.arena.entrants import enter
from nevsky.arena.figures import Standing
from nevsky.arena.run import figures_of, run_arena
from nevsky.arena.setup import make_setup
from nevsky.bots import make_bot, programs
from nevsky.bots.compliance import check_bot
from nevsky.bots.driver import Driver, play_on, show
from nevsky.bots.external import ExternalBot, Introduction, time_limit
from nevsky.bots.loading import load_bot
from nevsky.bots.programs import BotFailureError, close_programs
from nevsky.telling import HIDDEN, UNNAMED, Telling

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
PROGRAM = Path(__file__).with_name("bad_program.py")


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path) -> Iterator[None]:
    """After every test no program may be left, nor anything that it started."""
    yield
    close_programs()
    for path in tmp_path.iterdir():
        if path.name.isdecimal():
            assert not _runs(int(path.name)), f"{path.name} still runs"


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def command(fault: str, directory: Path) -> str:
    return shlex.join([sys.executable, "-I", "-S", str(PROGRAM), fault, str(directory)])


def standing_of(fault: str, directory: Path, *, milliseconds: int = 100, patience: float = 0.3) -> Standing:
    """The figures of a bad program after two games against chance."""
    entrants = enter(["random"], [command(fault, directory)])
    setup = make_setup(entrants, Ruleset("second", 2), 2, milliseconds=milliseconds, patience=patience)
    store, stopped = run_arena(setup, jobs=1)
    figures = figures_of(store)
    assert not stopped and figures is not None
    return next(standing for standing in figures.standings if standing.label == fault)


def after_decisions(fault: str, directory: Path, decisions: int, *, milliseconds: int, patience: float) -> Driver:
    """A bad program that was asked so often."""

    def make(seed: int | str) -> ExternalBot:
        return ExternalBot(command(fault, directory), seed, patience=patience)

    player = Driver(make, "neva", milliseconds=milliseconds, patience=patience, name=fault)
    game = Game(Ruleset("second", 2), seed=1)
    for _ in range(decisions):
        assert game.to_move is not None
        game.push(player.decide(game.view(game.to_move)))
    assert player.decisions == decisions
    return player


def test_a_good_program_forfeits_nothing(tmp_path: Path) -> None:
    standing = standing_of("good", tmp_path, milliseconds=2000)
    assert standing.forfeits == {} and standing.decisions > 40


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("illegal", "illegal"),
        ("no_action", "illegal"),
        ("crash", "crash"),
        ("list", "garbage"),
        ("chatter", "garbage"),
        ("deep", "garbage"),
        ("huge", "garbage"),
        ("complains", "crash"),
        ("unknown_id", "garbage"),
        ("same_id", "garbage"),
        ("flood", "garbage"),
    ],
)
def test_every_wrong_answer_forfeits_its_decision(fault: str, kind: str, tmp_path: Path) -> None:
    player = after_decisions(fault, tmp_path, 5, milliseconds=2000, patience=60)
    assert player.forfeits == {kind: 5}
    assert player.last_failure


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("crash", "it ended with exit status 3."),
        ("complains", "it ended with exit status 3; its last words: "),
        ("unknown_id", "it answered the question 42, which was not open: the last one was 2."),
        ("same_id", "it answered the question 1, which was not open: the last one was 2."),
    ],
)
def test_what_went_wrong_is_told(fault: str, sentence: str, tmp_path: Path) -> None:
    player = after_decisions(fault, tmp_path, 1, milliseconds=2000, patience=60)
    assert player.last_failure.startswith(sentence)
    if fault == "complains":
        assert "ValueError: no" in player.last_failure and "\x1b" not in player.last_failure
        assert len(player.last_failure) < 400


def test_starting_is_not_thinking_and_a_program_hears_at_once_that_a_game_begins(tmp_path: Path) -> None:
    game = Game(Ruleset("second", 2), seed=1)
    make = partial(ExternalBot, command("good", tmp_path), introduction=Introduction("good", observes=False))
    drivers = {seat: Driver(make, seat, milliseconds=2000) for seat in range(2)}
    show(game, drivers)
    started = [path for path in tmp_path.iterdir() if path.name.isdecimal()]
    assert len(started) == 2, "both programs run before anybody was asked"
    slow = Driver(partial(ExternalBot, command("slow_start", tmp_path)), 1, milliseconds=400)
    assert game.to_move is not None
    slow.decide(game.view(game.to_move))
    assert not slow.forfeits and slow.longest < 700


@pytest.mark.parametrize("fault", ["silent", "deaf"])
def test_a_program_that_gives_no_answer_is_given_up_and_started_again(fault: str, tmp_path: Path) -> None:
    start = time.monotonic()
    player = after_decisions(fault, tmp_path, 24, milliseconds=1, patience=0.3)
    assert player.forfeits == {"timeout": 24}
    assert time.monotonic() - start < 60
    started = [path for path in tmp_path.iterdir() if path.name.isdecimal()]
    assert 3 <= len(started) <= 24


def test_a_crash_costs_one_decision(tmp_path: Path) -> None:
    player = after_decisions("crash_once", tmp_path, 12, milliseconds=2000, patience=60)
    assert player.forfeits == {"crash": 4}


@pytest.mark.parametrize("fault", ["late", "no_numbers"])
def test_a_late_answer_is_not_taken_for_the_next_question(fault: str, tmp_path: Path) -> None:
    """Every second answer comes after 1.2 s, when the decision has long been forfeited."""
    game = Game(Ruleset("second", 2), seed=1)
    bot = ExternalBot(command(fault, tmp_path), patience=60)
    found = []
    for _ in range(4):
        assert game.to_move is not None
        view = game.view(game.to_move)
        try:
            action = bot.decide(view, 500)
        except BotFailureError as error:
            found.append(error.kind)
            action = view.legal[-1]
            time.sleep(1)
        else:
            found.append("")
            assert action == view.legal[0]
        game.push(action)
    assert found == ["", "timeout"] * 2


def test_a_program_that_never_stops_talking_is_not_kept_in_memory(tmp_path: Path) -> None:
    program = programs.Program((sys.executable, "-I", "-S", str(PROGRAM), "flood", str(tmp_path)))
    unread = []
    for _ in range(200):
        with pytest.raises(BotFailureError, match="the question 1, which was not open"):
            program.ask({"type": "decide", "legal": ["pass"]}, 5)
        unread.append(len(program._lines))
    assert max(unread) < 20_000


@pytest.mark.parametrize("fault", ["stubborn", "leaves_child"])
def test_a_program_that_does_not_end_is_ended(fault: str, tmp_path: Path) -> None:
    standing = standing_of(fault, tmp_path, milliseconds=2000)
    assert standing.forfeits == {}
    time.sleep(0.05)
    pids = [int(path.name) for path in tmp_path.iterdir() if path.name.isdecimal()]
    assert pids and not any(map(_runs, pids))


@pytest.mark.parametrize("fault", ["stubborn", "leaves_child", "crash"])
def test_on_an_older_macos_a_program_is_ended_too(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python learned only in 3.13 to look there how a program ended without forgetting it."""
    monkeypatch.delattr(os, "waitid")
    player = after_decisions(fault, tmp_path, 3, milliseconds=2000, patience=60)
    player.game_over({})
    close_programs()
    assert player.forfeits == ({"crash": 3} if fault == "crash" else {})
    if fault == "crash":
        assert player.last_failure == "it ended with exit status 3."
    time.sleep(0.05)
    pids = [int(path.name) for path in tmp_path.iterdir() if path.name.isdecimal()]
    assert pids and not any(map(_runs, pids))


def test_a_program_is_told_of_games_and_of_what_it_sees(tmp_path: Path) -> None:
    standing_of("watcher", tmp_path, milliseconds=2000)
    told = [json.loads(line) for line in (tmp_path / "told").read_text().splitlines()]
    kinds = [message["type"] for message in told]
    assert kinds[0] == "new_game" and kinds.count("new_game") == kinds.count("game_over") == 2
    assert {message["seat"] for message in told if message["type"] == "new_game"} == {0, 1}
    assert told[0]["ruleset"] == Ruleset("second", 2).to_dict() and told[0]["seed"]
    views = [message["view"] for message in told if message["type"] == "observe"]
    assert len(views) > 100
    seat = told[0]["seat"]
    assert views[0]["players"][1 - seat]["rubles"] is None and views[0]["players"][seat]["rubles"] == 25
    assert all(one != other for one, other in pairwise(views))
    assert told[-1]["result"]["winners"]


def asked_in(ruleset: Ruleset, directory: Path) -> tuple[Game, list[dict[str, Any]]]:
    """A game with a program on seat 0, and all that it was asked."""
    words = command("scribe", directory)
    scribe = Driver(lambda seed: ExternalBot(words, seed), "neva", milliseconds=2000)
    chance = Driver(lambda seed: make_bot("random", seed), "volga", milliseconds=2000)
    game = Game(ruleset, "neva")
    play_on(game, {0: scribe} | dict.fromkeys(range(1, ruleset.players), chance))
    scribe.game_over({})
    assert not scribe.forfeits
    return game, [json.loads(line) for line in (directory / "asked").read_text().splitlines()]


def test_a_program_is_told_prices_and_what_happened_since_its_last_decision(tmp_path: Path) -> None:
    game, asked = asked_in(Ruleset("second", 3), tmp_path)
    again, heard = Game(game.ruleset, "neva"), 0
    for move in game.history:
        if move.seat == 0 and not move.auto:
            question = asked.pop(0)
            assert list(question)[:2] == ["type", "id"] and list(question)[-1] == "view"
            prices = [again.explain(text) for text in question["legal"]]
            assert question["prices"] == [None if price is None else price.price for price in prices]
            past = again.history
            assert [entry["seat"] for entry in question["since"]] == [earlier.seat for earlier in past[heard:]]
            told = [(entry["action"], earlier) for entry, earlier in zip(question["since"], past[heard:], strict=True)]
            assert all(text in (None, earlier.action.text) for text, earlier in told)
            heard = len(past) + 1
        again.push(move.action)
    assert not asked


def test_no_program_hears_what_is_secret(tmp_path: Path) -> None:
    game, asked = asked_in(Ruleset("second", 3, market=True, modules=(1, 2, 3, 4, 5, 6)), tmp_path)
    told = [(entry["seat"], entry["action"]) for question in asked for entry in question["since"] if entry["seat"]]
    others = [facts for facts in Telling(game).moves if facts.move.seat != 0]
    assert {facts.secret for facts in others} > {""}, "something was secret"
    known = [
        (facts.move.seat, None if facts.secret == UNNAMED else facts.move.action.text)
        for facts in others
        if facts.secret != HIDDEN
    ]
    assert told == known[: len(told)]


def test_the_sample_in_the_documents_is_what_a_program_gets(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```json\n(\{\"type\": \"decide\".*?)\n```", text, re.DOTALL)
    _, asked = asked_in(Ruleset("second", 2), tmp_path)
    assert json.loads(block) == asked[1]


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("stranger", "does not speak version 1"),
        ("long_name", "The name of a bot is a text of 1 to 40 characters"),
        ("number_name", "The name of a bot is a text of 1 to 40 characters"),
        ("mute", "gave no answer within 300 ms"),
    ],
)
def test_a_program_that_cannot_introduce_itself_is_refused(
    fault: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "HELLO_SECONDS", 0.3 if fault == "mute" else 10)
    with pytest.raises(NevskyError, match=sentence):
        enter([], [command(fault, tmp_path)])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("/there/is/no/such/program", "cannot be started: No such file"),
        ("true", "it ended"),
        ("", "is empty"),
        ("'open", "cannot be read"),
    ],
)
def test_a_command_that_is_no_bot_is_refused(words: str, sentence: str) -> None:
    with pytest.raises(NevskyError, match=sentence):
        enter([], [words])


def test_the_limit_leaves_some_room() -> None:
    assert time_limit(1000) == pytest.approx(1.25)


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example in C."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    target = tmp_path_factory.mktemp("bots") / "steady"
    subprocess.run(
        [compiler, "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(target), str(EXAMPLES / "steady.c")], check=True
    )
    return target


def test_the_example_in_c_beats_chance(steady: Path) -> None:
    setup = make_setup(enter(["random"], [str(steady)]), Ruleset("second", 2), 20, milliseconds=2000)
    store, _ = run_arena(setup, jobs=1)
    figures = figures_of(store)
    assert figures is not None
    best = figures.standings[0]
    assert best.label == "steady" and best.wins.value >= 0.8 and best.forfeits == {}


def test_the_examples_keep_to_the_protocol_in_every_ruleset(steady: Path) -> None:
    check_bot(lambda seed: ExternalBot(str(steady), seed), milliseconds=5000)
    check_bot(load_bot(f"{EXAMPLES / 'thrifty.py'}:Thrifty"))
    check_bot(load_bot(f"{EXAMPLES / 'instinct.py'}:Instinct"))


def test_the_check_tells_what_is_wrong_with_a_program(tmp_path: Path) -> None:
    with pytest.raises(
        NevskyError, match=r"The bot illegal raised BotFailureError .*'buy kremlin', which is not legal"
    ):
        check_bot(
            lambda seed: ExternalBot(command("illegal", tmp_path), seed), [Ruleset("second", 2)], milliseconds=5000
        )


def test_who_has_nothing_to_decide_is_not_asked(tmp_path: Path) -> None:
    game = Game(Ruleset("second", 2), seed=1)
    assert game.to_move is not None
    bot = ExternalBot(command("good", tmp_path))
    idle = game.view(1 - game.to_move)
    assert bot.explain(idle, 50) == []
    with pytest.raises(NevskyError, match="nothing for this seat"):
        bot.decide(idle, 50)


BOT_FILE = """
from nevsky.bots.random import RandomBot

class Good(RandomBot):
    name = "good"

class NoDecision:
    name = "mute"
    def __init__(self, seed): pass
    def explain(self, view, milliseconds): return []

class NoSeed(RandomBot):
    def __init__(self): super().__init__(0)

class Nameless(RandomBot):
    name = ""

thing = 3
"""


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ("NoDecision", "is no bot: it has no method decide"),
        ("NoSeed", r"cannot be made from a seed, as in NoSeed\('a seed'\)"),
        ("Nameless", "The name of a bot"),
        ("Missing", "has no class Missing"),
        ("thing", "has no class thing"),
        ("not a name", "Name the file and the class"),
    ],
)
def test_a_class_that_is_no_bot_is_refused(wanted: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(BOT_FILE)
    assert load_bot(f"{path}:Good")(1).name == "good"
    with pytest.raises(NevskyError, match=sentence):
        load_bot(f"{path}:{wanted}")


def test_a_file_that_cannot_be_loaded_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("def broken(:\n")
    with pytest.raises(NevskyError, match=r"broken\.py cannot be loaded: SyntaxError"):
        load_bot(f"{path}:Bot")
    path.write_text("raise SystemExit(1)\n")
    with pytest.raises(NevskyError, match="cannot be loaded: SystemExit"):
        load_bot(f"{path}:Bot")
    with pytest.raises(NevskyError, match="There is no file"):
        load_bot(f"{tmp_path}/none.py:Bot")


def test_the_pids_of_this_test_are_real() -> None:
    assert _runs(os.getpid())
