"""Four people in four browsers play a tournament of two rounds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.support import Visitor
from tests.browser.test_accessibility import in_both_themes, with_axe
from tests.browser.test_pages import too_wide

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


def _make(maker: Visitor) -> str:
    maker.go("/tournaments")
    maker.page.locator("summary", has_text=maker.says("tournament.new")).click()
    maker.page.locator("#tournament-name").fill("Neva Cup")
    maker.page.get_by_role("group", name=maker.says("tournament.table_size")).get_by_role("button", name="2").click()
    maker.page.get_by_label(maker.says("tournament.rounds"), exact=True).select_option("2")
    maker.page.get_by_label(maker.says("tournament.automatic")).uncheck()
    maker.button("tournament.make").click()
    maker.page.wait_for_url("**/tournament/*")
    maker.page.get_by_role("heading", name="Neva Cup").wait_for()
    return maker.page.url.removeprefix(maker.address)


def _join(player: Visitor, path: str, name: str) -> None:
    player.go(path)
    player.page.get_by_label(player.says("name.ask")).fill(name)
    player.button("tournament.join").click()
    player.button("tournament.leave").wait_for()


def _play(players: list[Visitor], path: str) -> None:
    """At each table one of both gives up."""
    for player in players:
        player.go(path)
        player.page.wait_for_selector(".standings")
        if not player.page.get_by_role("link", name=player.says("tournament.play")).count():
            continue  # their opponent has given up already
        player.page.get_by_role("link", name=player.says("tournament.play")).click()
        player.page.wait_for_selector(".display")
        player.button("resign", ".panel.tools").click()
        player.button("resign", "dialog").click()
        player.page.locator("dialog .final", has_text=player.says("final.conceded")).wait_for()
        player.button("final.table", "dialog").click()
        player.page.get_by_role("link", name=player.says("tournament"), exact=True).first.click()
        player.page.wait_for_selector(".standings")


def test_four_people_play_two_rounds_and_see_who_has_won(visit: Visit) -> None:
    players = [
        with_axe(visit(viewport={"width": 390, "height": 844})),
        *(visit(locale=each) for each in ("de-DE", "fr-FR", "it-IT")),
    ]
    anna = players[0]
    path = _make(anna)
    for player, name in zip(players, ("Anna", "Boris", "Chiara", "Dimitri"), strict=True):
        _join(player, path, name)
    anna.go(path)
    anna.page.get_by_text("Dimitri").wait_for()
    anna.button("tournament.start").click()
    anna.page.get_by_role("link", name=anna.says("tournament.play")).wait_for()
    _play(players[::-1], path)
    anna.go(path)
    anna.button("tournament.next").click()
    anna.page.get_by_role("heading", name=anna.says("tournament.round_of").format(round=2, rounds=2)).wait_for()
    _play(players[::-1], path)
    for player in players:
        player.go(path)
        player.page.get_by_text(player.says("tournament.over"), exact=True).wait_for()
        rows = player.page.locator(".standings tbody tr")
        assert rows.count() == 4
        assert "Anna" in rows.first.inner_text() and "24" in rows.first.inner_text()
        assert "Dimitri" in rows.last.inner_text()
        assert player.page.locator("section li a").count() == 4
    anna.go("/tournaments")
    anna.page.get_by_role("link", name="Neva Cup").wait_for()
    anna.page.locator("summary", has_text=anna.says("tournament.new")).click()
    wide = too_wide(anna, 390)
    found = in_both_themes(anna)
    anna.page.set_viewport_size({"width": 390, "height": 844})
    anna.go(path)
    anna.page.wait_for_selector(".standings")
    wide += too_wide(anna, 390)
    assert found + wide + in_both_themes(anna) == []
