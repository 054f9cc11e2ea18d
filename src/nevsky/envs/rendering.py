"""How environments show the table; what draws it is loaded only when somebody looks."""

from __future__ import annotations

from typing import Final

from nevsky.rules.game import Game

__all__ = ["RENDER_MODES", "render"]

RENDER_MODES: Final = ("ansi", "human")


def render(game: Game, seat: int, mode: str) -> str | None:
    """The table as the seat sees it: as text for ``ansi``, printed for ``human``."""
    from nevsky.envs.drawing import draw_game, show_game

    if mode == "human":
        show_game(game, seat)
        return None
    return draw_game(game, seat)
