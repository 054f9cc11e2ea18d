"""Nothing jumps, nothing is cut off, and the end is seen: the table in real Chromium."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route

from nevsky.texts import LANGUAGES
from tests.browser.support import EVERYTHING, STATIC, Json, Visitor, is_nearly_over, seated_together, until

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
PHONE: Json = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
DESKTOP: Json = {"viewport": {"width": 1440, "height": 900}}
SHIFTS = Path(__file__).with_name("shifts.js")
MOST = 0.1
STILL_ASKED = """state => state.due === "turn" && state.choices.some((each) => each.verb === "pass" && each.confirm)"""


def is_in_sight(visitor: Visitor, selector: str) -> bool:
    found: bool = visitor.page.locator(selector).first.evaluate(
        """each => {
            const { top, left, bottom, right } = each.getBoundingClientRect();
            return top >= 0 && left >= 0 && bottom <= innerHeight + 1 && right <= innerWidth + 1;
        }"""
    )
    return found


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_jumps_in_a_whole_game(visit: Visit, size: Json) -> None:
    """The sum over the whole game, not only of its worst moment; nobody touches anything, so every shift counts."""
    visitor = visit(**size)
    visitor.context.add_init_script(path=SHIFTS)
    visitor.go(visitor.make_table(bots=2))
    visitor.wait_asked()
    for _ in range(200):
        if visitor.state["status"] == "over":
            break
        visitor.play_by_script(1, thrifty=True)
        visitor.page.wait_for_timeout(60)  # each state is drawn, so that its shift is seen
    visitor.page.wait_for_selector(".final")
    visitor.page.wait_for_timeout(300)
    shifts: list[Json] = visitor.page.evaluate("() => window.shifts")
    worst = sorted(shifts, key=lambda shift: -shift["value"])[:5]
    assert sum(shift["value"] for shift in shifts) < MOST, worst


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_question_and_a_hint_push_nothing(visit: Visit, size: Json) -> None:
    visitor = visit(**size)
    visitor.go(visitor.make_table())
    visitor.wait_asked()
    places = """() => [...document.querySelectorAll(".main > .bar, .display, .hand, .area")]
        .map((each) => each.getBoundingClientRect().top)"""
    before = visitor.page.evaluate(places)
    visitor.button("hint", ".bar").click()
    visitor.page.wait_for_selector(".hints li", timeout=60_000)
    assert visitor.page.evaluate(places) == before
    assert is_in_sight(visitor, ".drawer h2")
    visitor.button("more.hide", ".drawer").click()
    visitor.page.wait_for_selector(".drawer", state="detached")
    assert visitor.page.evaluate(places) == before


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_end_is_brought_to_people(visit: Visit, size: Json) -> None:
    visitor = visit(**size)
    table = visitor.make_table()
    visitor.play_ahead(table, is_nearly_over)
    visitor.go(table)
    visitor.page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    visitor.play_by_script(thrifty=True)
    winner = visitor.page.locator("dialog .final h2")
    winner.wait_for()
    assert is_in_sight(visitor, "dialog .final h2"), "wherever one had scrolled to"
    names = [visitor.state["players"][seat]["name"] for seat in visitor.state["winners"]]
    assert all(name in winner.inner_text() for name in names), "with reduced motion at once"
    for key in ("rematch", "final.table"):
        assert visitor.button(key, "dialog").is_visible()
    assert visitor.page.locator("dialog").get_by_role("link", name=visitor.says("replay")).is_visible()
    visitor.button("final.table", "dialog").click()
    visitor.page.wait_for_selector("dialog", state="detached")
    visitor.page.wait_for_selector(".finish .final")
    assert is_in_sight(visitor, ".finish .final h2")
    assert visitor.button("rematch", ".bar").is_visible(), "the bar stays"
    visitor.page.reload()
    visitor.page.wait_for_selector(".finish .final")
    assert visitor.page.locator("dialog").count() == 0, "whoever comes later finds the panel only"


def test_the_end_is_uncovered_step_by_step_for_players_and_spectators(visit: Visit) -> None:
    moving: Json = {"reduced_motion": "no-preference"}
    first, second = seated_together(visit(**moving), visit(**moving), is_nearly_over)
    watching = visit(**moving)
    watching.go(first.page.url.removeprefix(first.address))
    for player in (first, second):
        player.page.evaluate("() => window.probe.play(100000, true, null)")
    for viewer in (first, watching):
        viewer.page.wait_for_selector("dialog .final", timeout=90_000)
        shown = viewer.page.locator("dialog .final")
        assert viewer.page.locator("dialog .hidden").count() > 0
        assert shown.locator("h2").inner_text().strip() == viewer.says("final"), "who has won is not told yet"
        assert shown.locator("td.place").all_inner_texts() == ["", ""]
    first.button("final.skip", "dialog").click()
    totals = [line["total"] for line in sorted(first.state["final"], key=lambda line: line["place"])]
    told = [text.replace("−", "-") for text in first.page.locator("dialog td.total").all_inner_texts()]
    assert told == list(map(str, totals))
    watching.button("final.table", "dialog").wait_for(timeout=30_000)
    assert watching.page.locator("dialog .hidden").count() == 0


PLACES = """all => all.map((each) => {
    const { left, right } = each.getBoundingClientRect();
    return [left, right];
})"""


def test_nothing_of_the_final_scoring_is_cut_off(visit: Visit, finished_with_everything: str) -> None:
    visitor = visit()
    visitor.go(f"/table/{finished_with_everything}")
    visitor.page.wait_for_selector(".finish svg")
    visitor.page.wait_for_selector("figure .box")
    for width in (360, 390, 820, 1440):
        visitor.page.evaluate("() => document.querySelector('figure .box').scrollTo(0, 0)")
        visitor.resize(width, 900)
        final_scoring_is_whole(visitor, width)


def final_scoring_is_whole(visitor: Visitor, width: int) -> None:
    page = visitor.page

    def places(selector: str) -> list[tuple[float, float]]:
        found: list[tuple[float, float]] = page.locator(f".final{selector}").evaluate_all(PLACES)
        return found

    [(first, last)] = places("")
    cells = places(" tbody :is(td, th)")
    assert cells and all(left >= first and right <= last + 1 for left, right in cells), width
    names, totals = places(" tbody .who"), places(" tbody .total")
    for (_, end), (begin, _) in zip(names, totals, strict=True):
        assert abs(end - begin) < 2, "the total follows the name"
    frame = page.locator("figure .frame")
    scrolls = frame.locator(".box").evaluate("each => each.scrollWidth > each.clientWidth + 2")
    assert scrolls == (frame.locator(".go").count() > 0), "what scrolls sideways shows it"
    assert not scrolls or width < 700
    if scrolls:
        visitor.button("scroll.right", "figure").click()
        visitor.button("scroll.left", "figure").wait_for()


def test_passing_asks_what_is_given_up_until_it_shall_not(visit: Visit) -> None:
    visitor = visit()
    visitor.go(visitor.make_table(edition="first"))
    visitor.play_by_script(until=STILL_ASKED)
    visitor.wait_asked()
    state = visitor.state
    cheapest = min(each["price"] for each in state["choices"] if each["price"] is not None)
    for wish in ("off", "change", "phase"):
        if wish == "off":
            visitor.button("pass", ".bar").click()
        else:
            visitor.pass_until(wish)
        question = visitor.page.locator("dialog p").first.inner_text()
        assert re.search(rf"\b{cheapest}\b", question), question
        visitor.button("cancel", "dialog").click()
        visitor.page.wait_for_selector("dialog", state="detached")
    assert visitor.acts == []
    visitor.button("pass", ".bar").click()
    visitor.page.get_by_label(visitor.says("pass.never_ask")).check()
    visitor.button("pass", "dialog").click()
    visitor.wait_later_than(state["version"])
    visitor.page.reload()
    visitor.page.wait_for_function("() => window.probe.state")
    visitor.play_by_script(until=STILL_ASKED)
    visitor.wait_asked()
    if visitor.state["status"] == "playing":
        before, version = len(visitor.acts), visitor.state["version"]
        visitor.button("pass", ".bar").click()
        visitor.wait_later_than(version)
        assert visitor.acts[before:] == ["pass"]


def test_no_kind_of_passing_is_offered_where_the_first_workers_must_be_bought(visit: Visit) -> None:
    visitor = visit()
    visitor.go(visitor.make_table())
    visitor.wait_asked()
    while "pass" not in [each["verb"] for each in visitor.state["choices"]]:
        assert visitor.state["may_pass"] is False
        assert visitor.page.locator(".bar .kinds, .bar .pass").count() == 0
        visitor.decide()
        visitor.wait_asked()
    assert visitor.page.locator(".bar .kinds").count() == visitor.page.locator(".bar .pass").count() == 1


def test_a_card_is_taken_into_the_hand_for_nothing_and_says_so(visit: Visit) -> None:
    visitor = visit()
    visitor.go(visitor.make_table(edition="first"))
    visitor.wait_asked()
    visitor.page.locator(".display button.card").first.click()
    visitor.button("take.free", "dialog").wait_for()
    text = visitor.page.locator("dialog .text").inner_text()
    assert "?" not in text and "10.2" not in text, "the Market's symbols mean nothing in the base game"


@pytest.mark.parametrize("width", [360, 390])
def test_phones_show_whole_names_and_cover_nothing(visit: Visit, width: int) -> None:
    options: dict[str, Any] = {**PHONE, "viewport": {"width": width, "height": 800}}
    first, second = seated_together(visit(**options), visit(**options))
    name = first.page.locator(".player.own .name")
    assert name.evaluate("each => each.scrollWidth <= each.clientWidth && each.offsetHeight < 60")
    second.page.locator("#tab-chat").click()
    second.page.get_by_label(second.says("chat.write")).fill("Hello")
    second.button("send").click()
    bubble = first.page.locator(".bubble")
    bubble.wait_for()
    inside = first.page.evaluate(
        """() => {
            const place = (each) => document.querySelector(each).getBoundingClientRect();
            const [bubble, bar] = [".bubble", ".main > .bar"].map(place);
            return bubble.top >= bar.top - 8 && bubble.bottom <= bar.bottom;
        }"""
    )
    assert inside, "it covers the bar's own margin and no points"


def test_a_notice_does_not_cover_the_phases(visit: Visit) -> None:
    for size in (PHONE, DESKTOP):
        visitor = visit(**size)
        visitor.go(visitor.make_table())
        visitor.page.evaluate("() => scrollTo(0, 0)")
        visitor.play_by_script(2)
        toast = visitor.page.locator(".toast")
        toast.first.wait_for(timeout=8000)
        place, phases = toast.first.bounding_box(), visitor.page.locator(".full > .bar").bounding_box()
        assert place and phases and place["y"] > phases["y"] + phases["height"]


def test_at_1440_by_900_the_whole_table_is_in_sight(visit: Visit) -> None:
    visitor = visit(**DESKTOP)
    visitor.go(visitor.make_table(bots=2))
    for selector in (".main > .bar", ".display", ".hand", ".area > .player", "div.track", ".players > :last-child"):
        assert is_in_sight(visitor, selector), selector


def test_cards_fit_their_spaces_after_the_window_was_resized(visit: Visit) -> None:
    visitor = visit(viewport={"width": 1440, "height": 900}, reduced_motion="no-preference")
    visitor.go(visitor.make_table(**EVERYTHING))
    for width in (2560, 1440, 2560, 1620, 1280, 2560):
        visitor.page.set_viewport_size({"width": width, "height": 1300})
        visitor.page.wait_for_timeout(400)
        space, cards = visitor.page.evaluate(
            """() => [".spaces i", ".display li .card"].map((each) =>
                [...document.querySelectorAll(each)].map((one) => one.getBoundingClientRect().width).filter(Boolean))"""
        )
        assert cards and max(cards) - min(space) < 1, width


def test_no_spire_stands_in_the_title_or_the_words_below(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/")
    for width in (1280, 1440, 2560):
        visitor.resize(width, 1300)
        lead = visitor.page.locator(".hero p").bounding_box()
        spires = visitor.page.locator(".sky .gold path").bounding_box()
        assert lead and spires and lead["y"] + lead["height"] <= spires["y"], width


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_phases_are_whole_on_a_tablet(visit: Visit, language: str) -> None:
    visitor = visit(locale=language, viewport={"width": 820, "height": 1180})
    visitor.go(visitor.make_table(**EVERYTHING))
    cut = """() => [...document.querySelectorAll('.bar .phase')]
        .filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"""
    assert visitor.page.evaluate(cut) == []


@pytest.mark.parametrize("width", [390, 1366])
def test_the_quick_game_stays_where_it_is_when_the_deal_of_the_day_comes(visit: Visit, width: int) -> None:
    visitor = visit(locale="de", viewport={"width": width, "height": 800})
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    visitor.page.route("**/api/daily", hold)
    visitor.go("/")
    button = visitor.page.locator(".start")
    until(lambda: len(held) == 1, lambda: visitor.page.wait_for_timeout(20), 10)
    before = button.bounding_box()
    held[0].continue_()
    visitor.page.locator(".daily li:not(.room)").first.wait_for()
    after = button.bounding_box()
    assert before and after and abs(after["y"] - before["y"]) < 1, (before, after)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("path", "most"), [("/", 64_000), ("table", 172_000)])
def test_pages_stay_light(visit: Visit, path: str, most: int, language: str) -> None:
    visitor = visit(locale=language)
    loaded: set[str] = set()
    visitor.page.on("response", lambda answer: loaded.add(answer.url.split("?")[0]))
    visitor.go(visitor.make_table(**EVERYTHING) if path == "table" else path)
    visitor.page.wait_for_load_state("networkidle")
    files = [STATIC / url.removeprefix(visitor.address).lstrip("/") for url in loaded]
    weight = sum(len(gzip.compress(each.read_bytes())) for each in [*files, STATIC / "index.html"] if each.is_file())
    assert 10_000 < weight < most
