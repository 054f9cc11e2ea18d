"""Importing the rules uncompiled, for debugging and for comparing both speeds: set NEVSKY_PURE=1."""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class _SourceFirst:
    """Finds the ``.py`` beside a compiled module."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not name.startswith("nevsky."):
            return None
        found = PathFinder.find_spec(name, path, target)
        if found is None or found.origin is None or found.origin.endswith(".py"):
            return found
        source = Path(found.origin).with_name(name.rpartition(".")[2] + ".py")
        return importlib.util.spec_from_file_location(name, source)


def install() -> None:
    """From now on the rules are imported from their sources."""
    sys.meta_path.insert(0, _SourceFirst())
