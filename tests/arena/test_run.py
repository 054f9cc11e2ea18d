"""Whole arenas: the same games for the same command, going on where it stopped, and nothing left running."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nevsky import NevskyError, Ruleset, View
from nevsky.arena import Setup, enter, figures_of, make_setup, run_arena
from nevsky.arena.store import Store
from nevsky.bots.match import play_game
from nevsky.bots.random import RandomBot
from nevsky.record import load
from nevsky.rules.view import make_view
from tests.cli.command import under_way
from tests.rulesets import CONFIGURATIONS


def small(
    games: int = 6, *, seed: str = "neva", records: bool = False, bots: tuple[str, ...] = ("random", "random")
) -> Setup:
    return make_setup(enter(bots), Ruleset("second", 2), games, seed=seed, playouts=5, records=records)


def lines(directory: Path) -> list[str]:
    head, *games = (directory / "results.jsonl").read_text().splitlines()
    return [head, *sorted(games)]


def test_the_same_setup_gives_the_same_results_in_one_process_and_in_two(tmp_path: Path) -> None:
    setup = small(records=True, bots=("greedy", "random"))
    run_arena(setup, directory=tmp_path / "one", jobs=1)
    run_arena(setup, directory=tmp_path / "two", jobs=2)
    assert lines(tmp_path / "one") == lines(tmp_path / "two")
    assert len(lines(tmp_path / "one")) == 7
    for number in range(6):
        one, two = (tmp_path / name / "records" / f"game-{number:06}.json" for name in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
        game = load(one)
        result = json.loads(next(line for line in lines(tmp_path / "one") if f'"game":{number},' in line))
        assert game.result is not None
        assert [final.total for final in game.result.final] == result["scores"]
        assert [setup.labels[entrant] for entrant in result["seats"]] == list(game.seats)


def test_another_seed_gives_other_games() -> None:
    one, _ = run_arena(small(2), jobs=1)
    other, _ = run_arena(small(2, seed="volga"), jobs=1)
    assert one.results != other.results


def test_the_games_of_a_pairing_share_their_deal(tmp_path: Path) -> None:
    run_arena(small(4, records=True), directory=tmp_path, jobs=1)
    piles = [load(tmp_path / "records" / f"game-{n:06}.json").piles for n in range(4)]
    assert piles[0] == piles[1] != piles[2] == piles[3]


def test_an_arena_goes_on_where_it_stopped(tmp_path: Path) -> None:
    run_arena(small(), directory=tmp_path / "whole", jobs=1)
    run_arena(small(2), directory=tmp_path / "parts", jobs=1)
    path = tmp_path / "parts" / "results.jsonl"
    text = path.read_text()
    path.write_text(text + '{"game":2,"matchup":0,"de')  # the power went out
    done: list[tuple[int, int]] = []
    run_arena(small(), directory=tmp_path / "parts", jobs=1, progress=lambda *now: done.append(now))
    assert done == [(2, 6), (3, 6), (4, 6), (5, 6), (6, 6)]
    assert path.read_text().startswith(text) and lines(tmp_path / "parts") == lines(tmp_path / "whole")
    before = path.read_bytes()
    run_arena(small(), directory=tmp_path / "parts", jobs=1)
    assert path.read_bytes() == before


def test_a_directory_of_another_arena_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    run_arena(small(2), directory=tmp_path, jobs=1)
    before = (tmp_path / "results.jsonl").read_bytes()
    with pytest.raises(NevskyError, match="holds the results of another arena, which differs in seed"):
        run_arena(small(2, seed="volga"), directory=tmp_path, jobs=1)
    with pytest.raises(NevskyError, match="differs in bots"):
        run_arena(small(2, bots=("greedy", "random")), directory=tmp_path, jobs=1)
    assert (tmp_path / "results.jsonl").read_bytes() == before


def test_a_bot_whose_file_has_changed_is_another_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    text = "from nevsky.bots.random import RandomBot\nclass Mine(RandomBot):\n    name = 'mine'\n"
    path.write_text(text)
    (one,) = enter([f"{path}:Mine"])
    path.write_text(text + "# better\n")
    (other,) = enter([f"{path}:Mine"])
    assert one.digest != other.digest and one._replace(digest="") == other._replace(digest="")


def test_a_bot_that_counts_no_playouts_is_told_the_usual_time() -> None:
    setup = small(2)
    assert (setup.milliseconds, setup.patience) == (200, 60.0)
    hasty = make_setup(enter(["random", "random"]), Ruleset("second", 2), 2, playouts=5, patience=0.05)
    assert hasty.milliseconds == 50, "but never more than our patience"
    assert setup.to_dict()["milliseconds"] is None, "the games of the others do not depend on it"


def test_broken_results_are_refused(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text("something else\n")
    with pytest.raises(NevskyError, match="does not hold the results of an arena"):
        run_arena(small(2), directory=tmp_path, jobs=1)
    assert (tmp_path / "results.jsonl").read_text() == "something else\n"


def test_two_arenas_do_not_write_to_one_directory(tmp_path: Path) -> None:
    store = Store(small(2), tmp_path)
    with pytest.raises(NevskyError, match="Another arena is writing"):
        run_arena(small(2), directory=tmp_path, jobs=1)
    store.close()
    run_arena(small(2), directory=tmp_path, jobs=1)


def test_a_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NevskyError, match="The results cannot be kept in"):
        run_arena(small(2), directory=tmp_path / "file" / "out", jobs=1)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"milliseconds": 10, "playouts": 10}, "not both"),
        ({"milliseconds": 0}, "The time for a decision"),
        ({"playouts": 0}, "The number of playouts"),
        ({"patience": 0.0}, "Patience"),
    ],
)
def test_a_budget_that_makes_no_sense_is_refused(options: dict[str, int], sentence: str) -> None:
    with pytest.raises(NevskyError, match=sentence):
        make_setup(enter(["random", "random"]), Ruleset("second", 2), 2, **options)  # type: ignore[arg-type]


FAULTY = """
import os
import time
from nevsky.bots.random import RandomBot

class Faulty(RandomBot):
    name = "faulty"
    playouts = None
    seen = 0

    def observe(self, view):
        self.seen += 1

    def decide(self, view, milliseconds):
        assert self.seen, "it is told what it sees before it is asked"
        number = self._rng.below(5)
        if number == 0:
            raise KeyError("academy")
        if number == 1:
            return "buy kremlin"
        if number == 2:
            raise SystemExit(3)
        if number == 3:
            assert self.playouts in (None, 5)
            return None
        return super().decide(view, milliseconds)

class Slow(RandomBot):
    name = "slow"

    def decide(self, view, milliseconds):
        while True:
            try:
                time.sleep(60)
            except Exception:
                pass

class Killer(RandomBot):
    name = "killer"

    def decide(self, view, milliseconds):
        os._exit(3)

class Unborn(RandomBot):
    name = "unborn"

    def __init__(self, seed):
        if seed not in ("a seed", "name"):
            raise ValueError("not today")
"""


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    path = tmp_path / "faulty.py"
    path.write_text(FAULTY)
    return path


def test_a_python_bot_that_fails_forfeits_and_the_game_goes_on(faulty: Path) -> None:
    setup = make_setup(enter([f"{faulty}:Faulty", "random"]), Ruleset("second", 2), 2, playouts=5)
    store, _ = run_arena(setup, jobs=1)
    again, _ = run_arena(setup, jobs=1)
    assert store.results == again.results
    figures = figures_of(store)
    assert figures is not None
    bot = next(s for s in figures.standings if s.label == "faulty")
    assert bot.forfeits["crash"] > 5 and bot.forfeits["illegal"] > 5
    assert sum(bot.forfeits.values()) == pytest.approx(0.8 * bot.decisions, rel=0.3)


def test_a_bot_that_hangs_or_cannot_be_made_loses_its_decisions(faulty: Path) -> None:
    entrants = enter([f"{faulty}:Slow", f"{faulty}:Unborn"])
    setup = make_setup(entrants, Ruleset("second", 2), 2, milliseconds=1, patience=0.01)
    store, _ = run_arena(setup, jobs=1)
    figures = figures_of(store)
    assert figures is not None
    for bot in figures.standings:
        kind = "timeout" if bot.label == "slow" else "crash"
        assert bot.forfeits == {kind: bot.decisions}


def test_a_bot_that_ends_its_process_stops_the_arena_with_a_sentence(faulty: Path, tmp_path: Path) -> None:
    setup = make_setup(enter([f"{faulty}:Killer", "random"]), Ruleset("second", 2), 4, playouts=5)
    with pytest.raises(NevskyError, match="A process of the arena has died"):
        run_arena(setup, directory=tmp_path / "out", jobs=2)
    assert len(lines(tmp_path / "out")) == 1
    run_arena(small(2), directory=tmp_path / "other", jobs=1)


class Watcher(RandomBot):
    """Remembers what it was shown."""

    def __init__(self, seed: int | str = 0) -> None:
        super().__init__(seed)
        self.views: list[View] = []

    def observe(self, view: View) -> None:
        self.views.append(view)


@pytest.mark.parametrize("configuration", ["second-3", "all-modules-3"])
def test_who_observes_sees_every_change_and_nothing_more(configuration: str) -> None:
    ruleset = CONFIGURATIONS[configuration]
    watchers = [Watcher(seat) for seat in range(3)]
    game = play_game(watchers, ruleset, "neva")
    plain = play_game([RandomBot(seat) for seat in range(3)], ruleset, "neva")
    assert game.moves == plain.moves, "watching changes nothing"
    for seat, watcher in enumerate(watchers):
        expected: list[View] = []
        for position in [plain.start_position, *(position for _, position in plain.replay())]:
            view = make_view(position, ruleset, seat)
            if not expected or view != expected[-1]:
                expected.append(view)
        assert watcher.views == expected
        assert {view.seat for view in watcher.views} == {seat}


def _children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL])
def test_what_is_played_stays_and_nothing_is_left_running(ending: signal.Signals, tmp_path: Path) -> None:
    program = Path(__file__).parents[1] / "bots" / "bad_program.py"
    (tmp_path / "pids").mkdir()
    words = f"{sys.executable} -I -S {program} stubborn {tmp_path / 'pids'}"
    out = tmp_path / "out"
    options = ["--bot", "random", "--games", "100000", "--time", "2000", "--jobs", "2", "--out", str(out)]
    results = out / "results.jsonl"
    some = lambda: results.exists() and results.read_text().count("\n") >= 4  # noqa: E731
    with under_way("arena", "--bot-cmd", words, *options, until=some) as process:
        workers = _children(process.pid)
        os.kill(process.pid, ending)
        _, said = process.communicate(timeout=30)
    kept = results.read_text().count("\n") - 1
    assert kept >= 3 and workers
    if ending == signal.SIGINT:
        assert process.returncode == 130 and "Stopped after" in said and "the same command goes on" in said
        assert "Traceback" not in said
        assert (out / "table.md").exists()
    pids = [*workers, *(int(path.name) for path in (tmp_path / "pids").iterdir() if path.name.isdecimal())]
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and any(map(_runs, pids)):
        time.sleep(0.05)
    assert not [pid for pid in pids if _runs(pid)]
