"""Playing with people one knows: badges, private tables, names, the waiting room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator

from nevsky.texts import LANGUAGES
from tests.browser.support import EVERYTHING, Visitor, seated_together

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
STICKS_OUT = """() => [...document.querySelectorAll(".panel *")].filter((each) => {
  const box = each.getBoundingClientRect(), panel = each.closest(".panel").getBoundingClientRect();
  return box.width > 1 && (box.right > panel.right + 1 || box.left < panel.left - 1);
}).map((each) => each.outerHTML)"""


def called(visitor: Visitor, name: str) -> Visitor:
    """A visitor who has chosen a name."""
    assert visitor.context.request.put("/api/me", data={"name": name}).ok
    return visitor


def marks(visitor: Visitor, within: str) -> set[str]:
    return set(visitor.page.locator(f"{within} span.pawn[title]").all_inner_texts())


def test_badges_differ_for_equal_initials(visit: Visit) -> None:
    first, _ = seated_together(called(visit(), "Anna"), called(visit(), "Alex"))
    for place in (".players", ".own", ".track"):
        first.page.locator(f"{place} .pawn").first.wait_for()
    assert marks(first, ".players") | marks(first, ".own") == {"An", "Al"}
    assert marks(first, ".track") == {"An", "Al"}
    first.go("/")
    first.page.locator("li .pawn").first.wait_for()
    assert marks(first, "li") == {"An", "Al"}


def test_a_table_is_private_unless_one_says_otherwise(visit: Visit) -> None:
    anna, boris = visit(), visit()
    for public in (False, True):
        anna.go("/new")
        box = anna.page.get_by_label(anna.says("public"))
        assert not box.is_checked()
        box.set_checked(public)
        anna.page.locator("form .button.gold").click()
        anna.page.wait_for_url("**/table/*")
        table = anna.page.url.rsplit("/", 1)[1]
        listed = boris.context.request.get("/api/tables").json()["tables"]
        assert (table in [each["table"] for each in listed]) == public


def waiting(host: Visitor, players: int = 3, **more: Any) -> str:
    """The address of a table of the host where seats are free."""
    ruleset = {**more.pop("ruleset", {"edition": "first"}), "players": players}
    seats = [{"kind": "me"}, *[{"kind": "open"}] * (players - 1)]
    answer = host.context.request.post("/api/tables", data={"ruleset": ruleset, "seats": seats, **more})
    assert answer.status == 201, answer.text()
    return f"/table/{answer.json()['table']}"


def seat(visitor: Visitor, number: int) -> Locator:
    return visitor.page.locator(".seats li").nth(number)


def sit_down(visitor: Visitor, name: str) -> None:
    visitor.page.get_by_label(visitor.says("name.ask")).fill(name)
    visitor.button("join").click()


@pytest.mark.parametrize("way", ["link", "lobby"])
def test_who_has_no_name_is_asked_for_one_before_they_sit_down(visit: Visit, way: str) -> None:
    host, guest = called(visit(), "Anna"), visit()
    table = waiting(host, public=way == "lobby")
    host.go(table)
    if way == "link":
        guest.go(table)
    else:
        guest.go("/")
        guest.page.locator(f'a[href="{table}"]').click()
    field = guest.page.get_by_label(guest.says("name.ask"))
    field.wait_for()
    assert field.input_value().startswith("Guest "), "they may stay a guest"
    assert guest.state["you"] is None
    field.fill("   ")
    assert guest.button("join").is_disabled()
    sit_down(guest, "anna")
    guest.page.get_by_role("alert").filter(has_text="already called anna").wait_for()
    guest.forgive("422")
    sit_down(guest, "Boris")
    guest.page.locator(".seats li", has_text=guest.says("you")).filter(has_text="Boris").wait_for()
    seat(host, 1).get_by_text("Boris").wait_for()
    guest.go(waiting(host))
    field.wait_for()
    assert field.input_value() == "Boris", "it is remembered"


def test_a_host_without_a_name_is_asked_for_it_too(visit: Visit) -> None:
    host = visit()
    host.go(waiting(host))
    form = seat(host, 0).locator("form")
    form.get_by_label(host.says("name")).fill("Anna")
    form.get_by_role("button", name=host.says("save")).click()
    form.wait_for(state="detached")
    seat(host, 0).locator("strong", has_text="Anna").wait_for()
    host.button("waiting.rename").click()
    form.get_by_label(host.says("name")).fill("Anna K.")
    host.page.keyboard.press("Enter")
    seat(host, 0).locator("strong", has_text="Anna K.").wait_for()


def test_in_the_waiting_room_one_sees_what_is_played_who_is_there_and_talks(visit: Visit) -> None:
    host, guest = called(visit(), "Anna"), called(visit(), "Boris")
    table = waiting(host, 4, ruleset=EVERYTHING, pace="live", reserve_seconds=60)
    for visitor in (host, guest):
        visitor.go(table)
    game = guest.page.locator(".panel.game")
    for words in ("2 minutes per decision", "1 minute in reserve", guest.says("pace.live.help"), guest.says("market")):
        assert words in game.inner_text()
    meta = guest.context.request.get("/api/meta").json()
    for module in meta["modules"]:
        assert module["description"] in game.inner_text()
    assert guest.says("waiting.private") in game.inner_text()
    guest.button("join").click()
    seat(host, 1).get_by_text(host.says("waiting.here")).wait_for()
    guest.page.get_by_label(guest.says("chat.write")).fill("Hello!")
    guest.button("send").click()
    host.page.locator(".chat .lines", has_text="Hello!").wait_for()
    guest.page.goto("about:blank")
    seat(host, 1).get_by_text(host.says("waiting.gone")).wait_for()
    assert seat(host, 1).get_by_text("Boris").count(), "the seat is theirs all the same"
    assert seat(host, 2).get_by_text(host.says("seat.free")).count()


def test_the_host_fills_a_seat_with_a_bot_and_empties_it(visit: Visit) -> None:
    host, guest = called(visit(), "Anna"), visit()
    table = waiting(host)
    for visitor in (host, guest):
        visitor.go(table)
    assert not guest.page.locator(".seats select").count()
    choice = seat(host, 1).locator("select")
    for level, name in (("easy", "Easy"), ("hard", "Hard")):
        choice.select_option(level)
        for visitor in (host, guest):
            seat(visitor, 1).locator(".facts", has_text=name).wait_for()
    choice.select_option("open")
    seat(guest, 1).get_by_text(guest.says("seat.free")).wait_for()
    choice.select_option("easy")
    seat(host, 1).locator(".facts", has_text="Easy").wait_for()
    seat(host, 2).locator("select").select_option("easy")
    host.button("cancel", "dialog").click()  # it would be the last one
    assert host.state["status"] == "open"
    host.button("waiting.start").click()
    host.button("waiting.last.yes", "dialog").click()
    for visitor in (host, guest):
        visitor.page.wait_for_selector(".display")


def test_a_kept_seat_is_told_from_a_free_one_and_waits_for_its_invitation(visit: Visit) -> None:
    host, stranger, friend = called(visit(), "Anna"), called(visit(), "Boris"), visit()
    table = waiting(host, 2)
    for visitor in (host, stranger):
        visitor.go(table)
    seat(host, 1).locator("select").select_option("reserved")
    seat(host, 1).get_by_label(host.says("waiting.keep.name")).fill("Clara")
    host.page.keyboard.press("Enter")
    kept = host.says("waiting.kept").format(name="Clara")
    for visitor in (host, stranger):
        seat(visitor, 1).get_by_text(kept).first.wait_for()
        assert "kept" in (seat(visitor, 1).get_attribute("class") or "")
    stranger.button("join").click()
    stranger.page.get_by_role("alert").filter(has_text="kept for others").wait_for()
    stranger.forgive("422")
    copy = host.says("waiting.invitation").format(name="Clara")
    host.page.get_by_role("button", name=copy).click()
    host.page.get_by_role("button", name=host.says("copied")).wait_for()
    link = host.clipboard()
    assert "?invitation=" in link
    friend.go(link.removeprefix(friend.address))
    assert "invitation" not in friend.page.url
    assert friend.page.get_by_label(friend.says("name.ask")).input_value() == "Clara"
    friend.button("join").click()
    for visitor in (host, stranger, friend):
        visitor.page.wait_for_selector(".display")
    assert [player["name"] for player in host.state["players"]] == ["Anna", "Clara"]


def test_the_host_changes_the_game_and_everybody_sees_it(visit: Visit) -> None:
    host, guest = called(visit(), "Anna"), called(visit(), "Boris")
    table = waiting(host)
    for visitor in (host, guest):
        visitor.go(table)
    guest.button("join").click()
    seat(host, 1).get_by_text("Boris").wait_for()
    assert not guest.button("waiting.change").count()
    host.button("waiting.change").click()
    form = host.page.locator(".game form")
    form.get_by_label(host.says("edition.second")).check()
    form.get_by_label(host.says("market.with")).check()
    form.get_by_role("button", name="4", exact=True).click()
    form.locator("select.pace").select_option("relaxed")
    form.locator("select.decision").select_option(str(24 * 3600))
    form.get_by_role("button", name=host.says("save")).click()
    form.wait_for(state="detached")
    game = guest.page.locator(".panel.game")
    game.get_by_text(guest.says("waiting.changed")).wait_for()
    told = game.inner_text()
    assert "1 day per decision" in told
    assert guest.says("market") in told
    assert guest.page.locator(".seats li").count() == 4
    host.button("waiting.change").click()
    assert form.locator("select.decision").input_value() == str(24 * 3600)
    form.get_by_role("button", name="2", exact=True).click()
    form.get_by_role("button", name=host.says("save")).click()
    for visitor in (host, guest):
        visitor.page.wait_for_selector(".display")  # both are there


def test_somebody_whose_seat_is_freed_is_told(visit: Visit) -> None:
    host, guest = called(visit(), "Anna"), called(visit(), "Boris")
    table = waiting(host)
    for visitor in (host, guest):
        visitor.go(table)
    guest.button("join").click()
    seat(host, 1).get_by_role("button", name=host.says("waiting.free")).click()
    host.button("waiting.free", "dialog").click()
    guest.page.get_by_text("given your seat to others").wait_for()
    guest.button("join").click()
    seat(guest, 1).get_by_text(guest.says("you")).wait_for()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_sticks_out_of_the_waiting_room(visit: Visit, language: str) -> None:
    host = called(visit(locale=language, viewport={"width": 2560, "height": 800}), "Maximiliane-Alexandrine")
    table = waiting(host, 5, ruleset=EVERYTHING, pace="relaxed")
    path = f"/api{table.replace('table', 'tables')}/seats/1"
    kept = {"kind": "reserved", "name": "Wolfeschlegelsteinhausen"}
    assert host.context.request.put(path, data=kept).ok
    host.go(table)
    host.button("waiting.change").click()
    host.page.locator(".game form").wait_for()
    for width in (2560, 1440, 820, 390, 360):
        host.resize(width, 800)
        assert host.page.evaluate("document.documentElement.scrollWidth") <= width, width
        assert host.page.evaluate(STICKS_OUT) == [], width
