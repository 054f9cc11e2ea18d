"""Every error carries a key, and every key has its sentence in every language."""

from __future__ import annotations

import ast
import csv
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

import nevsky
from nevsky import NevskyError, Ruleset
from nevsky.cards import LANGUAGES
from nevsky.errors import Words
from nevsky.texts import all_texts

ROOT = Path(nevsky.__file__).parent
MAKERS = ("NevskyError", "Words")


def errors(language: str) -> dict[str, str]:
    with (ROOT / "texts" / language / "errors.csv").open(encoding="utf-8", newline="") as file:
        return {row["key"]: row["text"] for row in csv.DictReader(file)}


def made() -> Iterator[tuple[str, ast.Call, ast.expr]]:
    """Every place that makes an error or words, with what stands there as the key."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node, node.args[0]


def keys_of(key: ast.expr) -> list[str] | None:
    """The keys that an expression can be: a text, a choice of two, or a text with a value in it."""
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        return [key.value]
    if isinstance(key, ast.IfExp):
        parts = keys_of(key.body), keys_of(key.orelse)
        return None if None in parts else [word for part in parts for word in part or ()]
    if isinstance(key, ast.JoinedStr):
        pattern = "".join(re.escape(str(p.value)) if isinstance(p, ast.Constant) else r"\w+" for p in key.values)
        return [known for known in all_texts("en") if re.fullmatch(pattern, known)]
    return None


def test_every_error_has_a_key_with_the_values_of_its_sentence() -> None:
    places = 0
    for where, call, key in made():
        if not where.startswith(("rules/", "texts/")):
            continue
        found = keys_of(key)
        assert found, f"{where} makes an error without a key that can be looked up"
        places += 1
        given = {keyword.arg for keyword in call.keywords}
        for word in found:
            assert word in all_texts("en"), f"{where}: no language has the text {word}"
            wanted = {name.partition(":")[0] for name in re.findall(r"\{(\w[^{}]*)\}", all_texts("en")[word])}
            assert given == wanted, f"{where}: {word} wants {sorted(wanted)}"
    assert places > 70


def test_every_sentence_is_used() -> None:
    used = {word for _, _, key in made() for word in keys_of(key) or ()}
    assert set(errors("en")) - used == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_in_order_and_end_with_a_full_stop(language: str) -> None:
    found = errors(language)
    assert list(found) == sorted(found)
    for key, words in found.items():
        if ".what." not in key and not key.endswith("no_fields"):
            assert words[-1] in ".}", key
        if language == "fr":
            assert not re.search(r"[^ \u00a0\u202f\d{}][:;](?! ?[/,}])\s", words), f"{key}: a space before the colon"


def test_an_error_speaks_every_language() -> None:
    with pytest.raises(NevskyError) as caught:
        Ruleset("second", 3, modules=(3,))
    error = caught.value
    assert error.key == "ruleset.module_market"
    assert error.values["module"] == 3
    assert [error.text(language) for language in LANGUAGES] == [
        "Module 3 (Assistants) needs the Market (rule 1.3).",
        "Modul 3 (Die Helfer) braucht den Markt (Regel 1.3).",
        "Le module 3 (Les assistants) demande le Marché (règle 1.3).",
        "Il modulo 3 (Gli assistenti) richiede il Mercato (regola 1.3).",
    ]
    assert str(error) == error.text("en")


def test_an_error_survives_pickling() -> None:
    error = NevskyError("view.pile_empty", pile=Words("the_pile.noble"))
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.key, str(again)) == (NevskyError, error.key, str(error))
    assert again.text("it") == error.text("it") == "I conti non tornano: non resta nessuna carta per il mazzo Nobili."


def _too_many() -> None:
    Ruleset(players=7)


def test_an_error_comes_back_from_another_process() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool, pytest.raises(NevskyError) as caught:
        pool.submit(_too_many).result()
    assert caught.value.text("de") == "Das Spiel ist für 2 bis 4 Personen, nicht für 7."


def test_numbers_are_written_as_the_language_does() -> None:
    from nevsky.texts import _Sentence

    written = [_Sentence(language).vformat("{n:,.1f}", (), {"n": 1234567.5}) for language in LANGUAGES]
    assert written == ["1,234,567.5", "1.234.567,5", "1\u202f234\u202f567,5", "1.234.567,5"]


def test_importing_the_package_loads_no_texts() -> None:
    code = "import sys, nevsky; print('nevsky.texts' in sys.modules); nevsky.NevskyError('game.over')"
    code += "; print('nevsky.texts' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
