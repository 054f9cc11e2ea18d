"""The deal of the day in real Chromium, from the first card to the table of scores."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from nevsky.cards import CARDS
from tests.browser.support import Visitor, is_nearly_over
from tests.browser.test_accessibility import in_both_themes, with_axe
from tests.browser.test_pages import too_wide

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


def test_the_deal_of_the_day_is_played_shared_and_listed(visit: Visit) -> None:
    visitor = with_axe(visit())
    page = visitor.page
    visitor.go("/daily")
    page.get_by_text(visitor.says("daily.hidden")).first.wait_for()
    visitor.button("daily.play").first.click()
    page.wait_for_url("**/table/*")
    page.wait_for_function("() => window.probe.state")
    page.get_by_text(visitor.says("daily.counts")).first.wait_for()
    table = page.url
    page.goto("/about")
    visitor.play_ahead(table, is_nearly_over)
    visitor.go(urlsplit(table).path)
    visitor.play_by_script(seconds=240)
    page.wait_for_selector(".final")
    own = next(line["total"] for line in visitor.state["final"] if line["seat"] == visitor.state["you"])
    deal = visitor.context.request.get("/api/daily").json()["deals"][0]
    assert (deal["own"]["status"], deal["own"]["score"]) == ("over", own)
    visitor.button("final.table", "dialog").click()
    visitor.button("daily.share").click()
    page.locator(".share", has_text=visitor.says("copied")).wait_for()
    told = visitor.clipboard()
    assert str(own) in told and f"{visitor.address}/daily/{deal['deal']}" in told
    assert not any(card.text.replace("_", " ") in told.casefold() for card in CARDS), "nothing of the cards"
    assert in_both_themes(visitor, ".panel:has(.share)") == []
    visitor.go("/daily")
    line = page.locator("tr.you").first
    line.wait_for()
    assert str(own) in line.inner_text()
    visitor.button("daily.practise").first.wait_for()
    page.set_viewport_size({"width": 360, "height": 740})
    assert too_wide(visitor, 360) == []
