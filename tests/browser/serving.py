"""The real server and real Chromium, for the tests and for the pictures of the documents."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from nevsky.server.settings import unlimited

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["QUICK", "UNSEEN", "launched", "launched_painting", "launched_whole", "served"]

WHOLE = ("chromium", "chromium-browser", "google-chrome")
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
"""The same engine without windows. A whole Chromium spends half of its time on windows that nobody sees."""
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
UNSEEN = "--force-gpu-mem-available-mb=1"
"""No room to paint in: pages are laid out as always, but not turned into pixels, which takes a third of a game."""
QUICK = {
    "NEVSKY_BOT_PAUSE": "0",
    "NEVSKY_BOT_MILLISECONDS": "5",
    "NEVSKY_BOT_WORKERS": "1",
    **{f"NEVSKY_{name.upper()}": str(value) for name, value in unlimited().items()},
}


def chromium(*names: str) -> str:
    """The path of the one in CHROMIUM, or of the first of these that is installed."""
    path = next(filter(None, map(shutil.which, (os.environ.get("CHROMIUM", ""), *names))), None)
    assert path, "Chromium is missing: install it or set CHROMIUM to its path."
    return path


@contextmanager
def launched(*more: str) -> Iterator[Browser]:
    """Chromium without a window. It occupies the event loop of the thread until it ends."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(*SHELLS, *WHOLE), args=[*ARGUMENTS, *more])
        yield browser
        browser.close()


@contextmanager
def launched_painting(beside: Browser) -> Iterator[Browser]:
    """One that paints, for what is to be looked at."""
    browser = beside.browser_type.launch(executable_path=chromium(*SHELLS, *WHOLE), args=ARGUMENTS)
    yield browser
    browser.close()


@contextmanager
def launched_whole(beside: Browser) -> Iterator[Browser]:
    """A Chromium with all its parts, for what the one beside cannot do."""
    browser = beside.browser_type.launch(executable_path=chromium(*WHOLE), args=ARGUMENTS)
    yield browser
    browser.close()


@contextmanager
def served(folder: Path, **settings: str) -> Iterator[str]:
    """The address of a server with a database of its own, whose bots do not pause."""
    log = folder / "log.txt"
    program = str(Path(sys.executable).parent / "nevsky")
    command = [program, "serve", "--port", settings.get("NEVSKY_PORT", "0"), "--database", str(folder / "try.db")]
    with log.open("w") as out:
        server = subprocess.Popen(
            command, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, **QUICK, **settings}
        )
    try:
        yield _address(server, log)
    finally:
        server.terminate()
        server.wait(timeout=60)


def _address(server: subprocess.Popen[bytes], log: Path) -> str:
    end = time.monotonic() + 120  # on a busy machine; one that ended is noticed at once
    while time.monotonic() < end and server.poll() is None:
        found = re.search(r"Nevsky is at (http://\S+)\s", log.read_text())
        if found:
            return found.group(1).rstrip("/")
        time.sleep(0.05)
    raise AssertionError(f"The server did not start:\n{log.read_text()}")
