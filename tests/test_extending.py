"""docs/extending.md is true to the letter: its steps are applied to a copy of the tree, which is built and played."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.tree import files

from nevsky import ACTIONS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/extending.md"
BLOCK = r"\n\n```\w*\n((?:(?!```).*\n)*)```\n"
STEPS = re.compile(
    rf"^New file `(?P<new>[^`]+)`:{BLOCK}"
    rf"|^At the end of `(?P<end>[^`]+)`:{BLOCK}"
    rf"|^In `(?P<below>[^`]+)`, below{BLOCK}\nadd{BLOCK}"
    rf"|^In `(?P<place>[^`]+)`, replace{BLOCK}\nby{BLOCK}",
    re.MULTILINE,
)


def steps() -> Iterator[tuple[str, str, list[str]]]:
    """Every step of the page: what to do, with which file, and its blocks of text."""
    for found in STEPS.finditer(PAGE.read_text(encoding="utf-8")):
        kind, path = next((name, path) for name, path in found.groupdict().items() if path is not None)
        yield kind, path, [text for text in found.groups() if text is not None and text != path]


def apply(tree: Path) -> None:
    for kind, path, blocks in steps():
        file = tree / path
        if kind == "new":
            file.parent.mkdir(exist_ok=True)
            assert not file.exists()
            file.write_text(blocks[0] if blocks else "", encoding="utf-8")
            continue
        text = file.read_text(encoding="utf-8")
        if kind == "end":
            file.write_text(text + blocks[0], encoding="utf-8")
            continue
        old, new = blocks
        if kind == "place":
            old, new = old.removesuffix("\n"), new.removesuffix("\n")
        assert text.count(old) == 1, f"{path} has {text.count(old)} times {old!r}"
        file.write_text(text.replace(old, old + new if kind == "below" else new), encoding="utf-8")


def copy_tree(to: Path) -> None:
    for name in files(ROOT):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def in_tree(tree: Path, *command: str) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("NEVSKY", "PYTEST"))}
    environment["PYTHONPATH"] = str(tree / "src")
    done = subprocess.run(
        [sys.executable, *command], cwd=tree, env=environment, capture_output=True, text=True, check=False, timeout=3000
    )
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout[-8000:]}\n{done.stderr[-4000:]}"


def test_every_file_of_the_page_exists() -> None:
    found = list(steps())
    assert len(found) > 25
    for kind, path, blocks in found:
        assert (ROOT / path).exists() != (kind == "new"), path
        if kind in ("below", "place"):
            text = (ROOT / path).read_text(encoding="utf-8")
            assert text.count(blocks[0].removesuffix("\n")) == 1, (path, blocks[0])


@pytest.mark.long
def test_the_recipes_of_the_page_make_a_card_and_a_module(tmp_path: Path) -> None:
    copy_tree(tmp_path)
    apply(tmp_path)
    ids = "".join(f"{action.text}\t{number}\n" for number, action in enumerate(ACTIONS) if not action.reserved)
    (tmp_path / "ids.txt").write_text(ids, encoding="utf-8")
    in_tree(tmp_path, "-m", "tools.pxd")
    in_tree(tmp_path, "setup.py", "-q", "build_ext", "--inplace", "-j2")
    in_tree(tmp_path, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "tests/extended.py")
