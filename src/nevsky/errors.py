"""The one exception that bad input raises, and the words its sentences are made of."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["NevskyError", "Words"]


class Words:
    """A text of `nevsky.texts` by its key, with its values: worded only when somebody reads it, in their language.

    >>> Words("the_pile.noble").text("de")
    'Adeligenstapel'
    """

    def __init__(self, key: str, /, **values: object) -> None:
        self.key = key
        self.values = values

    def text(self, language: str = "en") -> str:
        """The words in a language."""
        return _worded(self.key, self.values, language)


class NevskyError(ValueError):
    """Something that was asked for cannot be done; whatever raised it has changed nothing.

    It carries the key of its sentence in ``texts/<language>/errors.csv`` and the values that go into it.

    >>> error = NevskyError("ruleset.module_market", module=3, name=Words("module.3"))
    >>> str(error)
    'Module 3 (Assistants) needs the Market (rule 1.3).'
    >>> error.text("de")
    'Modul 3 (Die Helfer) braucht den Markt (Regel 1.3).'
    """

    def __init__(self, key: str, /, **values: object) -> None:
        if " " in key:
            raise TypeError(f"A NevskyError has the key of a sentence, not a sentence: {key!r}.")
        super().__init__(key)
        self.key = key
        self.values = values

    def __str__(self) -> str:
        return self.text()

    def text(self, language: str = "en") -> str:
        """The sentence for people, in their language."""
        return _worded(self.key, self.values, language)


def _worded(key: str, values: Mapping[str, object], language: str) -> str:
    from nevsky.texts import sentence  # only now: the rules know no texts, and most errors are never read

    words = {
        name: value.text(language) if isinstance(value, Words | NevskyError) else value
        for name, value in values.items()
    }
    return sentence(key, language, words)
