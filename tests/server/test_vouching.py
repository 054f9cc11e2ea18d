"""Only our own processes pass requests on, each once, and never in a circle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.requests import HTTPConnection

from nevsky.server import vouching
from nevsky.server.addresses import address_of
from nevsky.server.errors import Refusal
from nevsky.server.ownership import Elsewhere, ElsewhereError
from nevsky.server.settings import Settings
from nevsky.server.vouching import HEADER, Vouching
from tests.server.passing_on import SECRET, pair
from tests.server.support import run
from tests.server.test_errors import turned_away

VISITOR = "203.0.113.9"


class Clock:
    """Time that passes when told."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def process(name: str, clock: Callable[[], float], secret: str = SECRET) -> Vouching:
    return Vouching(secret, lambda: name, clock)


def asked(*headers: str, method: str = "POST", target: str = "/api/tables/a/join?x=1") -> HTTPConnection:
    path, _, query = target.partition("?")
    return HTTPConnection(
        {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": [(HEADER.encode(), each.encode()) for each in headers],
            "client": ("10.0.0.1", 1),
        }
    )


def refused(here: Vouching, connection: HTTPConnection) -> str:
    with pytest.raises(Refusal) as found:
        here.accept(connection)
    assert address_of(connection, Settings()) == "10.0.0.1", "what was refused is not believed"
    return found.value.code


def test_what_was_signed_is_believed_once() -> None:
    clock = Clock()
    front, owner = process("front", clock), process("owner", clock)
    signed = front.sign("owner", "POST", "/api/tables/a/join?x=1", VISITOR)
    connection = asked(signed)
    assert owner.accept(connection) == VISITOR
    assert address_of(connection, Settings()) == VISITOR
    assert refused(owner, asked(signed)) == "not_allowed"
    assert owner.accept(asked()) is None


def test_forged_and_foreign_ones_are_refused() -> None:
    clock = Clock()
    front, owner = process("front", clock), process("owner", clock)
    signed = front.sign("owner", "POST", "/api/tables/a/join?x=1", VISITOR)
    stranger = process("front", clock, "another secret, not ours")
    for wrong in (
        "x",
        "",
        VISITOR,
        signed[:-1],
        signed[1:],
        "x" * 100_000,
        stranger.sign("owner", "POST", "/api/tables/a/join?x=1", VISITOR),
        front._serializer.dumps({"address": VISITOR}),
        front._serializer.dumps([]),
        front._serializer.dumps(None),
    ):
        assert refused(owner, asked(str(wrong))) == "not_allowed"
    assert refused(owner, asked(signed, signed)) == "not_allowed"
    assert refused(owner, asked(signed, method="GET")) == "not_allowed"
    assert refused(owner, asked(signed, target="/api/tables/b/join?x=1")) == "not_allowed"
    assert refused(owner, asked(signed, target="/api/tables/a/join?x=2")) == "not_allowed"
    assert owner.accept(asked(signed)) == VISITOR, "and what was tried in vain does not use it up"


def test_one_for_another_process_says_that_the_table_moved() -> None:
    clock = Clock()
    signed = process("front", clock).sign("before the pause", "POST", "/api/tables/a/join?x=1", VISITOR)
    assert refused(process("owner", clock), asked(signed)) == "moved"


@pytest.mark.parametrize(("later", "fine"), [(0, True), (29, True), (31, False), (-29, True), (-31, False)])
def test_it_is_good_for_half_a_minute_and_clocks_may_differ(later: float, fine: bool) -> None:
    clock = Clock()
    signed = process("front", clock).sign("owner", "POST", "/api/tables/a/join?x=1", VISITOR)
    clock.now += later
    owner = process("owner", clock)
    if fine:
        assert owner.accept(asked(signed)) == VISITOR
    else:
        assert refused(owner, asked(signed)) == "not_allowed"


def test_what_is_remembered_has_an_end_and_nothing_is_used_twice_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vouching, "_MOST_USED", 50)
    clock = Clock()
    front, owner = process("front", clock), process("owner", clock)
    signed = []
    for _ in range(200):
        clock.now += 0.01
        signed.append(front.sign("owner", "POST", "/api/tables/a/join?x=1", VISITOR))
        assert owner.accept(asked(signed[-1])) == VISITOR
    assert len(owner._used) <= 50
    for each in signed:
        assert refused(owner, asked(each)) == "not_allowed"
    clock.now += 100
    owner.accept(asked(front.sign("owner", "POST", "/api/tables/a/join?x=1", VISITOR)))
    assert len(owner._used) == 1


def test_strangers_who_say_that_they_pass_something_on_are_refused(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with pair(tmp_path) as both:
            anna, made = await both.somebody()
            path = f"/api/tables/{made['table']}"
            for server in (both.front, both.owner):
                stranger = await server.visitor()
                answer = await stranger.http.get(path, headers={HEADER: "WyJ4Il0.forged"})
                assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
                await turned_away(await stranger.open(made["table"], **{HEADER: "forged"}), "not_allowed", 4403)
            assert (await anna.http.get(path)).status_code == 200

    run(scenario())


def test_what_only_processes_may_ask_no_visitor_can(tmp_path: Path) -> None:
    """Not even through a process that signs what it passes on."""

    async def scenario() -> None:
        async with pair(tmp_path) as both:
            anna, made = await both.somebody("me open")
            guest = both.owner.components.sessions._serializer.loads(anna.http.cookies["nevsky_guest"])
            mallory = await both.front.visitor()
            path = f"/api/tables/{made['table']}/claim?seat=1&guest={guest}"
            for visitor in (mallory, await both.directly(mallory)):
                answer = await visitor.http.post(path)
                assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
            forwarding = both.front.components.forwarding
            assert forwarding is not None
            assert both.address is not None
            own = await forwarding.ask(Elsewhere("owner", both.address), "POST", path)
            assert (own.status_code, own.json()["seat"]) == (200, 0), "whoever sits already keeps their seat"

    run(scenario())


def test_there_is_no_circle(tmp_path: Path) -> None:
    """Both believe that the other one has the table, as it may be for a moment."""

    async def scenario() -> None:
        async with pair(tmp_path, patience=0.5) as both:
            anna, made = await both.somebody("me open")
            asked_owner = 0

            async def find(table: str) -> None:
                nonlocal asked_owner
                asked_owner += 1
                raise ElsewhereError(Elsewhere("front", f"http://127.0.0.1:{both.front.port}"))

            both.owner.components.hub.get = find  # type: ignore[method-assign, assignment]
            answer = await anna.http.post(f"/api/tables/{made['table']}/join")
            assert (answer.status_code, answer.json()["code"]) == (503, "moved")
            assert asked_owner == both.asked <= 5
            await turned_away(await anna.open(made["table"]), "moved", 4421)
            await asyncio.sleep(0.1)
            assert both.front.components.forwarding is not None
            assert len(both.front.components.forwarding) == 0

    run(scenario())
