"""The command ``nevsky``: one thin file per command."""

from __future__ import annotations

import io
import sys

import typer

import nevsky
from nevsky.cli import (
    admin,
    arena,
    bench,
    cards,
    evaluate,
    export,
    migrate_database,
    play,
    puzzles,
    replay,
    report,
    review,
    serve,
    simulate,
    train,
    verify,
    worker,
)
from nevsky.cli.command import Command, Group, refuse
from nevsky.errors import NevskyError

__all__ = ["main"]

app = typer.Typer(
    cls=Group,
    help="Saint Petersburg, the card game: play, simulate, replay.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("play", cls=Command)(play.play)
app.command("serve", cls=Command)(serve.serve)
app.command("worker", cls=Command)(worker.worker)
app.add_typer(admin.app, name="admin")
app.command("migrate-database", cls=Command)(migrate_database.migrate_database)
app.command("simulate", cls=Command)(simulate.simulate)
app.command("arena", cls=Command)(arena.arena)
app.command("evaluate", cls=Command)(evaluate.evaluate)
app.command("report", cls=Command)(report.report)
app.command("export", cls=Command)(export.export)
app.add_typer(train.app, name="train")
app.command("cards", cls=Command)(cards.cards)
app.command("replay", cls=Command)(replay.replay)
app.command("review", cls=Command)(review.review)
app.command("puzzles", cls=Command)(puzzles.puzzles)
app.command("verify", cls=Command)(verify.verify)
app.command("bench", cls=Command)(bench.bench)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"nevsky {nevsky.__version__} (rules {'compiled' if nevsky.COMPILED else 'uncompiled'})")
        raise typer.Exit


@app.callback()
def _options(
    _: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version and exit."),
) -> None:
    pass


def main() -> None:
    """Run the command line; mistakes become a sentence and exit code 2."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # an odd letter is no reason to stop in the middle
    try:
        app()
    except NevskyError as error:
        refuse(error)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
