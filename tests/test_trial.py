"""What tries a wheel notices when something of it does not work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tools import try_extras
from tools.trial import check_game, run

SCREENS = """
Since your last decision
  · You buy a Fur Trapper for 6.
  · Natalia buys a Lumberjack for 3.
Your choice (? for help):
  · You buy an Observatory for 3.
Your choice (? for help): Leave the game? It is not saved. (y/n)
"""


def test_two_moves_in_a_terminal_are_two_lines_that_tell_of_them() -> None:
    assert check_game(SCREENS) == "two moves in a terminal: You buy a Fur Trapper for 6; You buy an Observatory for 3"
    with pytest.raises(SystemExit, match="was told to make two moves, and shows"):
        check_game(SCREENS.replace("You buy an", "You could buy an"))


def test_a_command_that_ends_badly_ends_the_trial() -> None:
    reading = "import sys; sys.exit(0 if input() == 'quit' else 'that was not to be said')"
    assert run(sys.executable, "-c", reading, given="quit\n") == ""
    with pytest.raises(SystemExit, match="that was not to be said"):
        run(sys.executable, "-c", reading, given="1\nquit\n")
    with pytest.raises(SystemExit, match="EOFError"):
        run(sys.executable, "-c", reading)


def test_games_that_were_exported_are_counted(tmp_path: Path) -> None:
    pytest.importorskip("polars")
    command = [sys.executable, "-m", "nevsky", "export", "--games", "2", "--bot", "random", "--out"]
    subprocess.run([*command, tmp_path / "games.parquet"], check=True, capture_output=True)
    games, decisions = try_extras.exported(tmp_path / "games.parquet")
    assert games == 2
    assert decisions > 20


def test_a_game_of_openspiel_has_one_winner_or_several() -> None:
    pytest.importorskip("pyspiel")
    assert sum(try_extras.openspiel(1)) == 1
