"""One server and one Chromium in each worker for all tests here.

They end with this package: Playwright occupies the event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.support import EVERYTHING, STATIC, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    from tests.browser.serving import UNSEEN, launched

    assert (STATIC / "index.html").is_file(), "The front end is missing: run make web."
    with launched(UNSEEN) as running:
        yield running


@pytest.fixture(scope="package")
def address(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the server is."""
    from tests.browser.serving import served

    with served(tmp_path_factory.mktemp("served")) as found:
        yield found


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Visitor]]:
    """New visitors, each with cookies of their own; afterwards no page may have had an error."""
    yield from visitors_of(browser, address)


def visitors_of(browser: Browser, address: str) -> Iterator[Callable[..., Visitor]]:
    visitors: list[Visitor] = []

    def make(**options: Any) -> Visitor:
        visitors.append(Visitor(browser, address, **options))
        return visitors[-1]

    yield make
    problems = [problem for visitor in visitors for problem in visitor.problems]
    for visitor in visitors:
        visitor.close()
    assert problems == []


@pytest.fixture(scope="package")
def finished(browser: Browser, address: str) -> str:
    """The id of a table whose game is over."""
    return play_to_the_end(Visitor(browser, address))


@pytest.fixture(scope="package")
def finished_with_everything(browser: Browser, address: str) -> str:
    """The same with the Market and all modules."""
    return play_to_the_end(Visitor(browser, address), **{**EVERYTHING, "players": 3})


def play_to_the_end(visitor: Visitor, **ruleset: Any) -> str:
    table = visitor.make_table(**ruleset)
    visitor.play_ahead(table)
    visitor.close()
    return table.rsplit("/", 1)[1]
