"""nevsky arena: bots against each other, and what can be said about them afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nevsky.cli.command import in_order, names_a_game, with_ruleset
from nevsky.cli.options import BotCommands, Bots, Jobs, Json, Ray, Seed, Time, check_jobs, describe
from nevsky.cli.reading import playing_games
from nevsky.cli.saying import say
from nevsky.errors import NevskyError
from nevsky.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from nevsky.arena.entrants import Entrant
    from nevsky.arena.figures import Figures
    from nevsky.arena.setup import Setup
    from nevsky.arena.store import Store
    from nevsky.bots.protocol import Bot


@with_ruleset(players=2)
def arena(
    ctx: typer.Context,
    *,
    bot: Bots = None,
    bot_cmd: BotCommands = None,
    ruleset: Ruleset,
    games: Annotated[int, typer.Option(help="at least so many games; the last deal is played to its end")] = 1000,
    format: Annotated[
        str, typer.Option(help="duel, one-vs-rest or all; otherwise what suits the numbers of bots and players")
    ] = "",
    both_ways: Annotated[
        bool | None, typer.Option("--both-ways/--one-way", help="one-vs-rest: each bot alone, or only the first")
    ] = None,
    time: Time = None,
    playouts: Annotated[
        int | None, typer.Option(help="count playouts instead of time: the same command gives the same games")
    ] = None,
    patience: Annotated[
        float | None, typer.Option(help="seconds after which a bot that says nothing is given up")
    ] = None,
    jobs: Jobs = 0,
    ray: Ray = None,
    seed: Seed = "0",
    out: Annotated[
        str | None,
        typer.Option(help="keep results and tables in this directory; the same command goes on there", metavar="PATH"),
    ] = None,
    records: Annotated[bool, typer.Option("--records", help="with --out: keep every game as a record")] = False,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="only check that the bots keep to the protocol, in this game if one is named, else in six"
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Let bots play many games against each other, every deal with everybody on every seat."""
    from nevsky.arena.budgets import check_budget
    from nevsky.arena.entrants import enter
    from nevsky.arena.run import run_arena
    from nevsky.arena.setup import make_setup
    from nevsky.bots.programs import close_programs

    if records and out is None:
        raise NevskyError("arena.records_out")
    if out is not None and not out.strip():
        raise NevskyError("arena.out")
    check_jobs(jobs)
    check_budget(time, playouts, patience)
    try:
        entrants = enter(in_order(ctx, bot, bot_cmd), budgets=True)
        if check:
            _check(entrants, [ruleset] if names_a_game(ctx) else None, time, playouts, patience)
            return
    finally:
        close_programs()
    setup = make_setup(
        entrants,
        ruleset,
        games,
        seed=seed,
        milliseconds=time,
        playouts=playouts,
        patience=patience,
        form=format,
        both_ways=both_ways,
        records=records,
    )
    directory = None if out is None else Path(out)
    with playing_games() as progress:
        store, stopped = run_arena(
            setup, directory=directory, jobs=jobs or None, ray=ray, progress=progress, warn=lambda w: say(w, err=True)
        )
    _tell(setup, store, directory, as_json=as_json)
    if stopped:
        kept = f"; the same command goes on with game {len(store.results) + 1:,}" if out is not None else ""
        typer.echo(f"Stopped after {len(store.results):,} of {setup.schedule.games:,} games{kept}.", err=True)
        raise typer.Exit(130)


def _tell(setup: Setup, store: Store, directory: Path | None, *, as_json: bool) -> None:
    """Print the figures, and keep them as tables."""
    from nevsky.arena.run import figures_of, write_tables

    figures = figures_of(store)
    if figures is None:
        return
    if directory is not None:
        write_tables(figures, directory, _title(setup))
    if as_json:
        print(json.dumps({"setup": setup.to_dict(), **figures.to_dict()}))
    else:
        _print(figures, _title(setup))


def _check(
    entrants: tuple[Entrant, ...],
    rulesets: list[Ruleset] | None,
    time: int | None,
    playouts: int | None,
    patience: float | None,
) -> None:
    from nevsky.bots.compliance import RULESETS, check_bot
    from nevsky.bots.driver import limit_playouts

    if not entrants:
        raise NevskyError("arena.nothing_to_check")
    bad = 0
    for entrant in entrants:
        make = _carefully(limit_playouts(entrant.maker(patience or 60.0, quiet=False), playouts))
        try:
            by_clock = entrant.kind != "program" and hasattr(make("clock"), "playouts") and playouts is None
            check_bot(
                make,
                rulesets or RULESETS,
                milliseconds=time or 200,
                deterministic=not by_clock,
                patience=patience,
                memory=entrant.memory,
            )
        except NevskyError as error:
            bad += 1
            say(f"{entrant.label}: {error}")
        else:
            note = " (by the clock: whether it repeats itself can be checked with --playouts)" if by_clock else ""
            say(f"{entrant.label} keeps to the protocol{note}.")
    if bad:
        raise typer.Exit(1)


def _carefully(make: Callable[[int | str], Bot]) -> Callable[[int | str], Bot]:
    from nevsky.bots.guard import told_error

    def made(seed: int | str) -> Bot:
        try:
            return make(seed)
        except (Exception, SystemExit) as error:
            raise NevskyError("bot.unmade_seed", seed=repr(seed), error=told_error(error)) from error

    return made


def _title(setup: Setup) -> str:
    budget = f"{setup.playouts:,} playouts" if setup.playouts is not None else f"{setup.milliseconds:,} ms"
    return f"{describe(setup.ruleset)}, {budget}, seed {setup.seed}"


def _print(figures: Figures, title: str) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from nevsky.arena.tables import extent_text, failures, forfeits_text, interval_text, score_text

    strength = Table(title=title, title_justify="left")
    work = Table()
    for table, heads in (
        (strength, ("games", "wins [95 %]", "fair share", "score", "rating")),
        (work, ("decisions", "mean, ms", "longest, ms", "too long", "forfeited")),
    ):
        table.add_column("bot", overflow="fold")  # a name is never cut
        for head in heads:
            table.add_column(head, justify="right")
    for bot in figures.standings:
        rating = f"{bot.rating.mu:.1f} ± {bot.rating.sigma:.1f}"
        wins, score = interval_text(bot.wins), score_text(bot.score)
        strength.add_row(escape(bot.label), f"{bot.games:,}", wins, f"{bot.fair:.0%}", score, rating)
        mean = "" if bot.mean_ms is None else f"{bot.mean_ms:,.1f}"
        longest = "" if bot.longest_ms is None else f"{bot.longest_ms:,.0f}"
        work.add_row(escape(bot.label), f"{bot.decisions:,}", mean, longest, f"{bot.overruns:,}", forfeits_text(bot))
    console = Console()
    console.print(strength, work)
    for label, text in failures(figures):
        console.print(f"{escape(label)} failed last with: {escape(text)}", highlight=False, soft_wrap=True)
    console.print(f"{extent_text(figures)}, {figures.rounds:.2f} rounds on average")
