"""What a page shows only for a while is as accessible as the rest: dialogs, menus, notices, ends."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.support import Visitor, is_nearly_over, seated_together
from tests.browser.test_accessibility import in_both_themes, with_axe

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    return with_axe(visit())


def opened(visitor: Visitor) -> list[str]:
    """What is wrong with the dialog that has just been opened; then it is closed."""
    visitor.page.wait_for_selector("dialog[open]")
    found = in_both_themes(visitor, "dialog")
    visitor.page.keyboard.press("Escape")
    visitor.page.wait_for_selector("dialog", state="detached")
    return found


def test_a_card_of_the_gallery_and_a_rule(visitor: Visitor) -> None:
    visitor.go("/rules/cards")
    visitor.page.locator("button.card").first.click()
    found = opened(visitor)
    visitor.go(visitor.make_table(bots=2))
    visitor.wait_asked()
    visitor.page.locator(".display button.card").first.click()
    visitor.page.locator("dialog a[data-rule]").first.click()
    visitor.page.wait_for_selector("dialog .rule, dialog h2:has-text('Rule')")
    found += in_both_themes(visitor)
    assert not found, "\n".join(sorted(set(found)))


def test_the_last_step_of_a_guide(visitor: Visitor) -> None:
    visitor.go("/guide/market")
    for _ in range(30):
        if visitor.button("guide.again").count():
            break
        visitor.page.keyboard.press("ArrowRight")
        visitor.page.wait_for_timeout(50)
    visitor.button("guide.again").wait_for()
    found = in_both_themes(visitor)
    assert not found, "\n".join(sorted(set(found)))


def test_ways_to_pass_and_passing_ahead(visitor: Visitor) -> None:
    visitor.go(visitor.make_table(edition="first"))
    visitor.wait_asked()
    visitor.page.locator(".bar .kinds").click()
    visitor.page.wait_for_selector("[role=menu]")
    found = in_both_themes(visitor)
    assert not found, "\n".join(sorted(set(found)))


def test_resigning_ending_and_being_away(visit: Visit) -> None:
    first, second = seated_together(with_axe(visit()), with_axe(visit()))
    found = []
    for key in ("resign", "end.propose"):
        first.button(key, ".panel.tools").click()
        found += opened(first)
    first.button("end.propose", ".panel.tools").click()
    first.button("end.propose", "dialog").click()
    second.page.locator(".toast").wait_for()
    found += in_both_themes(second)
    first.button("away.go").last.click()
    first.button("away.back", ".bar").wait_for()
    found += in_both_themes(first)
    assert not found, "\n".join(sorted(set(found)))


def test_an_invitation_and_a_full_table_that_one_watches(visit: Visit) -> None:
    host, guest, third = visit(), with_axe(visit()), with_axe(visit())
    table = host.open_table()
    host.go(table)
    guest.go(table)
    guest.button("join").wait_for()
    found = in_both_themes(guest)
    guest.button("join").click()
    guest.page.wait_for_selector(".display")
    third.go(table)
    found += in_both_themes(third)
    assert not found, "\n".join(sorted(set(found)))


def test_the_end_of_a_game_and_deleting_it(visitor: Visitor) -> None:
    table = visitor.make_table(edition="first")
    visitor.play_ahead(table, is_nearly_over)
    visitor.go(table)
    visitor.play_by_script()
    visitor.page.wait_for_selector("dialog .final")
    found = in_both_themes(visitor)
    visitor.go("/")
    visitor.page.get_by_role("button", name=visitor.says("delete")).first.click()
    found += opened(visitor)
    assert not found, "\n".join(sorted(set(found)))
