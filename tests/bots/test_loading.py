"""Bots from files: each with what lies beside it, and sentences for what cannot be loaded."""

from __future__ import annotations

import pickle
import statistics
import sys
from array import array
from pathlib import Path

import pytest

from nevsky import Game, NevskyError, Ruleset
from nevsky.arena import enter, figures_of, make_setup, run_arena
from nevsky.bots.core.features import NUMBER_OF_WEIGHTS
from nevsky.bots.loading import bot_path, full_spec, is_file, load_bot
from nevsky.bots.policy_weights import MASTER_WEIGHTS, load_weights, save_weights
from nevsky.bots.protocol import Bot

BOT = """
from __future__ import annotations
from dataclasses import dataclass
import statistics
import helper
from workshop.names import NAME
from nevsky.bots.random import RandomBot

@dataclass
class Memory:
    text: str = helper.WHO

class Mine(RandomBot):
    name = NAME + " of " + helper.WHO
    memory = Memory()

    def decide(self, view, milliseconds):
        import late, workshop.names, workshop.names as names
        assert names is workshop.names
        self.name = late.WHO
        return super().decide(view, milliseconds)

    def by_text(self, relative):
        from importlib import import_module
        return import_module(".late", __package__) if relative else import_module("late")
"""


def folder(path: Path, who: str) -> Path:
    """A bot with neighbours of all kinds, which say whose they are."""
    (path / "workshop").mkdir(parents=True)
    (path / "bot.py").write_text(BOT)
    (path / "helper.py").write_text(f"import deep\nWHO = {who!r} + deep.WHO\n")
    (path / "deep.py").write_text(f"WHO = {who!r}\n")
    (path / "late.py").write_text(f"import helper, deep\nWHO = 'late ' + helper.WHO + {who!r}\n")
    (path / "statistics.py").write_text("raise RuntimeError('not the one that was meant')\n")
    (path / "workshop" / "__init__.py").write_text("from . import names\n")
    (path / "workshop" / "names.py").write_text(f"from .words import WORD\nNAME = WORD + {who!r}\n")
    (path / "workshop" / "words.py").write_text("from deep import WHO\nWORD = 'bot' + WHO\n")
    return path / "bot.py"


@pytest.fixture
def two(tmp_path: Path) -> list[Bot]:
    paths = [folder(tmp_path / name, name) for name in "ab"]
    return [load_bot(f"{path}:Mine")(1) for path in paths]


def test_each_file_has_its_own_neighbours(two: list[Bot]) -> None:
    assert [bot.name for bot in two] == ["botaa of aa", "botbb of bb"]


def test_neighbours_that_are_imported_late_are_its_own_too(two: list[Bot]) -> None:
    game = Game(Ruleset("second", 2), seed=1)
    assert game.to_move is not None
    for bot in [*two, *reversed(two)]:
        bot.decide(game.view(game.to_move), 50)
    assert [bot.name for bot in two] == ["late aaa", "late bbb"]


def test_neighbours_change_nothing_for_the_rest_of_the_program(tmp_path: Path) -> None:
    before = list(sys.path)
    load_bot(f"{folder(tmp_path, 'a')}:Mine")
    assert sys.path == before and not {"helper", "deep", "workshop"} & set(sys.modules)
    assert sys.modules["statistics"] is statistics
    with pytest.raises(ModuleNotFoundError):
        __import__("helper")


def test_nothing_is_left_beside_a_bot(tmp_path: Path) -> None:
    load_bot(f"{folder(tmp_path, 'a')}:Mine")
    assert not list(tmp_path.rglob("__pycache__")), "compiled copies would have the imports of the bot's package"


def test_a_file_that_is_loaded_twice_is_one_module(tmp_path: Path) -> None:
    path = folder(tmp_path, "a")
    one, other = (load_bot(f"{path}:Mine")(1) for _ in range(2))
    assert type(one) is type(other)


def test_what_a_bot_remembers_can_be_pickled(two: list[Bot]) -> None:
    memories = [bot.memory for bot in two]  # type: ignore[attr-defined]
    assert [pickle.loads(pickle.dumps(memory)) for memory in memories] == memories
    assert memories[0] != memories[1]


def test_a_neighbour_that_is_named_by_a_text_would_be_shared_and_is_refused(two: list[Bot]) -> None:
    found = [bot.by_text(True).WHO for bot in two]  # type: ignore[attr-defined]
    assert found == ["late aaa", "late bbb"]
    with pytest.raises(ModuleNotFoundError, match="No module named 'late'"):
        two[0].by_text(False)  # type: ignore[attr-defined]


def test_a_bot_is_found_beside_a_package_of_its_name(tmp_path: Path) -> None:
    path = folder(tmp_path, "a")
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "__init__.py").write_text("Mine = 3\n")
    (tmp_path / "my-other.bot.py").write_text(BOT + "import bot\nassert bot.Mine == 3\n")
    assert load_bot(f"{path}:Mine")(1).name == load_bot(f"{tmp_path / 'my-other.bot.py'}:Mine")(1).name


def test_a_neighbour_that_is_missing_is_told_by_its_own_name(tmp_path: Path) -> None:
    path = folder(tmp_path, "a")
    path.write_text("import workshop.saws\n")
    with pytest.raises(NevskyError, match=r"\(No module named 'workshop\.saws'\)"):
        load_bot(f"{path}:Mine")
    path.write_text("import saws\n")
    with pytest.raises(NevskyError, match=r"\(No module named 'saws'\)"):
        load_bot(f"{path}:Mine")


def test_a_folder_that_is_on_the_path_anyway_is_not_imported_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder(tmp_path, "a")
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "lone_neighbour.py").write_text("")
    path.write_text(BOT + "import lone_neighbour\n")
    load_bot(f"{path}:Mine")
    assert "lone_neighbour" in sys.modules
    for name in ("lone_neighbour", "helper", "deep", "workshop", "workshop.names", "workshop.words"):
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.parametrize("jobs", [1, 2])
def test_two_versions_of_a_bot_play_against_each_other(tmp_path: Path, jobs: int) -> None:
    paths = [folder(tmp_path / name, name) for name in "ab"]
    entrants = enter([f"{path}:Mine" for path in paths])
    assert [entrant.label for entrant in entrants] == ["botaa of aa", "botbb of bb"]
    store, _ = run_arena(make_setup(entrants, Ruleset("second", 2), 2, playouts=5), jobs=jobs)
    figures = figures_of(store)
    assert figures is not None and all(not bot.forfeits for bot in figures.standings)


ODD = """
import sys
from nevsky.bots.random import RandomBot

class Leaves(RandomBot):
    def __init__(self, seed): sys.exit(3)

class Interrupts(RandomBot):
    def __init__(self, seed): raise KeyboardInterrupt

class Shy(RandomBot):
    @property
    def name(self): raise RuntimeError("no name today")

class Unspeakable(Exception):
    def __str__(self): raise RuntimeError("no")

class Fails(RandomBot):
    def __init__(self, seed): raise Unspeakable

class Torn(RandomBot):
    def __init__(self, seed): raise ValueError("\\ud800")

class Boundless(RandomBot):
    name = 10**5000

class Chats(RandomBot):
    name = "chats"
    def __init__(self, seed):
        print("being made")
        super().__init__(seed)

print("being loaded")
"""


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    path = tmp_path / "odd.py"
    path.write_text(ODD)
    return path


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ("Leaves", r"cannot be made from a seed, as in Leaves\('a seed'\): SystemExit \(3\)\."),
        ("Shy", r"cannot tell its name: RuntimeError \(no name today\)\."),
        ("Fails", r"Unspeakable \(<Unspeakable>\)\."),
        ("Torn", r"ValueError \(\\ud800\)\."),
        ("Boundless", r"The name of a bot is a text of 1 to 40 characters, not '<int>'\."),
    ],
)
def test_whatever_a_class_does_is_told_in_a_sentence(odd: Path, wanted: str, sentence: str) -> None:
    with pytest.raises(NevskyError, match=sentence) as refusal:
        load_bot(f"{odd}:{wanted}")
    str(refusal.value).encode()


def test_an_interrupt_is_nobodys_fault(odd: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        load_bot(f"{odd}:Interrupts")


def test_what_a_bot_prints_goes_to_standard_error(odd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load_bot(f"{odd}:Chats")(1)
    told = capsys.readouterr()
    assert told.out == "" and told.err == "being loaded\nbeing made\nbeing made\n"


def test_weights_from_a_file_play_as_master(tmp_path: Path) -> None:
    path = tmp_path / "spring" / "policy.weights"
    path.parent.mkdir()
    save_weights(path, {2: array("d", [0.0] * NUMBER_OF_WEIGHTS)})
    bots = [load_bot(spec)("neva") for spec in (str(path), str(MASTER_WEIGHTS))]
    assert [bot.name for bot in bots] == ["spring", "master"]
    game = Game(Ruleset("second", 2), seed=1)
    assert game.to_move is not None
    view = game.view(game.to_move, memory=True)
    for bot in bots:
        bot.playouts = 20  # type: ignore[attr-defined]
        assert bot.decide(view, 50) in view.legal
    long = path.rename(path.with_name("ä" * 50 + ".weights"))
    assert load_bot(str(long))(1).name == "ä" * 40


def test_files_with_the_older_name_still_play(tmp_path: Path) -> None:
    path = tmp_path / "winter.habits"
    new = tmp_path / "new.weights"
    save_weights(new, {2: array("d", [0.25] * NUMBER_OF_WEIGHTS)})
    path.write_bytes(new.read_bytes().replace(b"nevsky-weights-2\n", b"nevsky-habits-2\n", 1))
    assert is_file(str(path)) and bot_path(f"a:{path}") == Path(f"a:{path}")
    assert load_weights(2, path) == load_weights(2, new) and load_weights(2, path)[7] == 0.25
    assert load_bot(str(path))("neva").name == "winter"
    assert full_spec(str(path)) == str(path)


def test_bad_weights_are_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "bad.weights"
    with pytest.raises(NevskyError, match="There is no file"):
        load_bot(str(path))
    path.write_bytes(b"something else")
    with pytest.raises(NevskyError, match=r"bad\.weights does not hold policy weights"):
        load_bot(str(path))


def test_a_bot_is_named_the_same_from_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert full_spec("mine.py:Mine") == f"{tmp_path}/mine.py:Mine" and bot_path("mine.py:Mine") == Path("mine.py")
    assert full_spec("a:b.weights") == f"{tmp_path}/a:b.weights" and bot_path("a:b.weights") == Path("a:b.weights")
