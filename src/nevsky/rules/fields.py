"""Objects that consist of plain numbers: each number is declared once, as an annotation of its class.

``Annotated[list[int], 5]`` is an array of five. Compiled, the numbers are C fields (`tools/pxd.py` writes them into
the ``.pxd``), new objects are zeroed by Python and a copy is one move of memory: ``fields.pyx`` stands for this file.
Uncompiled, both are done by looking at the annotations.
"""

from __future__ import annotations

from typing import NamedTuple, get_args, get_type_hints

__all__ = ["SCRATCH", "Fields"]

SCRATCH = "scratch"
"""Marks an array whose content nobody relies on; uncompiled copies share it."""


class _Layout(NamedTuple):
    """What a class and those below it declare."""

    numbers: list[str]
    arrays: dict[str, int]
    scratch: dict[str, int]
    parts: list[str]
    """Objects that may be missing."""


_LAYOUTS: dict[type, _Layout] = {}


def _layout(cls: type) -> _Layout:
    found = _LAYOUTS.get(cls)
    if found is None:
        found = _LAYOUTS[cls] = _read_layout(cls)
    return found


def _read_layout(cls: type) -> _Layout:
    found = _Layout([], {}, {}, [])
    for name, hint in get_type_hints(cls, include_extras=True).items():
        about = getattr(hint, "__metadata__", ())
        if about:
            (found.scratch if SCRATCH in about else found.arrays)[name] = about[0]
        elif hint is int:
            found.numbers.append(name)
        elif type(None) in get_args(hint):
            found.parts.append(name)
    return found


class Fields:
    """The base of everything that is copied often."""

    def clear_fields(self) -> None:
        """Set all numbers to zero."""
        layout = _layout(type(self))
        for name in layout.numbers:
            setattr(self, name, 0)
        for name, size in (layout.arrays | layout.scratch).items():
            setattr(self, name, [0] * size)
        for name in layout.parts:
            setattr(self, name, None)

    def copy_fields(self, c: Fields, cls: type) -> None:
        """Give ``c`` the numbers that ``cls`` and the classes below it declare."""
        layout = _layout(cls)
        for name in (*layout.numbers, *layout.scratch):
            setattr(c, name, getattr(self, name))
        for name in layout.arrays:
            setattr(c, name, getattr(self, name)[:])
