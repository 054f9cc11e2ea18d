"""Two people with profiles play a rated game in real Chromium."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.support import Visitor, make_profile
from tests.browser.test_accessibility import in_both_themes, with_axe

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


def test_two_profiles_play_a_rated_game_and_see_what_it_changed(visit: Visit) -> None:
    first = with_axe(visit())
    anna, boris = make_profile(first, "Anna"), make_profile(visit(), "Boris")
    origin = anna.url.split("/profile")[0]
    anna.goto(f"{origin}/new")
    anna.get_by_role("button", name="2", exact=True).click()
    anna.get_by_label("Rated game").check()
    expect(anna.locator("select.pace")).to_have_value("live")
    anna.get_by_role("button", name="Open the table").click()
    anna.get_by_role("heading", name="The table is waiting for players").wait_for()
    expect(anna.get_by_text("Rated game", exact=True)).to_be_visible()
    boris.goto(anna.url.split("?")[0])
    boris.get_by_role("button", name="Join", exact=True).click()
    boris.get_by_text("This game is rated.").wait_for()
    assert boris.get_by_role("button", name="Hint").count() == 0
    boris.get_by_role("button", name="Resign").click()
    boris.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for page, sign in ((boris, "−"), (anna, "+")):
        page.get_by_role("button", name="To the table").click()
        line = page.locator(".rated li", has_text="Boris" if page is boris else "Anna")
        expect(line).to_contain_text("±")
        expect(line.locator("strong")).to_contain_text(sign)
    anna.locator("details.player a", has_text="Boris").wait_for()
    assert in_both_themes(first) == []
    anna.locator(".final a", has_text="Boris").click()
    anna.get_by_role("heading", name="Boris", exact=True).wait_for()
    expect(anna.get_by_role("region", name="Ratings").locator("figure svg")).to_have_count(1)
    anna.goto(f"{origin}/profile")
    section = anna.get_by_role("region", name="Ratings")
    expect(section).to_contain_text("1 game")
    assert section.locator("figure svg").count() == 1
    assert anna.evaluate("document.documentElement.scrollWidth <= innerWidth")
    section.get_by_role("link").click()
    anna.get_by_role("heading", name="Leaderboards").wait_for()
    expect(anna.get_by_text("Nobody has played enough rated games")).to_be_visible()
    expect(anna.locator("tr.bot")).to_have_count(4)
    anna.goto(f"{origin}/new")
    anna.get_by_role("button", name="2", exact=True).click()
    anna.get_by_label("Rated game").check()
    anna.get_by_role("button", name="Open the table").click()
    expect(anna.locator(".page ul li", has_text="Anna")).to_contain_text("±")
