"""Chunks of games on all cores, or on the machines of a Ray cluster, in the order in which they are done."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, get_context, parent_process
from typing import Any, Final

from nevsky.arena.workers import import_ray
from nevsky.errors import NevskyError
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
    """In a worker: leave Ctrl-C to the parent, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Worker.job = job
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _play(number: int) -> Played:
    return number, play_chunk(_Worker.job, number)


def in_processes(job: Job, numbers: Sequence[int], jobs: int) -> Generator[Played, None, None]:
    """Chunks in so many processes."""
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_prepare, initargs=(job,))
    todo = iter(numbers)
    running: set[Future[Played]] = set()
    clean = False
    try:
        while True:
            while len(running) < jobs * _AHEAD and (number := next(todo, None)) is not None:
                running.add(pool.submit(_play, number))
            if not running:
                break
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
        clean = True
    except BrokenProcessPool as error:
        raise NevskyError(
            "A process that played games has died. What was played is kept, and the same command goes on."
        ) from error
    finally:
        workers = [] if clean else list((pool._processes or {}).values())
        pool.shutdown(wait=clean, cancel_futures=True)
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(5)
            if worker.is_alive():
                worker.kill()


def _numbered(job: Job, number: int) -> Played:
    return number, play_chunk(job, number)


def on_ray(job: Job, numbers: Sequence[int], address: str, jobs: int | None) -> Generator[Played, None, None]:
    """Chunks as tasks of a Ray cluster, or with the address ``local`` of one on this machine."""
    ray = import_ray()
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == "local":
        options |= {"include_dashboard": False, "num_cpus": jobs}
    else:
        options["address"] = address
    try:
        ray.init(**options)
    except Exception as error:
        raise NevskyError(f"There is no Ray cluster at {address}: {error}.") from error
    try:
        task = ray.remote(_numbered)
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        todo = iter(numbers)
        given = ray.put(job)
        running: list[Any] = []
        while True:
            while len(running) < cores * _AHEAD and (number := next(todo, None)) is not None:
                running.append(task.remote(given, number))
            if not running:
                return
            done, running = ray.wait(running)
            yield from ray.get(done)
    finally:
        ray.shutdown()
