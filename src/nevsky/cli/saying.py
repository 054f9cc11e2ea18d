"""Printing words that strangers may have chosen: names, files, whatever a record or a bot says."""

from __future__ import annotations

import json
import sys
from typing import Any

from nevsky.printable import printable

__all__ = ["say", "say_json"]


def say(words: object, *, err: bool = False) -> None:
    """Print a line, or several; no control character among the words reaches the terminal."""
    print(printable(words, keep="\n"), file=sys.stderr if err else sys.stdout)


def say_json(data: Any) -> None:
    """Print a line of JSON with letters as they are, but control and format characters written out, as JSON does."""
    text = json.dumps(data, ensure_ascii=False)
    print("".join(json.dumps(char)[1:-1] if printable(char) != char else char for char in text))
