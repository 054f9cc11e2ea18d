"""How environments show the table; what draws it is loaded only when somebody looks."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from nevsky.rules.game import Game

__all__ = ["RENDER_MODES", "Picture", "render"]

RENDER_MODES: Final = ("ansi", "human", "rgb_array")
Picture: TypeAlias = Any
"""A text, an array of pixels, or nothing if it was printed: whoever chose the mode knows which."""


def render(game: Game, seat: int, mode: str) -> Picture:
    """The table as the seat sees it: as text for ``ansi``, as pixels for ``rgb_array``, printed for ``human``."""
    if mode == "rgb_array":
        from nevsky.envs.picture import paint_game

        return paint_game(game, seat)
    from nevsky.envs.drawing import draw_game, show_game

    if mode == "human":
        show_game(game, seat)
        return None
    return draw_game(game, seat)
