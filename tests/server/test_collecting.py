"""The garbage collector looks through everything when it is worth it, and rather when nobody waits."""

from __future__ import annotations

import gc
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


class Objects:
    """What Python knows of its objects, set by hand as well."""

    more = 0
    """New ones since everything was looked through."""
    dead = 0
    """Of which nobody would ever have heard again."""

    def get_count(self) -> tuple[int, int, int]:
        return self.more, 0, 0

    def collect(self) -> int:
        found, self.more, self.dead = self.dead, 0, 0
        return found


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Times:
    times = Times()
    monkeypatch.setattr(collecting, "time", times)
    return times


@pytest.fixture
def objects(monkeypatch: pytest.MonkeyPatch) -> Objects:
    objects = Objects()
    monkeypatch.setattr(collecting, "gc", objects)
    return objects


@pytest.fixture
def untouched() -> Iterator[None]:
    yield
    gc.enable()
    gc.unfreeze()


def test_nothing_is_looked_through_while_little_is_new(times: Times, objects: Objects) -> None:
    collector = Collector()
    times.now += 5
    objects.more = 99_999
    assert not collector.tick()


def test_a_quiet_moment_is_used_once_half_as_much_is_new_as_is_there(times: Times, objects: Objects) -> None:
    collector = Collector()
    times.now += 5
    objects.more, objects.dead = 500_000, 100_000
    assert collector.tick()
    times.now += 5
    objects.more = 299_999
    assert not collector.tick(), "400,000 were there"
    objects.more = 300_000
    assert not collector.tick(), "it looked just now"
    times.now += 5
    assert collector.tick()


def test_what_was_found_dead_is_not_counted_as_there(times: Times, objects: Objects) -> None:
    collector = Collector()
    for _ in range(10):
        times.now += 5
        objects.more = objects.dead = 100_000
        assert collector.tick()


def test_a_busy_server_waits_for_a_quiet_moment_but_not_for_ever(times: Times, objects: Objects) -> None:
    collector = Collector()
    for objects.more in (100_000, 150_000, 199_999):
        times.now += 2
        times.used += 1
        assert not collector.tick()
    times.now += 2
    times.used += 1
    objects.more = 200_000
    assert collector.tick()


def test_what_is_new_is_counted_while_python_itself_does_not_look(times: Times, untouched: None) -> None:
    Collector().start()
    assert gc.get_freeze_count() > 1000
    assert not gc.isenabled()
    before = gc.get_count()[0]
    kept = [[number] for number in range(10_000)]
    assert gc.get_count()[0] - before >= len(kept)


def test_cycles_that_nobody_holds_are_found(times: Times, untouched: None) -> None:
    collector = Collector()
    collector.start()
    for _ in range(60_000):
        one: list[object] = []
        one.append([one])
    times.now += 5
    assert gc.get_count()[0] > 100_000
    assert collector.tick()
    assert gc.get_count()[0] < 50_000
