"""Back, addresses that lead nowhere, and servers that are gone: there is always a sentence and a way on."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.browser.proxy import proxied
from tests.browser.support import Visitor

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


def test_back_closes_a_dialog_first(visit: Visit) -> None:
    visitor = visit(viewport={"width": 390, "height": 800}, is_mobile=True, has_touch=True)
    page = visitor.page
    visitor.go("/")
    visitor.go(visitor.make_table(edition="first"))
    visitor.wait_asked()
    table = page.url
    for _ in range(2):  # and again
        page.locator(".display button.card").first.click()
        page.wait_for_selector("dialog[open]")
        page.go_back()
        page.wait_for_selector("dialog", state="detached")
        assert page.url == table
    page.go_back()
    page.wait_for_selector(".start")
    page.go_forward()
    page.wait_for_selector(".display")


def test_a_dialog_that_was_closed_leaves_no_step(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("/")
    page.get_by_role("link", name=visitor.says("rules")).first.click()
    page.wait_for_selector(".rule")
    visitor.go(visitor.make_table(edition="first"))
    visitor.wait_asked()
    steps = page.evaluate("() => history.state?.layer ?? 0")
    page.locator(".display button.card").first.click()
    page.wait_for_selector("dialog[open]")
    page.wait_for_function("() => history.state?.layer === 1")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.wait_for_function("steps => (history.state?.layer ?? 0) === steps", arg=steps)
    visitor.decide()  # through a dialog as well
    page.wait_for_function("() => !history.state?.layer")
    page.go_back()
    page.wait_for_selector(".rule")


def test_a_link_in_a_dialog_leads_on_and_back_leads_to_the_page(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go(visitor.make_table(edition="first"))
    table = page.url
    page.locator(".display button.card").first.click()
    page.wait_for_function("() => history.state?.layer === 1")
    page.evaluate("() => document.querySelector('header a[href=\"/rules\"]').click()")
    page.wait_for_selector(".rule")
    page.go_back()
    page.wait_for_selector(".display")
    assert page.url == table
    assert page.locator("dialog").count() == 0


@pytest.mark.parametrize("path", ["/table/%E0%A4%A", "/nowhere", "/table/a/b", "/rules/x", "/replay/%ff"])
def test_addresses_that_lead_nowhere_have_a_page(visit: Visit, path: str) -> None:
    visitor = visit()
    visitor.page.goto(path)
    visitor.page.get_by_role("heading", name=visitor.says("missing")).wait_for()
    visitor.page.locator("main").get_by_role("link", name=visitor.says("home")).click()
    visitor.page.wait_for_selector(".start")
    visitor.forgive("404")


@pytest.mark.parametrize(("path", "key"), [("/table/nowhere", "table.gone"), ("/replay/nowhere", "replay.none")])
def test_tables_that_are_not_there_have_a_page(visit: Visit, path: str, key: str) -> None:
    visitor = visit()
    visitor.page.goto(path)
    visitor.page.get_by_role("heading", name=visitor.says(key)).wait_for()
    shown = visitor.page.locator("main").inner_text()
    assert not re.search(r"\b(4\d\d\d|404|not_found)\b", shown), shown
    visitor.page.locator("main").get_by_role("link", name=visitor.says("home")).wait_for()
    visitor.forgive("404")


def test_a_wrong_seat_link_lets_one_watch(visit: Visit) -> None:
    visitor, friend = visit(), visit()
    table = visitor.make_table(edition="first")
    friend.page.goto(f"{table}?seat=wrong")
    friend.page.get_by_role("heading", name=friend.says("gone.link")).wait_for()
    friend.button("gone.watch").click()
    friend.page.wait_for_selector(".display")
    assert friend.state["you"] is None
    friend.forgive("403")


def test_the_replay_of_a_game_that_is_not_over_leads_to_its_table(visit: Visit) -> None:
    visitor = visit()
    table = visitor.make_table(edition="first")
    visitor.page.goto(table.replace("table", "replay"))
    visitor.page.get_by_role("heading", name=visitor.says("replay.none")).wait_for()
    visitor.page.get_by_role("link", name=visitor.says("replay.table")).click()
    visitor.page.wait_for_selector(".display")
    visitor.forgive("422")


def test_a_part_of_the_page_that_is_gone_after_an_update(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("/")
    page.route(re.compile(r"/assets/About.*\.js"), lambda route: route.fulfill(status=404, body=""))
    page.evaluate("() => document.querySelector('a[href=\"/about\"]').click()")
    page.get_by_role("heading", name=visitor.says("error.part")).wait_for()
    page.unroute(re.compile(r"/assets/About.*\.js"))
    visitor.button("reload").click()
    page.get_by_role("heading", name=visitor.says("about")).first.wait_for()
    visitor.problems.clear()


def test_a_server_that_is_gone_has_a_page_and_comes_back(browser: object, address: str) -> None:
    with proxied(address) as proxy:
        visitor = Visitor(browser, proxy.address)  # type: ignore[arg-type]
        page = visitor.page
        table = visitor.make_table(edition="first")
        visitor.go(table)
        page.locator("header a").first.click()
        page.wait_for_selector(".start:enabled")
        link = page.locator(f'a[href="{table}"]').first
        link.wait_for()
        proxy.cut()
        link.click()
        page.get_by_role("heading", name=visitor.says("error.down")).wait_for()
        proxy.mend()
        visitor.button("lost.now").click()
        page.wait_for_selector(".display")
        visitor.close()
