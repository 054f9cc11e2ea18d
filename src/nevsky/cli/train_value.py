"""nevsky train value: a network that judges positions, from games of bots against themselves."""

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
    from nevsky.training.run import Listener

_EVERY_SECONDS = 10


def train_value(
    *,
    out: Keep,
    generations: Annotated[int, typer.Option(help="how often to play and learn")] = 3,
    games: Annotated[int, typer.Option(help="games in each generation")] = 2000,
    descents: Annotated[int, typer.Option(help="how far the search looks that plays two games of three")] = 16,
    playouts: Annotated[int, typer.Option(help="how often each position is played out to see what it is worth")] = 24,
    epochs: Annotated[int, typer.Option(help="how often each generation goes through its positions")] = 6,
    weights: Annotated[Path | None, typer.Option(help="play games and playouts with the weights of this file")] = None,
    jobs: Jobs = 0,
    seed: Seed = "0",
    ray: Ray = None,
) -> None:
    """Let bots play against themselves and teach a network what their positions are worth, again and again."""
    from nevsky.training.plan import make_plan
    from nevsky.training.run import train

    check_jobs(jobs)
    plan = make_plan(games, descents, playouts, epochs, seed)
    try:
        with _listener() as listener:
            path = train(plan, out, generations, jobs=jobs or None, ray=ray, listener=listener, weights=weights)
    except KeyboardInterrupt:
        typer.echo(f"Stopped. What is done is kept in {out}, and the same command goes on there.", err=True)
        raise typer.Exit(130) from None
    say(f"The network is {path}, and how it learned is in {out / 'curves.svg'}.")
    say(f"To learn a policy with it: nevsky train policy --critic {path}.")


@contextmanager
def _listener() -> Iterator[Listener]:
    """A bar in a terminal, a line now and then elsewhere; a line for every epoch in both."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    from nevsky.training.learning import Fit
    from nevsky.training.run import Listener

    class Lines(Listener):
        last = float("-inf")

        def say(self, line: str) -> None:
            typer.echo(line, err=True)

        def playing(self, generation: int, done: int, total: int) -> None:
            if done == total or monotonic() - self.last >= _EVERY_SECONDS:
                self.last = monotonic()
                self.say(f"generation {generation}: {done:,} of {total:,} games")

        def learning(self, generation: int, positions: int) -> None:
            self.say(f"generation {generation}: learns from {positions:,} positions")

        def learned(self, generation: int, fit: Fit) -> None:
            self.say(
                f"generation {generation}, epoch {fit.epoch}: win loss {fit.win_loss:.4f},"
                f" scores missed by {fit.score_error:.2f} points, {fit.seconds:.1f} s"
            )

    class Bars(Lines):
        task: TaskID | None = None

        def say(self, line: str) -> None:
            bar.console.print(line, highlight=False)

        def playing(self, generation: int, done: int, total: int) -> None:
            if self.task is None:
                self.task = bar.add_task(f"generation {generation}, games", total=total)
            bar.update(self.task, completed=done)
            if done == total:
                bar.remove_task(self.task)
                self.task = None

    console = Console(stderr=True)
    if not console.is_terminal:
        yield Lines()
        return
    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*parts, console=console, transient=True) as bar:
        yield Bars()
