"""Games on all cores, or on the machines of a Ray cluster."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from multiprocessing import connection, get_context, parent_process
from multiprocessing.util import Finalize
from types import FrameType
from typing import Any, Final

from nevsky.arena.playing import Played, play
from nevsky.arena.setup import Setup
from nevsky.bots.programs import close_programs, kill_programs
from nevsky.errors import NevskyError

__all__ = ["import_ray", "in_processes", "on_ray", "one_by_one"]

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
    """In a worker: leave Ctrl-C to the parent, and leave no program behind however this process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    Finalize(None, close_programs, exitpriority=10)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        kill_programs()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _leave(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001
    kill_programs()
    os._exit(1)


def in_processes(setup: Setup, numbers: Sequence[int], jobs: int) -> Generator[Played, None, None]:
    """Games in so many processes, in the order in which they end."""
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_prepare)
    todo = iter(numbers)
    running: set[Future[Played]] = set()
    clean = False
    try:
        while True:
            while len(running) < jobs * _AHEAD and (number := next(todo, None)) is not None:
                running.add(pool.submit(play, setup, number))
            if not running:
                break
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
        clean = True
    except BrokenProcessPool as error:
        raise NevskyError(
            "A process of the arena has died, perhaps with one of the bots. What was played is kept."
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


def import_ray() -> Any:
    """Ray, which is not a dependency: a sentence tells how to get it."""
    try:
        return import_module("ray")
    except ImportError as error:
        raise NevskyError("Ray is not installed: pip install 'nevsky[ray]'.") from error


def _batch(setup: Setup, numbers: Sequence[int]) -> list[Played]:
    return list(one_by_one(setup, numbers))


def on_ray(
    setup: Setup, numbers: Sequence[int], address: str, jobs: int | None = None
) -> Generator[Played, None, None]:
    """Games as tasks of a Ray cluster, or with the address ``local`` of one on this machine."""
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
        task = ray.remote(_batch)
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        size = setup.schedule.per_deal
        todo = iter([numbers[first : first + size] for first in range(0, len(numbers), size)])
        given = ray.put(setup)
        running: list[Any] = []
        while True:
            while len(running) < cores * _AHEAD and (batch := next(todo, None)) is not None:
                running.append(task.remote(given, batch))
            if not running:
                return
            done, running = ray.wait(running)
            for played in ray.get(done):
                yield from played
    finally:
        ray.shutdown()
