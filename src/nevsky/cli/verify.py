"""nevsky verify: whether records are legal games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nevsky.cli.options import WantedMarket, WantedModules, another_game, describe
from nevsky.cli.saying import say
from nevsky.errors import NevskyError


def verify(
    files: Annotated[list[Path], typer.Argument(help="records")],
    market: WantedMarket = None,
    modules: WantedModules = None,
) -> None:
    """Replay records and say plainly which of them is not a legal game, and where."""
    from nevsky.record import load

    bad = 0
    for file in files:
        try:
            game = load(file)
        except NevskyError as error:
            bad += 1
            say(f"{file}: not a legal game. {error}")
        else:
            other = another_game(game.ruleset, market, modules)
            if other:
                bad += 1
                say(f"{file}: a legal game, but not the one asked for. {other}")
                continue
            state = "a legal game" if game.over else f"legal so far (round {game.round}, {game.phase} phase)"
            say(f"{file}: {state}, {describe(game.ruleset)}, {len(game.moves)} actions")
    if bad:
        print(f"{bad} of {len(files)} records are not what they should be.")
        raise typer.Exit(1)
