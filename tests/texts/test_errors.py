"""Every error carries a key, and every key has its sentence in every language."""

from __future__ import annotations

import ast
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
from nevsky.bots.programs import BotFailureError
from nevsky.errors import Words
from nevsky.record import from_json
from nevsky.texts import LANGUAGES, all_texts, read_texts

ROOT = Path(nevsky.__file__).parent
MAKERS = {"NevskyError": 0, "MissingExtraError": 0, "Words": 0, "BotFailureError": 1}
"""What makes errors and words, and which of its arguments is the key."""


def errors(language: str) -> dict[str, str]:
    return read_texts(language, "errors")


def made() -> Iterator[tuple[str, ast.Call, ast.expr]]:
    """Every place that makes an error or words, with what stands there as the key."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node, node.args[MAKERS[node.func.id]]


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
        found = keys_of(key)
        assert found, f"{where} makes an error without a key that can be looked up"
        places += 1
        given = {keyword.arg for keyword in call.keywords}
        for word in found:
            assert word in all_texts("en"), f"{where}: no language has the text {word}"
            wanted = {name.partition(":")[0] for name in re.findall(r"\{(\w[^{}]*)\}", all_texts("en")[word])}
            assert given == wanted, f"{where}: {word} wants {sorted(wanted)}"
    assert places > 280


def test_every_sentence_is_used() -> None:
    used = {word for _, _, key in made() for word in keys_of(key) or ()}
    assert set(errors("en")) - used == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_in_order_and_end_alike(language: str) -> None:
    found, english = errors(language), errors("en")
    assert list(found) == sorted(found)
    for key, words in found.items():
        assert words.endswith(".") == english[key].endswith("."), key
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


def test_a_failure_of_a_bot_survives_pickling() -> None:
    error = BotFailureError("timeout", "bot.no_answer", time=250.0)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.kind, str(again)) == (BotFailureError, "timeout", "it gave no answer within 250 ms.")
    assert again.text("de") == "es hat innerhalb von 250 ms nicht geantwortet."


def test_a_sentence_is_no_key() -> None:
    with pytest.raises(TypeError, match="has the key of a sentence"):
        NevskyError("There is nothing to take back.")


def test_an_error_in_an_error_is_worded_in_the_same_language() -> None:
    with pytest.raises(NevskyError) as caught:
        from_json("[")
    assert str(caught.value) == "This is not a record: broken JSON in line 1, column 2."
    assert caught.value.text("fr") == "Ce n'est pas un enregistrement\u00a0: JSON abîmé à la ligne 1, colonne 2."
