"""Put the no-break spaces that French wants before : ; ! ? » % and after « into the French texts.

Run it after a change to a French text; with ``--check`` it only says where one is missing.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

TEXTS: Final = Path(__file__).parents[1] / "src" / "nevsky" / "texts" / "fr"
_PLAIN: Final = re.compile(r"(?<=\S) (?=[:;!?»%])|(?<=«) ")


def main() -> int:
    """Mend the files, or name those that need it."""
    check = "--check" in sys.argv[1:]
    stale = []
    for path in sorted([*TEXTS.glob("*.csv"), *TEXTS.glob("*.md")]):
        words = path.read_bytes().decode()
        better = _PLAIN.sub("\u00a0", words)
        if better != words:
            stale.append(path.name)
            if not check:
                path.write_bytes(better.encode())
    if check and stale:
        print(f"run tools/french_spaces.py: {', '.join(stale)}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
