"""Limits of several processes: together they allow hardly more than one, and nobody pays for what others did."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nevsky.server.buckets import LATE
from nevsky.server.errors import Refusal
from nevsky.server.rate_limits import Limits
from nevsky.server.settings import Settings
from nevsky.server.taken import TOLD_BUDGETS, TOLD_MEMBERS, Share, Taken

PERIOD = 0.5
ADDRESS = "192.0.2.1"


class Cluster:
    """Processes that tell each other every half second what they allowed; it arrives up to half a second later."""

    def __init__(self, processes: int, rng: random.Random, **options: str) -> None:
        self.now = 1000.0
        self.rng = rng
        self.all = [Limits(Settings(**options), lambda: self.now) for _ in range(processes)]  # type: ignore[arg-type]
        self._due: list[tuple[float, int, list[Share]]] = []
        self._next = [self.now + rng.random() * PERIOD for _ in self.all]
        for each in self.all:
            each.taken = Taken()

    def wait(self, seconds: float) -> None:
        """Time passes, and with it the news."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + 0.05)
            for number, limits in enumerate(self.all):
                if self.now >= self._next[number]:
                    self._next[number] += PERIOD
                    assert limits.taken is not None
                    told = limits.taken.drain()
                    self._due += [
                        (self.now + self.rng.random() * PERIOD, other, told)
                        for other in range(len(self.all))
                        if other != number
                    ]
            arrived = [each for each in self._due if each[0] <= self.now]
            self._due = [each for each in self._due if each[0] > self.now]
            for _, other, told in arrived:
                for share in told:
                    self.all[other].taken_elsewhere(share)

    def asks(self, kind: str, who: str, process: int | None = None, address: str = ADDRESS) -> bool:
        """Whether one more is allowed at a process, or at any."""
        limits = self.all[self.rng.randrange(len(self.all)) if process is None else process]
        try:
            limits.check(kind, who, address)
        except Refusal:
            return False
        return True


@settings(max_examples=25, deadline=None)
@given(
    processes=st.integers(2, 4),
    seed=st.integers(0, 10_000),
    steps=st.lists(st.tuples(st.floats(0.0, 3.0), st.integers(0, 30)), min_size=5, max_size=40),
)
def test_whatever_the_order_all_together_allow_little_more_than_one(
    processes: int, seed: int, steps: list[tuple[float, int]]
) -> None:
    cluster = Cluster(processes, random.Random(seed), chat_rate="5 per 10 second")
    allowed = 0
    started = cluster.now
    for pause, requests in steps:
        cluster.wait(pause)
        allowed += sum(cluster.asks("chat", "anna") for _ in range(requests))
        flown = 0.5 * (cluster.now - started)
        assert allowed <= 5 + flown + (processes - 1) * (5 + 0.5 * LATE) + 0.5 * LATE


@pytest.mark.parametrize("processes", [2, 3, 4])
def test_in_the_long_run_a_flood_gets_no_more_than_at_one_process(processes: int) -> None:
    cluster = Cluster(processes, random.Random(processes), request_rate="600 per minute")
    allowed = 0
    for _ in range(6000):
        cluster.wait(0.05)
        for process in range(processes):
            allowed += sum(cluster.asks("request", "flood", process) for _ in range(3))
    assert 2950 < allowed <= 600 + 3000 + (processes - 1) * (600 + 10 * LATE) + 10 * LATE


@pytest.mark.parametrize("processes", [2, 4])
def test_in_the_long_run_an_address_gets_no_more_either(processes: int) -> None:
    """Thirty cookies flood, each at all processes."""
    cluster = Cluster(processes, random.Random(processes), request_rate_per_address="300 per minute")
    allowed = 0
    for _ in range(3000):
        cluster.wait(0.1)
        for process in range(processes):
            who = f"cookie {cluster.rng.randrange(30)}"
            allowed += sum(cluster.asks("request", who, process) for _ in range(4))
    slack = 5 * LATE
    once = 2 * 300
    """Half for anybody, half by shares."""
    assert 1400 < allowed <= once + 5 * 300 + (processes - 1) * (once + slack) + 2 * slack


@settings(max_examples=15, deadline=None)
@given(processes=st.integers(2, 4), seed=st.integers(0, 10_000))
def test_whoever_stays_within_their_own_rate_is_never_refused_for_what_is_heard_late(processes: int, seed: int) -> None:
    """As fast as it goes: a bucket of their own that is always nearly empty, spread over all processes."""
    rng = random.Random(seed)
    cluster = Cluster(processes, rng, chat_rate="5 per 10 second")
    level = 5.0
    for _ in range(300):
        pause = rng.choice([0.0, 0.1, 0.5, 2.0, 4.0])
        cluster.wait(pause)
        level = min(5.0, level + 0.5 * pause)
        if level >= 1:
            level -= 1
            assert cluster.asks("chat", "anna")


@pytest.mark.parametrize("processes", [2, 3, 4])
def test_whoever_stays_within_their_share_does_not_feel_a_flood_at_other_processes(processes: int) -> None:
    """Twenty people behind one address ask at any process, and one of them floods all processes."""
    cluster = Cluster(processes, random.Random(processes), request_rate_per_address="600 per minute")
    people = [f"guest {number}" for number in range(20)]
    for who in (*people, "flood"):
        cluster.asks("request", who)
    cluster.wait(2)
    for step in range(1200):
        cluster.wait(0.1)
        for process in range(processes):
            for _ in range(10):
                cluster.asks("request", "flood", process)
        for who in people:
            if cluster.rng.random() < 0.1 * 0.3:  # their share is 600 / 21 in a minute, 0.48 in a second
                assert cluster.asks("request", who), (step, who)


def test_a_process_that_hears_nothing_counts_as_before() -> None:
    cluster = Cluster(1, random.Random(1), chat_rate="5 per 10 second")
    assert sum(cluster.asks("chat", "anna") for _ in range(20)) == 5
    cluster.wait(2)
    assert sum(cluster.asks("chat", "anna") for _ in range(20)) == 1


def test_news_of_anything_leave_nothing_behind() -> None:
    cluster = Cluster(2, random.Random(1))
    for number in range(3000):
        cluster.asks("request", f"guest {number}", 0, f"address {number}")
        cluster.wait(0.01)
    assert len(cluster.all[1]) > 100
    cluster.wait(3700)
    assert len(cluster.all[0]) == len(cluster.all[1]) == 0


def test_what_is_told_has_an_end_and_whoever_took_most_is_told() -> None:
    taken = Taken()
    for number in range(50_000):
        taken.add("request", f"guest {number}", f"address {number}")
        if number % 100 == 0:
            taken.add("request", f"cookie {number}", "the one")
    assert len(taken._taken) <= 5000
    shares = taken.drain()
    assert len(shares) == TOLD_BUDGETS
    assert (shares[0].address, shares[0].number) == ("the one", 500)
    assert len(shares[0].members) <= TOLD_MEMBERS
    assert taken.drain() == []


def test_strange_news_change_nothing() -> None:
    limits = Limits(Settings())
    limits.taken_elsewhere(Share("nothing", ADDRESS, 5, []))
    assert len(limits) == 0
    limits.taken_elsewhere(Share("chat", ADDRESS, 10**9, [("anna", 10**9)]))
    with pytest.raises(Refusal):
        limits.check("chat", "anna", ADDRESS)
    limits.check("chat", "boris", "192.0.2.2")
