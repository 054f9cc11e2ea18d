"""Make one file of weights from several trainings, one for each number of players.

    python tools/merge_weights.py src/nevsky/bots/master.weights 2=two 3=three 4=four

A directory stands for the ``policy.weights`` in it. A number of players that is not named gets the weights of the next
lower one that is, or else the nearest.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from nevsky.bots.policy_weights import COUNTS, load_weights, save_weights


def merge(target: Path, sources: Sequence[str]) -> None:
    tables = {}
    for source in sources:
        players, equals, name = source.partition("=")
        if not equals or not name or players not in map(str, COUNTS):
            raise ValueError(f"A source is a number of players and a file, as in 4=policy.weights, not {source!r}.")
        if int(players) in tables:
            raise ValueError(f"There are two sources for {players} players.")
        path = Path(name)
        tables[int(players)] = load_weights(int(players), path / "policy.weights" if path.is_dir() else path)
    save_weights(target, tables)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path, help="the file to write")
    parser.add_argument("sources", nargs="+", metavar="PLAYERS=FILE", help="whose weights lie where")
    given = parser.parse_args(words)
    try:
        merge(given.target, given.sources)
    except ValueError as error:
        print(f"merge_weights: {error}", file=sys.stderr)
        return 2
    print(f"The weights are {given.target}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
