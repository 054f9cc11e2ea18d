"""Write web/src/lib/keys.ts, the keys of what the pages say: `python tools/text_keys.py [--check]`."""

from __future__ import annotations

import sys
from pathlib import Path

from nevsky.texts import read_texts

TARGET = Path(__file__).parent.parent / "web" / "src" / "lib" / "keys.ts"
HEAD = """\
// Made by tools/text_keys.py from src/nevsky/texts/en/web.csv. Do not edit.

export type Key =
"""


def generate() -> str:
    """The whole file."""
    return HEAD + "\n".join(f'  | "{key}"' for key in read_texts("en", "web")) + ";\n"


def main() -> int:
    """Write the file, or say whether it is current."""
    if "--check" not in sys.argv:
        TARGET.write_text(generate(), encoding="utf-8")
        return 0
    if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == generate():
        return 0
    print(f"{TARGET} does not list the texts of the pages. Run: python tools/text_keys.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
