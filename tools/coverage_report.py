"""How often each card and effect comes up in random games: python tools/coverage_report.py [GAMES]."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.test_coverage import expected, play_and_count


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    seen = play_and_count(games, "coverage")
    for word in sorted(expected(), key=lambda effect: (seen[effect], effect)):
        print(f"{seen[word]:9,}  {word}")
    missing = [word for word in expected() if not seen[word]]
    print(f"{len(expected())} cards and effects in {games:,} games, {len(missing)} never seen")


if __name__ == "__main__":
    main()
