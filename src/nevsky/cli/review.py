"""nevsky review: what the decisions of a recorded game were worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nevsky.cli.options import Language, check_language
from nevsky.cli.reading import reading_records
from nevsky.cli.saying import say_json
from nevsky.errors import NevskyError


def review(
    file: Annotated[Path, typer.Argument(help="a record")],
    seat: Annotated[int | None, typer.Option(help="only this seat, from 0", show_default="all seats")] = None,
    json: Annotated[bool, typer.Option("--json", help="print the verdicts as JSON")] = False,
    descents: Annotated[
        int | None,
        typer.Option(help="how long the search looks at each decision; the server takes as many", show_default="300"),
    ] = None,
    language: Language = "en",
) -> None:
    """Judge every decision of a recorded game by the search of master, and how good the deal was."""
    from nevsky.record import load
    from nevsky.review import Effort, luck_of_seats, review_seat
    from nevsky.terminal.paper import make_console
    from nevsky.terminal.review import show_review

    check_language(language)
    effort = Effort() if descents is None else Effort(descents)
    effort.check()
    game = load(file)
    if seat is not None and not 0 <= seat < game.ruleset.players:
        raise NevskyError("seat.range", seat=seat, last=game.ruleset.players - 1)
    seats = range(game.ruleset.players) if seat is None else [seat]
    with reading_records("decisions") as progress:
        found = {each: review_seat(game, each, effort, progress) for each in seats}
    with reading_records("deals") as progress:
        lucks = luck_of_seats(game, seats, progress=progress) if game.over else {}
    for each, verdicts in found.items():
        if json:
            from nevsky.review.data import review_dict

            say_json(review_dict(game, each, verdicts, lucks.get(each)))
        else:
            show_review(make_console(), game, each, verdicts, lucks.get(each), language)
