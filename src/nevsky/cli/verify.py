"""nevsky verify: whether records are legal games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nevsky.errors import NevskyError


def verify(files: Annotated[list[Path], typer.Argument(help="records")]) -> None:
    """Replay records and say plainly which of them is not a legal game, and where."""
    from nevsky.record import load

    bad = 0
    for file in files:
        try:
            game = load(file)
        except NevskyError as error:
            bad += 1
            print(f"{file}: not a legal game. {error}")
        else:
            state = "a legal game" if game.over else f"legal so far (round {game.round}, {game.phase} phase)"
            print(f"{file}: {state}, {len(game.moves)} actions")
    if bad:
        print(f"{bad} of {len(files)} records are not legal games.")
        raise typer.Exit(1)
