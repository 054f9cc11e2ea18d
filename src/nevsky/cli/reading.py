"""A bar on the terminal while records are read or looked at, or games are played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

import typer

__all__ = ["playing_games", "reading_records"]

_EVERY_SECONDS: Final = 10


@contextmanager
def reading_records(what: str = "records") -> Iterator[Callable[[int, int], None]]:
    """What is called within the block with how many are done, and of how many, moves the bar."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    if not console.is_terminal:  # rich before 14 leaves an empty line there, even of a bar that is switched off
        yield lambda *_: None
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def playing_games() -> Iterator[Callable[[int, int], None]]:
    """The same for games: a bar in a terminal, a line now and then elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        last = monotonic()

        def say(done: int, total: int) -> None:
            nonlocal last
            if monotonic() - last >= _EVERY_SECONDS:
                last = monotonic()
                typer.echo(f"{done:,} of {total:,} games", err=True)

        yield say
        return
    parts = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*parts, console=console, transient=True) as bar:
        task = bar.add_task("games", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
