"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from nevsky.rules.ruleset import Ruleset

Edition = Annotated[str, typer.Option(help="first or second edition")]
Players = Annotated[int, typer.Option(help="number of players")]
Seed = Annotated[str, typer.Option(help="the same seed gives the same games")]
Json = Annotated[bool, typer.Option("--json", help="print the figures as JSON")]


def make_ruleset(edition: str, players: int) -> Ruleset:
    """The ruleset that the options ask for."""
    return Ruleset(edition=edition, players=players)
