"""Write the golden playthroughs and node counts anew: run it only when the rules change on purpose."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.golden_text import node_counts, playthrough  # noqa: E402
from tests.rulesets import CONFIGURATIONS  # noqa: E402

GOLDEN = ROOT / "tests" / "golden"


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    for old in GOLDEN.iterdir():
        old.unlink()
    for name, ruleset in CONFIGURATIONS.items():
        (GOLDEN / f"{name}.txt").write_text(playthrough(ruleset, name), encoding="utf-8")
    counts = {name: node_counts(ruleset) for name, ruleset in CONFIGURATIONS.items()}
    (GOLDEN / "nodes.json").write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
    print(f"{len(CONFIGURATIONS)} playthroughs and node counts written to {GOLDEN.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
