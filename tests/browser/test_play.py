"""Whole games in real Chromium, by clicking."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from nevsky.texts import LANGUAGES
from tests.browser.support import Visitor, seated_together, until

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


def start_quick_game(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.page.locator('input[name="bots"][value="1"]').check(force=True)
    visitor.page.locator('input[name="level"]').first.check(force=True)
    visitor.page.locator(".start").click()
    visitor.page.wait_for_selector(".display")


def click_to_the_end(visitor: Visitor, cards: int, seconds: float) -> None:
    """Some moves with cards, then quickly on."""

    def turn() -> None:
        visitor.wait_asked()
        if visitor.is_asked():
            visitor.decide(quickly=len(visitor.acts) >= cards)

    until(visitor.is_over, turn, seconds)
    totals = [line["total"] for line in sorted(visitor.state["final"], key=lambda line: line["place"])]
    assert visitor.page.locator(".final td.total").all_inner_texts() == list(map(str, totals))
    assert any(act.startswith("buy") for act in visitor.acts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_visitor_clicks_through_a_whole_game(visit: Visit, language: str) -> None:
    visitor = visit(locale=language)
    start_quick_game(visitor)
    click_to_the_end(visitor, 6, 90)
    assert visitor.page.locator("html").get_attribute("lang") == language
    state = visitor.state
    names = ", ".join(state["players"][seat]["name"] for seat in state["winners"])
    key = "final.winners" if len(state["winners"]) > 1 else "final.winner"
    assert visitor.page.locator(".final h2").inner_text().strip() == visitor.says(key).replace("{names}", names)
    visitor.page.locator("dialog").get_by_role("link", name=visitor.says("replay"), exact=True).click()
    visitor.page.wait_for_selector(".controls")


def test_two_browsers_play_each_other_by_the_link(visit: Visit) -> None:
    host, guest = visit(), visit()
    host.go("/new")
    host.page.locator(".numbers button", has_text="2").click()
    host.page.locator("form .button.gold").click()
    host.page.get_by_role("button", name="Copy the link to this table").click()
    host.page.get_by_role("button", name="Copied").wait_for()
    link = host.clipboard()
    assert link == host.page.url
    guest.page.goto(link)
    guest.page.get_by_role("button", name="Join").click()
    for player in (host, guest):
        player.page.wait_for_selector(".display")
    assert {host.state["you"], guest.state["you"]} == {0, 1}

    def turn() -> None:
        for player in (host, guest):
            if player.is_asked():
                player.decide()
                return
        host.page.wait_for_timeout(20)  # between the two

    until(lambda: min(len(host.acts), len(guest.acts)) >= 3, turn, 60)
    log = max(line["number"] for line in host.state["log"])
    guest.page.wait_for_function("log => window.probe.state.log.at(-1).number >= log", arg=log)
    assert host.problems == guest.problems == []


def test_reloading_and_the_link_keep_the_seat(visit: Visit) -> None:
    visitor = visit()
    start_quick_game(visitor)
    for _ in range(2):
        visitor.wait_asked()
        visitor.decide()
    visitor.wait_asked()
    before = visitor.state
    visitor.page.reload()
    visitor.wait_asked()
    after = visitor.state
    assert (after["you"], after["version"]) == (before["you"], before["version"])
    assert after["players"][after["you"]]["rubles"] is not None

    visitor.page.get_by_role("button", name="My seat on another device").click()
    visitor.button("seat_link.copy", "dialog").click()
    visitor.page.get_by_role("button", name="Copied").wait_for()
    link = visitor.clipboard()
    assert "?seat=" in link
    other = visit()
    other.page.goto(link)
    other.wait_asked()
    assert other.state["you"] == before["you"]
    assert other.page.url == visitor.page.url  # the token does not stay in the address
    other.decide()
    other.page.reload()
    other.wait_asked()
    assert other.state["you"] == before["you"]

    spectator = visit()
    spectator.go(visitor.page.url.removeprefix(visitor.address))
    assert spectator.state["you"] is None
    assert not spectator.is_asked()


def test_the_market_with_all_modules_to_the_end(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/new")
    page = visitor.page
    page.get_by_role("checkbox", name=re.compile(visitor.says("market"))).first.check()
    boxes = page.locator("input[aria-describedby^=module-]")
    for place in range(boxes.count()):
        boxes.nth(place).check()
    page.locator(".numbers button", has_text="2").click()
    choices = page.locator("ol select")
    level = choices.nth(1).locator("option").nth(2).get_attribute("value")
    choices.nth(1).select_option(level)
    page.locator("form .button.gold").click()
    page.wait_for_selector(".display")
    ruleset = visitor.state["ruleset"]
    assert ruleset["market"] and ruleset["players"] == 2
    assert len(ruleset["modules"]) == 6
    click_to_the_end(visitor, 10, 120)
    assert page.locator(".final tbody tr").count() == 2


def test_a_game_goes_on_after_a_reload_of_both(visit: Visit) -> None:
    first, second = seated_together(visit(), visit())
    first.decide()
    for player in (first, second):
        player.page.reload()
        player.page.wait_for_selector(".display")
    second.wait_asked()
    assert not first.is_asked()
    assert first.state["log"][-1]["number"] == second.state["log"][-1]["number"] == 1
    second.decide()
    first.wait_asked()
