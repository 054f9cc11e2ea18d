"""Those who were forgotten: what is left of them has no name in any language, only a mark that is shown as words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from nevsky.texts import text

__all__ = ["FORMER", "is_former", "shown_name", "shown_names"]

FORMER: Final = "\ue000"
"""Nobody can be called so: characters for private use are taken out of names."""


def is_former(name: str) -> bool:
    """Whether it is the name of somebody who was forgotten."""
    return name.startswith(FORMER)


def shown_name(name: str, language: str) -> str:
    """The name as people read it; several at one table are told apart by a number.

    >>> shown_name(FORMER + " 2", "de"), shown_name("Anna", "de")
    ('Ehemals dabei 2', 'Anna')
    """
    return text("former_player", language) + name[len(FORMER) :] if is_former(name) else name


def shown_names(names: Iterable[str], language: str) -> list[str]:
    """The same for all of a table."""
    return [shown_name(name, language) for name in names]
