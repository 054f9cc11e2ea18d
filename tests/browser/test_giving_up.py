"""Resigning, ending a game, and the own finished games with their scores."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.support import Visitor, seated_together

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


def confirm(visitor: Visitor, key: str) -> None:
    """Click a button that asks again, and say yes."""
    visitor.button(key, ".panel.tools").click()
    visitor.button(key, "dialog").click()


@pytest.mark.parametrize("width", [390, 1440])
def test_a_game_against_bots_is_ended_after_a_question(visit: Visit, width: int) -> None:
    anna = visit(viewport={"width": width, "height": 850})
    anna.go(anna.make_table())
    assert not anna.button("resign").count(), "there is nobody to resign to"
    anna.button("end", ".panel.tools").click()
    anna.button("cancel", "dialog").click()
    assert anna.state["status"] == "playing"
    confirm(anna, "end")
    anna.page.get_by_role("alert").filter(has_text="ended by its players").wait_for()
    anna.go("/")
    anna.page.get_by_text(anna.says("tables.mine.none")).wait_for()


def test_people_end_a_game_when_all_agree(visit: Visit) -> None:
    first, second = seated_together(visit(), visit())
    confirm(first, "end.propose")
    asked = second.page.locator(".toast")
    asked.wait_for()
    assert "would like to end the game" in asked.inner_text()
    first.button("end.withdraw").click()
    asked.wait_for(state="detached")
    confirm(first, "end.propose")
    second.button("end.agree", ".toast").click()
    for player in (first, second):
        player.page.get_by_role("alert").filter(has_text="ended by its players").wait_for()


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_notices_stand_above_each_other(visit: Visit, width: int) -> None:
    size = {"width": width, "height": 850}
    first, second = seated_together(visit(viewport=size), visit(viewport=size))
    confirm(first, "end.propose")
    toasts = second.page.locator(".toast")
    toasts.wait_for()
    second.page.evaluate("() => window.probe.socket.send(JSON.stringify({type: 'act', version: 0, action: 'pass'}))")
    toasts.nth(1).wait_for()
    one, other = (toast.bounding_box() for toast in toasts.all())
    assert one and other
    assert one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    for box in (one, other):
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
    second.button("end.no", ".toast").click()
    toasts.nth(1).wait_for(state="detached")


def test_of_two_people_the_other_wins_at_once(visit: Visit) -> None:
    first, second = seated_together(visit(), visit())
    first.button("resign", ".panel.tools").click()
    rival = first.state["players"][second.state["you"]]["name"]
    first.page.locator("dialog", has_text=first.says("resign.last").format(name=rival)).wait_for()
    first.button("resign", "dialog").click()
    for player in (first, second):
        player.page.locator("dialog .final", has_text=player.says("final.conceded")).wait_for()
        assert player.state["winners"] == [second.state["you"]]
        player.button("rematch", "dialog").wait_for()
        assert player.state["log"][-1]["text"].endswith(("resigns.", "resign."))
    second.button("final.table", "dialog").click()
    second.page.locator(".log li", has_text="resigns.").wait_for()
    assert not second.is_asked()
    second.go(f"/replay/{second.state['table']}")
    second.page.locator(".final").wait_for()


def test_whoever_resigns_is_marked_and_asked_no_more(visit: Visit) -> None:
    people = [visit() for _ in range(3)]
    assert people[0].context.request.get("/api/me").ok
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    body = {"ruleset": {"players": 3, "edition": "first"}, "seats": seats}
    table = people[0].context.request.post("/api/tables", data=body).json()["table"]
    for each in people[1:]:
        assert each.context.request.get("/api/me").ok
        assert each.context.request.post(f"/api/tables/{table}/join").ok
    for each in people:
        each.go(f"/table/{table}")
    first, second, third = people
    confirm(first, "resign")
    for other in (second, third):
        other.page.locator(".player .level", has_text=other.says("resigned")).wait_for()
        other.page.locator(".log li", has_text="resigns.").wait_for()
    first.page.locator(".player.own .level", has_text=first.says("resigned")).wait_for()
    assert not first.button("away.back").count()
    confirm(second, "resign")  # two of three: nobody is left to play with
    third.page.locator("dialog .final", has_text=third.says("final.conceded")).wait_for()


def test_finished_games_are_listed_with_scores_and_can_be_deleted(visit: Visit) -> None:
    anna = visit()
    over = anna.play_ahead(anna.make_table(edition="first"))
    final = {line["seat"]: line["total"] for line in over["final"]}
    anna.go("/")
    page = anna.page
    mine = page.locator("section", has=page.get_by_role("heading", name=anna.says("tables.played")))
    mine.locator("li").wait_for()
    assert mine.locator(".score").all_inner_texts() == [str(final[seat]).replace("-", "−") for seat in range(2)]
    mine.get_by_role("button", name=anna.says("delete")).click()
    anna.button("cancel", "dialog").click()
    assert mine.locator("li").count() == 1
    mine.get_by_role("button", name=anna.says("delete")).click()
    anna.button("delete", "dialog").click()
    mine.wait_for(state="detached")
    page.reload()
    page.get_by_text(anna.says("tables.mine.none")).wait_for()
    assert not mine.count()
