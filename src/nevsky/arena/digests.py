"""Fingerprints of bots: one that was changed is another one."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from importlib.machinery import all_suffixes
from itertools import islice
from pathlib import Path
from typing import Final

__all__ = ["digest", "imported_files"]

_MOST_BYTES: Final = 50_000_000
_MOST_FILES: Final = 1000


def digest(words: Iterable[str]) -> str:
    """A fingerprint of those words that are files, and of what Python files import from beside them."""
    total = hashlib.sha256()
    for word in words:
        path = Path(word)
        if not path.is_file():
            continue
        total.update(_content(path))
        for name, other in sorted(imported_files(path).items()):
            total.update(f"\0{name}\0".encode("utf-8", "surrogateescape"))
            total.update(_content(other))
    return total.hexdigest()[:16]


def imported_files(path: Path) -> dict[str, Path]:
    """What a Python file imports from its own folder, at once or later, directly or not, by relative path.

    Imports are read and not observed: a bot may make some of them only in the middle of a game. Of a package all
    modules count.
    """
    folder = path.resolve().parent
    start = path.resolve()
    found: dict[str, Path] = {}
    todo, seen = [start], {start}
    while todo and len(seen) < _MOST_FILES:
        for name in _imports(todo.pop()):
            for other in _modules(folder, name):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
                    found[other.relative_to(folder).as_posix()] = other
    return found


def _imports(path: Path) -> set[str]:
    """The first words of all names that a file imports."""
    if path.suffix != ".py":
        return set()
    try:
        tree = ast.parse(_content(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:  # of a package all modules count
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


def _modules(folder: Path, name: str) -> Iterator[Path]:
    single = (folder / f"{name}{suffix}" for suffix in all_suffixes())
    yield from (path for path in single if path.is_file())
    if (folder / name).is_dir():
        yield from sorted(islice((folder / name).rglob("*.py"), _MOST_FILES))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.stat().st_size < _MOST_BYTES else b""
    except OSError:
        return b""
