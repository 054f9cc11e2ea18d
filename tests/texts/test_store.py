"""One store of texts, one list of languages, one plural rule."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import nevsky
from nevsky.cards import CARDS
from nevsky.texts import LANGUAGES, amount, is_one, read_texts

TEXTS = Path(nevsky.__file__).parent / "texts"
PARTS = sorted(path.stem for path in (TEXTS / "en").glob("*.csv"))
BOOKS = [part for part in PARTS if part not in ("articles", "names", "pages", "web")]
PLACEHOLDER = re.compile(r"\{(\w+)(?::[^{}]*)?\}")


def test_every_language_is_a_folder_with_the_same_files() -> None:
    folders = sorted(path.name for path in TEXTS.iterdir() if path.is_dir() and path.name != "__pycache__")
    assert folders == sorted(LANGUAGES)
    for language in LANGUAGES:
        files = sorted(path.name for path in (TEXTS / language).iterdir())
        assert files == sorted([*(f"{part}.csv" for part in PARTS), "rules.md"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", [part for part in PARTS if part != "articles"])
def test_every_file_has_the_keys_and_placeholders_of_english(part: str, language: str) -> None:
    with (TEXTS / language / f"{part}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    more = {"gender", "hyphens", *(["definite", "declined"] if language == "de" else [])} if part == "names" else set()
    assert all(row.keys() == {"key", "text"} | more and row["text"] for row in rows)
    english = read_texts("en", part)
    assert [row["key"] for row in rows] == list(english)
    for row in rows:
        assert set(PLACEHOLDER.findall(row["text"])) == set(PLACEHOLDER.findall(english[row["key"]])), row["key"]


def test_no_key_stands_twice() -> None:
    keys = Counter(key for part in BOOKS for key in read_texts("en", part))
    assert [key for key, times in keys.items() if times > 1] == []


def test_the_browser_knows_every_key_of_its_texts() -> None:
    """Run tools/text_keys.py when this fails."""
    tool = Path(__file__).parents[2] / "tools" / "text_keys.py"
    subprocess.run([sys.executable, str(tool), "--check"], check=True)


def test_every_card_has_a_name() -> None:
    assert {card.name for card in CARDS} <= set(read_texts("en", "names"))


def test_the_plural_of_every_language() -> None:
    """What web/tests/i18n.test.ts expects of the browser."""
    singular = {language: [n for n in (0, 1, 2, 21) if is_one(n, language)] for language in LANGUAGES}
    assert singular == {"en": [1], "de": [1], "fr": [0, 1], "it": [1]}
    assert [amount(n, "ruble", "fr") for n in (0, 1, 2, 21)] == ["0 rouble", "1 rouble", "2 roubles", "21 roubles"]


def test_a_language_is_added_with_one_folder_and_one_line(tmp_path: Path) -> None:
    package = tmp_path / "nevsky"
    shutil.copytree(Path(nevsky.__file__).parent, package, ignore=shutil.ignore_patterns("static", "__pycache__"))
    shutil.copytree(package / "texts" / "it", package / "texts" / "es")
    with (package / "texts" / "languages.csv").open("a", encoding="utf-8") as file:
        file.write("es,Español,1\n")
    for part, old, new in (
        ("errors", "Non c'è niente da annullare.", "No hay nada que deshacer."),
        ("names", "Porto", "Puerto"),
    ):
        path = package / "texts" / "es" / f"{part}.csv"
        words = path.read_text(encoding="utf-8")
        assert old in words
        path.write_text(words.replace(old, new), encoding="utf-8")
    code = """
import nevsky
from nevsky.cards import CARDS, card_name, find_card
from nevsky.cli.options import check_language
from nevsky.server.languages import as_language
from nevsky.server.library import meta
from nevsky.server.protocol import LanguageChange
from nevsky.server.rulebook import rule_book
from nevsky.texts import LANGUAGES, amount

check_language("es")
assert LanguageChange(type="language", language="es").language == "es"
print(nevsky.__file__)
print(*LANGUAGES, as_language("es-MX"), amount(0, "ruble", "es"))
print(nevsky.NevskyError("game.nothing_to_undo").text("es"))
print(card_name("harbor", "es"), CARDS[find_card("puerto")].id, rule_book("es").language, len(meta("es").modules))
"""
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True)
    assert done.stdout.splitlines() == [
        str(package / "__init__.py"),
        "en de fr it es es 0 rubli",
        "No hay nada que deshacer.",
        "Puerto harbor es 6",
    ]
