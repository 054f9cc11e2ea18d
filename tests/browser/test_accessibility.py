"""No serious violations of accessibility, as axe-core sees it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from tests.browser.support import AXE, EVERYTHING, Json, Visitor

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
Theme = Literal["light", "dark"]


@pytest.fixture(params=["light", "dark"])
def visitor(visit: Visit, request: pytest.FixtureRequest) -> Visitor:
    """Somebody whose system is light or dark, with axe in the page."""
    axe = Path(os.environ.get("NEVSKY_AXE", AXE))
    if not axe.is_file():
        pytest.skip("needs axe-core: npm ci in web/")
    theme: Theme = request.param
    found = visit(color_scheme=theme)
    found.context.add_init_script(path=axe)
    return found


def violations(visitor: Visitor) -> list[str]:
    """What is serious or critical on the page as it is."""
    visitor.page.wait_for_function("() => document.getAnimations().every((each) => each.playState !== 'running')")
    found: list[Json] = visitor.page.evaluate(
        "async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations"
    )
    return [
        f"{rule['id']} ({rule['impact']}) at {' '.join(map(str, node['target']))}: "
        + "; ".join(check["message"] for check in node["any"] + node["all"] + node["none"])
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("path", ["/", "/new", "/rules", "/about"])
def test_pages(visitor: Visitor, path: str) -> None:
    visitor.go(path)
    found = violations(visitor)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("ruleset", [{}, EVERYTHING], ids=["plain", "everything"])
def test_a_table_in_the_middle(visitor: Visitor, ruleset: Json) -> None:
    visitor.go(visitor.make_table(**ruleset))
    visitor.play_by_script(20)
    visitor.wait_asked()
    found = violations(visitor)
    visitor.page.locator("#tab-chat").click()
    found += violations(visitor)
    visitor.page.locator("#tab-cards").click()
    found += violations(visitor)
    visitor.page.locator(".display button.card").first.click()
    visitor.page.wait_for_selector("dialog[open]")
    found += violations(visitor)
    assert not found, "\n".join(sorted(set(found)))


def test_a_finished_table_and_its_replay(visitor: Visitor, finished: str) -> None:
    visitor.go(f"/table/{finished}")
    visitor.page.wait_for_selector(".final")
    found = violations(visitor)
    visitor.page.goto(f"/replay/{finished}?step=20")
    visitor.page.wait_for_selector(".controls")
    found += violations(visitor)
    assert not found, "\n".join(found)
