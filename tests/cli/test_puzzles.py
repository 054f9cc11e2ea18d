"""nevsky puzzles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nevsky.puzzles.collection import SHIPPED
from nevsky.texts import LANGUAGES, text
from tests.cli.command import Run, run_outside


def test_files_are_checked(run: Run, tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    lines = SHIPPED.read_text().splitlines()[:3]
    few.write_text("\n".join(lines) + "\n")
    assert "3 puzzles are what they say, 1 proofs" in run("puzzles", "--check", few, "--proofs", "1").out
    data = json.loads(lines[1])
    data["again"][0] = 1.0
    few.write_text("\n".join([lines[0], json.dumps(data)]) + "\n")
    wrong = run("puzzles", "--check", few, "--proofs", "0")
    assert wrong.code == 2 and "not far enough ahead" in wrong.err
    few.write_text("\n".join([lines[0], lines[0]]) + "\n")
    assert "twice" in run("puzzles", "--check", few).err


def test_wrong_wishes_are_refused(run: Run, tmp_path: Path) -> None:
    assert "--play" in run("puzzles").err
    assert "--play" in run("puzzles", "--out", tmp_path / "a", "--play").err
    assert "not 0" in run("puzzles", "--count", "0", "--out", tmp_path / "a").err
    assert run("puzzles", "--check", tmp_path / "none").code == 2
    assert run("puzzles", "--out", tmp_path / "none" / "a", "--count", "1").code == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_puzzles_are_solved_in_the_terminal(language: str) -> None:
    told = run_outside("puzzles", "--play", "--language", language, entry="99\n1\n\nq\n")
    assert told.code == 0, told.err
    sides = [text(key, language) for key in ("puzzle.right", "puzzle.wrong")]
    assert any(side in told.out for side in sides)
    assert text("puzzle.next", language) in told.out
