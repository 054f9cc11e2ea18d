"""Nevsky: the digital home of the card game Saint Petersburg."""

from nevsky.errors import NevskyError
from nevsky.rules.actions import ACTIONS, Action, parse_action
from nevsky.rules.game import Game, Move, Result, redeal
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import View

__all__ = ["ACTIONS", "Action", "Game", "Move", "NevskyError", "Result", "Ruleset", "View", "parse_action", "redeal"]
__version__ = "0.1.0"
