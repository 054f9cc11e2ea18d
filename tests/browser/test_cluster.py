"""Two servers behind nginx, and the one that has the table is killed in the middle of the game."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.support import Visitor, seated_together
from tests.cluster.background import Site, site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
BACK = 10.0
"""Seconds after which a move made at the worst moment has arrived; most of them pass until the lease is over."""


@pytest.fixture(scope="module")
def behind(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture
def come(browser: Browser, behind: Site) -> Iterator[Callable[[], Visitor]]:
    """Somebody who knows the proxy only; afterwards no page may have had an error of its own."""
    visitors: list[Visitor] = []

    def make() -> Visitor:
        visitors.append(Visitor(browser, behind.address, ignore_https_errors=True))
        return visitors[-1]

    yield make
    for visitor in visitors:
        visitor.forgive("WebSocket connection to")
        assert visitor.problems == []
        visitor.close()


def own_lines(visitor: Visitor) -> int:
    """How many decisions of their own the log tells of; those without a choice were nobody's."""
    state = visitor.state
    return sum(line["seat"] == state["you"] and not line["auto"] for line in state["log"])


def test_a_killed_server_is_a_short_interruption(behind: Site, come: Callable[[], Visitor]) -> None:
    visitor = come()
    visitor.go(visitor.make_table(edition="first"))
    visitor.wait_asked()
    visitor.decide()
    visitor.wait_asked()
    before, version = own_lines(visitor), visitor.state["version"]
    server = behind.owner_of(visitor.page.url.rsplit("/", 1)[1])
    behind.kill(server)
    killed = time.monotonic()
    visitor.decide()  # the click is kept until somebody is there to take it
    assert time.monotonic() - killed < BACK
    assert visitor.state["version"] > version
    visitor.wait_asked()
    assert own_lines(visitor) == before + 1
    lost = visitor.page.get_by_role("status").filter(has_text=visitor.says("lost"))
    assert lost.count() == 0
    assert visitor.page.get_by_role("alert").count() == 0
    assert behind.owner_of(visitor.page.url.rsplit("/", 1)[1]) is not server
    visitor.decide()
    visitor.wait_asked()
    behind.revive(server)
    visitor.play_by_script(5)


def test_two_people_play_on(behind: Site, come: Callable[[], Visitor]) -> None:
    first, second = seated_together(come(), come())
    first.wait_asked()
    first.decide()
    server = behind.owner_of(first.page.url.rsplit("/", 1)[1])
    behind.kill(server)
    killed = time.monotonic()
    moved = 0
    while moved < 4:
        one = next((each for each in (first, second) if each.is_asked()), None)
        if one is None:
            first.page.wait_for_timeout(50)
        else:
            one.decide()
            moved += 1
        assert time.monotonic() - killed < BACK + 5 * moved
    behind.revive(server)
    newest = max(first.state["version"], second.state["version"])
    for visitor in (first, second):
        visitor.page.wait_for_function("version => window.probe.state.version >= version", arg=newest)
        assert visitor.page.get_by_role("alert").count() == 0
