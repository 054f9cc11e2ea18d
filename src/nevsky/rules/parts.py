"""All parts of plain data: the Market's and those of the modules, in the order of the registry."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Final

from nevsky.rules.course import FullPosition, whole_box
from nevsky.rules.market_data import MarketPart
from nevsky.rules.modules import ROOMS
from nevsky.rules.part import Part
from nevsky.rules.position import Position

__all__ = ["PARTS", "each_part", "parts_of"]


def _part(room: str) -> Part:
    part: Part = import_module(f"nevsky.rules.modules.{room}.data").PART
    return part


PARTS: Final[tuple[Part, ...]] = (MarketPart(), *(_part(room.id) for room in ROOMS))


def parts_of(position: FullPosition) -> list[Part]:
    """The Market's part and those of the modules in play."""
    return [part for part in PARTS if part.number == 0 or position.t.modules >> part.number & 1]


def each_part(position: Position) -> Iterator[tuple[Part, FullPosition]]:
    """Each part of a position with the position itself; nothing for the base game."""
    full = whole_box(position)
    if full is not None:
        for part in parts_of(full):
            yield part, full
