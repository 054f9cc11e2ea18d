"""Games on all cores, or on the machines of a Ray cluster."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing.util import Finalize
from types import FrameType
from typing import Final

from nevsky.arena.playing import Played, play
from nevsky.arena.setup import Setup
from nevsky.bots.programs import close_programs, kill_programs
from nevsky.errors import NevskyError
from nevsky.parallel import follow_parent, make_pool, over_processes, over_ray

__all__ = ["in_processes", "of_several", "on_ray", "one_by_one"]

_AHEAD: Final = 3
"""Games that wait for each worker, so that none is ever idle."""


def one_by_one(setup: Setup, numbers: Sequence[int]) -> Generator[Played, None, None]:
    """Games in this process."""
    try:
        for number in numbers:
            yield play(setup, number)
    finally:
        close_programs()


def _prepare() -> None:
    """In a worker: leave no program behind however this process ends, and standard output to the parent."""
    with suppress(OSError):
        os.dup2(2, 1)  # bots may write there by ways of their own
    follow_parent(kill_programs)
    signal.signal(signal.SIGTERM, _leave)
    Finalize(None, close_programs, exitpriority=10)


def _leave(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one would end us with programs still to be killed
    kill_programs()
    os._exit(1)


def in_processes(setup: Setup, numbers: Sequence[int], jobs: int) -> Generator[Played, None, None]:
    """Games in so many processes, in the order in which they end."""
    return over_processes(
        make_pool(jobs, _prepare), partial(play, setup), numbers, jobs * _AHEAD, NevskyError("arena.died")
    )


def _play_one(setups: Sequence[Setup], task: tuple[int, int]) -> tuple[int, Played]:
    return task[0], play(setups[task[0]], task[1])


def of_several(
    setups: Sequence[Setup], tasks: Sequence[tuple[int, int]], jobs: int
) -> Generator[tuple[int, Played], None, None]:
    """Games of several setups, each named by the place of its setup and its number, in so many processes."""
    if jobs == 1:
        try:
            for task in tasks:
                yield _play_one(setups, task)
        finally:
            close_programs()
        return
    yield from over_processes(
        make_pool(jobs, _prepare), partial(_play_one, setups), tasks, jobs * _AHEAD, NevskyError("arena.died")
    )


def _batch(setup: Setup, numbers: Sequence[int]) -> list[Played]:
    return list(one_by_one(setup, numbers))


def on_ray(
    setup: Setup, numbers: Sequence[int], address: str, jobs: int | None = None
) -> Generator[Played, None, None]:
    """Games as tasks of a Ray cluster, or with the address ``local`` of one on this machine."""
    size = setup.schedule.per_deal
    batches = [numbers[first : first + size] for first in range(0, len(numbers), size)]
    for played in over_ray(_batch, setup, batches, address, jobs, _AHEAD, NevskyError("arena.died")):
        yield from played
