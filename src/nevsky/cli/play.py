"""nevsky play: a game in the terminal."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from nevsky.cli.command import in_order, with_ruleset
from nevsky.cli.options import EVERYTHING, BotCommands, Bots, Language, check_language
from nevsky.errors import NevskyError
from nevsky.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from nevsky.rules.game import Game
    from nevsky.terminal import Opponent, Paper

_MILLISECONDS: Final = 500
"""For bots of no level; those that do not search are done long before."""


@with_ruleset(*EVERYTHING, players=3)
def play(
    ctx: typer.Context,
    *,
    level: Annotated[str, typer.Option(help="how well the opponents play: easy, medium, hard or master")] = "medium",
    bot: Bots = None,
    bot_cmd: BotCommands = None,
    time: Annotated[
        int | None,
        typer.Option(help="milliseconds for a decision of an opponent", metavar="MS", show_default="by level"),
    ] = None,
    ruleset: Ruleset,
    seed: Annotated[str | None, typer.Option(help="the same seed gives the same cards")] = None,
    name: Annotated[str | None, typer.Option(help="your name")] = None,
    language: Language = "en",
    record: Annotated[Path | None, typer.Option(help="write the record of the finished game into this file")] = None,
) -> None:
    """Play a game in the terminal against bots; those that you name sit on your left."""
    from rich.markup import escape

    from nevsky.bots.programs import close_programs
    from nevsky.terminal import Paper, Session, make_console, new_game, texts
    from nevsky.texts import text

    check_language(language)
    if record is not None and (record.is_dir() or not record.absolute().parent.is_dir()):
        raise NevskyError("record.no_directory", path=record)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # card names have letters that old terminals lack
    paper = Paper(make_console())
    named = in_order(ctx, bot, bot_cmd)
    try:
        opponents = _opponents(ruleset.players - 1, level, named, time)
        game = new_game(ruleset, seed, name if name is not None else text("you", language), opponents)
        finished = Session(game, paper, language=language, opponents=opponents).run()
    except KeyboardInterrupt:
        paper.say()
        paper.say(text("screen.goodbye", language))
        raise typer.Exit(130) from None
    finally:
        close_programs()
    if finished and record is not None:
        _save(game, record, paper, language)
    command = escape(texts.again(game.seed, ruleset, language, _others(level, named, time)))
    paper.say(text("screen.again", language, seed=escape(game.seed), command=command))
    paper.say(text("screen.goodbye", language))


def _opponents(number: int, level: str, named: list[str], time: int | None) -> list[Opponent]:
    """The bots that were named, and for the other seats bots of the level."""
    from nevsky.arena.budgets import check_budget
    from nevsky.arena.entrants import enter
    from nevsky.bots import LEVELS
    from nevsky.bots.external import PATIENCE
    from nevsky.terminal import Opponent, at_level

    check_budget(time, None, None)
    others = at_level(level)
    if len(named) > number:
        if number == 1:
            raise NevskyError("play.bots_one", given=len(named))
        raise NevskyError("play.bots_many", number=number, given=len(named))
    found = [
        Opponent(
            entrant.maker(PATIENCE),
            LEVELS[entrant.spec].milliseconds if entrant.spec in LEVELS else _MILLISECONDS,
            entrant.label,
        )
        for entrant in enter(named)
    ]
    found += [others] * (number - len(found))
    return found if time is None else [opponent._replace(milliseconds=time) for opponent in found]


def _others(level: str, named: list[str], time: int | None) -> list[tuple[str, object]]:
    """The options for opponents that differ from the usual ones."""
    from nevsky.arena.entrants import Command

    options: list[tuple[str, object]] = [] if level == "medium" else [("--level", level)]
    options += [("--bot-cmd" if isinstance(one, Command) else "--bot", one) for one in named]
    return options if time is None else [*options, ("--time", time)]


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
