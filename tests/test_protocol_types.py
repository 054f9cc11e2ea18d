"""The browser's types are made from the server's models."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_types_of_the_browser_are_those_of_the_protocol() -> None:
    """Run tools/protocol_types.py when this fails."""
    subprocess.run([sys.executable, str(ROOT / "tools" / "protocol_types.py"), "--check"], check=True)
