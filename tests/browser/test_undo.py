"""Taking back against bots: also after they have moved, as long as no new card was seen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.support import Visitor

pytestmark = pytest.mark.browser


def test_a_decision_against_bots_is_taken_back_after_they_have_moved(visit: Callable[..., Visitor]) -> None:
    anna = visit()
    for _ in range(20):  # now and then the bot's answer shows new cards
        anna.go(anna.make_table(bots=1, edition="first"))
        anna.wait_asked()
        before = anna.state
        anna.decide()
        anna.wait_asked()
        moved = {line["seat"] for line in anna.state["log"]}
        if moved >= {0, 1} and anna.state["can_undo"]:
            break
    version = anna.state["version"]
    anna.button("undo").click()
    anna.wait_later_than(version)
    anna.page.wait_for_function("() => window.probe.isQuiet()")
    assert anna.state["choices"] == before["choices"]
    assert anna.state["players"] == before["players"]
    assert anna.is_asked()
    if not before["can_undo"]:
        assert not anna.button("undo").count()


def test_the_button_goes_when_new_cards_were_seen(visit: Callable[..., Visitor]) -> None:
    anna = visit()
    anna.go(anna.make_table(bots=1, edition="first"))
    anna.wait_asked()
    piles = anna.state["piles"]
    while anna.state["piles"] == piles:
        anna.play_by_script(1)
        anna.wait_asked()
    assert not anna.button("undo").count()
