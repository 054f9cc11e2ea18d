"""The table as text, as one seat sees it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from io import StringIO
from typing import IO, Final

from rich.text import Text

from nevsky.rules.game import Game
from nevsky.terminal.choices import Decision, list_choices
from nevsky.terminal.final import show_final
from nevsky.terminal.journal import Journal, sentences
from nevsky.terminal.layout import hanging
from nevsky.terminal.names import Names
from nevsky.terminal.paper import Paper, make_console
from nevsky.terminal.table import draw, log_lines
from nevsky.texts import text

__all__ = ["draw_game", "show_game"]

_SIZE: Final = (100, 60)


class _Sheet(Paper):
    """Paper on which the commands of the terminal are left out: nobody types here."""

    def lines(self, lines: Iterable[str | Text]) -> None:
        """Write several lines."""
        found = list(lines)
        typed = [line.plain for line in hanging(f"[quiet]{text('screen.commands')}[/]", self.width, 2)]
        if [str(line) for line in found[-len(typed) :]] == typed:
            del found[-len(typed) :]
        super().lines(found)


def draw_game(game: Game, seat: int) -> str:
    """What the seat sees, as plain text; choices are numbered with the ids of their actions."""
    sheet = StringIO()
    _draw(game, seat, sheet, _SIZE)
    return sheet.getvalue().strip("\n") + "\n"


def show_game(game: Game, seat: int) -> None:
    """Print what the seat sees, in colour if the terminal has colours."""
    _draw(game, seat, sys.stdout, None)


def _draw(game: Game, seat: int, file: IO[str], size: tuple[int, int] | None) -> None:
    names = Names(game.ruleset, game.seats, seat, "en")
    paper = _Sheet(make_console(file, size=size))
    journal = Journal(game, names)
    journal.catch_up()
    since = _last_decision(game, seat)
    news = sentences(journal.since(max(since, 0)), names)  # without the words of welcome
    if game.over:
        paper.say(f"[head]{names.say('screen.since')}[/]")
        paper.lines(log_lines(news, paper.width))
        show_final(game, names, paper)
        return
    view = game.view(seat)
    choices = [choice._replace(number=choice.action.id) for choice in list_choices(view, game.explain)]
    title = names.say("screen.since" if since >= 0 else "screen.beginning")
    draw(Decision(view, names, choices, game.explain, title, news), paper)


def _last_decision(game: Game, seat: int) -> int:
    """How many moves there were before the seat's last decision, -1 if it made none."""
    own = [move.number - 1 for move in game.history if move.seat == seat and not move.auto]
    return own[-1] if own else -1
