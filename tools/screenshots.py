"""Pictures of the main pages for the documents: starts a server of its own and takes them in Chromium."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.browser.serving import launched, served
from tests.browser.support import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TARGET = Path(__file__).resolve().parent.parent / "docs" / "screenshots"
SIZES = {"desktop": (1600, 1000), "phone": (390, 844)}
TABLES: dict[str, dict[str, Any]] = {
    "table": {"edition": "second", "players": 3},
    "market": {"edition": "second", "players": 4, "market": True, "modules": [1, 2, 3, 4, 5, 6]},
}


class Photographer(Visitor):
    """A visitor of one size and one theme."""

    def __init__(self, browser: Browser, address: str, size: str, theme: str) -> None:
        width, height = SIZES[size]
        super().__init__(browser, address, viewport={"width": width, "height": height}, color_scheme=theme)
        self.ending = f"{size}-{theme}.png"

    def take(self, name: str) -> None:
        self.page.wait_for_timeout(600)  # for fonts and icons
        self.page.wait_for_selector(".toast", state="detached")
        self.page.screenshot(path=TARGET / f"{name}-{self.ending}")


def main() -> None:
    TARGET.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, launched() as browser, served(Path(folder)) as address:
        for size in SIZES:
            light = Photographer(browser, address, size, "light")
            light.go("/")
            light.take("home")
            table = light.make_table(**TABLES["table"])
            light.go(table)
            light.play_by_script(26, thrifty=True)
            light.take("table")
            light.play_by_script()
            light.page.goto(f"{table.replace('table', 'replay')}?step=40")
            light.page.wait_for_selector(".controls")
            light.take("replay")
            light.close()
            dark = Photographer(browser, address, size, "dark")
            dark.go(dark.make_table(**TABLES["market"]))
            dark.play_by_script(26, thrifty=True)
            dark.take("market")
            dark.close()
    print(f"{len(SIZES) * 4} pictures written to docs/screenshots")


if __name__ == "__main__":
    main()
