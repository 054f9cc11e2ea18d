"""The game in the terminal: one person against opponents at the same table."""

from nevsky.terminal import texts
from nevsky.terminal.loop import Session
from nevsky.terminal.opponents import Opponent, at_level, new_game
from nevsky.terminal.paper import Paper, make_console

__all__ = ["Opponent", "Paper", "Session", "at_level", "make_console", "new_game", "texts"]
