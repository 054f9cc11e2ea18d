"""nevsky play: a game in the terminal."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nevsky.cli.options import (
    Edition,
    GoodCompany,
    Language,
    Market,
    Modules,
    Players,
    RealObstacles,
    Youngest,
    check_language,
    make_ruleset,
)
from nevsky.errors import NevskyError

if TYPE_CHECKING:
    from nevsky.rules.game import Game
    from nevsky.terminal import Paper


def play(
    *,
    edition: Edition = "second",
    players: Players = 3,
    market: Market = False,
    modules: Modules = "",
    good_company: GoodCompany = None,
    real_obstacles: RealObstacles = None,
    youngest: Youngest = None,
    seed: Annotated[str | None, typer.Option(help="the same seed gives the same cards")] = None,
    name: Annotated[str | None, typer.Option(help="your name")] = None,
    language: Language = "en",
    open_rubles: Annotated[bool, typer.Option("--open-rubles", help="everybody sees everybody's rubles")] = False,
    open_hands: Annotated[bool, typer.Option("--open-hands", help="everybody sees everybody's hand")] = False,
    record: Annotated[Path | None, typer.Option(help="write the record of the finished game into this file")] = None,
) -> None:
    """Play a game in the terminal against random opponents."""
    from rich.markup import escape

    from nevsky.terminal import Paper, Session, make_console, new_game, texts
    from nevsky.texts import text

    ruleset = make_ruleset(
        edition,
        players,
        market=market,
        modules=modules,
        good_company=good_company,
        real_obstacles=real_obstacles,
        youngest=youngest,
        open_rubles=open_rubles,
        open_hands=open_hands,
    )
    check_language(language)
    if record is not None and (record.is_dir() or not record.absolute().parent.is_dir()):
        raise NevskyError(f"The record cannot be written to {record}: there is no such directory, or it is one.")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # card names have letters that old terminals lack
    paper = Paper(make_console())
    game = new_game(ruleset, seed, name if name is not None else text("you", language))
    try:
        finished = Session(game, paper, language=language).run()
    except KeyboardInterrupt:
        paper.say()
        paper.say(text("screen.goodbye", language))
        raise typer.Exit(130) from None
    if finished and record is not None:
        _save(game, record, paper, language)
    command = escape(texts.again(game.seed, ruleset, language))
    paper.say(text("screen.again", language, seed=escape(game.seed), command=command))
    paper.say(text("screen.goodbye", language))


def _save(game: Game, path: Path, paper: Paper, language: str) -> None:
    from rich.markup import escape

    from nevsky.record import save
    from nevsky.texts import text

    try:
        save(game, path)
    except OSError as error:
        reason = error.strerror or str(error)
        paper.say(text("screen.not_saved", language, path=escape(str(path)), reason=reason))
    else:
        paper.say(text("screen.saved", language, path=escape(str(path))))
