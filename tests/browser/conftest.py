"""The real server and real Chromium, started once. They end with this package: Playwright occupies the event loop."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.support import STATIC, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FAST = {
    "NEVSKY_BOT_PAUSE": "0",
    "NEVSKY_BOT_MILLISECONDS": "5",
    "NEVSKY_BOT_WORKERS": "1",
    **{f"NEVSKY_{kind}_RATE": "100000 per second" for kind in ("MESSAGE", "CHAT", "HINT", "REQUEST", "TABLE")},
}


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium without a window."""
    pytest.importorskip("playwright.sync_api", reason="needs the package playwright: pip install playwright")
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not path:
        pytest.skip("needs Chromium: install it or set CHROMIUM to its path")
    if not (STATIC / "index.html").is_file():
        pytest.skip("needs the built front end: npm ci && npm run build in web/")
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=arguments)
        yield running
        running.close()


@pytest.fixture(scope="package")
def address(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the real server is."""
    folder = tmp_path_factory.mktemp("served")
    log = folder / "log.txt"
    command = [
        str(Path(sys.executable).parent / "nevsky"),
        "serve",
        "--port",
        "0",
        "--database",
        str(folder / "try.db"),
    ]
    with log.open("w") as out:
        server = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, **FAST})
    try:
        yield _address(server, log)
    finally:
        server.terminate()
        server.wait(timeout=20)


def _address(server: subprocess.Popen[bytes], log: Path) -> str:
    end = time.monotonic() + 30
    while time.monotonic() < end and server.poll() is None:
        found = re.search(r"Nevsky is at (http://\S+)\s", log.read_text())
        if found:
            return found.group(1).rstrip("/")
        time.sleep(0.05)
    raise AssertionError(f"The server did not start:\n{log.read_text()}")


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Visitor]]:
    """New visitors, each with cookies of his own; afterwards no page may have had an error."""
    visitors: list[Visitor] = []

    def make(**options: Any) -> Visitor:
        visitors.append(Visitor(browser, address, **options))
        return visitors[-1]

    yield make
    problems = [problem for visitor in visitors for problem in visitor.problems]
    for visitor in visitors:
        visitor.close()
    assert problems == []


@pytest.fixture(scope="package")
def finished(browser: Browser, address: str) -> str:
    """The id of a table whose game is over."""
    visitor = Visitor(browser, address)
    table = visitor.make_table()
    visitor.go(table)
    visitor.play_by_script()
    visitor.page.wait_for_selector(".final")
    visitor.close()
    return table.rsplit("/", 1)[1]
