"""What lies on the table explains itself, and the numbers of rules open the rules, in real Chromium."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.support import EVERYTHING, Visitor
from tests.browser.test_accessibility import in_both_themes, with_axe
from tests.browser.test_pages import PHONE, too_wide

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
THINGS = {
    "goods": ".area .extras .goods button",
    "assistant": ".area .extras .tag",
    "Market badge": ".market .value",
    "good of the Market": ".market .good",
    "tiles for ?": ".market .supply",
    "assignment": ".modules section:has(h2:text-is('Your assignments')) li button",
    "event": ".modules section:has(h2:text-is('Events')) li button",
    "obstacle": ".modules section:has(h2:text-is('Obstacles')) li button",
    "obstacle on the track": ".track button.tile",
}


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    return with_axe(visit())


def closes(visitor: Visitor, left: int = 0) -> None:
    visitor.page.keyboard.press("Escape")
    visitor.page.wait_for_function("left => document.querySelectorAll('dialog').length === left", arg=left)


def test_everything_of_the_modules_explains_itself_by_click_and_keyboard(visitor: Visitor) -> None:
    visitor.go(visitor.make_table(**EVERYTHING))
    page = visitor.page
    texts = visitor.context.request.get("/api/explanations?language=en").json()["topics"].values()
    found: list[str] = []
    for name, selector in THINGS.items():
        thing = page.locator(selector).first
        thing.click()
        said = page.locator("dialog .what:not(.muted)").inner_text()
        assert said in texts, name
        assert page.locator("dialog a[data-rule]").count() >= 2, name
        found += in_both_themes(visitor, "dialog")
        closes(visitor)
        thing.focus()
        page.keyboard.press("Enter")
        page.locator("dialog .what:not(.muted)").wait_for()
        closes(visitor)
        assert page.evaluate("s => document.activeElement.matches(s)", selector.split(":has")[0].split(" ")[0] + " *")
    assert not found, "\n".join(sorted(set(found)))


def test_explanations_by_touch_on_a_phone(visit: Visit) -> None:
    width, height = PHONE
    visitor = visit(viewport={"width": width, "height": height}, is_mobile=True, has_touch=True)
    visitor.go(visitor.make_table(**EVERYTHING))
    for selector in THINGS.values():
        visitor.page.locator(selector).first.tap()
        visitor.page.locator("dialog .what:not(.muted)").wait_for()
        assert too_wide(visitor, width) == []
        closes(visitor)


def test_what_is_so_now_is_what_the_table_says(visitor: Visitor) -> None:
    visitor.go(visitor.make_table(**EVERYTHING))
    page, state = visitor.page, visitor.state
    page.locator(".market .value").click()
    first, second = state["modules"]["value_tile"]
    assert [int(each.split()[0]) for each in page.locator("dialog li strong").all_inner_texts()] == [
        first,
        second,
        first,
    ]
    closes(visitor)
    page.locator(".modules section:has(h2:text-is('Your assignments')) li button").first.click()
    assignment = state["modules"]["assignments"][0]
    assert page.locator("dialog .effect").inner_text().lower() == assignment["description"].lower()
    assert page.locator("dialog li strong").inner_text().split()[0] == str(assignment["worth"])


def test_a_number_of_a_rule_opens_the_rule(visitor: Visitor) -> None:
    visitor.go(visitor.make_table(players=4))  # with four workers for two people the choice may be forced
    page = visitor.page
    visitor.wait_asked()
    page.locator(".question a[data-rule='3.6']").click()  # the first workers must be bought
    page.locator("dialog .rule", has_text="3.6").wait_for()
    assert page.url.endswith(visitor.state["table"])
    found = in_both_themes(visitor, "dialog")
    closes(visitor)
    page.locator(".display button.card").first.click()
    page.locator("dialog .text a[data-rule]").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('dialog[open]').length === 2")
    page.go_back()  # as on a phone: the rule first, then the card
    page.wait_for_function("() => document.querySelectorAll('dialog[open]').length === 1")
    page.locator("dialog .text a[data-rule]").first.click()
    number = page.locator("dialog .rule strong").first.inner_text()
    page.locator("dialog a:not([data-rule])").last.click()
    page.wait_for_url(f"**/rules#{number}")
    page.locator(f"[id='{number}'].wanted").wait_for()
    assert page.locator("dialog").count() == 0
    assert not found, "\n".join(found)


def test_the_rules_have_contents_and_lead_to_each_other(visitor: Visitor) -> None:
    visitor.go("/rules")
    page = visitor.page
    page.locator("aside nav a", has_text="11.4").click()
    page.wait_for_function("() => Math.abs(document.getElementById('s-11.4').getBoundingClientRect().top) < 140")
    page.locator("[id='11.2 c'] a[data-rule='9.3']").click()
    page.locator("[id='9.3'].wanted").wait_for()
    page.wait_for_function("() => Math.abs(document.getElementById('9.3').getBoundingClientRect().top) < 140")
    page.get_by_label(visitor.says("rules.search")).fill("Jester")
    page.wait_for_function("() => document.querySelectorAll('.rule').length < 12")
    page.goto("/rules#11.6%20c")
    page.locator("[id='11.6 c'].wanted").wait_for()


def test_all_cards_can_be_looked_at(visitor: Visitor) -> None:
    visitor.go("/rules")
    page = visitor.page
    page.get_by_role("link", name=visitor.says("gallery"), exact=True).click()
    page.wait_for_selector("button.card")
    cards = visitor.context.request.get("/api/cards?language=en").json()["cards"]
    names = {card["card"].split(":")[0].split("@")[0] for card in cards}
    assert page.locator("button.card").count() == len(names)
    for shelf in page.locator("section ul").all():
        shelf.locator("button.card").last.click()
        page.locator("dialog h2").wait_for()
        closes(visitor)
    page.get_by_label(visitor.says("edition.first")).check()
    first = {card["card"].split(":")[0] for card in cards if not card["module"] and card["pile"] != "market"}
    assert page.locator("button.card").count() == len(first)
