"""Moves over connections that break, and over slow ones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.proxy import Proxy, proxied
from tests.browser.support import Visitor, until

pytestmark = pytest.mark.browser


@pytest.fixture
def proxy(address: str) -> Iterator[Proxy]:
    with proxied(address) as found:
        yield found


@pytest.fixture
def far_away(browser: object, proxy: Proxy) -> Iterator[Visitor]:
    """Somebody who reaches the server through the proxy only, in the middle of their turn."""
    visitor = Visitor(browser, proxy.address)  # type: ignore[arg-type]
    visitor.go(visitor.make_table(edition="first"))
    visitor.wait_asked()
    yield visitor
    visitor.close()


def buy(visitor: Visitor) -> str:
    """Click on the first card that can be bought and on Buy; the card."""
    card = visitor.page.locator(".display .row1 button.card.active").first
    name = card.locator(".name").inner_text()
    card.click()
    visitor.page.locator("dialog .choices button").first.click()
    return name


def cards(visitor: Visitor) -> int:
    return visitor.page.locator(".display .row1 button.card").count()


def own_lines(visitor: Visitor) -> list[str]:
    state = visitor.state
    return [line["text"] for line in state["log"] if line["seat"] == state["you"]]


def test_a_move_without_a_connection_is_kept_and_made_once(far_away: Visitor, proxy: Proxy) -> None:
    page, before = far_away.page, cards(far_away)
    proxy.cut()
    banner = page.get_by_role("status").filter(has_text=far_away.says("lost"))
    banner.wait_for()
    version = far_away.state["version"]
    buy(far_away)
    banner.filter(has_text=far_away.says("lost.kept").split("{")[0].strip()).wait_for()
    assert cards(far_away) == before - 1, "the card is on its way"
    assert page.locator(".own .pending").count() == 1
    assert far_away.acts == []
    proxy.mend()
    far_away.wait_later_than(version)
    banner.wait_for(state="detached")
    page.locator(".own .pending").wait_for(state="detached")
    assert len(far_away.acts) == 1
    assert len(own_lines(far_away)) == 1
    assert page.get_by_role("alert").count() == 0


def test_a_kept_move_that_comes_too_late_says_so(
    far_away: Visitor, proxy: Proxy, browser: object, address: str
) -> None:
    page = far_away.page
    path = page.url.removeprefix(proxy.address)
    proxy.cut()
    page.get_by_role("status").filter(has_text=far_away.says("lost")).wait_for()
    name = buy(far_away)
    # the same seat on a device that is connected
    elsewhere = Visitor(browser, address)  # type: ignore[arg-type]
    [cookie] = far_away.context.cookies()
    elsewhere.context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": address}])
    elsewhere.go(path)
    elsewhere.wait_asked()
    elsewhere.decide(quickly=True)
    elsewhere.close()
    proxy.mend()
    alert = page.get_by_role("alert")
    alert.filter(has_text=name).wait_for()
    assert page.locator(".pending").count() == 0
    assert far_away.acts == []


def test_a_kept_move_can_be_forgotten(far_away: Visitor, proxy: Proxy) -> None:
    page, before = far_away.page, cards(far_away)
    proxy.cut()
    page.get_by_role("status").filter(has_text=far_away.says("lost")).wait_for()
    buy(far_away)
    far_away.button("lost.withdraw").click()
    page.locator(".pending").wait_for(state="detached")
    assert cards(far_away) == before
    proxy.mend()
    far_away.button("lost.now").click()
    page.get_by_role("status").filter(has_text=far_away.says("lost")).wait_for(state="detached")
    assert far_away.acts == []


def test_an_answer_that_got_lost_does_not_repeat_the_move(far_away: Visitor, proxy: Proxy, address: str) -> None:
    page = far_away.page
    log = f"{address}/api{page.url.removeprefix(proxy.address).replace('table', 'tables')}/log"
    before = far_away.context.request.get(log).json()
    proxy.swallows = True
    buy(far_away)
    page.locator(".own .pending").wait_for()
    until(lambda: far_away.context.request.get(log).json() != before, lambda: page.wait_for_timeout(50), 20)
    proxy.cut()
    proxy.swallows = False
    page.get_by_role("status").filter(has_text=far_away.says("lost")).wait_for()
    proxy.mend()
    page.locator(".pending").wait_for(state="detached")
    far_away.wait_asked()
    assert len(far_away.acts) == 1
    assert len(own_lines(far_away)) == 1
    assert page.get_by_role("alert").count() == 0


def test_a_server_that_does_not_answer_is_mentioned(far_away: Visitor, proxy: Proxy) -> None:
    page = far_away.page
    proxy.swallows = True
    buy(far_away)
    page.get_by_role("status").filter(has_text=far_away.says("lost.silent")).wait_for()


def test_a_click_is_answered_at_once_however_slow_the_server_is(far_away: Visitor, proxy: Proxy) -> None:
    page, before = far_away.page, cards(far_away)
    proxy.delay = 1.5
    version = far_away.state["version"]
    page.evaluate(
        """() => {
            window.clicked = window.moved = null;
            const click = ({ target }) => target.closest("dialog .choices") && (window.clicked = performance.now());
            addEventListener("click", click, true);
            const watch = () => {
                if (document.querySelector(".own .pending")) window.moved = performance.now();
                else requestAnimationFrame(watch);
            };
            watch();
        }"""
    )
    buy(far_away)
    page.locator(".own .pending").wait_for()
    assert cards(far_away) == before - 1
    assert page.locator(".bar[aria-busy=true]").count() == 1
    assert far_away.state["version"] == version, "the server has not answered yet"
    assert page.evaluate("() => window.moved - window.clicked") < 1000, "long before the answer"
    for button in page.locator(".bar .pass").all():
        assert button.is_disabled(), "nothing is decided twice"
    far_away.wait_later_than(version)
    page.locator(".own .pending").wait_for(state="detached")
    assert len(far_away.acts) == len(own_lines(far_away)) == 1


def test_a_refusal_takes_the_card_back_with_its_reason(far_away: Visitor, proxy: Proxy) -> None:
    page, before = far_away.page, cards(far_away)
    # as if a rule had changed behind the page's back
    page.evaluate(
        """() => {
            const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (text) {
                const message = JSON.parse(text);
                if (message.type === "act") message.action = "buy hospital row 2";
                return send.call(this, JSON.stringify(message));
            };
        }"""
    )
    proxy.delay = 0.5
    buy(far_away)
    page.locator(".own .pending").wait_for()
    page.get_by_role("alert").wait_for()
    page.locator(".pending").wait_for(state="detached")
    assert cards(far_away) == before
    assert far_away.is_asked()
