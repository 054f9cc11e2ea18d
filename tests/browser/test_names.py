"""Names and questions fit where they stand: no word is broken without a hyphen, nothing is cut off, in any language."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from nevsky.cards import CARDS, Card
from nevsky.texts import LANGUAGES, read_texts, text
from nevsky.texts.phrases import CardPhrase
from tests.browser.support import EVERYTHING, Json, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import WebSocketRoute

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]

WIDTHS = (360, 390, 1440)
LONGEST = 12

MEASURE = """(places) => {
  const found = [];
  for (const place of document.querySelectorAll(places)) {
    const frame = (place.closest('.card, .mini, dialog') ?? place).getBoundingClientRect();
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const words = node.textContent;
      let before = null;
      let last = null;
      for (let i = 0; i < words.length; i++) {
        const range = document.createRange();
        range.setStart(node, i);
        range.setEnd(node, i + 1);
        const box = range.getBoundingClientRect();
        if (!box.width || /\\s/.test(words[i])) continue;
        const cut = box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1;
        if (cut) { found.push(`cut off: ${words}`); break; }
        const joined = before !== null && before === i - 1 && /[^\\u00ad-]/.test(words[before]);
        if (joined && box.top > last.bottom - 2) { found.push(`broken: ${words}`); break; }
        before = i;
        last = box;
      }
    }
    const foot = place.closest('.card')?.querySelector('.income')?.getBoundingClientRect();
    if (foot && foot.bottom > frame.bottom + 1) found.push(`pushed out of the card: ${place.textContent}`);
    if (place.scrollWidth > place.clientWidth + 1) found.push(`too wide: ${place.textContent}`);
  }
  return [...new Set(found)];
}"""


def lay_out(visitor: Visitor, cards: Sequence[Card] = CARDS) -> None:
    """Show these cards in row 1 and in the area of the first player, whatever the server says."""
    display = {"cost": 9, "price": 12, "buy": True, "take": True, "why_not": [], "choices": []}
    area = {"count": 1, "face_down": 0, "covered": False, "attached": [], "tile": None}

    def change(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def from_server(message: str | bytes) -> None:
            told = json.loads(message)
            if told["type"] == "state":
                told["row1"] = [{**display, "card": card.exact} for card in cards]
                told["players"][0]["area"] = [{**area, "card": card.exact} for card in cards]
            if told["type"] != "patch":
                socket.send(json.dumps(told))

        server.on_message(from_server)

    visitor.page.route_web_socket("**/ws**", change)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_fits_its_card(visit: Visit, language: str) -> None:
    visitor = visit(locale=language)
    lay_out(visitor)
    visitor.go(visitor.make_table(**{**EVERYTHING, "players": 2}))
    for width in WIDTHS:
        visitor.page.set_viewport_size({"width": width, "height": 900})
        visitor.page.wait_for_function(
            "number => document.querySelectorAll('.display .card').length >= number", arg=len(CARDS)
        )
        assert visitor.page.locator(".mini").count() >= sum(card.colour != "purple" for card in CARDS)
        assert visitor.page.evaluate(MEASURE, ".card .name, .mini > :not(.sr)") == [], width


@pytest.mark.parametrize("language", LANGUAGES)
def test_long_names_fit_the_dialog(visit: Visit, language: str) -> None:
    visitor = visit(locale=language)
    names = visitor.context.request.get(f"/api/cards?language={language}").json()["cards"]
    longest = sorted(names, key=lambda card: -max(map(len, card["name"].split())))[:LONGEST]
    lay_out(visitor, [next(each for each in CARDS if each.exact == card["card"]) for card in longest])
    visitor.go(visitor.make_table(**{**EVERYTHING, "players": 2}))
    cards = visitor.page.locator(".display .card")
    for width in WIDTHS:
        visitor.page.set_viewport_size({"width": width, "height": 900})
        for place, card in enumerate(longest):
            cards.nth(place).click()
            title = visitor.page.wait_for_selector("dialog[open] h2")
            assert title and title.inner_text().replace("\u00ad", "").strip() == card["name"]
            assert visitor.page.evaluate(MEASURE, "dialog[open] h2, dialog[open] .card .name") == [], width
            visitor.page.keyboard.press("Escape")
            visitor.page.wait_for_selector("dialog[open]", state="detached")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_links_above_every_page_are_whole(visit: Visit, language: str) -> None:
    visitor = visit(locale=language)
    visitor.go("/about")
    for width in (360, 390, 560, 820):
        visitor.page.set_viewport_size({"width": width, "height": 800})
        visitor.page.wait_for_timeout(100)
        cut = """() => [...document.querySelectorAll("header nav a")]
            .filter((link) => link.scrollWidth > link.clientWidth + 1).map((link) => link.textContent)"""
        assert visitor.page.evaluate(cut) == [], width


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tabs_of_the_side_panel_stay_inside(visit: Visit, language: str) -> None:
    visitor = visit(locale=language)
    visitor.go(visitor.make_table())
    for width in (360, 390, 820, 1000, 1100, 1440):
        visitor.page.set_viewport_size({"width": width, "height": 900})
        outside = """() => {
          const panel = document.querySelector('.side').getBoundingClientRect();
          return [...document.querySelectorAll('.side [role=tab]')]
            .filter((tab) => tab.getBoundingClientRect().right > panel.right - 4 || tab.scrollWidth > tab.clientWidth)
            .map((tab) => tab.textContent.trim());
        }"""
        assert visitor.page.evaluate(outside) == [], width


def every_question(language: str) -> list[str]:
    """What the bar may ask or say, with long words where there is something to fill in."""
    said = {**read_texts(language, "game"), **read_texts(language, "server")}
    theater = format(CardPhrase("mariinsky_theater", language), "a")
    amount = text("ruble.many", language, n=28)
    return [
        re.sub(r"\{card.*?\}", theater, words)
        .replace("{name}", "Gast 8989")
        .replace("{pile}", text("the_pile.exchange", language))
        .replace("{rubles}", amount)
        .replace("{price}", amount)
        .replace("{space}", "35")
        .replace("{bonus}", amount)
        for key, words in said.items()
        if key.startswith(("due.", "waits"))
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_fits_the_bar(visit: Visit, language: str) -> None:
    visitor = visit(locale=language)
    states: list[tuple[WebSocketRoute, Json]] = []

    def listen(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def from_server(message: str | bytes) -> None:
            told = json.loads(message)
            if told["type"] == "state":
                states.append((socket, told))
                socket.send(message)

        server.on_message(from_server)

    visitor.page.route_web_socket("**/ws**", listen)
    visitor.go(visitor.make_table(edition="first"))
    socket, state = states[-1]
    questions = every_question(language)
    assert len(questions) > 20
    cut = []
    for width in (360, 390, 820, 1440):
        visitor.page.set_viewport_size({"width": width, "height": 850})
        visitor.page.wait_for_timeout(300)  # for the new layout
        for number, question in enumerate(questions):
            socket.send(json.dumps({**state, "version": state["version"] + 1 + number, "question": question}))
            visitor.page.wait_for_function(
                "words => document.querySelector('.bar .question').textContent.trim() === words", arg=question
            )
            words = visitor.page.locator(".bar .question span").first
            if words.evaluate("each => each.scrollHeight > each.clientHeight + 1"):
                cut.append(f"{width}: {question}")
    assert not cut, "\n".join(cut)
