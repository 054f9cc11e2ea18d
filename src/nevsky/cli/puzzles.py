"""nevsky puzzles: positions in which one action is clearly best, mined, checked or solved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from nevsky.cli.options import Language, Seed, check_language
from nevsky.cli.reading import reading_records
from nevsky.cli.saying import say
from nevsky.errors import NevskyError

_MOST: Final = 100_000


def puzzles(
    *,
    count: Annotated[int, typer.Option(help="how many to mine", metavar="NUMBER")] = 300,
    seed: Seed = "0",
    out: Annotated[Path | None, typer.Option(help="mine puzzles and write them into this file")] = None,
    check: Annotated[Path | None, typer.Option(help="check every puzzle of this file")] = None,
    proofs: Annotated[int, typer.Option(help="with --check: how many proofs are found again", metavar="NUMBER")] = 5,
    play: Annotated[bool, typer.Option("--play", help="solve puzzles in the terminal")] = False,
    language: Language = "en",
) -> None:
    """Mine puzzles from games of master against itself, check a file of them, or solve those of the package."""
    check_language(language)
    if sum((out is not None, check is not None, play)) != 1:
        raise NevskyError("puzzles.what")
    if out is not None:
        _mine(count, seed, out)
    elif check is not None:
        _check(check, proofs)
    else:
        from nevsky.terminal.puzzles import solve

        solve(language)


def _mine(number: int, seed: str, out: Path) -> None:
    from itertools import islice

    from nevsky.puzzles import mine

    if not 1 <= number <= _MOST:
        raise NevskyError("puzzles.count", number=number, most=_MOST)
    try:
        with out.open("w", encoding="utf-8", newline="\n") as file, reading_records("puzzles") as progress:
            for done, puzzle in enumerate(islice(mine(seed), number), 1):
                file.write(f"{puzzle.to_line()}\n")
                file.flush()
                progress(done, number)
    except OSError as error:
        raise NevskyError("record.path_unwritable", path=out, reason=error.strerror or str(error)) from error
    say(f"{out}: {number:,} puzzles")


def _check(path: Path, proofs: int) -> None:
    from nevsky.puzzles import checking
    from nevsky.puzzles.collection import read_puzzles

    found = list(read_puzzles(path))
    if len({puzzle.id for puzzle in found}) < len(found):
        raise NevskyError("puzzles.twice")
    for puzzle in found:
        checking.check(puzzle)
    chosen = checking.sample(found, max(0, proofs))
    with reading_records("proofs") as progress:
        for done, puzzle in enumerate(chosen):
            progress(done, len(chosen))
            checking.check_proof(puzzle)
    say(f"{path}: {len(found):,} puzzles are what they say, {len(chosen):,} proofs were found again.")
