"""Clocks: what they say before the game, how they run, and what happens when the time is up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.support import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def hurried(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server where a live decision has four seconds, and the reserve three."""
    from tests.browser.serving import served

    times = {"NEVSKY_LIVE_SECONDS": "4", "NEVSKY_LIVE_RESERVE_SECONDS": "3"}
    with served(tmp_path_factory.mktemp("hurried"), **times) as found:
        yield found


def test_live_and_relaxed_say_what_they_mean_and_can_be_set(visit: Visit) -> None:
    anna = visit()
    anna.go("/new")
    page = anna.page
    words = page.locator("select.pace option").all_inner_texts()
    assert words[1] == "live, 2 minutes per decision"
    assert words[2] == "relaxed, 2 days per decision"
    page.locator("select.pace").select_option("relaxed")
    assert page.locator("select.decision").input_value() == "172800"
    assert page.locator("select.reserve").input_value() == "259200"
    page.locator("select.pace").select_option("live")
    assert page.locator("select.decision").input_value() == "120"
    page.locator("select.decision").select_option("60")
    page.locator("select.reserve").select_option("0")
    page.locator("form .button.gold").click()
    page.wait_for_url("**/table/*")
    page.get_by_text("live · 1 minute per decision", exact=True).wait_for()
    assert anna.state["clock"] == {"pace": "live", "decision_seconds": 60, "reserve_seconds": 0}


def test_the_free_part_runs_then_the_reserve_then_a_bot_decides(browser: Browser, hurried: str) -> None:
    anna = Visitor(browser, hurried)
    anna.go(anna.make_table(pace="live", edition="first"))
    anna.wait_asked()
    own = anna.page.locator(".player.own [role=timer]")
    words = own.get_attribute("aria-label") or ""
    assert re.fullmatch("0:0[1-4] left, 0:03 in reserve", words), words
    assert "+0:03" in own.inner_text()
    anna.page.wait_for_selector(".player.own .clock.spending")
    late = anna.page.locator(".toast", has_text="Your time ran out. A bot decided:")
    late.wait_for()
    assert anna.page.locator(".log .late").first.inner_text().strip("· ") == "time ran out, a bot decided"
    late.get_by_role("button").click()
    late.wait_for(state="detached")
    twice = anna.page.locator(".toast", has_text="twice in a row")
    twice.wait_for()
    assert anna.state["players"][0]["away"]
    back = anna.button("away.back", ".bar")
    back.click()
    anna.wait_asked()
    assert not anna.state["paused"]
    twice.wait_for(state="detached")
    assert anna.problems == []
    anna.close()


def test_without_its_players_a_table_stands_still(browser: Browser, hurried: str, visit: Visit) -> None:
    anna, boris = Visitor(browser, hurried), Visitor(browser, hurried)
    table = anna.make_table(pace="live", edition="first")
    anna.go(table)
    anna.wait_asked()
    anna.go("/about")
    boris.go(table)
    boris.page.wait_for_function("() => window.probe.state.paused")
    log = boris.state["log"]
    timer = boris.page.locator(".player [role=timer]").first
    shown = timer.inner_text()
    boris.page.wait_for_timeout(7500)
    assert boris.state["log"] == log
    assert timer.inner_text() == shown
    assert "pauses" in boris.page.locator(".question").inner_text()
    for visitor in (anna, boris):
        assert visitor.problems == []
        visitor.close()
