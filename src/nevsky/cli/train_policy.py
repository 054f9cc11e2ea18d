"""nevsky train policy: new policy weights for the master bot, from games against itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from nevsky.cli.options import Jobs, Keep, Ray, Seed, check_jobs
from nevsky.cli.saying import say

if TYPE_CHECKING:
    from nevsky.training.policy.run import PolicyListener

_EVERY_SECONDS = 10


def train_policy(
    *,
    players: Annotated[int, typer.Option(help="number of players; each has policy weights of its own")],
    out: Keep,
    box: Annotated[
        bool, typer.Option("--box/--base", help="with the Market and modules; each has weights of its own, too")
    ] = False,
    updates: Annotated[int, typer.Option(help="how often to play and change the policy weights")] = 200,
    games: Annotated[int, typer.Option(help="games before each update")] = 1500,
    temperature: Annotated[float, typer.Option(help="how much chance there is in these games (softmax)")] = 0.4,
    rate: Annotated[float, typer.Option(help="how far weights move in the first update; it falls to a tenth")] = 0.06,
    critic: Annotated[
        Path | None, typer.Option(help="a network that judges every phase; otherwise only the end counts")
    ] = None,
    start: Annotated[Path | None, typer.Option(help="begin with the weights of this file")] = None,
    jobs: Jobs = 0,
    seed: Seed = "0",
    ray: Ray = None,
) -> None:
    """Let the heuristic policy play against itself, and learn weights for it by policy gradient."""
    from nevsky.training.policy.plan import make_policy_plan
    from nevsky.training.policy.run import train_policy as run

    check_jobs(jobs)
    plan = make_policy_plan(players, updates, games, temperature, rate, seed, box=box)
    try:
        with _listener() as listener:
            path = run(plan, out, critic=critic, start=start, jobs=jobs or None, ray=ray, listener=listener)
    except KeyboardInterrupt:
        typer.echo(f"Stopped. What is done is kept in {out}, and the same command goes on there.", err=True)
        raise typer.Exit(130) from None
    say(f"The policy weights for {players} players are {path}, and how they were learned is in {out / 'policy.svg'}.")
    table = f"--players {players}{' --market' if box else ''}"
    say(f"To see how they play: nevsky arena --bot {path} --bot master {table}")
    print("nevsky train policy --start and nevsky train value --weights go on from them.")


@contextmanager
def _listener() -> Iterator[PolicyListener]:
    """A bar in a terminal, a line now and then elsewhere; a line for every measurement in both."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    from nevsky.training.policy.run import PolicyListener
    from nevsky.training.policy.updates import Update

    def told(update: Update) -> str:
        line = f"update {update.update}: {update.games:,} games, winners had {update.winning_score:.1f} points"
        return line if update.win_rate is None else f"{line}; {update.win_rate:.1%} won against the plain policy"

    class Lines(PolicyListener):
        last = float("-inf")

        def updated(self, update: Update, total: int) -> None:
            if update.win_rate is not None or update.update == total or monotonic() - self.last >= _EVERY_SECONDS:
                self.last = monotonic()
                typer.echo(told(update), err=True)

    class Bars(PolicyListener):
        task: TaskID

        def started(self, done: int, total: int) -> None:
            self.task = bar.add_task("updates", total=total, completed=done)

        def updated(self, update: Update, total: int) -> None:  # noqa: ARG002
            bar.update(self.task, completed=update.update)
            if update.win_rate is not None:
                bar.console.print(told(update), highlight=False)

    console = Console(stderr=True)
    if not console.is_terminal:
        yield Lines()
        return
    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*parts, console=console, transient=True) as bar:
        yield Bars()
