"""Measure the bots for the leaderboards: `python tools/bot_ratings.py --games 24 --playouts 60 --out DIRECTORY`.

All levels play each other at everything that is rated apart, and the file that the server reads is written. Whoever is
interrupted starts the same command again: games that are in the directory are not played twice.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))  # for when it is run as a file
from nevsky.arena import enter, make_setup, run_arena
from nevsky.arena.ratings import rate
from nevsky.bots import LEVELS
from nevsky.rules.ruleset import Ruleset
from nevsky.server.ratings.bots import COLUMNS, FILE
from nevsky.server.ratings.scale import Pool, pools


def ruleset_of(pool: Pool) -> Ruleset:
    """What is played there; of the modules all."""
    modules = (1, 2, 3, 4, 5, 6) if pool.family == "modules" else ()
    edition = "first" if pool.family == "first" else "second"
    return Ruleset(edition, pool.players, market=pool.family in ("market", "modules"), modules=modules)


def measured(pool: Pool, games: int, playouts: int, out: Path, jobs: int) -> list[tuple[object, ...]]:
    """The lines of a pool."""
    entrants = enter([*LEVELS, "random"] if pool.players > len(LEVELS) else LEVELS)  # so that each sits there once
    setup = make_setup(entrants, ruleset_of(pool), games, seed="ratings", playouts=playouts)
    directory = out / f"{pool.family}-{pool.players}"
    store, stopped = run_arena(setup, directory=directory, jobs=jobs)
    if stopped:
        sys.exit(130)
    played = Counter(entrant for game in store.results.values() for entrant in set(game["seats"]))
    found = rate(len(entrants), store.results.values())
    return [
        (*pool, level, f"{rating.mu:.3f}", f"{rating.sigma:.3f}", played[number])
        for number, (level, rating) in enumerate(zip(LEVELS, found, strict=False))
    ]


def main() -> None:
    """Measure what is asked for, and write it down pool by pool."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--games", type=int, default=24, help="at least so many in each pool")
    words.add_argument("--playouts", type=int, default=60, help="for each decision of a bot that searches")
    words.add_argument("--out", type=Path, required=True, help="where the games are kept")
    words.add_argument("--jobs", type=int, default=1)
    chosen = words.parse_args()
    lines: list[tuple[object, ...]] = [COLUMNS]
    for pool in pools():
        lines += measured(pool, chosen.games, chosen.playouts, chosen.out, chosen.jobs)
        with FILE.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(lines)
        print(*(" ".join(map(str, line)) for line in lines[-len(LEVELS) :]), sep="\n", flush=True)


if __name__ == "__main__":
    main()
