"""Write web/src/lib/keys.ts, the keys of what the pages say: `python tools/text_keys.py [--check]`."""

from __future__ import annotations

import sys
from pathlib import Path

from nevsky.texts import read_texts

sys.path.insert(0, str(Path(__file__).parent.parent))  # for when it is run as a file
from tools.generated import ROOT, write_or_check

TARGET = ROOT / "web" / "src" / "lib" / "keys.ts"
HEAD = """\
// Made by tools/text_keys.py from web.csv and pages.csv of src/nevsky/texts/en. Do not edit.

export type Key =
"""


def generate() -> str:
    """The whole file."""
    keys = sorted([*read_texts("en", "web"), *read_texts("en", "pages")])
    return HEAD + "\n".join(f'  | "{key}"' for key in keys) + ";\n"


if __name__ == "__main__":
    sys.exit(write_or_check(TARGET, generate(), __file__))
