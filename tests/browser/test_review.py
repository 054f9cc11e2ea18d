"""What was better in a finished game, and playing on from there, in real Chromium."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.support import Visitor
from tests.browser.test_accessibility import in_both_themes, with_axe

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


def test_a_review_begins_and_a_position_is_played_on(visit: Visit, finished: str) -> None:
    visitor = with_axe(visit())
    page = visitor.page
    page.goto(f"/replay/{finished}?review")
    page.locator(".review .num").first.wait_for(timeout=90_000)
    assert in_both_themes(visitor, ".controls") == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    visitor.button("play_on").click()
    page.get_by_role("dialog").get_by_text(visitor.says("play_on.help")).wait_for()
    visitor.button("play_on.yes", "dialog").click()
    page.wait_for_url("**/table/*")
    page.locator(".display").wait_for()
    assert visitor.state["status"] == "playing"
    assert visitor.state["you"] is not None
