"""One panel for everything a person may set, remembered; and the sounds, which are off until switched on."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from nevsky.texts import LANGUAGES
from tests.browser.support import Json, Visitor, is_nearly_over
from tests.browser.test_layout import STILL_ASKED

if TYPE_CHECKING:
    from playwright.sync_api import Locator, WebSocket

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
PHONE: Json = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
LISTEN = """
    window.notes = [];
    const create = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
        const tone = create.call(this);
        const start = tone.start;
        tone.start = (at) => { window.notes.push(tone.type); start.call(tone, at); };
        return tone;
    };
"""


def open_settings(visitor: Visitor, within: str = "header") -> Locator:
    visitor.button("settings", within).click()
    panel = visitor.page.locator("dialog", has=visitor.page.get_by_role("heading", name=visitor.says("settings")))
    panel.wait_for()
    return panel


def shut(visitor: Visitor) -> None:
    visitor.button("close", "dialog").click()
    visitor.page.wait_for_selector("dialog", state="detached")


def choose(panel: Locator, visitor: Visitor, key: str) -> None:
    group = panel.get_by_role("group", name=visitor.says(key.rsplit(".", 1)[0]), exact=True)
    group.get_by_label(visitor.says(key), exact=True).check()


def test_settings_open_from_every_page_and_back_closes_them(visit: Visit) -> None:
    visitor = visit(**PHONE)
    for path in ("/", "/new", "/rules", "/guides", "/about", "/nowhere"):
        visitor.page.goto(path)
        open_settings(visitor)
        visitor.page.go_back()
        visitor.page.wait_for_selector("dialog", state="detached")
        assert visitor.page.url == visitor.address + path
    visitor.forgive("404")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_the_settings_is_broken_on_a_phone(visit: Visit, language: str) -> None:
    visitor = visit(**PHONE, locale=language)
    visitor.go("/")
    panel = open_settings(visitor)
    assert panel.evaluate("each => each.scrollWidth <= each.clientWidth")
    heights = panel.locator("fieldset label span").evaluate_all(
        "all => all.map((each) => each.offsetHeight / parseFloat(getComputedStyle(each).lineHeight))"
    )
    assert heights and max(heights) < 2, "each choice is one line"


def test_what_was_set_holds_for_the_next_visit(visit: Visit) -> None:
    visitor = visit()
    sent: list[Json] = []

    def connected(socket: WebSocket) -> None:
        socket.on("framesent", lambda text: sent.append(json.loads(text)))

    visitor.page.on("websocket", connected)
    visitor.go(visitor.make_table())
    panel = open_settings(visitor, ".tools")
    for key in ("settings.theme.dark", "settings.card_size.large", "settings.bot_speed.instant"):
        choose(panel, visitor, key)
    panel.get_by_label(visitor.says("settings.flights")).uncheck()
    assert {"type": "bot_speed", "speed": "instant"} in sent, "the server hears of it at once"
    sent.clear()
    visitor.page.reload()
    visitor.page.wait_for_selector(".display")
    root = visitor.page.locator("html")
    assert root.get_attribute("data-theme") == "dark" and root.get_attribute("data-cards") == "large"
    visitor.page.wait_for_function("() => window.probe.state")
    visitor.page.wait_for_timeout(200)
    assert sent.count({"type": "bot_speed", "speed": "instant"}) == 1, "a new connection says it again"
    panel = open_settings(visitor)
    for key in ("settings.theme.dark", "settings.card_size.large", "settings.bot_speed.instant"):
        group = panel.get_by_role("group", name=visitor.says(key.rsplit(".", 1)[0]), exact=True)
        assert group.get_by_label(visitor.says(key), exact=True).is_checked()
    assert not panel.get_by_label(visitor.says("settings.flights")).is_checked()
    panel.get_by_role("combobox").select_option("it")
    visitor.language = "it"
    visitor.page.get_by_role("heading", name=visitor.says("settings")).wait_for()


def test_never_ask_again_can_be_taken_back(visit: Visit) -> None:
    visitor = visit()
    visitor.go(visitor.make_table(edition="first"))
    visitor.play_by_script(until=STILL_ASKED)
    visitor.wait_asked()
    version = visitor.state["version"]
    visitor.button("pass", ".bar").click()
    visitor.page.get_by_label(visitor.says("pass.never_ask")).check()
    visitor.button("pass", "dialog").click()
    visitor.wait_later_than(version)
    panel = open_settings(visitor)
    box = panel.get_by_label(visitor.says("settings.ask_pass"))
    assert not box.is_checked()
    box.check()
    shut(visitor)
    visitor.play_by_script(until=STILL_ASKED)
    visitor.wait_asked()
    if visitor.state["status"] == "playing":
        visitor.button("pass", ".bar").click()
        visitor.page.locator("dialog .confirm").wait_for()


def test_cards_have_the_size_one_likes(visit: Visit) -> None:
    visitor = visit()
    table = visitor.make_table(bots=2)
    visitor.play_ahead(table, times=15, thrifty=True)
    visitor.go(table)
    for width in (360, 820, 1440):
        visitor.resize(width, 900)
        sizes_differ(visitor)


def sizes_differ(visitor: Visitor) -> None:
    """Large cards are larger than small ones, and none sticks out."""
    sizes: dict[str, float] = {}
    panel = open_settings(visitor)
    for size in ("small", "normal", "large"):
        choose(panel, visitor, f"settings.card_size.{size}")
        visitor.page.wait_for_timeout(350)  # cards move to their places
        sizes[size] = visitor.page.locator(".display .line ul").first.evaluate("each => each.offsetHeight")
        inside: bool = visitor.page.locator(".display").evaluate(
            """display => {
                const room = display.getBoundingClientRect();
                return [...display.querySelectorAll("button.card")].map((each) => each.getBoundingClientRect())
                    .every((each) => each.right <= room.right && each.bottom <= room.bottom && each.left >= room.left);
            }"""
        )
        assert inside, size
        assert visitor.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), size
    shut(visitor)
    assert sizes["small"] < 0.9 * sizes["normal"] and sizes["large"] > 1.1 * sizes["normal"]


def test_nothing_is_heard_or_loaded_until_sounds_are_switched_on(visit: Visit) -> None:
    visitor = visit()
    loaded: list[str] = []
    visitor.page.on("response", lambda answer: loaded.append(answer.url))
    visitor.context.add_init_script(LISTEN)
    visitor.go(visitor.make_table(bots=2))
    visitor.page.mouse.click(5, 5)
    visitor.play_by_script(10)
    assert heard(visitor) == []
    assert not any("sounds" in url for url in loaded)
    panel = open_settings(visitor)
    assert panel.get_by_role("slider").is_disabled()
    panel.get_by_label(visitor.says("settings.sound")).check()
    visitor.page.wait_for_function("() => window.notes.length > 0")
    assert any("sounds" in url for url in loaded)
    shut(visitor)
    visitor.page.evaluate("() => window.notes.splice(0)")
    visitor.play_by_script(10, thrifty=True)
    visitor.page.wait_for_function("() => window.notes.length > 3")
    panel = open_settings(visitor)
    visitor.page.evaluate("() => window.notes.splice(0)")
    panel.get_by_label(visitor.says("settings.sound")).uncheck()
    shut(visitor)
    visitor.play_by_script(10)
    assert heard(visitor) == []


def test_sounds_are_remembered_and_the_end_is_heard(visit: Visit) -> None:
    visitor = visit()
    visitor.context.add_init_script(LISTEN)
    table = visitor.make_table()
    visitor.go(table)
    open_settings(visitor).get_by_label(visitor.says("settings.sound")).check()
    visitor.go("/about")
    visitor.play_ahead(table, is_nearly_over)
    visitor.go(table)
    visitor.page.mouse.click(5, 5)
    visitor.play_by_script()
    visitor.page.wait_for_selector("dialog .final")
    visitor.page.wait_for_timeout(100)
    assert len(heard(visitor)) >= 8


def heard(visitor: Visitor) -> list[Any]:
    notes: list[Any] = visitor.page.evaluate("() => window.notes")
    return notes
