"""One's own games: the number in the header, the list, and the way from one to the next."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.support import Visitor, texts

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
PHONE = {"width": 360, "height": 740}


def test_after_a_move_the_next_game_is_one_click_away(visit: Visit) -> None:
    anna, boris = visit(viewport=PHONE), visit()
    waiting = anna.make_table(pace="relaxed", edition="first")
    body = {
        "ruleset": {"players": 2, "edition": "first"},
        "seats": [{"kind": "me"}, {"kind": "open"}],
        "pace": "relaxed",
    }
    made = anna.context.request.post("/api/tables", data=body).json()["table"]
    assert boris.context.request.get("/api/me").ok
    assert boris.context.request.post(f"/api/tables/{made}/join", data={}).ok
    anna.go(waiting)
    anna.wait_asked()
    anna.go(f"/table/{made}")
    while anna.is_asked():
        anna.decide(quickly=True)
    following = anna.page.locator(".bar .next")
    following.wait_for()
    assert following.get_attribute("aria-label") == texts("en")["next_game.one"].format(n=1)
    anna.page.keyboard.press("n")
    anna.page.wait_for_url(f"**{waiting}")

    anna.go("/games")
    page = anna.page
    page.locator("li.yours").wait_for()
    assert page.locator("header .number").inner_text() == "1"
    first, second = page.locator("section").all()
    assert first.locator(f'a[href="{waiting}"]').count() == 1
    assert second.locator(f'a[href="/table/{made}"]').count() == 1
    assert "left" in first.inner_text()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
