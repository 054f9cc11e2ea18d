"""The guided rounds in real Chromium, from the invitation to a real game."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nevsky.server.guide import SCRIPTS
from nevsky.texts import LANGUAGES
from tests.browser.support import AXE, Json, Visitor, texts
from tests.browser.test_accessibility import AT_ONCE, Theme, violations

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


class Learner:
    """Somebody who goes through the guide."""

    def __init__(self, visitor: Visitor, which: str = "first") -> None:
        self.visitor = visitor
        self.page = visitor.page
        answer = visitor.context.request.get(f"/api/guide?language={visitor.language}&which={which}")
        self.steps: list[Json] = answer.json()["steps"]

    def reads(self, place: int) -> Json:
        """Wait for a step; what the coach points at is there once, and nothing hides it."""
        step = self.steps[place]
        self.page.locator(".coach h2", has_text=step["title"]).wait_for()
        assert self.page.locator(".coach .text").inner_text() == step["text"]
        self.page.locator("[data-pointed]").wait_for()
        self.page.wait_for_function(
            """() => {
                const target = document.querySelector("[data-pointed]").getBoundingClientRect();
                const coach = document.querySelector(".coach").getBoundingClientRect();
                return target.top >= coach.bottom - 1 && target.top < innerHeight - 40;
            }"""
        )
        return step

    def choice(self, step: Json) -> Json:
        return next(choice for choice in step["state"]["choices"] if choice["action"] == step["expected"])

    def opens(self) -> None:
        self.page.locator("[data-pointed] button.card").click()
        self.page.locator("dialog button[data-pointed]").wait_for()

    def does(self, step: Json) -> None:
        """The expected move, by mouse as in a real game."""
        choice = self.choice(step)
        if choice["verb"] == "pass":
            self.page.locator("button.gold[data-pointed]").click()
            if choice["confirm"]:
                self.page.locator("dialog .button.primary").click()
        elif self.page.locator(".drawer button[data-pointed]").count():
            self.page.locator(".drawer button[data-pointed]").click()
            self.visitor.confirm(0)
        else:
            self.opens()
            self.page.locator("dialog button[data-pointed]").click()

    def goes_on(self, step: Json) -> None:
        if step["expected"]:
            self.does(step)
        else:
            self.page.locator(".coach .next").click()

    def walks(self) -> None:
        """All the way, with every move of one's own."""
        last = len(self.steps) - 1
        for place in range(last):
            step = self.reads(place)
            assert self.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
            self.goes_on(step)
        self.reads(last)


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_from_the_invitation_to_a_real_game(visit: Visit, options: dict[str, Any]) -> None:
    visitor = visit(**options)
    visitor.go("/")
    page = visitor.page
    page.locator(".invitation a").click()
    learner = Learner(visitor)
    learner.walks()
    page.locator(".coach .play").click()
    page.wait_for_url("**/table/*")
    page.wait_for_selector(".display")
    assert visitor.state["you"] == 0
    assert [player["bot"] is not None for player in visitor.state["players"]] == [False, True]
    visitor.go("/")
    assert page.locator(".invitation").count() == 0  # who knows the game is not invited again
    assert page.locator(".foot a[href='/guide']").count() == 1


def test_another_legal_move_changes_nothing_and_is_answered(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/guide")
    learner = Learner(visitor)
    page = visitor.page
    tried = 0
    for place in range(len(learner.steps) - 1):
        step = learner.reads(place)
        if step["expected"] and learner.choice(step)["verb"] != "pass":
            learner.opens()
            others = page.locator("dialog .choices button:not([data-pointed])")
            if others.count():
                others.first.click()
                tried += 1
                page.locator(".otherwise", has_text=step["otherwise"]).wait_for()
                assert page.locator(".question").inner_text() == step["state"]["question"]
                assert page.locator(".display li button.card").count() == len(
                    step["state"]["row1"] + step["state"]["row2"]
                )
            else:
                page.keyboard.press("Escape")
        learner.goes_on(step)
    assert tried >= 3
    assert visitor.acts == []  # nothing goes over the wire


def test_it_can_be_walked_with_the_keyboard_alone(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/guide")
    learner = Learner(visitor)
    page = visitor.page
    for place in range(len(learner.steps) - 1):
        step = learner.reads(place)
        if step["expected"] == "buy gold_miner":
            page.locator("[data-pointed] button.card").focus()
            page.keyboard.press("Enter")
            page.locator("dialog button[data-pointed]").focus()
            page.keyboard.press("Enter")
            page.wait_for_function("() => document.activeElement.matches('.coach .next')")
        elif place % 2:
            page.keyboard.press("ArrowRight")
        else:
            page.locator(".coach .next").focus()
            page.keyboard.press("Enter")
    learner.reads(len(learner.steps) - 1)
    page.keyboard.press("ArrowLeft")
    learner.reads(len(learner.steps) - 2)
    assert page.locator(".coach .next").inner_text() == texts("en")["guide.next"]


def test_another_language_keeps_the_place(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/guide")
    learner = Learner(visitor)
    for place in range(9):
        learner.goes_on(learner.reads(place))
    for language in LANGUAGES[1:]:
        visitor.page.locator("header select").select_option(language)
        visitor.language = language
        Learner(visitor).reads(9)


def test_accessibility(visit: Visit) -> None:
    visitor = visit()
    visitor.context.add_init_script(path=Path(os.environ.get("NEVSKY_AXE", AXE)))
    visitor.go("/guide")
    learner = Learner(visitor)
    page = visitor.page
    found: list[str] = []
    themes: tuple[Theme, ...] = ("light", "dark")
    page.evaluate(AT_ONCE)

    def looked_at() -> None:
        for theme in themes:
            page.emulate_media(color_scheme=theme)
            visitor.drawn()
            found.extend(f"{theme}: {line}" for line in violations(visitor))

    for place in range(len(learner.steps) - 1):
        step = learner.reads(place)
        if step["expected"] == "take hospital":
            learner.opens()
            looked_at()
            page.locator("dialog .choices button:not([data-pointed])").first.click()
            page.locator(".otherwise").wait_for()
            looked_at()
        elif place in (0, 4, 12):
            looked_at()
        learner.goes_on(step)
    learner.reads(len(learner.steps) - 1)
    looked_at()
    assert not found, "\n".join(sorted(set(found)))


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("which", [which for which in SCRIPTS if which != "first"])
def test_a_short_round_from_the_list_to_its_end(visit: Visit, which: str, options: dict[str, Any]) -> None:
    visitor = visit(**options)
    page = visitor.page
    page.goto("/guides")
    page.locator(f"a[href='/guide/{which}']").click()
    page.wait_for_selector(".display")
    learner = Learner(visitor, which)
    learner.walks()
    assert page.locator(".coach .play").is_enabled()
    assert visitor.acts == []


def test_what_was_learnt_is_played_at_once_and_the_picker_leads_to_it(visit: Visit) -> None:
    visitor = visit()
    visitor.go("/new")
    page = visitor.page
    assert page.locator("fieldset .picture").count() == 7
    assert page.locator("fieldset a[href='/guide/events']").count() == 1
    visitor.go("/guide/events")
    learner = Learner(visitor, "events")
    for place in range(len(learner.steps) - 1):
        learner.reads(place)
        page.locator(".coach .next").click()
    page.locator(".coach .play").click()
    page.wait_for_url("**/table/*")
    page.wait_for_selector(".display")
    assert visitor.state["ruleset"]["modules"] == [4]
