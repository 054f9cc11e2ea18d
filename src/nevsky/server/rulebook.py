"""The rules as we play them, as data: sections and numbered rules."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import nevsky.texts
from nevsky.server.protocol import Language, RuleBook, RuleSection, RuleText

__all__ = ["rule_book", "rules_file"]

_HEADING: Final = re.compile(r"(#+) (?:(\d+(?:\.\d+)?)\.? )?(.+)")
_NUMBERED: Final = re.compile(r"\*\*([D\d][\d.]*(?: [a-z])?)\*\*\s+")


def rules_file(language: str) -> Path:
    """Where the rules of a language stand."""
    return Path(nevsky.texts.__file__).parent / language / "rules.md"


@cache
def rule_book(language: Language = "en") -> RuleBook:
    """All sections in their order."""
    title = ""
    sections: list[RuleSection] = []
    markdown = rules_file(language).read_text(encoding="utf-8")
    for block in markdown.split("\n\n"):
        text = block.strip("\n")
        heading = _HEADING.match(text)
        if heading is not None:
            marks, number, words = heading.groups()
            if len(marks) == 1:
                title = words
                sections.append(RuleSection(number=None, title=words, level=1, rules=[]))
            else:
                sections.append(RuleSection(number=number, title=words, level=len(marks), rules=[]))
        elif text:
            found = _NUMBERED.match(text)
            rule = RuleText(number=found.group(1) if found else None, text=text[found.end() :] if found else text)
            sections[-1].rules.append(rule)
    return RuleBook(language=language, title=title, markdown=markdown, sections=sections)
