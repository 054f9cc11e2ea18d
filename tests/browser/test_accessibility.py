"""No serious violations of accessibility, as axe-core sees it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from tests.browser.support import AXE, EVERYTHING, Json, Visitor

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
Theme = Literal["light", "dark"]


def with_axe(visitor: Visitor) -> Visitor:
    """Somebody with axe in the page."""
    axe = Path(os.environ.get("NEVSKY_AXE", AXE))
    assert axe.is_file(), "axe-core is missing: run make web."
    visitor.context.add_init_script(path=axe)
    return visitor


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    return with_axe(visit())


COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules that a theme can break; what a page is made of is the same in both."""

AT_ONCE = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after { transition: none !important }");
    document.adoptedStyleSheets = [sheet];
}"""
"""Thousands of colours that change slowly keep the browser busy for seconds, and only their end is looked at."""


def violations(visitor: Visitor, within: str = "html", only: list[str] | None = None) -> list[str]:
    """What is serious or critical on the page, or a part of it, as it is."""
    visitor.page.wait_for_function("() => document.getAnimations().every((each) => each.playState !== 'running')")
    options: Json = {"resultTypes": ["violations"], "preload": False} | ({"runOnly": only} if only else {})
    found: list[Json] = visitor.page.evaluate(
        "async ([within, options]) => (await window.axe.run(within, options)).violations", [within, options]
    )
    return [
        f"{rule['id']} ({rule['impact']}) at {' '.join(map(str, node['target']))}: "
        + "; ".join(check["message"] for check in node["any"] + node["all"] + node["none"])
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def in_both_themes(visitor: Visitor, within: str = "html") -> list[str]:
    """The same in light and dark, on a phone and on a desk."""
    found = []
    visitor.page.evaluate(AT_ONCE)
    for width, height in ((390, 844), (1280, 900)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        for theme, only in (("dark", None), ("light", COLOURS)):
            visitor.page.evaluate("theme => (document.documentElement.dataset.theme = theme)", theme)
            found += [f"{width}, {theme}: {line}" for line in violations(visitor, within, only)]
    return found


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/new",
        "/games",
        "/people",
        "/stop",
        "/profile",
        "/sign-in",
        "/rules",
        "/rules/cards",
        "/about",
        "/guides",
        "/guide",
        "/guide/market",
        "/guide/events",
        "/daily",
        "/puzzles",
        "/ratings",
        "/tournaments",
    ],
)
def test_pages(visitor: Visitor, path: str) -> None:
    visitor.go(path)
    found = in_both_themes(visitor)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "path", ["/nowhere", "/table/nowhere", "/replay/nowhere", "/player/nowhere", "/sign-in#nowhere"]
)
def test_pages_of_errors(visitor: Visitor, path: str) -> None:
    visitor.page.goto(path)
    visitor.page.wait_for_selector("h1")
    found = in_both_themes(visitor)
    visitor.forgive("404")
    assert not found, "\n".join(found)


def test_a_home_with_games_and_a_waiting_table(visitor: Visitor, finished: str) -> None:
    visitor.make_table()
    table = visitor.open_table()
    visitor.go("/")
    visitor.page.locator(f'a[href="{table}"]').first.wait_for()
    found = in_both_themes(visitor)
    visitor.go(table)
    found += in_both_themes(visitor)
    visitor.button("waiting.change").click()
    visitor.page.locator(".game form").wait_for()
    found += in_both_themes(visitor)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("ruleset", [{}, EVERYTHING], ids=["plain", "everything"])
def test_a_table_in_the_middle(visitor: Visitor, ruleset: Json) -> None:
    table = visitor.make_table(**ruleset)
    visitor.play_ahead(table, times=20)
    visitor.go(table)
    page = visitor.page
    visitor.wait_asked()
    visitor.button("hint", ".bar").click()
    page.wait_for_selector(".hints li")
    found = in_both_themes(visitor)
    visitor.button("more.hide", ".drawer").click()
    page.wait_for_selector(".drawer", state="detached")
    page.locator("#tab-chat").click()
    page.get_by_label(visitor.says("chat.write")).fill("Good luck!")
    visitor.button("send").click()
    found += in_both_themes(visitor, ".side")
    page.locator("#tab-cards").click()
    found += in_both_themes(visitor, ".side")
    for card in (".display button.card", "button.mini"):
        page.locator(card).first.click()
        page.wait_for_selector("dialog[open]")
        found += in_both_themes(visitor, "dialog")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
    assert not found, "\n".join(sorted(set(found)))


def test_dialogs_of_the_table_and_a_lost_connection(visitor: Visitor) -> None:
    visitor.go(visitor.make_table(edition="first"))
    visitor.wait_asked()
    found = []
    for key in ("share.seat", "keys", "settings"):
        visitor.button(key).last.click()
        visitor.page.wait_for_selector("dialog[open]")
        found += in_both_themes(visitor, "dialog")
        visitor.page.keyboard.press("Escape")
        visitor.page.wait_for_selector("dialog", state="detached")
    visitor.context.set_offline(True)
    visitor.page.evaluate("() => window.probe.socket.close()")
    visitor.page.locator("[role=status]", has_text=visitor.says("lost")).wait_for()
    visitor.page.locator(".display button.card.active").first.click()
    visitor.page.locator("dialog .choices button").first.click()
    visitor.page.wait_for_selector(".own .pending")
    found += in_both_themes(visitor)
    visitor.context.set_offline(False)
    visitor.forgive("ERR_INTERNET_DISCONNECTED")
    assert not found, "\n".join(sorted(set(found)))


def test_a_question_that_is_asked_twice(visitor: Visitor) -> None:
    visitor.go(visitor.make_table(edition="first"))
    visitor.wait_asked()
    visitor.button("pass", ".bar").click()
    visitor.page.locator("dialog .confirm").wait_for()
    found = in_both_themes(visitor)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("game", ["finished", "finished_with_everything"])
def test_a_finished_table_and_its_replay(visitor: Visitor, request: pytest.FixtureRequest, game: str) -> None:
    table: str = request.getfixturevalue(game)
    visitor.go(f"/table/{table}")
    visitor.page.wait_for_selector(".final")
    found = in_both_themes(visitor)
    visitor.page.goto(f"/replay/{table}?step=40")
    visitor.page.wait_for_selector(".controls")
    found += in_both_themes(visitor)
    assert not found, "\n".join(sorted(set(found)))
