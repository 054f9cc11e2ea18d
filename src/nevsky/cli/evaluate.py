"""nevsky evaluate: how strong an agent is, by a protocol that is the same for everybody."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from nevsky.cli.command import in_order
from nevsky.cli.options import BotCommands, Bots, Jobs, Json, check_jobs
from nevsky.cli.reading import playing_games
from nevsky.cli.saying import say, say_json
from nevsky.errors import NevskyError, Words

if TYPE_CHECKING:
    from nevsky.arena.intervals import Estimate
    from nevsky.benchmark.results import Result

_PAGE: Final = "README.md"
_Fixed = Annotated[str | None, typer.Option(hidden=True)]


def evaluate(
    ctx: typer.Context,
    *,
    bot: Bots = None,
    bot_cmd: BotCommands = None,
    playouts: Annotated[
        int | None, typer.Option(help="for an agent that searches: so many playouts for each decision")
    ] = None,
    name: Annotated[str | None, typer.Option(help="the name that the result has, instead of the agent's own")] = None,
    out: Annotated[Path | None, typer.Option(help="write the result into this file, as JSON")] = None,
    page: Annotated[Path | None, typer.Option(help="write a page about the result into this file, as Markdown")] = None,
    keep: Annotated[
        Path | None, typer.Option(help="keep the games in this directory; the same command goes on there")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="one deal for each opponent, to try it out: not comparable with anything")
    ] = False,
    leaderboard: Annotated[
        Path | None,
        typer.Option(help="play nothing: write the page README.md about the results in this directory", metavar="DIR"),
    ] = None,
    jobs: Jobs = 0,
    as_json: Json = False,
    time: _Fixed = None,
    games: _Fixed = None,
    seed: _Fixed = None,
    players: _Fixed = None,
) -> None:
    """Measure an agent by the protocol Nevsky-1: five kinds of games, four opponents, every deal from every seat."""
    from nevsky.benchmark.agents import choose_agent
    from nevsky.benchmark.pages import result_page, write_page
    from nevsky.benchmark.protocol import NEVSKY_1
    from nevsky.benchmark.results import result_of, write_result
    from nevsky.benchmark.run import check_repeats
    from nevsky.benchmark.run import evaluate as run
    from nevsky.bots.programs import close_programs

    for option, value in (("--time", time), ("--games", games), ("--seed", seed), ("--players", players)):
        if value is not None:
            raise NevskyError("evaluate.fixed", protocol=NEVSKY_1.title, option=option)
    check_jobs(jobs)
    specs = in_order(ctx, bot, bot_cmd)
    if leaderboard is not None:
        if specs or out or page or keep or quick:
            raise NevskyError("evaluate.only_page")
        _write_leaderboard(leaderboard)
        return
    for path in (out, page):
        if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
            raise NevskyError("evaluate.unwritable", path=path, reason=Words("file.no_file"))
    protocol = NEVSKY_1.quick() if quick else NEVSKY_1
    try:
        agent = choose_agent(specs, playouts, name)
        check_repeats(protocol, agent)
    finally:
        close_programs()
    with playing_games() as progress:
        stores = run(protocol, agent, keep=keep, jobs=jobs or None, progress=progress)
    result = result_of(protocol, agent, stores)
    if out is not None:
        write_result(result, out)
    if page is not None:
        write_page(result_page(result, protocol), page)
    if as_json:
        say_json(result)
    else:
        _print(result)


def _write_leaderboard(folder: Path) -> None:
    from nevsky.benchmark.pages import leaderboard, read_all, write_page

    write_page(leaderboard(read_all(folder)), folder / _PAGE)
    say(folder / _PAGE)


def _percent(share: Estimate) -> str:
    return f"{100 * share.value:.0f} [{100 * share.low:.0f}, {100 * share.high:.0f}]"


def _print(result: Result) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from nevsky.benchmark.pages import milliseconds_text, rating_text
    from nevsky.benchmark.protocol import NEVSKY_1
    from nevsky.benchmark.results import estimate

    title = f"{escape(result['agent']['name'])}, {result['protocol']}: % of games won against each opponent [95 %]"
    shown = Table(title=title, title_justify="left")
    shown.add_column("game")
    for head in ("rating", *(rival.name for rival in NEVSKY_1.rivals), "ms per decision"):
        shown.add_column(head, justify="right")
    for track in NEVSKY_1.tracks:
        cells = [result["cells"][f"{track.name}-{rival.name}"] for rival in NEVSKY_1.rivals]
        shown.add_row(
            track.name,
            rating_text(estimate(result["tracks"][track.name])),
            *(_percent(estimate(cell["wins"])) for cell in cells),
            milliseconds_text(result["time"].get(track.name)),
        )
    console = Console()
    console.print(shown)
    console.print(f"rating {rating_text(estimate(result['rating']))}", highlight=False)
    if result["forfeits"]:
        told = ", ".join(f"{kind} {count:,}" for kind, count in result["forfeits"].items())
        console.print(f"forfeited decisions: {told}", highlight=False)
    if not result["comparable"]:
        console.print("This result is not comparable with others, and stands on no leaderboard.", highlight=False)
