"""Names of cards inside of sentences, with the article that the language wants.

``names.csv`` has the gender of every name, ``-`` for one that stands alone (Peterhof) and ``!`` for one that is quoted
(Away With It!), and where it changes with the case also its form behind a definite article and its declined form.
``articles.csv`` has the words around it, by form, gender and the sound the name begins with, as in ``the.m.vowel``;
what is missing is looked up without the sound, then without the gender.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Final

from nevsky.cards import CARDS, KIND, name_key
from nevsky.texts import read_rows, read_texts, text

__all__ = ["CardPhrase", "hyphenated"]

_COPIES: Final[Counter[str]] = Counter()
for _card in CARDS:
    _COPIES[_card.name] += max(_card.copies_first, _card.copies_second, _card.copies_market)


class CardPhrase:
    """A card in a sentence: ``{card}`` is its name, ``{card:a}`` has the article of the language.

    Every language knows the forms ``a`` (which becomes ``the`` for cards that exist only once), ``the`` and ``of``,
    and ``The`` at the beginning of a sentence; a language may have more in its ``articles.csv``.

    >>> card = CardPhrase("lumberjack", "de")
    >>> f"{card}, {card:a}, {card:The}, {card:of}"
    'Holzfäller, einen Holzfäller, Der Holzfäller, vom Holzfäller'
    >>> f"{CardPhrase('hospital', 'fr'):the}, {CardPhrase('author', 'it'):a}, {CardPhrase('harbor'):a}"
    "l'Hôpital, uno Scrittore, the Harbor"
    """

    def __init__(
        self,
        card: str,
        language: str = "en",
        edition: str = "second",
        dress: Callable[[str, str], str] | None = None,
    ) -> None:
        self._card = card
        self._language = language
        self._edition = edition
        self._dress = dress

    def __str__(self) -> str:
        return format(self, "")

    def __format__(self, form: str) -> str:
        before, name, after = _said(self._card, self._language, self._edition, form)
        return before + (name if self._dress is None else self._dress(self._card, name)) + after


@cache
def _said(card: str, language: str, edition: str, form: str) -> tuple[str, str, str]:
    """The name in a form, with its market symbol where cards of that name differ in it, and what is around it."""
    row = read_rows(language, "names")[name_key(card, edition)]
    kind = CARDS[KIND[card]]
    if form == "a" and _COPIES[kind.name] == 1:
        form = "the"  # one buys the Bank, but a Lumberjack
    around = _around(language, form, row["gender"], row["text"]) if form else "{name}"
    before, case, after = re.split(r"\{(\w+)\}", around)
    name = row.get(case) or row["text"]
    return before, f"{name} ({text(f'good.{kind.symbol}', language)})" if kind.symbol else name, after


def _around(language: str, form: str, gender: str, name: str) -> str:
    articles = read_texts(language, "articles")
    sounds = ((key.removeprefix("sound."), words) for key, words in articles.items() if key.startswith("sound."))
    sound = next((sound for sound, start in sounds if re.match(start, name, re.IGNORECASE)), "")
    tried = [f"{form}.{gender}.{sound}", f"{form}.{gender}", f"{form}.{sound}", form]
    return next(articles[key] for key in tried if key in articles)


def hyphenated(card: str, language: str = "en", edition: str = "second") -> str:
    """The name of a card with soft hyphens where its long words may be divided.

    >>> hyphenated("tax_man", "de").split(chr(0xAD))
    ['Steuer', 'eintreiber']
    """
    row = read_rows(language, "names")[name_key(card, edition)]
    return (
        str(CardPhrase(card, language, edition))
        .replace(row["text"], row["hyphens"] or row["text"])
        .replace("|", "\u00ad")
    )
