"""People find each other: the live lobby, playing someone now, following and inviting."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.support import Visitor
from tests.browser.test_friends import called

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


def test_a_table_comes_and_goes_while_one_looks(visit: Visit) -> None:
    anna, boris = called(visit(), "Anna"), called(visit(viewport={"width": 360, "height": 740}), "Boris")
    boris.go("/")
    boris.page.locator(".online").wait_for()
    body = {"ruleset": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "open"}], "public": True}
    made = anna.context.request.post("/api/tables", data=body).json()
    link = boris.page.locator(f'a[href="/table/{made["table"]}"]')
    link.wait_for()
    anna.context.request.post(f"/api/tables/{made['table']}/leave?seat={made['seat_token']}")
    expect(link).to_have_count(0)


@pytest.mark.parametrize("width", [360, 1280])
def test_two_who_want_to_play_now_meet_at_a_table(visit: Visit, width: int) -> None:
    anna, boris = (called(visit(viewport={"width": width, "height": 800}), name) for name in ("Anna", "Boris"))
    for person in (anna, boris):
        person.go("/")
        person.button("now.start").wait_for()
    anna.button("now.start").click()
    anna.page.get_by_text(anna.says("now.waiting")).wait_for()
    anna.button("cancel", ".now").click()
    anna.button("now.start").wait_for()
    anna.button("now.start").click()
    boris.page.get_by_text(boris.says("now.others.one").replace("{n}", "1")).wait_for()
    boris.button("now.start").click()
    for person in (anna, boris):
        person.page.wait_for_url("**/table/*")
        person.page.locator(".display").wait_for()
    assert anna.page.url == boris.page.url


def test_somebody_is_followed_invited_and_sits_down(visit: Visit) -> None:
    anna, boris = called(visit(), "Anna"), called(visit(), "Boris <i>")
    boris.go("/")
    boris.page.locator(".online").wait_for()
    anna.page.goto("/people")
    follow = anna.says("people.follow.name").replace("{name}", "Boris <i>")
    anna.page.get_by_role("button", name=follow).click()
    invite = anna.says("people.invite.name").replace("{name}", "Boris <i>")
    anna.page.get_by_role("button", name=invite).click()
    anna.page.wait_for_url("**/table/*")
    boris.button("invitation.accept").click()
    boris.page.wait_for_url("**/table/*")
    for person in (anna, boris):
        person.page.locator(".display").wait_for()
    assert anna.page.url == boris.page.url
    boris.page.goto("/people")
    block = boris.says("people.block.name").replace("{name}", "Anna")
    boris.page.get_by_role("button", name=block).click()
    boris.page.get_by_role("button", name=boris.says("people.unblock.name").replace("{name}", "Anna")).wait_for()
