"""One seat on two devices."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.support import Visitor

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


def seat_link(visitor: Visitor) -> str:
    """The link of the own seat, copied in its dialog."""
    visitor.button("share.seat").click()
    visitor.page.locator("dialog", has_text=visitor.says("seat_link.warning")).wait_for()
    visitor.button("seat_link.copy", "dialog").click()
    visitor.page.locator("dialog").get_by_role("button", name=visitor.says("copied")).wait_for()
    return visitor.clipboard()


def test_a_seat_link_brings_the_game_to_a_second_device_and_can_be_ended(visit: Visit) -> None:
    laptop, phone = visit(), visit(viewport={"width": 390, "height": 800}, is_mobile=True, has_touch=True)
    laptop.go(laptop.make_table(edition="first"))
    laptop.wait_asked()
    path = laptop.page.url.removeprefix(laptop.address)
    link = seat_link(laptop)
    assert "?seat=" in link

    phone.go(link.removeprefix(phone.address))
    assert phone.state["you"] == laptop.state["you"]
    assert "seat=" not in phone.page.url
    phone.go("/")
    mine = phone.page.locator("section", has=phone.page.get_by_role("heading", name=phone.says("tables.mine")))
    mine.locator(f'a[href="{path}"]').first.click()
    phone.page.wait_for_selector(".display")
    phone.wait_asked()
    phone.decide()  # for both
    laptop.page.wait_for_function("() => window.probe.state.log.some((line) => line.seat === window.probe.state.you)")

    laptop.button("seat_link.renew", "dialog").click()
    laptop.page.get_by_role("status").filter(has_text=laptop.says("seat_link.ended")).wait_for()
    phone.page.get_by_role("alert").wait_for()
    laptop.button("seat_link.copy", "dialog").click()
    laptop.page.locator("dialog").get_by_role("button", name=laptop.says("copied")).wait_for()
    assert laptop.clipboard() != link
    laptop.button("close", "dialog").click()
    laptop.wait_asked()
    laptop.decide()

    phone.page.goto(link)
    phone.page.get_by_role("heading", name=phone.says("gone.link")).wait_for()
    phone.go("/")
    phone.page.get_by_text(phone.says("tables.mine.none")).wait_for()
    for visitor in (laptop, phone):
        visitor.forgive("403")
