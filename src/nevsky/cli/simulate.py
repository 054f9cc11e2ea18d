"""nevsky simulate: many random games and what they look like."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from nevsky.cli.command import with_ruleset
from nevsky.cli.options import Json, Seed, describe
from nevsky.cli.reading import reading_records
from nevsky.printable import printable
from nevsky.rules.ruleset import Ruleset
from nevsky.simulate import Summary
from nevsky.simulate import simulate as run


@with_ruleset()
def simulate(
    *,
    ruleset: Ruleset,
    games: Annotated[int, typer.Option(help="how many games")] = 1000,
    seed: Seed = "0",
    records: Annotated[Path | None, typer.Option(help="keep every game as a record in this directory")] = None,
    cores: Annotated[int, typer.Option(help="processes; 0 for one per core")] = 0,
    as_json: Json = False,
) -> None:
    """Play uniformly random legal games on all cores and sum them up."""
    from rich.markup import escape

    start = time.perf_counter()
    played = 0
    with reading_records("games") as move:

        def advance(more: int) -> None:
            nonlocal played
            played += more
            move(played, games)

        summary = run(ruleset, games, seed, records=records, cores=cores or None, progress=advance)
    if as_json:
        print(json.dumps({"ruleset": ruleset.to_dict(), "seed": seed, **summary.to_dict()}))
        return
    _print(summary, time.perf_counter() - start, f"{describe(ruleset)}, seed {escape(printable(seed))}")


def _print(summary: Summary, seconds: float, title: str) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, show_header=False, title_justify="left")
    table.add_row("games", f"{summary.games:,} in {seconds:.1f} s")
    rounds = sum(number * count for number, count in summary.rounds.items()) / summary.games
    spread = ", ".join(f"{number}: {count / summary.games:.1%}" for number, count in summary.rounds.items())
    table.add_row("rounds", f"{rounds:.2f} on average ({spread})")
    table.add_row("actions per game", f"{summary.decisions_mean:.1f}")
    scores = summary.scores
    table.add_row("score", f"{scores['mean']:.1f} on average; winners {summary.winning_score_mean:.1f}")
    names = ("min", "q05", "q25", "median", "q75", "q95", "max")
    table.add_row("score quantiles", ", ".join(f"{name} {scores[name]:.0f}" for name in names))
    triggers = ", ".join(f"{pile} {count / summary.games:.1%}" for pile, count in summary.end_trigger.items())
    table.add_row("pile that ended it", triggers)
    wins = ", ".join(f"seat {seat}: {share / summary.games:.1%}" for seat, share in enumerate(summary.wins_by_seat))
    table.add_row("wins by seat", wins)
    Console().print(table)
