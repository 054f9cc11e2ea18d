"""Work in processes, and on a Ray cluster: here a stand-in that does everything at once, to see what is asked of it."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import pytest

from nevsky.errors import NevskyError
from nevsky.parallel import follow_parent, make_pool, over_processes, over_ray

DIED = NevskyError("export.died")


class RayError(Exception):
    """What Ray raises if anything is wrong with the cluster."""


class RayTaskError(RayError):
    """What Ray raises where a task has raised."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(f"a long traceback that ends with {cause}")
        self.cause = cause


class Ray:
    """Two cores, and tasks that are done when they are asked for."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self) -> None:
        self.options: dict[str, Any] = {}
        self.ended = 0
        self.most = 0
        self.when_starting: Callable[[], None] = lambda: None

    def init(self, **options: Any) -> None:
        self.options = options
        self.when_starting()

    def shutdown(self) -> None:
        self.ended += 1

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def put(self, given: object) -> object:
        return given

    def remote(self, work: Callable[..., object]) -> object:
        return SimpleNamespace(remote=lambda *given: lambda: work(*given))

    def wait(self, running: list[Any]) -> tuple[list[Any], list[Any]]:
        self.most = max(self.most, len(running))
        return running[-1:], running[:-1]

    def get(self, done: list[Callable[[], object]]) -> list[object]:
        return [task() for task in done]


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Ray:
    ray = Ray()
    monkeypatch.setitem(sys.modules, "ray", ray)
    return ray


def add(given: int, item: int) -> int:
    return given + item


def spread(address: str = "local", work: Callable[[Any, int], object] = add, numbers: int = 20) -> Iterator[object]:
    return over_ray(work, 100, range(1, numbers + 1), address, 2, 3, DIED)


def test_everything_is_done_and_no_more_than_needed_waits(ray: Ray) -> None:
    assert sorted(map(str, spread())) == sorted(str(100 + item) for item in range(1, 21))
    assert ray.most == 6
    assert ray.ended == 1


def test_a_local_cluster_is_a_new_one_with_so_many_cores(ray: Ray) -> None:
    list(spread())
    assert ray.options.items() >= {"address": "local", "num_cpus": 2, "include_dashboard": False}.items()


def test_a_cluster_that_is_there_keeps_its_cores(ray: Ray) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        list(spread(address))
        assert ray.options["address"] == address and "num_cpus" not in ray.options
        list(spread(f"ray://{address}"))
        assert ray.options["address"] == f"ray://{address}"
    list(spread("auto"))
    assert ray.options["address"] == "auto"


def test_where_nobody_listens_ray_is_not_even_asked(ray: Ray) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
    with pytest.raises(NevskyError, match=rf"^There is no Ray cluster at {address}: Connection refused\.$"):
        list(spread(address))
    assert not ray.options


def test_what_ray_says_becomes_one_sentence(ray: Ray) -> None:
    def fail() -> None:
        raise ValueError("This is no address.\nHere is a long story.")

    ray.when_starting = fail
    with pytest.raises(NevskyError, match=r"^There is no Ray cluster at neva: This is no address\.$"):
        list(spread("neva"))
    with pytest.raises(NevskyError, match=r"^Ray cannot be started here: This is no address\.$"):
        list(spread())
    assert ray.ended == 2


def test_a_sentence_from_a_task_stays_a_sentence(ray: Ray) -> None:
    def refuse(given: int, item: int) -> int:
        raise RayTaskError(NevskyError("game.over"))

    with pytest.raises(NevskyError, match=r"^The game is over\.$"):
        list(spread(work=refuse))
    assert ray.ended == 1


def test_a_fault_in_a_task_is_shown_as_it_is(ray: Ray) -> None:
    def stumble(given: int, item: int) -> int:
        raise RayTaskError(ZeroDivisionError("ouch"))

    with pytest.raises(RayTaskError, match="a long traceback that ends with ouch"):
        list(spread(work=stumble))
    assert ray.ended == 1


def test_a_lost_worker_is_told(ray: Ray) -> None:
    def die(given: int, item: int) -> int:
        raise RayError

    with pytest.raises(NevskyError, match=r"^A process that read records has died"):
        list(spread(work=die))
    assert ray.ended == 1


def test_leaving_early_ends_the_cluster(ray: Ray) -> None:
    with closing(over_ray(add, 100, range(1, 21), "local", 2, 3, DIED)) as found:
        next(found)
        ended = ray.ended
    assert (ended, ray.ended) == (0, 1)


def test_what_ray_prints_does_not_mix_with_our_figures(ray: Ray, capsys: pytest.CaptureFixture[str]) -> None:
    def talk(given: int, item: int) -> int:
        print("(raylet) a worker died")
        return item

    list(spread(work=talk, numbers=1))
    print("figures")
    said = capsys.readouterr()
    assert said.out == "figures\n" and "raylet" in said.err


def test_ctrl_c_while_a_cluster_starts_waits_for_it(ray: Ray) -> None:
    steps: list[str] = []

    def interrupted() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        steps.append("started")

    ray.when_starting = interrupted
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        list(spread())
    assert steps == ["started"] and ray.ended == 1
    assert signal.getsignal(signal.SIGINT) is before


def write_much(item: int) -> bytes:
    return bytes(2_000_000)


@pytest.mark.parametrize("milliseconds", range(0, 20, 2))
def test_who_is_stopped_while_workers_write_does_not_wait_for_the_rest(milliseconds: int) -> None:
    pool = make_pool(2, follow_parent)
    work = over_processes(pool, write_much, range(1_000_000), 4, DIED)
    for _ in range(8):
        assert len(next(work)) == 2_000_000
    reader: Any = pool._executor_manager_thread
    time.sleep(milliseconds / 1000)
    work.close()
    reader.join(30)
    assert not reader.is_alive()
