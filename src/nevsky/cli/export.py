"""nevsky export: recorded games, or games that are made for it, as tables for data frames and learning."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Final

import typer

from nevsky.cli.command import names_a_game, with_ruleset
from nevsky.cli.options import Jobs, Seed, check_jobs, describe
from nevsky.cli.reading import playing_games, reading_records
from nevsky.cli.saying import say
from nevsky.errors import NevskyError
from nevsky.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from nevsky.datasets import Exported, Recipe

_PLAYOUTS: Final = 60


@with_ruleset(players=2)
def export(
    ctx: typer.Context,
    sources: Annotated[
        list[Path] | None, typer.Argument(help="records, directories of them, or directories of an arena")
    ] = None,
    *,
    out: Annotated[Path, typer.Option(help="the Parquet file of the games; their decisions get one beside it")],
    observations: Annotated[
        bool, typer.Option("--observations", help="add what the deciding seat saw, as the numbers of nevsky.encoding")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replace files that are there already")] = False,
    jobs: Jobs = 0,
    games: Annotated[
        int | None, typer.Option(help="instead of records: so many games of a bot against itself, with a data card")
    ] = None,
    bot: Annotated[str, typer.Option(help="with --games: who plays")] = "master",
    playouts: Annotated[int, typer.Option(help="with --games: playouts for each decision")] = _PLAYOUTS,
    ruleset: Ruleset,
    seed: Seed = "0",
) -> None:
    """Write recorded games to Parquet: a table of games, and one of all their decisions."""
    from nevsky.datasets import Recipe, check_target, make_games, records_path, write_card

    check_jobs(jobs)
    if games is None:
        if names_a_game(ctx) or not sources:
            raise NevskyError("export.nothing_named")
        exported = _written(sources, out, observations, overwrite, jobs)
    else:
        if sources:
            raise NevskyError("export.games_or_sources")
        check_target(out, overwrite=overwrite)
        recipe = Recipe(bot, playouts, ruleset, seed)
        with playing_games() as progress:
            made = make_games(recipe, games, records_path(out), jobs=jobs or None, progress=progress)
        exported = _written(made, out, observations, overwrite, jobs)
        command = _command(recipe, games, out, observations)
        card = write_card(recipe, describe(ruleset), out, exported, observations=observations, command=command)
        say(f"{card}: what is in it, and how it was made")
    if exported.refused:
        raise typer.Exit(1)


def _written(sources: list[Path], out: Path, observations: bool, overwrite: bool, jobs: int) -> Exported:
    from nevsky.datasets import decisions_path
    from nevsky.datasets import export as run

    with reading_records() as progress:
        exported = run(
            sources,
            out,
            observations=observations,
            overwrite=overwrite,
            jobs=jobs or None,
            progress=progress,
        )
    for file, why in exported.refused:
        say(f"{file} is left out. {why}", err=True)
    for file in exported.unfinished:
        say(f"{file} is left out: the game is not over.", err=True)
    left_out = len(exported.refused) + len(exported.unfinished)
    if left_out:
        typer.echo(
            f"{left_out:,} of {left_out + exported.games:,} files are left out, all others are written.", err=True
        )
    say(f"{out}: {exported.games:,} games")
    say(f"{decisions_path(out)}: {exported.decisions:,} decisions")
    return exported


def _command(recipe: Recipe, games: int, out: Path, observations: bool) -> str:
    """What makes the same set again."""
    ruleset = recipe.ruleset
    words = [f"nevsky export --games {games} --bot {recipe.bot} --playouts {recipe.playouts}"]
    words += [f"--edition {ruleset.edition} --players {ruleset.players}"]
    words += ["--market"] if ruleset.market else []
    words += [f"--modules {','.join(map(str, ruleset.modules))}"] if ruleset.modules else []
    words += [f"--good-company {','.join(ruleset.good_company)}"] if ruleset.good_company else []
    words += [f"--real-obstacles {ruleset.real_obstacles}"] if ruleset.real_obstacles is not None else []
    words += [f"--youngest {ruleset.youngest}"] if ruleset.youngest is not None else []
    words += ["--observations"] if observations else []
    return " ".join([*words, f"--seed {quote(recipe.seed)} --out {quote(out.name)}"])
