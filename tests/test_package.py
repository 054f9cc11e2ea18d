"""What the package page and a citation say is true."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from tools.release import ENTRY

import nevsky
from nevsky.rules.ruleset import RULES_VERSION
from nevsky.texts import LANGUAGES

ROOT = Path(__file__).parent.parent
NAMES = {"en": "English", "de": "German", "fr": "French", "it": "Italian"}


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def classified(start: str) -> set[str]:
    found = project()["project"]["classifiers"]
    return {words.removeprefix(start) for words in found if words.startswith(start)}


def test_classifiers_name_the_languages_and_the_pythons() -> None:
    assert classified("Natural Language :: ") == {NAMES[language] for language in LANGUAGES}
    pythons = classified("Programming Language :: Python :: 3.")
    built = set(re.findall(r"cp3(\d+)-", project()["tool"]["cibuildwheel"]["build"]))
    assert pythons == built
    oldest = min(pythons, key=int)
    assert project()["project"]["requires-python"] == f">=3.{oldest}"
    tested = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert {f"3.{number}" for number in pythons} <= set(re.findall(r'"(3\.\d+)"', tested))


def test_the_citation_and_the_changelog_agree() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = dict(re.findall(r"^([\w-]+): (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE))
    assert citation["version"] == nevsky.__version__
    first = re.search(r"^## (.+)$", changelog, re.MULTILINE)
    assert first is not None
    if first[1] == "Unreleased":
        assert f"Version {nevsky.__version__}, rules {RULES_VERSION}." in changelog
        released = {entry["version"]: entry["date"] for entry in ENTRY.finditer(changelog)}
        assert citation.get("date-released") == released.get(nevsky.__version__), "a date is one of a release"
    else:
        entry = ENTRY.search(changelog)
        assert entry is not None
        assert (entry["version"], entry["date"]) == (citation["version"], citation["date-released"])


def test_pictures_of_the_readme_are_in_the_archive() -> None:
    """Without an address of the project they cannot be absolute; with one a package page would need that."""
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert pictures
    urls = project()["project"].get("urls", {})
    for picture in pictures:
        if urls:
            assert picture.startswith("https://"), "a package page shows no relative pictures"
        else:
            assert (ROOT / picture).is_file()
