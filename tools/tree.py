"""The files of the project: what git keeps, or what was not built there.

The latter in an unpacked source archive, which has no git.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

__all__ = ["files", "kept_by_git", "walked"]

_BUILT: Final = ("build", "dist", "src/nevsky/server/static", "src/nevsky/server/documentation/site")
_BUILT_ANYWHERE: Final = ("__pycache__", "node_modules", ".egg-info")
_BUILT_FILES: Final = (".so", ".pyd", ".pyc", ".pyo", ".db", ".db-wal", ".db-shm")
_TRAINED: Final = ("benchmarks/baselines/*-*.pt", "benchmarks/baselines/*-*.weights")


def files(root: Path) -> list[str]:
    """The names of all files below a directory that are the project's own."""
    return kept_by_git(root) if (root / ".git").exists() and shutil.which("git") else walked(root)


def kept_by_git(root: Path) -> list[str]:
    """What git has."""
    done = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=True)
    return [name for name in done.stdout.decode().split("\0") if name]


def walked(root: Path) -> list[str]:
    """What lies there, but for what is built."""
    found = []
    for folder, below, names in os.walk(root):
        here = Path(folder).relative_to(root)
        below[:] = [name for name in below if not _is_built(here / name)]
        found += [(here / name).as_posix() for name in names if not _is_made(here / name)]
    return sorted(found)


def _is_built(folder: Path) -> bool:
    hidden = folder.name.startswith(".") and folder.name != ".github"  # .venv, caches, .git itself
    return hidden or folder.as_posix() in _BUILT or folder.name.endswith(_BUILT_ANYWHERE)


def _is_made(file: Path) -> bool:
    """Cython leaves C beside its sources, and pages with notes."""
    compiled = file.suffix in _BUILT_FILES or (file.parts[0] == "src" and file.suffix in (".c", ".html"))
    return compiled or file.name == ".git" or any(file.match(pattern) for pattern in _TRAINED)
