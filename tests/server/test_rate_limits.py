"""Rates: what a visitor and an address may ask for, shared fairly, and nothing kept of those who are gone."""

from __future__ import annotations

import random

import pytest

from nevsky.errors import NevskyError
from nevsky.server.errors import Refusal
from nevsky.server.rate_limits import Limits
from nevsky.server.rates import Rate
from nevsky.server.settings import Settings


class Clock:
    """Time that passes when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def limits(**settings: str) -> tuple[Limits, Clock]:
    clock = Clock()
    return Limits(Settings(**settings), clock), clock  # type: ignore[arg-type]


def refused(here: Limits, kind: str, who: str, address: str = "192.0.2.1") -> bool:
    try:
        here.check(kind, who, address)
    except Refusal as refusal:
        assert refusal.code == "too_fast"
        return True
    return False


def test_so_many_at_once_and_then_at_the_rate() -> None:
    here, clock = limits(chat_rate="5 per 10 second")
    assert [refused(here, "chat", "anna") for _ in range(7)] == [False] * 5 + [True] * 2
    clock.now += 2
    assert [refused(here, "chat", "anna") for _ in range(2)] == [False, True]
    assert not refused(here, "chat", "boris")
    clock.now += 3600
    assert [refused(here, "chat", "anna") for _ in range(6)] == [False] * 5 + [True]


def test_one_visitor_may_use_the_whole_amount_of_an_address() -> None:
    here, _ = limits(request_rate="100 per minute", request_rate_per_address="50 per minute")
    assert [refused(here, "request", "anna") for _ in range(60)] == [False] * 50 + [True] * 10


def test_twenty_thousand_connections_leave_nothing_behind() -> None:
    here, clock = limits()
    for number in range(20_000):
        own = here.connection()
        here.check("message", f"guest {number}", f"address {number // 4}", own)
        here.check("request", f"guest {number}", f"address {number // 4}")
        clock.now += 0.05
    assert len(here) < 3100 + 20_000  # who came in the last two minutes, and when everybody came first
    clock.now += 3600
    assert len(here) == 0


def test_what_is_kept_has_an_end() -> None:
    here, _ = limits()
    for number in range(30_000):
        here.check("request", f"guest {number}", f"address {number}")
    assert len(here) <= 60_000
    for number in range(3_000):
        here.check("table", f"guest {number}", f"address {number}")
        refused(here, "guest", f"guest {number}", "one address")
    assert len(here._shared["guest"].get("one address", here._clock())._new) <= 1001


def test_fifty_people_at_one_address_do_not_feel_the_one_who_floods() -> None:
    """Two minutes: a message every two seconds and a line of chat every twelve from each, at random moments."""
    here, clock = limits()
    rng = random.Random(5)
    people = [(f"guest {number}", here.connection()) for number in range(50)]
    flooding = [(f"flood {number}", here.connection()) for number in range(24)]
    passed = stopped = 0
    for _ in range(120 * 20):
        clock.now += 0.05
        for who, own in people:
            if rng.random() < 0.05 / 2:
                here.check("message", who, "192.0.2.1", own)
            if rng.random() < 0.05 / 120:
                here.check("chat", who, "192.0.2.1")
        for who, own in flooding:
            try:
                here.check("message", who, "192.0.2.1", own)
                passed += 1
            except Refusal:
                stopped += 1
            refused(here, "chat", who)
    assert stopped > 3 * passed
    assert passed <= 2 * 500 + 120 * 100


def test_new_guests_without_end_take_nothing_from_those_who_are_known() -> None:
    """Fifty people play; one beside them takes a hundred new cookies in every minute, and asks with all of them."""
    here, clock = limits()
    rng = random.Random(7)
    people = [f"guest {number}" for number in range(50)]
    cookies: list[str] = []
    passed = 0
    for step in range(6 * 60 * 10):
        clock.now += 0.1
        for who in people:
            if rng.random() < 0.1 / 3:
                assert not refused(here, "request", who), step
        if step >= 2 * 60 * 10:
            if step % 6 == 0:
                cookies.append(f"cookie {step}")
            passed += sum(not refused(here, "request", who) for who in cookies[-100:])
    assert passed < 4 * 3000 - 4 * 1000 + 2 * 3000


def test_a_class_of_newcomers_shares_fairly_with_one_who_is_known_and_floods() -> None:
    here, clock = limits()
    for _ in range(130):
        clock.now += 1
        refused(here, "request", "flood")
    for step in range(600):
        clock.now += 0.1
        for _ in range(20):
            refused(here, "request", "flood")
        for number in range(50):
            if step % 15 == number % 15:
                assert not refused(here, "request", f"guest {number}"), step


def test_a_flood_takes_only_what_others_leave() -> None:
    here, clock = limits(message_rate="1000 per second", message_rate_per_address="100 per second")
    taken = 0
    for step in range(1000):
        clock.now += 0.01
        taken += sum(not refused(here, "message", "flood") for _ in range(20))
        if step % 3 == 0:
            assert not refused(here, "message", "quiet")
    assert 600 < taken <= 2 * 100 + 1000 - 334


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("40 per 5 second", Rate(40, 5)),
        ("600 per minute", Rate(600, 60)),
        ("10/minute", Rate(10, 60)),
        ("3 per 2 hours", Rate(3, 7200)),
        (" 1 Per Day ", Rate(1, 86400)),
    ],
)
def test_rates_are_read(text: str, rate: Rate) -> None:
    assert Rate.read("chat_rate", text) == rate


@pytest.mark.parametrize(
    "text",
    ["often", "", "0 per minute", "5 per 0 second", "-5 per minute", "nan per minute", "5 per", "9" * 40 + "/day"],
)
def test_rates_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(NevskyError, match="NEVSKY_CHAT_RATE_PER_ADDRESS is a rate like"):
        Limits(Settings(chat_rate_per_address=text))
