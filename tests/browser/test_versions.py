"""Servers change while pages are open: an old page loads itself anew, and a table that moves is hardly missed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.support import Visitor

pytestmark = pytest.mark.browser

# a page that speaks an older protocol until it was loaded so many times
OLD = """
(() => {
    const loads = Number(sessionStorage.getItem("loads") ?? 0) + 1;
    sessionStorage.setItem("loads", String(loads));
    window.sockets = [];
    const Real = window.WebSocket;
    window.WebSocket = class extends Real {
        constructor(url, ...more) {
            super(loads < FRESH ? String(url).replace(/protocol=\\d+/, "protocol=1") : url, ...more);
            window.sockets.push(this);
        }
    };
})();
"""


def loads(visitor: Visitor) -> int:
    return int(visitor.page.evaluate("() => Number(sessionStorage.getItem('loads'))"))


def test_an_old_page_loads_itself_anew_and_plays_on(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.context.add_init_script(script=OLD.replace("FRESH", "2"))
    table = visitor.make_table(edition="first")
    visitor.page.goto(table)
    visitor.wait_asked()
    assert loads(visitor) == 2
    visitor.decide()
    assert loads(visitor) == 2


@pytest.mark.parametrize("locale", ["en-US", "de-DE", "fr-FR", "it-IT"])
def test_a_page_that_stays_old_says_so_and_does_not_go_round_in_a_circle(
    visit: Callable[..., Visitor], locale: str
) -> None:
    visitor = visit(locale=locale)
    visitor.context.add_init_script(script=OLD.replace("FRESH", "1000"))
    visitor.page.goto(visitor.make_table())
    button = visitor.button("reload")
    visitor.page.wait_for_function("() => Number(sessionStorage.getItem('loads')) === 2")
    button.wait_for()
    visitor.page.wait_for_timeout(3000)
    assert loads(visitor) == 2
    button.click()
    visitor.page.wait_for_function("() => Number(sessionStorage.getItem('loads')) === 3")
    button.wait_for()


def test_a_table_that_moves_is_back_before_anybody_is_told(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.context.add_init_script(script=OLD.replace("FRESH", "1"))
    visitor.go(visitor.make_table(edition="first"))
    visitor.wait_asked()
    page = visitor.page
    page.evaluate(
        """() => {
            window.told = 0;
            const look = () => {
                window.told += document.querySelectorAll(".banner").length;
                requestAnimationFrame(look);
            };
            look();
            Math.random = () => 0.1;
            window.sockets.at(-1).close(4421, "moved");
        }"""
    )
    page.wait_for_function("() => window.sockets.length === 2 && window.sockets[1].readyState === 1")
    visitor.decide()
    assert page.evaluate("() => window.told") == 0
    assert loads(visitor) == 1
