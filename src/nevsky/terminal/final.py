"""The final scoring as a table."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from nevsky.rules.game import Final, Game
from nevsky.rules.modules import ASSIGNMENTS, OBSTACLES
from nevsky.rules.view import PlayerView
from nevsky.terminal.names import Names
from nevsky.terminal.paper import Paper

__all__ = ["show_final"]


def show_final(game: Game, names: Names, paper: Paper) -> None:
    """Show every seat's points in parts, the places and who has won."""
    result = game.result
    if result is None:
        return
    view = game.view(names.seat)
    table = Table(
        title=names.say("screen.final.title"),
        title_justify="left",
        title_style="head",
        box=SIMPLE_HEAD,
        padding=(0, 1),
        pad_edge=False,
    )
    for column in _cells(names, result.final[0], view.players[0], 0):
        heading = names.say(f"screen.final.{column}").replace(" ", "\n")
        table.add_column(heading, justify="left" if column == "player" else "right", overflow="fold")
    for final in sorted(result.final, key=lambda entry: (entry.place, entry.seat)):
        chosen = view.table["chosen"][final.seat] if ASSIGNMENTS.in_play(names.ruleset) else 0
        cells = _cells(names, final, view.players[final.seat], chosen)
        table.add_row(*cells.values(), style="head" if final.place == 1 else None)
    paper.show(table)
    best = names.amount(next(final.total for final in result.final if final.place == 1), "point")
    if len(result.winners) > 1:
        paper.say(f"[head]{names.say('journal.share', names=names.together(result.winners), points=best)}[/]")
        return
    winner = names.person(result.winners[0])
    words = names.say("journal.win", you=winner.you, name=winner.name, points=best)
    paper.say(f"[head]{words}{' ' + names.say('journal.cheer') if winner.you else ''}[/]")


def _cells(names: Names, final: Final, player: PlayerView, chosen: int) -> dict[str, str]:
    """The cells of one seat by column."""
    cells = {
        "place": f"{final.place}.",
        "player": names.heading(final.seat),
        "track": str(final.track),
        "nobles": f"{final.nobles} ({player.different_nobles})",
    }
    if ASSIGNMENTS.in_play(names.ruleset):
        cells["assignment"] = f"{final.assignment} ({chosen})"
    cells["rubles"] = f"{final.rubles} ({player.rubles})"
    cells["hand"] = f"{final.hand} ({len(player.hand)})"
    if OBSTACLES.in_play(names.ruleset):
        cells["obstacles"] = str(final.obstacles)
    return {**cells, "total": str(final.total), "tie": names.amount(final.tie, "ruble")}
