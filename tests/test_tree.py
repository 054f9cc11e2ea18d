"""The files of the project are the same ones with git and without."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from tools.tree import files, kept_by_git, walked

ROOT = Path(__file__).parent.parent
OWN = ["Makefile", ".github/workflows/test.yml", ".containerignore", "src/nevsky/game.py", "bench/kernel/kernel.c"]
BUILT = [
    *(
        ".venv/bin/python",
        ".git/config",
        ".mypy_cache/a.json",
        "build/a.o",
        "dist/nevsky.whl",
        "src/nevsky.egg-info/PKG-INFO",
    ),
    *(
        "src/nevsky/rules/state.so",
        "src/nevsky/rules/state.c",
        "src/nevsky/rules/state.html",
        "tests/__pycache__/a.pyc",
    ),
    *("web/node_modules/vite/index.js", "src/nevsky/server/static/index.html", "nevsky.db-wal"),
    "benchmarks/baselines/ppo-1.pt",
]


def tree_of(names: list[str], folder: Path) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    return folder


def test_without_git_what_is_built_is_left_out(tmp_path: Path) -> None:
    unpacked = tree_of([*OWN, *(name for name in BUILT if not name.startswith(".git/"))], tmp_path)
    assert files(unpacked) == sorted(OWN)


def test_an_archive_that_was_unpacked_inside_of_a_repository_is_no_part_of_it(tmp_path: Path) -> None:
    """Git would say that it keeps nothing there."""
    tree_of([".git/config"], tmp_path)
    assert files(tree_of(OWN, tmp_path / "nevsky-1.0.0")) == sorted(OWN)


def test_a_machine_without_git_walks_through_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert files(tree_of([*OWN, *BUILT], tmp_path)) == sorted(OWN)


@pytest.mark.skipif(not (ROOT / ".git").exists() or shutil.which("git") is None, reason="this tree has no git")
def test_in_this_repository_both_find_the_same() -> None:
    assert files(ROOT) == kept_by_git(ROOT)
    new = ["git", "-C", str(ROOT), "ls-files", "-z", "--others", "--exclude-standard"]
    not_yet = subprocess.run(new, capture_output=True, text=True, check=True).stdout.split("\0")
    kept = {name for name in [*kept_by_git(ROOT), *not_yet] if (ROOT / name).is_file()}
    assert set(walked(ROOT)) == {name for name in kept if not name.startswith(".ci/")}
