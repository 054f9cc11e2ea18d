"""The tool that builds the documentation: links lead to the copies, and what is broken is found."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools.documentation import ROOT, faults, public_names, rewritten, undescribed, without_inline_scripts

import nevsky.arena
import nevsky.encoding
import nevsky.review


@pytest.mark.parametrize(
    ("source", "before", "after"),
    [
        ("docs/index.md", "[rules](../src/nevsky/texts/de/rules.md)", "[rules](rules/de.md)"),
        ("docs/api/bots.md", "[bots](../bots.md#the-view)", "[bots](../bots.md#the-view)"),
        ("docs/ratings.md", "[figures](../bench/RESULTS.md#bots)", "[figures](speed.md#bots)"),
        ("CONTRIBUTING.md", "[rooms](docs/architecture.md)", "[rooms](architecture.md)"),
        ("bench/RESULTS.md", "![wins](league.svg)", "![wins](files/bench/league.svg)"),
        ("README.md", "![table](docs/screenshots/t.png)", "![table](screenshots/t.png)"),
        (
            "docs/index.md",
            "[there](https://example.org/a) [here](#below)",
            "[there](https://example.org/a) [here](#below)",
        ),
        ("docs/index.md", "```\n[code](../README.md)\n```", "```\n[code](../README.md)\n```"),
    ],
)
def test_links_lead_to_the_copies(source: str, before: str, after: str) -> None:
    assert rewritten(before, source, set()) == after


def test_the_table_of_cards_is_current() -> None:
    """Run tools/card_table.py when this fails."""
    subprocess.run([sys.executable, str(ROOT / "tools" / "card_table.py"), "--check"], check=True)


def test_every_page_has_its_place_in_the_navigation() -> None:
    listed = set(re.findall(r'= "([\w/-]+\.md)"', (ROOT / "docs" / "zensical.toml").read_text(encoding="utf-8")))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert pages <= listed


def _site(folder: Path, body: str) -> Path:
    (folder / "other").mkdir(parents=True)
    (folder / "index.html").write_text(f"<html><body>{body}</body></html>")
    (folder / "other" / "index.html").write_text('<h2 id="there">There</h2><a href="..">back</a>')
    (folder / "a.js").write_text("1")
    return folder


def test_a_good_site_has_no_faults(tmp_path: Path) -> None:
    links = '<a href="other/#there">a</a><a href="other/">b</a><a href="https://example.org">c</a>'
    assert faults(_site(tmp_path, links + '<script src="a.js"></script>')) == []


@pytest.mark.parametrize(
    "body",
    [
        '<a href="nothing/">a</a>',
        '<a href="other/#nowhere">a</a>',
        '<a href="../outside.html">a</a>',
        '<img src="missing.png">',
        '<script src="https://cdn.example.org/a.js"></script>',
        '<link rel="stylesheet" href="//fonts.example.org/a.css">',
        "<script>alert(1)</script>",
        '<button onclick="alert(1)">a</button>',
    ],
)
def test_what_is_broken_is_found(tmp_path: Path, body: str) -> None:
    assert len(faults(_site(tmp_path, body))) >= 1


def test_scripts_inside_of_pages_become_files(tmp_path: Path) -> None:
    site = _site(tmp_path, "<script>let a = 1</script><script>let b = 2</script>")
    without_inline_scripts(site)
    assert faults(site) == []
    kept = [path.read_text() for path in (site / "assets").rglob("*.js")]
    assert sorted(kept) == ["let a = 1", "let b = 2"]


def test_public_are_all_names_of_what_the_pages_describe() -> None:
    """Of a package if any of its names is described, of a module if it is described as a whole."""
    names = public_names("# Arena\n\n::: nevsky.arena.enter\n\n::: nevsky.encoding\n")
    assert {f"nevsky.arena.{name}" for name in nevsky.arena.__all__} <= set(names)
    assert {f"nevsky.encoding.{name}" for name in nevsky.encoding.__all__} <= set(names)
    assert not any(name.startswith("nevsky.review") for name in names)


def test_a_public_name_that_no_page_has_is_found(tmp_path: Path) -> None:
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "api").glob("*.md"))
    *others, last = public_names(pages)
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "index.html").write_text("".join(f'<h2 id="{name}">a</h2>' for name in others))
    assert undescribed(tmp_path) == [f"api: {last} is missing."]
    assert {f"nevsky.review.{name}" for name in nevsky.review.__all__} <= {*others, last}


def test_every_room_is_on_the_first_page_of_the_api_where_some_are_called_internal() -> None:
    page = (ROOT / "docs" / "api" / "index.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "nevsky"
    rooms = {path.stem for path in package.glob("[!_]*.py")} | {
        path.parent.name for path in package.glob("*/__init__.py")
    }
    assert set(re.findall(r"`nevsky\.(\w+)`", page)) == rooms
