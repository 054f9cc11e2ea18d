"""nevsky replay: a record as a readable game or as a trace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nevsky.cli.options import Language, WantedMarket, WantedModules, another_game, check_language
from nevsky.cli.saying import say, say_json
from nevsky.errors import NevskyError


def replay(
    file: Annotated[Path, typer.Argument(help="a record")],
    trace: Annotated[bool, typer.Option("--trace", help="print the trace as JSON lines")] = False,
    legal: Annotated[
        bool, typer.Option("--legal", help="with --trace: list the legal actions of each decision")
    ] = False,
    language: Language = "en",
    market: WantedMarket = None,
    modules: WantedModules = None,
) -> None:
    """Print a recorded game."""
    from nevsky.narrate import narrate
    from nevsky.record import load
    from nevsky.trace import trace as lines

    if legal and not trace:
        raise NevskyError("replay.legal")
    check_language(language)
    game = load(file)
    other = another_game(game.ruleset, market, modules)
    if other:
        raise other
    if trace:
        for line in lines(game, legal):
            say_json(line)
    else:
        say(narrate(game, language).removesuffix("\n"))
