"""The expected final scores at every step of a finished game."""

from __future__ import annotations

from typing import Any

from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import make_view

__all__ = ["evaluate"]


def evaluate(ruleset: dict[str, Any], deal: dict[str, Any], actions: list[int]) -> list[list[float]]:
    """For the deal and after each action, what each seat may expect; done in a process of the bots."""
    from nevsky.bots.appraisal import Appraisal
    from nevsky.bots.outlook import Weights

    opened = Ruleset(*Ruleset.from_dict(ruleset)._replace(open_rubles=True, open_hands=True))
    game = Game.from_piles(opened, deal["piles"], deal["tokens"], **deal["deal"])
    for number in actions:
        game.push(number)
    found = []
    for position in [game.start_position, *(after for _, after in game.replay())]:
        seats = range(opened.players)
        if position.over:
            found.append([float(position.total(seat)[0]) for seat in seats])
        else:
            views = [make_view(position, opened, seat) for seat in seats]
            found.append([round(Appraisal(view, position, Weights()).standing, 1) for view in views])
    return found
