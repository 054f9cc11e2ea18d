"""Write web/src/lib/keys.ts, the keys of what the pages say: `python tools/text_keys.py [--check]`."""

from __future__ import annotations

import sys
from pathlib import Path

from nevsky.texts import read_texts

sys.path.insert(0, str(Path(__file__).parent.parent))  # for when it is run as a file
from tools.generated import ROOT, write_or_check

TARGET = ROOT / "web" / "src" / "lib" / "keys.ts"
HEAD = """\
// Made by tools/text_keys.py from src/nevsky/texts/en/web.csv. Do not edit.

export type Key =
"""


def generate() -> str:
    """The whole file."""
    return HEAD + "\n".join(f'  | "{key}"' for key in read_texts("en", "web")) + ";\n"


if __name__ == "__main__":
    sys.exit(write_or_check(TARGET, generate(), __file__))
