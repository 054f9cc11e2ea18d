"""The documentation in real Chromium: nothing in it is against the policy of the server, and the search finds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from nevsky.server.documentation import SITE
from tests.browser.support import Visitor, until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (SITE / "index.html").is_file(), reason="make docs has not been run"),
]
Visit = Callable[..., Visitor]
SEARCHES = "() => document.activeElement !== document.body"
"""The field is the first thing in these pages that has the focus."""


def press_slash(page: Page) -> None:
    """The key does nothing before the script of the page has come."""
    page.keyboard.press("/")
    page.wait_for_timeout(500)


def test_search_finds_without_a_network_beyond_the_server(visit: Visit) -> None:
    visitor = visit()
    page, elsewhere = visitor.page, []
    page.on("request", lambda request: elsewhere.append(request.url))
    visitor.go("/about")
    page.get_by_role("link", name="Documentation").click()
    page.wait_for_url("**/docs/")
    until(lambda: page.evaluate(SEARCHES), lambda: press_slash(page), 20)
    page.keyboard.type("observatory")
    hit = page.locator("a[href*='rules/en']", has_text="bservator").first
    hit.click()
    page.wait_for_url("**/docs/rules/en/**")
    assert page.locator("h1").first.inner_text()
    assert [url for url in elsewhere if not url.startswith((visitor.address, "data:"))] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_a_phone(visit: Visit, scheme: str) -> None:
    visitor = visit(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    for path in ("/docs/", "/docs/rules/de/", "/docs/api/game/", "/docs/tutorials/first-bot/"):
        visitor.go(path)
        visitor.page.locator("h1").first.wait_for()
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 360, path
