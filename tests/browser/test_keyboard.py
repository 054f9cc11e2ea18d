"""Playing with the keyboard, and what the browser is told of the app: titles, icons, previews."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

import pytest

from tests.browser.support import Visitor

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


def at_table(visit: Visit, **options: object) -> Visitor:
    visitor = visit(**options)
    visitor.go(visitor.make_table(edition="first"))
    visitor.wait_asked()
    return visitor


def shut(visitor: Visitor) -> None:
    visitor.page.keyboard.press("Escape")
    visitor.page.wait_for_selector("dialog", state="detached")


def test_keys_press_the_buttons_of_the_table(visit: Visit) -> None:
    visitor = at_table(visit)
    page, keyboard = visitor.page, visitor.page.keyboard
    for place in (1, 2):
        name = page.locator(".display button.card .name").nth(place - 1).inner_text()
        keyboard.press(str(place))
        page.locator("dialog h2", has_text=name).wait_for()
        keyboard.press("p")  # belongs to the dialog
        shut(visitor)
    keyboard.press("h")
    page.wait_for_selector(".hints li")
    assert visitor.acts == []
    keyboard.press("p")
    visitor.confirm(0)
    page.wait_for_function("() => window.probe.state.log.some((line) => line.seat === window.probe.state.you)")
    assert visitor.acts == ["pass"]
    page.wait_for_selector(".undo")
    keyboard.press("u")
    page.wait_for_function("() => !window.probe.state.log.some((line) => line.seat === window.probe.state.you)")
    assert visitor.acts == ["pass", "undo"]


def test_help_lists_the_keys_and_can_switch_them_off(visit: Visit) -> None:
    visitor = at_table(visit)
    page, keyboard = visitor.page, visitor.page.keyboard
    keyboard.press("?")
    page.locator("dialog h2", has_text=visitor.says("keys")).wait_for()
    shown = set(page.locator("dialog kbd").all_inner_texts())
    offered = page.locator("main [aria-keyshortcuts]").evaluate_all(
        "all => all.map((e) => e.ariaKeyShortcuts ?? e.getAttribute('aria-keyshortcuts'))"
    )
    assert {"P", "U", "H", "?", "1", "8"} <= shown
    assert {"P", "H", "1", "2"} <= set(offered)
    page.get_by_label(visitor.says("settings.shortcuts")).uncheck()
    shut(visitor)
    keyboard.press("1")
    keyboard.press("p")
    assert page.locator("dialog").count() == 0 and visitor.acts == []
    page.reload()
    visitor.wait_asked()
    keyboard.press("1")
    assert page.locator("dialog").count() == 0, "remembered"
    visitor.button("keys").click()
    page.get_by_label(visitor.says("settings.shortcuts")).check()
    shut(visitor)
    keyboard.press("1")
    page.wait_for_selector("dialog[open]")


def test_keys_are_letters_while_one_types(visit: Visit) -> None:
    visitor = at_table(visit)
    page = visitor.page
    page.locator("#tab-chat").click()
    page.get_by_label(visitor.says("chat.write")).focus()
    page.keyboard.type("Help? 1 pub!")
    assert page.get_by_label(visitor.says("chat.write")).input_value() == "Help? 1 pub!"
    assert page.locator("dialog").count() == 0
    assert visitor.acts == []
    assert page.locator(".hints").count() == 0


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_focus_stays_near_after_a_purchase(visit: Visit, motion: str) -> None:
    visitor = at_table(visit, reduced_motion=motion)
    page = visitor.page
    version = visitor.state["version"]
    page.locator(".display .row1 button.card.active").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    page.locator("dialog .choices button").first.focus()
    page.keyboard.press("Enter")
    visitor.wait_later_than(version)
    visitor.wait_asked()
    page.wait_for_function("() => document.activeElement.matches('.display button.card')")
    assert len(visitor.acts) == 1
    page.keyboard.press("Enter")  # and one can go on from there
    page.wait_for_selector("dialog[open]")


def test_every_page_has_a_title(visit: Visit, finished: str) -> None:
    visitor = visit()
    titles = []
    for path in ("/", "/new", "/rules", "/about", "/guide", f"/table/{finished}", f"/replay/{finished}", "/nowhere"):
        visitor.page.goto(path)
        visitor.page.wait_for_selector("h1", state="attached")
        visitor.page.wait_for_function("() => document.title.endsWith(' – Nevsky')")
        titles.append(visitor.page.title())
    assert len(set(titles)) == len(titles), titles
    yours = visitor.says("title.your_turn")
    assert not any(yours in title for title in titles)
    visitor.make_table(edition="first")
    visitor.go("/")
    visitor.page.wait_for_function("yours => document.title.includes(yours)", arg=yours)
    visitor.page.goto("/rules")
    visitor.page.wait_for_selector(".rule")
    assert yours not in visitor.page.title()
    visitor.forgive("404")


def size(visitor: Visitor, path: str) -> str:
    """The size of a PNG as it says itself."""
    body = visitor.context.request.get(path).body()
    assert body.startswith(b"\x89PNG"), path
    return "x".join(map(str, struct.unpack(">II", body[16:24])))


def test_the_app_has_icons_and_a_picture_for_previews(visit: Visit, finished: str) -> None:
    visitor = visit()
    visitor.go("/")
    manifest = visitor.context.request.get(
        visitor.page.locator("link[rel=manifest]").get_attribute("href") or ""
    ).json()
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        if icon["type"] == "image/png":
            assert size(visitor, icon["src"]) == icon["sizes"]
    assert size(visitor, visitor.page.locator("link[rel=apple-touch-icon]").get_attribute("href") or "") == "180x180"
    page = visitor.context.request.get(f"/replay/{finished}").text()
    tags = dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)"', page))
    assert size(visitor, tags["og:image"]) == f"{tags['og:image:width']}x{tags['og:image:height']}" == "1200x630"
    assert tags["og:title"] and tags["og:description"]
