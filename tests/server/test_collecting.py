"""The garbage collector looks through everything when it is worth it, and rather when nobody waits."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from nevsky.server import collecting
from nevsky.server.collecting import Collector


class Times:
    """A clock and a processor that are set by hand."""

    now = 100.0
    used = 10.0

    def monotonic(self) -> float:
        return self.now

    def process_time(self) -> float:
        return self.used


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Iterator[Times]:
    times = Times()
    monkeypatch.setattr(collecting, "time", times)
    thresholds = gc.get_threshold()
    yield times
    gc.set_threshold(*thresholds)
    gc.unfreeze()
    gc.enable()


def test_nothing_is_looked_through_while_little_has_gone(times: Times) -> None:
    collector = Collector()
    times.now += 5
    assert not collector.tick(alive=1000, gone=1400)


def test_a_quiet_moment_is_used_once_as_much_has_gone_as_is_there(times: Times) -> None:
    collector = Collector()
    times.now += 5
    assert collector.tick(alive=1000, gone=1500)
    times.now += 5
    assert not collector.tick(alive=1000, gone=2900), "what had gone before counts no more"
    times.now += 5
    assert collector.tick(alive=1000, gone=3000)


def test_a_busy_server_waits_for_a_quiet_moment_but_not_for_ever(times: Times) -> None:
    collector = Collector()
    for gone in (1500, 2999):
        times.now += 2
        times.used += 1
        assert not collector.tick(alive=1000, gone=gone)
    times.now += 2
    times.used += 1
    assert collector.tick(alive=1000, gone=3000)


def test_what_was_there_at_the_start_is_never_looked_through_again(times: Times) -> None:
    Collector().start()
    assert gc.get_freeze_count() > 1000
    assert gc.get_threshold()[2] > 1_000_000


def test_a_busy_server_does_not_look_at_what_is_new_until_it_is_calm(times: Times) -> None:
    collector = Collector()
    for share, looks in ((0.5, True), (0.7, False), (0.5, False), (0.3, True), (0.5, True)):
        times.now += 2
        times.used += 2 * share
        assert not collector.tick(alive=1000, gone=0)
        assert gc.isenabled() is looks


class Knot:
    """Holds itself, so that only the collector finds it."""

    def __init__(self) -> None:
        self.itself = self


def test_a_busy_server_looks_once_through_what_has_become_more(times: Times, monkeypatch: pytest.MonkeyPatch) -> None:
    collector = Collector()
    old = Knot()
    gc.collect()
    monkeypatch.setattr(collecting, "_MOST", 10_000)
    times.now += 2
    times.used += 2
    assert not collector.tick(alive=1000, gone=0)
    new = Knot()
    left = [weakref.ref(old), weakref.ref(new)]
    del old, new
    kept = [[number] for number in range(10_000)]
    assert [there() is None for there in left] == [False, False]
    times.now += 2
    times.used += 2
    assert not collector.tick(alive=1000, gone=0), "but not through everything"
    assert [there() is None for there in left] == [False, True]
    assert gc.get_count()[0] < len(kept)
