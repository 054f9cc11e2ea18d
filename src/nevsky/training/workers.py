"""Chunks of games on all cores, or on the machines of a Ray cluster, in the order in which they are done."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final

from nevsky.errors import NevskyError
from nevsky.parallel import follow_parent, make_pool, over_processes, over_ray
from nevsky.training.chunks import Job, play_chunk

__all__ = ["Played", "in_processes", "on_ray", "one_by_one"]

Played = tuple[int, bytes]
"""The number of a chunk, and its samples as they are kept."""
_AHEAD: Final = 2
"""Chunks that wait for each worker, so that none is ever idle."""


def one_by_one(job: Job, numbers: Sequence[int]) -> Generator[Played, None, None]:
    """Chunks in this process."""
    for number in numbers:
        yield number, play_chunk(job, number)


class _Worker:
    job: Job
    """What this process plays: sent once, since the network in it is large."""


def _prepare(job: Job) -> None:
    follow_parent()
    _Worker.job = job


def _play(number: int) -> Played:
    return number, play_chunk(_Worker.job, number)


def in_processes(job: Job, numbers: Sequence[int], jobs: int) -> Generator[Played, None, None]:
    """Chunks in so many processes."""
    return over_processes(make_pool(jobs, _prepare, job), _play, numbers, jobs * _AHEAD, NevskyError("training.died"))


def _numbered(job: Job, number: int) -> Played:
    return number, play_chunk(job, number)


def on_ray(job: Job, numbers: Sequence[int], address: str, jobs: int | None) -> Generator[Played, None, None]:
    """Chunks as tasks of a Ray cluster, or with the address ``local`` of one on this machine."""
    return over_ray(_numbered, job, numbers, address, jobs, _AHEAD, NevskyError("training.died"))
