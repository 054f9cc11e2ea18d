"""Kinds of cards, players and sources of points are told apart without colours, whatever eyes see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.browser.conftest import visitors_of
from tests.browser.serving import launched_painting
from tests.browser.support import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.browser
Visit = Callable[..., Visitor]
Picture = NDArray[np.float64]
SIGHTS = ("none", "deuteranopia", "protanopia", "tritanopia", "achromatopsia")
KINDS = ("worker", "market", "orange", "building", "noble", "purple")
PILES = ("worker", "building", "noble", "exchange")
SIDE = 28
SMALL: dict[str, Any] = {"device_scale_factor": 3, "viewport": {"width": 900, "height": 240}}
"""Signs are as large as anywhere, and little has to be painted around them."""
ALIKE = 0.8
"""Two signs whose pixels correlate more than this are taken for the same."""
PLACE = """each => {
    const { left, top, width, height } = each.getBoundingClientRect();
    return { x: left + scrollX, y: top + scrollY, width, height };
}"""
LUMINANCE = """async ([png, side]) => {
    const image = new Image();
    image.src = "data:image/png;base64," + png;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0, side, side);
    const { data } = pen.getImageData(0, 0, side, side);
    const at = (i) => 0.2126 * data[4 * i] + 0.7152 * data[4 * i + 1] + 0.0722 * data[4 * i + 2];
    return Array.from({ length: side * side }, (_, i) => at(i));
}"""


class Sight:
    """Takes pictures of a page as somebody sees it, and reads their brightness."""

    def __init__(self, visitor: Visitor) -> None:
        self.page = visitor.page
        self.session = visitor.context.new_cdp_session(visitor.page)
        self.desk = visitor.context.new_page()

    def pictures(self, elements: dict[str, Locator]) -> dict[str, dict[str, Picture]]:
        """Of each element, for each sight; one element after the other, so that the page scrolls to each but once."""
        found: dict[str, dict[str, Picture]] = {sight: {} for sight in SIGHTS}
        for name, element in elements.items():
            for sight in SIGHTS:
                self.session.send("Emulation.setEmulatedVisionDeficiency", {"type": sight})
                found[sight][name] = self.picture(element)
        return found

    def picture(self, element: Locator) -> Picture:
        """Brightness from its darkest to its lightest point."""
        element.scroll_into_view_if_needed()
        # what Playwright would do for a still picture styles hundreds of cards anew, and nothing moves here
        png = self.session.send("Page.captureScreenshot", {"clip": {**element.evaluate(PLACE), "scale": 1}})["data"]
        values: Any = self.desk.evaluate(LUMINANCE, [png, SIDE])
        found = np.array(values, dtype=np.float64)
        assert found.max() - found.min() > 60, "it stands out from its ground"
        return found


@pytest.fixture(scope="module")
def painting(browser: Browser) -> Iterator[Browser]:
    with launched_painting(browser) as found:
        yield found


@pytest.fixture
def visit(painting: Browser, address: str) -> Iterator[Visit]:
    """Visitors of a Chromium that paints."""
    yield from visitors_of(painting, address)


@pytest.fixture
def gallery(visit: Visit) -> Visitor:
    visitor = visit(**SMALL)
    visitor.go("/rules/cards")
    return visitor


def correlation(one: Picture, other: Picture) -> float:
    return float(np.corrcoef(one, other)[0, 1])


def alike(pictures: dict[str, Picture]) -> list[str]:
    pairs = {pair: correlation(pictures[pair[0]], pictures[pair[1]]) for pair in combinations(pictures, 2)}
    return [f"{' and '.join(pair)}: {found:.2f}" for pair, found in pairs.items() if found > ALIKE]


def test_the_sign_in_the_band_tells_the_kind_of_a_card(gallery: Visitor) -> None:
    eyes = Sight(gallery)
    # orange cards are of the market's pile and have its sign; their pattern is their own
    kinds = [kind for kind in KINDS if kind != "orange"]
    signs = {kind: gallery.page.locator(f".card.tint-{kind} .sign").first for kind in kinds}
    signs["exchange"] = gallery.page.locator(".card .sign + .sign").first
    for sight, seen in eyes.pictures(signs).items():
        assert not alike(seen), sight


def test_the_pattern_of_the_band_tells_the_kind_of_a_card(gallery: Visitor) -> None:
    gallery.page.add_style_tag(
        content=".strip { width: 64px; height: 64px !important; } .strip .sign { display: none; }"
    )
    eyes = Sight(gallery)
    strips = {kind: gallery.page.locator(f".card.tint-{kind} .strip").first for kind in KINDS}
    for sight, seen in eyes.pictures(strips).items():
        assert not alike(seen), sight


def test_piles_and_small_cards_have_the_sign_of_their_kind(visit: Visit) -> None:
    visitor = visit(**SMALL)
    table = visitor.make_table()
    visitor.play_ahead(table, times=30, thrifty=True)
    visitor.go(table)
    eyes = Sight(visitor)
    backs = {pile: visitor.page.locator(f".bar .back.tint-{pile} .sign").first for pile in PILES}
    for sight, seen in eyes.pictures(backs).items():
        assert not alike(seen), sight
    minis = visitor.page.locator("button.mini")
    assert minis.count() > 0
    for mini in minis.all():
        assert mini.locator(".strip .sign").count() >= 1


def test_curves_and_columns_have_marks_and_textures_of_their_own(visit: Visit, finished: str) -> None:
    visitor = visit()
    visitor.go(f"/table/{finished}")
    visitor.page.wait_for_selector(".finish svg pattern", state="attached")
    textures = visitor.page.locator("pattern path").evaluate_all("all => all.map((each) => each.getAttribute('d'))")
    assert len(textures) > 1 and len(set(textures)) == len(textures)
    used = set(visitor.page.locator("rect.piece").evaluate_all("all => all.map((each) => each.getAttribute('fill'))"))
    defined = set(visitor.page.locator("pattern").evaluate_all("all => all.map((each) => `url(#${each.id})`)"))
    assert used and used <= defined, "every piece has the texture of its source, and the legend has it too"
    visitor.page.goto(f"/replay/{finished}?step=20")
    visitor.page.wait_for_selector("figcaption .mark")
    marks = (
        visitor.page.locator("figcaption")
        .first.locator(".mark")
        .evaluate_all("all => all.map((e) => e.getAttribute('d'))")
    )
    assert len(marks) == len(set(marks)) == 2
