"""The final scoring as a table."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from nevsky.rules.game import Game
from nevsky.terminal import telling, texts
from nevsky.terminal.names import Names
from nevsky.terminal.paper import Paper

__all__ = ["show_final"]


def show_final(game: Game, names: Names, paper: Paper) -> None:
    """Show every seat's points in parts, the places and who has won."""
    result = game.result
    if result is None:
        return
    players = game.view(names.seat).players
    table = Table(
        title=texts.FINAL_TITLE,
        title_justify="left",
        title_style="head",
        box=SIMPLE_HEAD,
        padding=(0, 1),
        pad_edge=False,
    )
    for number, heading in enumerate(texts.FINAL_COLUMNS):
        table.add_column(heading, justify="left" if number == 1 else "right", overflow="fold")
    for final in sorted(result.final, key=lambda entry: (entry.place, entry.seat)):
        player = players[final.seat]
        table.add_row(
            f"{final.place}.",
            names.heading(final.seat),
            str(final.track),
            texts.final_nobles(final.nobles, player.different_nobles),
            texts.final_rubles(final.rubles, player.rubles or 0),
            texts.final_hand(final.hand, len(player.hand)),
            str(final.total),
            texts.tie_break(final.tie),
            style="head" if final.place == 1 else None,
        )
    paper.show(table)
    best = next(final.total for final in result.final if final.place == 1)
    paper.say(f"[head]{telling.winners([names.person(seat) for seat in result.winners], best)}[/]")
