"""Files of the project that a tool writes: it also tells whether they are current."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["ROOT", "write_or_check"]

ROOT = Path(__file__).parent.parent


def write_or_check(target: Path, text: str, tool: str) -> int:
    """Write the file or, with `--check`, say whether it is current; what the process ends with."""
    if "--check" not in sys.argv:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return 0
    if target.is_file() and target.read_text(encoding="utf-8") == text:
        return 0
    print(f"{target} is not current. Run: python tools/{Path(tool).name}", file=sys.stderr)
    return 1
