"""Write the figures of docs/baselines.md and its curves from the files of runs in benchmarks/baselines.

The players of the best runs are kept there, too.

python tools/baselines.py [--check]     # the runs themselves: examples/envs/curves.py
"""

from __future__ import annotations

import ast
import csv
import re
import shutil
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from nevsky.arena.intervals import Estimate, wilson
from nevsky.arena.svg import Band, Point, bands, standalone
from nevsky.arena.tables import interval_text, table
from tools.generated import ROOT, write_or_check

FOLDER: Final = ROOT / "benchmarks" / "baselines"
PAGE: Final = ROOT / "docs" / "baselines.md"
PLOT: Final = ROOT / "docs" / "baselines.svg"
LEARNERS: Final = {
    "ppo": "PPO, `ppo.py`",
    "dqn": "double DQN, `dqn.py`",
    "clone": "behaviour cloning, `clone.py`",
    "policy": "policy gradient, `nevsky train policy`",
}
PLAYERS: Final = (".pt", ".weights")
RIVALS: Final = {"random": "random", "heuristic": "the heuristic policy"}
WAYS: Final = ("likeliest", "drawn")
PROGRAMS: Final = ("policy.py", "ppo.py", "dqn.py", "clone.py")
MARK: Final = re.compile(r"(?P<begin><!-- (?P<what>\w+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL)


class Row(NamedTuple):
    """One measurement of a run."""

    decisions: int | None
    games: int
    seconds: float
    rivals: str
    way: str
    measured: int
    wins: Estimate


Run = tuple[Row, ...]


def read_run(path: Path) -> Run:
    """All measurements of a run, in their order."""
    with path.open(encoding="utf-8", newline="") as file:
        return tuple(
            Row(
                int(row["decisions"]) if row["decisions"] else None,
                int(row["games"]),
                float(row["seconds"]),
                row["rivals"],
                row["way"],
                int(row["measured"]),
                Estimate(float(row["wins"]), float(row["low"]), float(row["high"])),
            )
            for row in csv.DictReader(file)
        )


def read_runs(folder: Path = FOLDER) -> dict[str, dict[int, Run]]:
    """The runs of every learner, by their seeds."""
    found: dict[str, dict[int, Run]] = {}
    for learner in LEARNERS:
        paths = sorted(folder.glob(f"{learner}-*.csv"))
        if paths:
            found[learner] = {int(path.stem.removeprefix(f"{learner}-")): read_run(path) for path in paths}
    return found


def curve(runs: Sequence[Run], rivals: str, way: str) -> list[Point]:
    """The mean of the runs, and their least and most, by thousands of games."""
    rows = zip(*([row for row in run if (row.rivals, row.way) == (rivals, way)] for run in runs), strict=True)
    return [
        Point(
            fmean(row.games for row in same) / 1000,
            fmean(row.wins.value for row in same),
            min(row.wins.value for row in same),
            max(row.wins.value for row in same),
        )
        for same in rows
    ]


def plot(runs: dict[str, dict[int, Run]]) -> str:
    """A panel for each learner."""
    panels = [
        (
            LEARNERS[learner].replace("`", ""),
            "thousand games",
            [
                Band(f"against {words}, {way}", curve(list(found.values()), rivals, way))
                for rivals, words in RIVALS.items()
                for way in WAYS
            ],
        )
        for learner, found in runs.items()
    ]
    return standalone(bands(panels, "Win rates while learning"))


def last(run: Run, rivals: str, way: str) -> Row:
    """The last measurement of a kind."""
    return [row for row in run if (row.rivals, row.way) == (rivals, way)][-1]


def together(rows: Sequence[Row]) -> str:
    """The wins of several runs in one, with the 95 % interval over all of their games."""
    games = sum(row.measured for row in rows)
    return interval_text(wilson(sum(row.wins.value * row.measured for row in rows) / games, games))


def best_seed(found: dict[int, Run]) -> int:
    """The run whose player is kept: the one that won most against the heuristic policy by its likeliest actions."""
    return max(found, key=lambda seed: (last(found[seed], "heuristic", "likeliest").wins.value, -seed))


def figures(runs: dict[str, dict[int, Run]]) -> str:
    """What is learned from, how long that takes, and what it wins in the end."""
    learned = []
    wins = []
    for learner, found in runs.items():
        ends = [run[-1] for run in found.values()]
        decisions = [row.decisions for row in ends if row.decisions is not None]
        learned.append(
            [
                LEARNERS[learner],
                ", ".join(map(str, found)),
                f"{best_seed(found)}",
                f"{fmean(decisions):,.0f}" if decisions else "",
                f"{fmean(row.games for row in ends):,.0f}",
                " to ".join(dict.fromkeys(f"{find(row.seconds for row in ends):.0f}" for find in (min, max))),
            ]
        )
        for rivals, words in RIVALS.items():
            for way in WAYS:
                rows = [last(run, rivals, way) for run in found.values()]
                each = ", ".join(f"{row.wins.value:.1%}" for row in rows)
                wins.append([LEARNERS[learner], words, way, each, together(rows)])
    return "\n".join(
        [
            table(["learner", "seeds", "player", "decisions", "games", "processor seconds"], learned),
            table(["learner", "against", "actions", "wins by seed", "together [95 %]"], wins),
        ]
    )


def settings(folder: Path = ROOT / "examples" / "envs") -> str:
    """The numbers that the programs learn by, as they stand there, and what is said about them."""
    found = []
    for name in PROGRAMS:
        lines = ast.parse((folder / name).read_text(encoding="utf-8")).body
        for line, after in pairwise(lines):
            if not (isinstance(line, ast.Assign) and isinstance(line.value, ast.Constant)):
                continue
            told = after.value if isinstance(after, ast.Expr) else None
            if isinstance(told, ast.Constant) and isinstance(told.value, str):
                words = " ".join(told.value.split())
                found.append([f"`{name}`", f"`{ast.unparse(line.targets[0])}`", ast.unparse(line.value), words])
    return table(["program", "setting", "value", "meaning"], found).replace("---: |\n", "--- |\n", 1)


def page(text: str, runs: dict[str, dict[int, Run]]) -> str:
    """The page with figures and settings that are current."""
    parts = {"figures": figures(runs), "settings": settings()}
    return MARK.sub(lambda found: f"{found['begin']}\n{parts[found['what']]}\n{found['end']}", text)


def keep_players(runs: dict[str, dict[int, Run]], folder: Path = FOLDER) -> None:
    """Of the players of all runs, where they are there, keep the best under the name of its learner."""
    for learner, found in runs.items():
        for path in folder.glob(f"{learner}-{best_seed(found)}.*"):
            if path.suffix in PLAYERS:
                shutil.copyfile(path, folder / f"{learner}{path.suffix}")


def main() -> int:
    runs = read_runs()
    if "--check" not in sys.argv:
        keep_players(runs)
    text = PAGE.read_text(encoding="utf-8")
    return max(write_or_check(PAGE, page(text, runs), __file__), write_or_check(PLOT, plot(runs), __file__))


if __name__ == "__main__":
    sys.exit(main())
