"""The pages in real Chromium, as people use them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from nevsky.texts import LANGUAGES
from tests.browser.support import EVERYTHING, Visitor, until

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
PHONE = (360, 740)
WORDS = {
    "de": ("Jetzt spielen", "Passen", "Neuer Tisch"),
    "fr": ("Jouer", "Passer", "Nouvelle table"),
    "it": ("Gioca ora", "Passa", "Nuovo tavolo"),
}


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


def test_the_rules_are_read_in_the_language_of_the_page(visit: Visit) -> None:
    visitor = visit(locale="de-DE")
    visitor.go("/rules")
    page = visitor.page
    shown = {}
    for language in LANGUAGES:
        page.locator("header select").select_option(language)
        page.wait_for_function("language => document.documentElement.lang === language", arg=language)
        book = visitor.context.request.get(f"/api/rules?language={language}").json()
        title = next(section["title"] for section in book["sections"] if section["number"] == "1")
        page.get_by_role("heading", name=f"1 {title}", exact=True).wait_for()
        shown[language] = title
    assert len(set(shown.values())) == len(LANGUAGES)


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_phones_need_no_scrolling_to_the_side(visit: Visit, finished: str, language: str) -> None:
    width, height = PHONE
    options: dict[str, Any] = {"viewport": {"width": width, "height": height}, "is_mobile": True, "has_touch": True}
    visitor = visit(locale=language, **options)
    wide, opened = [], False
    for path in (
        "/",
        "/new",
        "/rules",
        "/rules/cards",
        "/about",
        "/games",
        "/people",
        "/stop",
        "/profile",
        "/sign-in",
        "/player/nowhere",
        "/guides",
        "/daily",
        "/puzzles",
        "/ratings",
        "/tournaments",
        "/guide",
        "/guide/events",
        "/nowhere",
        f"/table/{finished}",
        visitor.open_table(),
    ):
        (visitor.follow if opened else visitor.go)(path)
        opened = True
        wide += too_wide(visitor, width)
    for ruleset in ({}, EVERYTHING):
        table = visitor.make_table(**ruleset)
        visitor.play_ahead(table, times=15)
        visitor.go(table)
        wide += too_wide(visitor, width)
        visitor.page.locator("button.card, button.mini").first.click()  # the display may be empty
        visitor.page.wait_for_selector("dialog[open]")
        wide += too_wide(visitor, width)
    visitor.page.goto(f"/replay/{finished}?step=20")
    visitor.page.wait_for_selector(".controls")
    wide += too_wide(visitor, width)
    visitor.forgive("404")
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


def test_a_replay_shows_expected_scores_and_chances_to_win(visit: Visit, finished: str) -> None:
    visitor = visit()
    page = visitor.page
    page.goto(f"/replay/{finished}?step=20")
    charts = page.locator(".controls figure")
    for title in ("outlook", "outlook.chances"):
        page.get_by_role("slider", name=visitor.says(title)).wait_for(timeout=60_000)
    page.wait_for_selector(".controls progress", state="detached", timeout=120_000)
    assert charts.count() == 2
    scores, chances = (
        [int(re.sub(r"\D", "", figure)) for figure in chart.locator("figcaption strong").all_inner_texts()]
        for chart in charts.all()
    )
    assert len(scores) == len(chances) >= 2
    assert 98 <= sum(chances) <= 102
    assert all(10 < score < 250 for score in scores)
    chart = page.get_by_role("slider", name=visitor.says("outlook.chances"))
    assert "%" in (chart.get_attribute("aria-valuetext") or "")
    chart.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**?step=21")
    lines = [path.get_attribute("d") or "" for path in charts.locator("svg[role=slider] path:not(.mark)").all()]
    assert len(lines) == 2 * len(scores)
    assert all(line.count("L") + line.count("C") + line.count(" ") > 20 for line in lines), "the whole game is drawn"
    page.reload()
    page.wait_for_selector(".controls progress", state="detached")
    charts.nth(1).wait_for()
    assert charts.count() == 2, "known from now on"


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
