"""Work on all cores, or on the machines of a Ray cluster, in the order in which it is done."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from multiprocessing import connection, get_context, parent_process
from typing import Any, Final, TypeVar

from nevsky.errors import NevskyError
from nevsky.extras import needing

__all__ = ["follow_parent", "import_ray", "make_pool", "over_processes", "over_ray"]

_KNOCK_SECONDS: Final = 10.0
_QUIET: Final = {"log_to_driver": False, "logging_level": "ERROR"}
_Item = TypeVar("_Item")
_Done = TypeVar("_Done")


def over_processes(
    pool: ProcessPoolExecutor, work: Callable[[_Item], _Done], items: Iterable[_Item], most: int, died: NevskyError
) -> Generator[_Done, None, None]:
    """Do the work in the pool, at most so many pieces at a time; the pool ends with it, however that ends."""
    todo = iter(items)
    running: set[Future[_Done]] = set()
    clean = False
    try:
        while True:
            while len(running) < most and (item := next(todo, None)) is not None:
                running.add(pool.submit(work, item))
            if not running:
                break
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
        clean = True
    except BrokenProcessPool as error:
        raise died from error
    finally:
        workers = [] if clean else list((pool._processes or {}).values())
        results: Any = pool._result_queue
        pool.shutdown(wait=clean, cancel_futures=True)
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(5)
            if worker.is_alive():
                worker.kill()
        if workers:
            # Who reads the half of a result of a worker that is gone must meet the end, or would wait for ever.
            results._writer.close()


def make_pool(jobs: int, prepare: Callable[..., None], *given: Any) -> ProcessPoolExecutor:
    """Processes that share nothing with this one."""
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=prepare, initargs=given)


def follow_parent(leave: Callable[[], None] | None = None) -> None:
    """In a worker: leave Ctrl-C to the parent, and do not outlive it, after doing what is to be done on leaving."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        if leave is not None:
            leave()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def import_ray() -> Any:
    """Ray, which is not a dependency: a sentence tells how to get it."""
    with needing("ray", __name__):
        return import_module("ray")


def over_ray(
    work: Callable[[Any, _Item], _Done],
    given: Any,
    items: Iterable[_Item],
    address: str,
    jobs: int | None,
    ahead: int,
    died: NevskyError,
) -> Generator[_Done, None, None]:
    """Do the work as tasks of a Ray cluster, or with the address ``local`` of one on this machine."""
    ray = import_ray()
    # Ray tells of lost workers on stdout, where our tables and figures go.
    with redirect_stdout(sys.stderr), _connected(ray, address, jobs):
        try:
            yield from _tasks(ray, work, given, items, ahead)
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, NevskyError):
                raise error.cause from None
            raise
        except ray.exceptions.RayError as error:
            raise died from error


def _tasks(
    ray: Any, work: Callable[[Any, _Item], _Done], given: Any, items: Iterable[_Item], ahead: int
) -> Generator[_Done, None, None]:
    task = ray.remote(work)
    cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
    todo = iter(items)
    shared = ray.put(given)
    running: list[Any] = []
    while True:
        while len(running) < cores * ahead and (item := next(todo, None)) is not None:
            running.append(task.remote(shared, item))
        if not running:
            return
        done, running = ray.wait(running)
        yield from ray.get(done)


@contextmanager
def _connected(ray: Any, address: str, jobs: int | None) -> Iterator[None]:
    """A connection to a cluster; one that was started for it ends with it."""
    try:
        if address == "local":
            with _interrupts_wait():
                _start(ray, jobs)
        else:
            _connect(ray, address)
        yield
    finally:
        ray.shutdown()


def _start(ray: Any, jobs: int | None) -> None:
    try:
        ray.init(address="local", num_cpus=jobs, include_dashboard=False, **_QUIET)
    except Exception as error:
        raise NevskyError("ray.no_start", reason=_reason(error)) from error


def _connect(ray: Any, address: str) -> None:
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if host and port.isdecimal():  # Ray itself would knock for minutes
            socket.create_connection((host.strip("[]"), int(port)), _KNOCK_SECONDS).close()
        ray.init(address=address, **_QUIET)
    except Exception as error:
        raise NevskyError("ray.no_cluster", address=address, reason=_reason(error)) from error


def _reason(error: Exception) -> str:
    lines = str(getattr(error, "strerror", None) or error).strip().splitlines()
    return lines[0].rstrip(".:") if lines else type(error).__name__


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Keep Ctrl-C for the end of this: processes of a cluster that is half started would stay for a while."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: came.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came.is_set():
            signal.raise_signal(signal.SIGINT)
