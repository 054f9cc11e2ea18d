"""Words of strangers on a terminal: no control or format character among them does anything there."""

from __future__ import annotations

import unicodedata

__all__ = ["is_text", "printable"]


def is_text(words: str) -> bool:
    """Whether it can be written down: half of a character, as from bytes that are no text, cannot.

    >>> is_text("Нева"), is_text("\\udcff")
    (True, False)
    """
    return not any("\ud800" <= char <= "\udfff" for char in words)


def printable(words: object, keep: str = "") -> str:
    """The text with control, format and surrogate characters written out; those to keep stay as they are.

    >>> printable("An\\x1b[31mna \\u202e\\ud800")
    'An\\\\x1b[31mna \\\\u202e\\\\ud800'
    """
    return "".join(
        char if char in keep or not unicodedata.category(char).startswith("C") else _written(char)
        for char in str(words)
    )


def _written(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
