"""A bot that was changed is another one, also where the change lies beside its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from nevsky import NevskyError, Ruleset
from nevsky.arena import enter, make_setup, run_arena
from nevsky.arena.digests import digest, imported_files

BOT = """
from nevsky.bots.random import RandomBot
import beside

class Mine(RandomBot):
    name = "mine"

    def decide(self, view, milliseconds):
        import later.deep
        return super().decide(view, milliseconds)
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A bot of several files, and a stranger in its folder."""
    folder = tmp_path / "bots"
    (folder / "later").mkdir(parents=True)
    for name, text in {
        "bot.py": BOT,
        "beside.py": "from further import WEIGHT",
        "further.py": "WEIGHT = 1",
        "later/__init__.py": "",
        "later/deep.py": "from . import other",
        "later/other.py": "",
        "stranger.py": "",
    }.items():
        (folder / name).write_text(text)
    return folder / "bot.py"


def test_imports_are_followed_also_those_that_are_made_late(bot: Path) -> None:
    expected = ["beside.py", "further.py", "later/__init__.py", "later/deep.py", "later/other.py"]
    assert sorted(imported_files(bot)) == expected


@pytest.mark.parametrize("name", ["bot.py", "beside.py", "further.py", "later/other.py"])
def test_a_change_beside_the_file_makes_another_bot(bot: Path, name: str) -> None:
    before = digest([str(bot)])
    (bot.parent / name).write_text((bot.parent / name).read_text() + "# better\n")
    assert digest([str(bot)]) != before


def test_a_file_that_the_bot_does_not_import_plays_no_part(bot: Path) -> None:
    before = digest([str(bot)])
    (bot.parent / "stranger.py").write_text("import bot")
    (bot.parent / "notes.txt").write_text("")
    assert digest([str(bot)]) == before


def test_a_program_in_python_imports_files_too(bot: Path) -> None:
    before = digest(["python3", str(bot)])
    (bot.parent / "further.py").write_text("WEIGHT = 2")
    assert digest(["python3", str(bot)]) != before


def test_a_file_that_is_not_python_is_its_own_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text("import (")
    (tmp_path / "binary.py").write_bytes(bytes(range(256)))
    assert imported_files(tmp_path / "wrong.py") == imported_files(tmp_path / "binary.py") == {}
    assert digest(["wrong.py"]) == digest([]) != digest([str(tmp_path / "wrong.py")])


def test_an_arena_does_not_go_on_with_another_bot(bot: Path, tmp_path: Path) -> None:
    def play(games: int) -> None:
        entrants = enter([f"{bot}:Mine", "random"])
        run_arena(make_setup(entrants, Ruleset("second", 2), games, playouts=5), directory=tmp_path / "out", jobs=1)

    play(2)
    play(4)
    (bot.parent / "further.py").write_text("WEIGHT = 2")
    with pytest.raises(NevskyError, match="differs in bots"):
        play(6)
