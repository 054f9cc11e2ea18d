"""Work on all cores, or on the machines of a Ray cluster, in the order in which it is done."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from multiprocessing import get_context
from typing import Any, TypeVar

from nevsky.errors import NevskyError

__all__ = ["import_ray", "make_pool", "over_processes", "over_ray"]

_Item = TypeVar("_Item")
_Done = TypeVar("_Done")


def over_processes(
    pool: ProcessPoolExecutor, work: Callable[[_Item], _Done], items: Iterable[_Item], most: int, died: str
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
        raise NevskyError(died) from error
    finally:
        workers = [] if clean else list((pool._processes or {}).values())
        pool.shutdown(wait=clean, cancel_futures=True)
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(5)
            if worker.is_alive():
                worker.kill()


def make_pool(jobs: int, prepare: Callable[..., None], *given: Any) -> ProcessPoolExecutor:
    """Processes that share nothing with this one."""
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=prepare, initargs=given)


def import_ray() -> Any:
    """Ray, which is not a dependency: a sentence tells how to get it."""
    try:
        return import_module("ray")
    except ImportError as error:
        raise NevskyError("Ray is not installed: pip install 'nevsky[ray]'.") from error


def over_ray(
    work: Callable[[Any, _Item], _Done],
    given: Any,
    items: Iterable[_Item],
    address: str,
    jobs: int | None,
    ahead: int,
) -> Generator[_Done, None, None]:
    """Do the work as tasks of a Ray cluster, or with the address ``local`` of one on this machine."""
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
    finally:
        ray.shutdown()
