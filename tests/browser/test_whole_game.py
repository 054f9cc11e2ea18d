"""The front end in a real browser: only where Chromium, Node and the built front end are there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
WEB = ROOT / "web"
STATIC = ROOT / "src" / "nevsky" / "server" / "static" / "index.html"


def test_the_types_of_the_browser_are_those_of_the_protocol() -> None:
    """Run tools/protocol_types.py when this fails."""
    pytest.importorskip("pydantic")
    subprocess.run([sys.executable, str(ROOT / "tools" / "protocol_types.py"), "--check"], check=True)


@pytest.mark.long
def test_a_whole_game_can_be_played_by_clicking(tmp_path: Path) -> None:
    """From the home page to the replay, without an error in the page."""
    if not shutil.which("chromium") or not shutil.which("npm"):
        pytest.skip("needs chromium and npm")
    if not STATIC.is_file() or not (WEB / "node_modules" / "playwright-core").is_dir():
        pytest.skip("needs the built front end: npm ci && npm run build in web/")
    server = subprocess.Popen(
        [str(Path(sys.executable).parent / "nevsky"), "serve", "--port", "0", "--database", str(tmp_path / "try.db")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        address = _address(server)
        done = subprocess.run(
            ["npm", "run", "--silent", "e2e"],
            cwd=WEB,
            env={**os.environ, "NEVSKY_URL": address},
            timeout=600,
            check=False,
        )
        assert done.returncode == 0
    finally:
        server.terminate()
        server.wait(timeout=20)
        assert server.stdout is not None
        server.stdout.close()


def _address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    for line in server.stdout:
        found = re.search(r"Nevsky is at (http\S+)", line)
        if found:
            return found.group(1).rstrip("/")
    raise AssertionError("The server did not start.")
