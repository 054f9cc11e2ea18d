"""nevsky arena and nevsky report as a person uses them."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from nevsky import Ruleset
from nevsky.arena.entrants import enter
from nevsky.arena.playing import _by_clock, _makers
from nevsky.arena.setup import make_setup
from nevsky.bots.core.features import NUMBER_OF_WEIGHTS
from nevsky.bots.policy_weights import save_weights
from nevsky.record import save
from nevsky.simulate import play_random_game
from tests.cli.command import Run

PROGRAM = Path(__file__).parents[1] / "bots" / "bad_program.py"
QUICK = ("--playouts", 5, "--jobs", 1)


def test_both_commands_tell_how_they_are_used(run: Run) -> None:
    assert {"arena", "report"} <= set(run("--help").out.split())
    assert "--bot-cmd" in run("arena", "--help").out and run("report", "--help").code == 0


def test_a_duel_gives_figures_as_json(run: Run) -> None:
    answer = run("arena", "--bot", "greedy", "--bot", "random", "--games", 6, *QUICK, "--json")
    assert answer.code == 0
    found = answer.data
    assert found["games"] == 6 and found["pairings"] == 3
    assert [bot["label"] for bot in found["bots"]] == ["greedy", "random"]
    assert found["bots"][0]["wins"]["value"] == 1.0 and found["bots"][0]["forfeits"] == {}
    assert found["setup"]["playouts"] == 5


def test_a_league_writes_its_tables(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "league"
    words = ("arena", "--bot", "random", "--bot", "greedy", "--bot", "random", "--games", 6, *QUICK, "--out", out)
    answer = run(*words)
    assert answer.code == 0
    for name in ("greedy", "random 2", "6 games in 3 pairings"):
        assert name in answer.out
    table = (out / "table.md").read_text()
    assert "| greedy | 4 | 100.0%" in table and "## Wins against each other" in table
    plot = ElementTree.fromstring((out / "league.svg").read_text())
    texts = ["".join(text.itertext()) for text in plot.iter("{http://www.w3.org/2000/svg}text")]
    assert {"greedy", "random", "random 2", "50%"} <= set(texts)
    before = (out / "results.jsonl").read_bytes()
    assert run(*words).code == 0
    assert (out / "results.jsonl").read_bytes() == before
    answer = run(*words, "--seed", "other")
    assert answer.code == 2 and "differs in seed: choose another directory" in answer.err


def test_master_plays_with_the_weights_of_a_training(run: Run, tmp_path: Path) -> None:
    weights = tmp_path / "neva" / "policy.weights"
    weights.parent.mkdir()
    save_weights(weights, {2: [0.5] * NUMBER_OF_WEIGHTS})
    words = ("arena", "--bot", weights, "--bot", "greedy", "--playouts", 5, "--jobs", 2, "--out", tmp_path / "out")
    found = run(*words, "--games", 2, "--json").data
    assert {bot["label"] for bot in found["bots"]} == {"neva", "greedy"}
    save_weights(weights, {2: [1.0] * NUMBER_OF_WEIGHTS})
    answer = run(*words, "--games", 4)
    assert answer.code == 2 and "differs in bots" in answer.err


def test_one_plays_against_three(run: Run) -> None:
    options = ("--players", 4, "--market", "--modules", "1,2", "--games", 4, *QUICK, "--json")
    found = run("arena", "--bot", "greedy", "--bot", "random", *options).data
    assert [(bot["label"], bot["fair"]) for bot in found["bots"]] == [("greedy", 0.25), ("random", 0.75)]
    assert found["games"] == 4


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--bot", "greedy"), "at least two bots"),
        ((), "at least two bots"),
        (("--bot", "tsar", "--bot", "random"), "There is no bot 'tsar'"),
        (("--bot", "none.py:Bot", "--bot", "random"), "There is no file none.py"),
        (("--bot", "greedy", "--bot-cmd", "/no/such/program"), "cannot be started"),
        (("--bot", "greedy", "--bot", "random", "--records"), "--records goes with --out"),
        (("--bot", "greedy", "--bot", "random", "--jobs", -1), "whole number from 0"),
        (("--bot", "greedy", "--bot", "random", "--players", 5), "Five players need the Market"),
        (("--bot", "greedy", "--bot", "random", "--format", "swiss"), "There is no format 'swiss'"),
        (("--check",), "Name a bot to check"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_sentence(run: Run, words: tuple[str, ...], sentence: str) -> None:
    answer = run("arena", "--games", 2, *words)
    assert answer.code == 2 and sentence in answer.err and answer.out == ""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--time", 0), "The time for a decision"),
        (("--time", -5), "The time for a decision"),
        (("--playouts", 0), "The number of playouts"),
        (("--playouts", -3), "The number of playouts"),
        (("--patience", -1), "Patience is a number of seconds"),
        (("--patience", "nan"), "Patience is a number of seconds"),
        (("--time", 100, "--playouts", 5), "not both"),
    ],
)
@pytest.mark.parametrize("check", [("--check",), ()])
def test_a_budget_is_checked_before_anything_is_played(
    run: Run, check: tuple[str, ...], words: tuple[object, ...], sentence: str
) -> None:
    answer = run("arena", "--bot", "random", "--bot", "random", *check, *words)
    assert answer.code == 2 and sentence in answer.err and answer.out == ""


def test_an_arena_without_end_is_refused_before_anything_is_written(run: Run, tmp_path: Path) -> None:
    words = ("arena", "--bot", "random", "--bot", "random", "--out", tmp_path / "out")
    answer = run(*words, "--games", 10_000_000_000_000)
    assert answer.code == 2 and "at most 10,000,000 games, not 10,000,000,000,000" in answer.err
    assert not (tmp_path / "out").exists()


def test_a_directory_without_a_name_is_refused(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answer = run("arena", "--bot", "random", "--bot", "random", "--games", 2, *QUICK, "--out", "")
    assert answer.code == 2 and "--out needs the name of a directory" in answer.err
    assert not list(tmp_path.iterdir())


def test_bots_and_programs_play_in_the_order_in_which_they_are_named(run: Run, tmp_path: Path) -> None:
    program = f"{sys.executable} -I -S {PROGRAM} illegal {tmp_path}"
    bots = ("--bot-cmd", program, "--bot", "random", f"--bot-cmd={program}", "--bot=greedy")
    options = ("--games", 2, "--players", 2, "--seed", "--bot", *QUICK, "--json")
    found = run("arena", *bots, *options).data["setup"]
    assert [bot["kind"] for bot in found["bots"]] == ["program", "bot", "program", "bot"]
    assert [bot["label"] for bot in found["bots"]][1::2] == ["random", "greedy"]
    assert found["seed"] == "--bot"


def test_a_bot_that_fails_is_told_with_its_reason(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "torn.py"
    path.write_text(
        "from nevsky.bots.random import RandomBot\nclass Torn(RandomBot):\n    name = 'torn'\n"
        "    def decide(self, view, milliseconds):\n        raise ValueError('[bold]\\ud800 a\\u2028b\\x85c')\n"
    )
    words = ("arena", "--bot", f"{path}:Torn", "--bot", "random", *QUICK, "--out", tmp_path / "out")
    answer = run(*words, "--games", 2)
    assert answer.code == 0 and "torn failed last with: ValueError: [bold]\\ud800 a" in answer.out
    assert "2 games in 1 pairing, " in answer.out
    assert "- torn: `ValueError: [bold]" in (tmp_path / "out" / "table.md").read_text()
    assert run(*words, "--games", 4).code == 0, "what it said can be read again"


def test_the_check_tells_of_a_bot_that_can_be_made_only_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "once.py"
    path.write_text(
        "from nevsky.bots.random import RandomBot\nclass Once(RandomBot):\n    name = 'once'\n"
        "    def __init__(self, seed):\n"
        "        if seed not in ('a seed', 'name'):\n            raise RuntimeError('not again')\n"
    )
    answer = run("arena", "--check", "--bot", f"{path}:Once")
    assert answer.code == 1 and answer.out.startswith("once: It cannot be made from the seed")
    assert "RuntimeError (not again)" in answer.out


def test_the_check_tells_good_bots_from_bad_ones(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from nevsky.bots.random import RandomBot\nclass Mine(RandomBot):\n    name = 'mine'\n"
        "    def decide(self, view, milliseconds):\n        return 'buy kremlin'\n"
    )
    good = run("arena", "--check", "--bot", "random")
    assert good.code == 0 and good.out == "random keeps to the protocol.\n"
    program = f"{sys.executable} -I -S {PROGRAM} illegal {tmp_path}"
    bad = run("arena", "--check", "--bot", f"{path}:Mine", "--bot-cmd", program, "--time", 5000)
    assert bad.code == 1 and bad.out.count("'buy kremlin', which is not legal") == 2


@pytest.mark.parametrize(
    ("words", "ruleset"),
    [
        (("--players", 2, "--market", "--modules", "1,4"), Ruleset("second", 2, market=True, modules=(1, 4))),
        (("--players", 3, "--edition", "first"), Ruleset("first", 3)),
        (("--modules", "2"), Ruleset("second", 2, modules=(2,))),
    ],
)
def test_the_check_plays_the_game_that_is_named_and_no_other(
    run: Run, tmp_path: Path, words: tuple[object, ...], ruleset: Ruleset
) -> None:
    program = f"{sys.executable} -I -S {PROGRAM} scribe {tmp_path}"
    answer = run("arena", "--check", "--bot-cmd", program, *words)
    assert answer.code == 0 and answer.out == "scribe keeps to the protocol.\n"
    told, asked = (
        [json.loads(line) for line in (tmp_path / name).read_text().splitlines()] for name in ("told", "asked")
    )
    games = [message for message in told if message["type"] == "new_game"]
    assert games and all(game["ruleset"] == ruleset.to_dict() for game in games)
    assert {game["seat"] for game in games} == set(range(ruleset.players))
    assert {len(message["view"]["players"]) for message in asked} == {ruleset.players}
    assert {message["view"]["ruleset"]["market"] for message in asked} == {ruleset.market}


def test_a_missing_ray_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    out = tmp_path / "out"
    answer = run("arena", "--bot", "random", "--bot", "random", "--games", 2, "--ray", "local", "--out", out)
    assert (
        answer.code == 2 and 'nevsky arena needs ray, which is not installed: pip install "nevsky[ray]".' in answer.err
    )
    assert not out.exists()


@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_ray_plays_the_same_games(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    words = ("arena", "--bot", "greedy", "--bot", "random", "--games", 8, "--playouts", 5, "--records")
    assert run(*words, "--jobs", 1, "--out", tmp_path / "here").code == 0
    assert run(*words, "--jobs", 2, "--out", tmp_path / "there", "--ray", "local").code == 0
    here, there = ((tmp_path / name / "results.jsonl").read_text().splitlines() for name in ("here", "there"))
    assert sorted(here) == sorted(there)
    ours, theirs = (
        {path.name: path.read_text() for path in (tmp_path / name / "records").iterdir()} for name in ("here", "there")
    )
    assert len(ours) == 8 and ours == theirs


@pytest.mark.parametrize("options", [("--players", 2), ("--players", 3, "--market", "--modules", "1,2,3,4,5,6")])
def test_a_report_is_one_page_that_needs_nothing_else(run: Run, tmp_path: Path, options: tuple[str, ...]) -> None:
    out = tmp_path / "out"
    bots = ("--bot", "greedy", "--bot", "random")
    assert run("arena", *bots, "--games", 6, *QUICK, "--records", "--out", out, *options).code == 0
    answer = run("report", out, "--jobs", 1)
    assert answer.code == 0 and answer.out == f"{out / 'report.html'}\n"
    assert f"games in {out / 'records'}: " in answer.err and "greedy" in answer.err, "it says whose games it reads"
    page = (out / "report.html").read_text()
    for title in ("League", "Scores and places", "Seats", "The end", "Where points come from", "Openings", "Cards"):
        assert f"<h2>{title}</h2>" in page
    assert "prefers-color-scheme:dark" in page
    assert not re.search(r"<script|<link|<img|src=|@import|url\(", page)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    for plot in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(plot)
    assert not re.search(r"\b(nan|inf|None)\b", page)


def test_a_report_of_plain_records_has_no_league(run: Run, tmp_path: Path) -> None:
    for number in range(4):
        save(play_random_game(Ruleset("first", 3), f"report-{number}"), tmp_path / f"{number}.json")
    target = tmp_path / "page.html"
    answer = run("report", tmp_path, "--out", target, "--jobs", 1)
    assert answer.code == 0 and "<h2>League</h2>" not in target.read_text()
    assert "4 recorded games, 3 players" in target.read_text()


def test_a_report_that_cannot_be_made_is_refused(run: Run, tmp_path: Path) -> None:
    assert "There is no directory" in run("report", tmp_path / "none").err
    assert "whole number from 0, not -1" in run("report", tmp_path, "--jobs", -1).err
    answer = run("report", tmp_path)
    assert answer.code == 2 and "There are no records in" in answer.err
    save(play_random_game(Ruleset("first", 2), "one"), tmp_path / "one.json")
    data = json.loads((tmp_path / "one.json").read_text())
    save(play_random_game(Ruleset("second", 2), "two"), tmp_path / "two.json")
    assert "are of different games" in run("report", tmp_path).err
    (tmp_path / "two.json").write_text(json.dumps({**data, "actions": data["actions"][:5], "result": None, "auto": []}))
    assert run("report", tmp_path).code == 0, "a game that is not over is left out"
    (tmp_path / "two.json").write_text(json.dumps({**data, "actions": ["buy kremlin"]}))
    answer = run("report", tmp_path)
    assert answer.code == 2 and "two.json" in answer.err


def test_bots_can_have_budgets_of_their_own(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    bots = ("--bot", "search@3playouts", "--bot", "search@5playouts", "--bot", "greedy@40ms")
    answer = run("arena", *bots, "--games", 6, "--jobs", 1, "--out", out, "--json")
    assert answer.code == 0, answer.err
    told = {bot["label"]: (bot.get("playouts"), bot.get("milliseconds")) for bot in answer.data["setup"]["bots"]}
    assert told == {"search@3playouts": (3, None), "search@5playouts": (5, None), "greedy@40ms": (None, 40)}
    setup = make_setup(enter(bots[1::2], budgets=True), Ruleset("second", 2), 6)
    made = [maker(1) for maker in _makers(setup)]
    assert [getattr(bot, "playouts", None) for bot in made] == [3, 5, None]
    assert [_by_clock(setup, entrant) for entrant in setup.entrants] == [False, False, True]
    assert "not 0" in run("arena", "--bot", "search@0playouts", "--bot", "greedy").err
    assert "not 0" in run("arena", "--bot", "search@0ms", "--bot", "greedy").err


def test_a_bot_can_play_without_memory(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "looks.py"
    file.write_text(
        "class Looks:\n    name = 'looks'\n    def __init__(self, seed=0): ...\n"
        "    def decide(self, view, milliseconds):\n"
        "        if any(player.rubles is None for player in view.players): raise RuntimeError('who knows')\n"
        "        return view.legal[0]\n"
        "    def explain(self, view, milliseconds=1000): return []\n"
    )
    bots = (f"{file}:Looks", f"{file}:Looks@no-memory", f"{file}:Looks@90ms@no-memory")
    answer = run("arena", *(word for bot in bots for word in ("--bot", bot)), "--games", 2, "--jobs", 1, "--json")
    assert answer.code == 0, answer.err
    told = answer.data["setup"]["bots"]
    assert [bot["label"] for bot in told] == ["looks", "looks@no-memory", "looks@90ms@no-memory"]
    assert "memory" not in told[0] and not told[1]["memory"] and told[2]["milliseconds"] == 90
    forfeits = {bot["label"]: bot["forfeits"].get("crash", 0) for bot in answer.data["bots"]}
    assert forfeits["looks"] == 0 < min(forfeits["looks@no-memory"], forfeits["looks@90ms@no-memory"])
    assert "not both" in run("arena", "--bot", "search@5ms@5playouts", "--bot", "greedy").err
    assert "looks@no-memory:" in run("arena", "--bot", bots[1], "--check").out
    assert "keeps to the protocol" in run("arena", "--bot", "greedy@no-memory", "--players", 2, "--check").out


def test_a_bot_that_fails_often_is_told_early(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(
        "class Broken:\n    name = 'broken-with-a-very-long-name'\n    def __init__(self, seed=0): ...\n"
        "    def decide(self, view, milliseconds): raise RuntimeError('no plan')\n"
        "    def explain(self, view, milliseconds=1000): return []\n"
    )
    answer = run("arena", "--bot", f"{file}:Broken", "--bot", "random", "--games", 2, *QUICK)
    assert answer.code == 0
    told = [line for line in answer.err.splitlines() if "has forfeited" in line]
    assert len(told) == 1 and "broken-with-a-very-long-name" in told[0] and "no plan" in told[0]
    assert "broken-with-a-very-long-name" in "".join(answer.out.split())
