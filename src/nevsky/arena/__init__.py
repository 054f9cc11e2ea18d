"""The arena: many games between bots, and what they say (see docs/arena.md)."""

from nevsky.arena.entrants import Entrant, enter
from nevsky.arena.figures import Figures
from nevsky.arena.run import figures_of, run_arena
from nevsky.arena.setup import Setup, make_setup

__all__ = ["Entrant", "Figures", "Setup", "enter", "figures_of", "make_setup", "run_arena"]
