"""What people read, by key, in every language of ``languages.csv``.

The texts stand in ``<language>/*.csv``. ``{word}`` is a placeholder; ``[buys|buy]`` is a word for another player and
for the reader, who is addressed as you; ``{card:a}`` is a card with its article (see ``phrases``). ``names.csv``,
``articles.csv``, ``web.csv`` and ``pages.csv``, what the web app says, are books of their own; all others are one, in
which no key stands twice.
"""

from __future__ import annotations

import csv
import re
import string
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, reduce
from pathlib import Path
from typing import Final

from nevsky.errors import NevskyError

__all__ = [
    "LANGUAGES",
    "all_texts",
    "amount",
    "amounts",
    "decimal",
    "is_one",
    "join",
    "known_language",
    "read_rows",
    "read_texts",
    "sentence",
    "series",
    "text",
]

_HERE: Final = Path(__file__).parent
_PARTS: Final = ("cards", "errors", "explain", "game", "guide", "reasons", "server", "terminal")
_PERSON: Final = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")


def _languages() -> dict[str, frozenset[int]]:
    with (_HERE / "languages.csv").open(encoding="utf-8", newline="") as file:
        return {row["code"]: frozenset(map(int, row["one"].split())) for row in csv.DictReader(file)}


_SINGULAR: Final = _languages()
"""By language, the numbers of things that are told in the singular."""
LANGUAGES: Final = tuple(_SINGULAR)
"""The codes of all languages, in the order of ``languages.csv``."""


def known_language(language: str) -> str:
    """The language, if Nevsky speaks it; any other is refused."""
    if language not in LANGUAGES:
        raise NevskyError("language.unknown", language=repr(language), languages=", ".join(LANGUAGES))
    return language


@cache
def read_rows(language: str, part: str) -> dict[str, dict[str, str]]:
    """The rows of one file by key; read when the first of them is needed."""
    with (_HERE / known_language(language) / f"{part}.csv").open(encoding="utf-8", newline="") as file:
        return {row["key"]: row for row in csv.DictReader(file)}


@cache
def read_texts(language: str, part: str) -> dict[str, str]:
    """One file of texts by key."""
    return {key: row["text"] for key, row in read_rows(language, part).items()}


@cache
def all_texts(language: str) -> dict[str, str]:
    """All texts of a language by key, apart from the names of cards and the pages of the web app."""
    return {key: words for part in _PARTS for key, words in read_texts(language, part).items()}


def is_one(number: int | float, language: str) -> bool:
    """Whether the language speaks of so many things in the singular; a broken number counts as the whole one below it
    where none is singular too.

    >>> [is_one(number, "fr") for number in (0, 1, 1.5, 2, 21)], is_one(1.5, "en"), is_one(1.0, "en")
    ([True, True, True, False, False], False, False)
    """
    if isinstance(number, float):
        return 0 in _SINGULAR[language] and int(abs(number)) in _SINGULAR[language]
    return abs(number) in _SINGULAR[language]


def text(key: str, language: str = "en", *, you: bool = False, **values: object) -> str:
    """The text of a key with its placeholders filled in.

    >>> text("log.pass", name="Anna"), text("log.pass", "fr", you=True, name="Vous")
    ('Anna passes', 'Vous passez')
    """
    words = _template(key, language, you)
    return words.format_map(values) if "{" in words else words


@cache
def _template(key: str, language: str, you: bool) -> str:
    return _PERSON.sub(r"\2" if you else r"\1", all_texts(language)[key])


class _Sentence(string.Formatter):
    """Fills in placeholders; numbers with a format, as in ``{games:,}``, are written as the language writes them."""

    def __init__(self, language: str) -> None:
        self._signs = str.maketrans({",": text("number.thousands", language), ".": text("number.decimal", language)})

    def format_field(self, value: object, format_spec: str) -> str:
        words = str(super().format_field(value, format_spec))
        return words.translate(self._signs) if format_spec else words


def sentence(key: str, language: str, values: Mapping[str, object]) -> str:
    """The text of a key with the values of a mapping, for errors and others whose values have any name.

    >>> sentence("action.no_id", "fr", {"action": "-1", "last": 9})
    "Il n'y a pas d'action -1\\xa0: les numéros d'action vont de 0 à 9."
    """
    return _Sentence(language).vformat(all_texts(language)[key], (), values)


def decimal(number: float, language: str = "en") -> str:
    """A number with one decimal.

    >>> decimal(7.25, "de")
    '7,2'
    """
    return f"{number:.1f}".replace(".", text("number.decimal", language))


@lru_cache(maxsize=4096, typed=True)
def amount(number: int | float, thing: str, language: str = "en", *, signed: bool = False) -> str:
    """A number of things, in the singular or the plural; with one decimal if it is not a whole number by nature.

    >>> amount(1, "ruble", signed=True), amount(2, "point", "de"), amount(0, "ruble", "fr"), amount(1.5, "point", "it")
    ('+1 ruble', '2 Punkte', '0 rouble', '1,5 punti')
    """
    form = "one" if is_one(number, language) else "many"
    shown = decimal(number, language) if isinstance(number, float) else f"{number:+}" if signed else str(number)
    return text(f"{thing}.{form}", language, n=shown)


def join(words: Sequence[str], language: str = "en") -> str:
    """One, two and three.

    >>> join(["Anna", "Boris", "Clara"], "it")
    'Anna, Boris e Clara'
    """
    if len(words) < 2:
        return "".join(words)
    return text("and", language, first=", ".join(words[:-1]), last=words[-1])


def series(parts: Sequence[str], language: str = "en") -> str:
    """What stands beside each other in one line; nothing without parts.

    >>> series(["Anna +1", "Boris +2"]), series([])
    ('Anna +1; Boris +2', '')
    """
    return reduce(lambda one, other: text("series", language, one=one, other=other), parts) if parts else ""


@lru_cache(maxsize=4096, typed=True)
def amounts(rubles: int, points: int, language: str = "en", *, signed: bool = False) -> str:
    """Rubles and points in words.

    >>> amounts(1, 3), amounts(0, 1, "it", signed=True), amounts(0, 0, "de")
    ('1 ruble and 3 points', '+1 punto', 'nichts')
    """
    parts = [amount(rubles, "ruble", language, signed=signed)] if rubles else []
    parts += [amount(points, "point", language, signed=signed)] if points else []
    return join(parts, language) if parts else text("nothing", language)
