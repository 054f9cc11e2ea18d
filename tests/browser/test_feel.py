"""Money and points fly, and phones see the last moves and their clock: what makes a table feel finished."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.support import Json, Visitor
from tests.browser.test_layout import DESKTOP, MOST, PHONE, SHIFTS, is_in_sight

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
MOVING: Json = {"reduced_motion": "no-preference"}
WATCH = """
    window.flown = [];
    addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
        for (const node of changes.flatMap((change) => [...change.addedNodes]))
            if (node.classList?.contains("flight")) window.flown.push(node.textContent);
    }).observe(document.body, { childList: true, subtree: true }));
"""


def at_table(visit: Visit, **options: Any) -> Visitor:
    visitor = visit(**{**MOVING, **options})
    visitor.context.add_init_script(WATCH)
    visitor.go(visitor.make_table(bots=2))
    return visitor


def play_to_a_scoring(visitor: Visitor) -> None:
    """Until the newest moves brought somebody something: it is in the air when the page shows it."""
    visitor.play_by_script(until="state => state.log.slice(-4).some((line) => line.gains)", thrifty=True)


def flown(visitor: Visitor) -> list[str]:
    found: list[str] = visitor.page.evaluate("() => window.flown")
    return found


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_what_a_scoring_brings_flies_to_its_owner(visit: Visit, size: Json) -> None:
    visitor = at_table(visit, **size)
    visitor.context.add_init_script(path=SHIFTS)
    visitor.page.reload()
    visitor.page.wait_for_function("() => window.probe.state")
    play_to_a_scoring(visitor)
    visitor.page.wait_for_function("() => window.flown.some(Boolean)")
    sums = [text for text in flown(visitor) if text]
    told = [str(gain["rubles"] or gain["points"]) for line in visitor.state["log"] for gain in line.get("gains", [])]
    assert sums and all(text.startswith("+") for text in sums)
    assert set(told) & {text.removeprefix("+") for text in sums}, "as much as the log tells"
    visitor.page.wait_for_selector(".flight", state="detached")
    shifts: list[Json] = visitor.page.evaluate("() => window.shifts")
    assert sum(shift["value"] for shift in shifts) < MOST, shifts


@pytest.mark.parametrize("skip", ["click", "key"])
def test_flights_are_skipped_by_a_click_or_a_key_and_stop_nobody(visit: Visit, skip: str) -> None:
    visitor = at_table(visit, **DESKTOP)
    play_to_a_scoring(visitor)
    visitor.page.wait_for_selector(".flight", state="attached")
    figures = visitor.page.locator(".player.own .figures .num").all_inner_texts()
    assert figures, "what one has is right while it still flies"
    if skip == "click":
        visitor.page.locator("#tab-cards").click()
        assert visitor.page.locator("#tab-cards").get_attribute("aria-selected") == "true", (
            "the click does what it should"
        )
    else:
        visitor.page.keyboard.press("Shift")
    assert visitor.page.locator(".flight").count() == 0


def test_nothing_flies_with_reduced_motion_or_when_switched_off(visit: Visit) -> None:
    still = at_table(visit, reduced_motion="reduce")
    still.play_by_script(25, thrifty=True)
    assert any(line.get("gains") for line in still.state["log"])
    assert flown(still) == []
    off = visit(**MOVING)
    off.context.add_init_script(WATCH + "localStorage.setItem('nevsky.flights', 'off');")
    off.go(off.make_table(bots=2))
    off.play_by_script(5, thrifty=True)
    off.page.wait_for_timeout(1500)
    assert flown(off) == []


def test_whoever_comes_back_sees_the_table_as_it_is_and_no_old_flights(visit: Visit) -> None:
    visitor = at_table(visit, **DESKTOP)
    path = visitor.page.url.removeprefix(visitor.address)
    visitor.page.wait_for_timeout(2500)  # what is still in the air has landed
    visitor.context.set_offline(True)
    visitor.page.evaluate("() => { window.flown.length = 0; window.probe.socket.close(); }")
    state = visitor.play_ahead(path, times=25, thrifty=True)
    visitor.context.set_offline(False)
    visitor.page.wait_for_function("version => window.probe.state.version >= version", arg=state["version"])
    visitor.page.wait_for_timeout(300)
    visitor.forgive("ERR_INTERNET_DISCONNECTED")
    assert flown(visitor) == []
    own = visitor.state["players"][visitor.state["you"]]
    shown = visitor.page.locator(".player.own .figures .num").all_inner_texts()
    assert shown[:2] == [str(own["rubles"]), str(own["points"])]


@pytest.mark.parametrize("width", [360, 390])
def test_phones_see_the_last_moves_and_their_clock_without_scrolling(visit: Visit, width: int) -> None:
    visitor = visit(**{**PHONE, "viewport": {"width": width, "height": 780}})
    visitor.go(visitor.make_table(bots=2, pace="live"))
    visitor.wait_asked()
    visitor.page.evaluate("() => scrollTo(0, 0)")
    bar = visitor.page.locator(".main > .bar")
    before = bar.bounding_box()
    visitor.play_by_script(6, thrifty=True)
    visitor.wait_asked()
    assert is_in_sight(visitor, ".main > .bar [role=timer]"), "the own clock"
    line = visitor.page.locator(".main > .bar .moves")
    newest = visitor.state["log"][-1]["text"]
    assert is_in_sight(visitor, ".main > .bar .moves") and newest in line.inner_text()
    assert bar.bounding_box() == before, "its height is reserved"
    visitor.page.locator("#tab-cards").click()
    visitor.page.evaluate("() => scrollTo(0, 0)")
    line.click()
    visitor.page.wait_for_selector("[role=log]")
    assert visitor.page.locator("#tab-log").get_attribute("aria-selected") == "true"
    assert is_in_sight(visitor, "[role=log]") and is_in_sight(visitor, "#tab-log")


def test_wide_screens_have_their_log_beside_the_table_and_no_second_line(visit: Visit) -> None:
    visitor = visit(**DESKTOP)
    visitor.go(visitor.make_table(pace="live"))
    visitor.wait_asked()
    assert not visitor.page.locator(".bar .moves").is_visible()
    assert visitor.page.locator("[role=timer]:visible").count() == 1, "bots have none"
