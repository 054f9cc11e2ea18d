"""The pages in real Chromium, as people use them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.support import EVERYTHING, Visitor, until

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
PHONES = [(390, 844), (360, 740)]
WORDS = {
    "de": ("Jetzt spielen", "Passen", "Neuer Tisch"),
    "fr": ("Jouer", "Passer", "Nouvelle table"),
    "it": ("Gioca ora", "Passa", "Nuovo tavolo"),
}


def start_quick_game(visitor: Visitor) -> None:
    visitor.go("/")
    visitor.page.locator('input[name="bots"][value="1"]').check(force=True)
    visitor.page.locator('input[name="level"]').first.check(force=True)
    visitor.page.locator(".start").click()
    visitor.page.wait_for_selector(".display")


def test_a_new_visitor_clicks_through_a_whole_game(visit: Visit) -> None:
    visitor = visit()
    start_quick_game(visitor)

    def turn() -> None:
        visitor.wait_asked()
        if visitor.is_asked():
            visitor.decide(quickly=len(visitor.acts) >= 6)

    until(visitor.is_over, turn, 120)
    final = visitor.page.locator(".final")
    assert final.locator("tbody tr").count() == 2
    assert final.locator("td.total").all_inner_texts() == [
        str(line["total"]) for line in sorted(visitor.state["final"], key=lambda line: line["place"])
    ]
    assert any(act.startswith("buy") for act in visitor.acts)
    assert visitor.page.locator('a[href^="/replay/"]').count()
    assert visitor.problems == []


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


@pytest.mark.parametrize("language", WORDS)
def test_languages(visit: Visit, language: str) -> None:
    start, passing, new = WORDS[language]
    visitor = visit()
    visitor.go("/")
    page = visitor.page
    assert page.locator("html").get_attribute("lang") == "en"
    title = page.locator("h1").inner_text()
    page.locator("header select").select_option(language)
    page.locator(".start", has_text=start).wait_for()
    page.locator("header nav a", has_text=new).wait_for()
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("h1").inner_text() != title

    visitor.go(visitor.make_table())
    until(lambda: bool(page.locator(".bar.asked .tools .gold").count()), lambda: visitor.play_by_script(1), 30)
    assert page.locator("html").get_attribute("lang") == language  # kept
    page.locator(".bar .tools .gold", has_text=passing).wait_for()
    own = page.locator(".question").inner_text()
    page.locator("header select").select_option("en")
    page.locator(".bar .tools .gold", has_text="Pass").wait_for()
    page.wait_for_function("own => document.querySelector('.question').innerText !== own", arg=own)
    assert page.locator("html").get_attribute("lang") == "en"
    page.locator("header select").select_option(language)
    page.wait_for_function("own => document.querySelector('.question').innerText === own", arg=own)


@pytest.mark.parametrize("language", WORDS)
def test_the_language_of_the_browser_is_taken(visit: Visit, language: str) -> None:
    visitor = visit(locale=language)
    visitor.go("/")
    visitor.page.locator(".start", has_text=WORDS[language][0]).wait_for()
    assert visitor.page.locator("html").get_attribute("lang") == language


def too_wide(visitor: Visitor, width: int) -> list[str]:
    """What sticks out of the page to the right, if it can be scrolled there."""
    found: list[str] = visitor.page.evaluate(
        """width => {
            const root = document.documentElement;
            if (Math.max(root.scrollWidth, innerWidth, document.body.scrollWidth) <= width) return [];
            const all = [...document.querySelectorAll("body *")];
            const out = all.filter((each) => each.getBoundingClientRect().right > width + 0.5).slice(0, 8);
            return [`${location.pathname}: ${root.scrollWidth}`, ...out.map((e) => `${e.tagName}.${e.className}`)];
        }""",
        width,
    )
    return found


@pytest.mark.parametrize("size", PHONES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", ["en", "de"])
def test_phones_need_no_scrolling_to_the_side(
    visit: Visit, finished: str, size: tuple[int, int], language: str
) -> None:
    width, height = size
    options: dict[str, Any] = {"viewport": {"width": width, "height": height}, "is_mobile": True, "has_touch": True}
    visitor = visit(locale=language, **options)
    wide = []
    for path in ("/", "/new", "/rules", "/about", f"/table/{finished}"):
        visitor.go(path)
        wide += too_wide(visitor, width)
    for ruleset in ({}, EVERYTHING):
        visitor.go(visitor.make_table(**ruleset))
        wide += too_wide(visitor, width)
        visitor.play_by_script(15)
        wide += too_wide(visitor, width)
        visitor.page.locator(".display button.card").first.click()
        visitor.page.wait_for_selector("dialog[open]")
        wide += too_wide(visitor, width)
    visitor.page.goto(f"/replay/{finished}?step=20")
    visitor.page.wait_for_selector(".controls")
    wide += too_wide(visitor, width)
    assert wide == []


def tab_to(visitor: Visitor, selector: str, most: int = 120) -> None:
    for _ in range(most):
        if visitor.page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not lead to {selector}")


def test_by_keyboard_only(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.go("/")
    tab_to(visitor, 'input[name="bots"]')
    page.keyboard.press("ArrowLeft")
    assert page.locator('input[name="bots"][value="1"]').is_checked()
    tab_to(visitor, ".start")
    page.keyboard.press("Enter")
    page.wait_for_selector(".display")
    visitor.wait_asked()
    version = visitor.state["version"]
    tab_to(visitor, ".display button.card.active")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate("() => document.activeElement.matches('button.card')"), "the focus comes back to the card"
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    tab_to(visitor, "dialog .choices button", 10)
    page.keyboard.press("Enter")
    page.wait_for_function("version => window.probe.state.version > version", arg=version)
    assert len(visitor.acts) == 1


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


def test_the_replay_of_a_finished_game(visit: Visit, finished: str) -> None:
    visitor = visit()
    page = visitor.page
    page.goto(f"/replay/{finished}")
    place = page.locator(".controls .num").first
    steps = int(re.split(r"\D+", place.inner_text())[-1])
    assert steps > 20

    def at(step: int) -> None:
        page.locator(".controls .num", has_text=re.compile(rf"^{step} / {steps}$")).wait_for()

    at(0)
    forward, back = page.get_by_role("button", name="forward"), page.get_by_role("button", name="back")
    buttons = page.locator(".controls button")
    assert forward.count() == back.count() == 1, buttons.evaluate_all("all => all.map(b => b.ariaLabel)")
    forward.click()
    at(1)
    forward.click()
    at(2)
    back.click()
    at(1)
    assert page.locator(".final").count() == 0
    slider = page.locator('.controls input[type="range"]')
    slider.fill(str(steps // 2))
    at(steps // 2)
    assert page.url.endswith(f"?step={steps // 2}")
    page.reload()
    at(steps // 2)
    page.keyboard.press("ArrowRight")
    at(steps // 2 + 1)
    page.keyboard.press("End")
    at(steps)
    page.wait_for_selector(".final")
    page.keyboard.press("Home")
    at(0)
    assert page.locator(".final").count() == 0


def test_the_market_with_all_modules_to_the_end(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/new")
    page = visitor.page
    page.get_by_role("checkbox", name=re.compile("Market")).first.check()
    boxes = page.locator("input[aria-describedby^=module-]")
    for place in range(boxes.count()):
        boxes.nth(place).check()
    page.locator(".numbers button", has_text="5").click()
    choices = page.locator("ol select")
    for seat in range(1, 5):
        level = choices.nth(seat).locator("option").nth(2).get_attribute("value")
        choices.nth(seat).select_option(level)
    page.locator("form .button.gold").click()
    page.wait_for_selector(".display")
    ruleset = visitor.state["ruleset"]
    assert ruleset["market"] and ruleset["players"] == 5
    assert len(ruleset["modules"]) == 6
    visitor.play_by_script()
    page.wait_for_selector(".final")
    assert page.locator(".final tbody tr").count() == 5
    assert visitor.problems == []
