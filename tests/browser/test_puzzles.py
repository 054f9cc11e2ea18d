"""Puzzles on a phone, in real Chromium: one solved, one not, and playing on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nevsky.puzzles import Puzzle, shipped
from nevsky.rules.actions import Action, parse_action
from tests.browser.support import Visitor
from tests.browser.test_accessibility import in_both_themes, with_axe

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}


def _clicked(action: Action) -> bool:
    """Whether it is done with a card that lies in the display."""
    return action.verb in ("buy", "take") and bool(action.row) and not action.drawn


def puzzle_with(*, solved: bool, without: str = "") -> tuple[Puzzle, Action]:
    """A puzzle, and an action on a card of the display that solves it or does not."""
    for name in shipped().kept:
        if name == without:
            continue
        puzzle = shipped().get(name)
        assert puzzle is not None
        best, *others = (parse_action(value.action) for value in puzzle.proof.values)
        fitting = [action for action in ([best] if solved else others) if _clicked(action)]
        if fitting and puzzle.view.due == "turn":
            return puzzle, fitting[0]
    raise AssertionError("no such puzzle")


def act(visitor: Visitor, puzzle: Puzzle, action: Action) -> None:
    """As at the table: the card, the choice, and yes."""
    page = visitor.page
    asked = visitor.context.request.get(f"/api/puzzles/{puzzle.id}?language={visitor.language}").json()
    choices = asked["state"]["choices"]
    number = next(at for at, each in enumerate(choices) if each["action"] == action.text)
    row = asked["state"][f"row{action.row}"]
    place = next(at for at, card in enumerate(row) if number in card["choices"])
    page.locator(f".display .row{action.row} li").nth(place).locator("button.card").click()
    page.locator("dialog .choices button").nth(row[place]["choices"].index(number)).click()
    if choices[number]["confirm"]:
        page.locator("dialog .confirm .primary").click()


def test_one_puzzle_is_solved_and_one_is_not(visit: Visit) -> None:
    visitor = with_axe(visit(**PHONE))
    page = visitor.page
    assert visitor.context.request.get("/api/me").ok
    puzzle, action = puzzle_with(solved=True)
    visitor.go(f"/puzzles/{puzzle.id}")
    page.locator(".coach h2", has_text=visitor.says("puzzles.ask")).wait_for()
    act(visitor, puzzle, action)
    page.locator(".coach.right h2", has_text=visitor.says("puzzles.right")).wait_for()
    page.locator(".coach summary").click()
    assert page.locator(".coach li").count() == len(puzzle.view.legal)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert in_both_themes(visitor, ".coach") == []
    page.set_viewport_size(PHONE["viewport"])
    page.keyboard.press("n")
    page.wait_for_url(lambda url: "/puzzles/" in url and puzzle.id not in url)
    puzzle, action = puzzle_with(solved=False, without=puzzle.id)
    visitor.go(f"/puzzles/{puzzle.id}")
    act(visitor, puzzle, action)
    page.locator(".coach.wrong h2").wait_for()
    page.locator(".coach", has_text=visitor.says("review.better")).wait_for()
    visitor.button("play_on").click()
    visitor.button("play_on.yes", "dialog").click()
    page.wait_for_url("**/table/*")
    page.locator(".display").wait_for()
    assert visitor.state["you"] == puzzle.view.seat
