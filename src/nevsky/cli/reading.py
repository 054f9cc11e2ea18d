"""A bar on the terminal while records are read or looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["reading_records"]


@contextmanager
def reading_records(what: str = "records") -> Iterator[Callable[[int, int], None]]:
    """What is called within the block with how many are done, and of how many, moves the bar."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
