"""Nevsky: the digital home of the card game Saint Petersburg."""

import os

if os.environ.get("NEVSKY_PURE"):
    from nevsky import _pure

    _pure.install()

from nevsky._version import __version__
from nevsky.errors import NevskyError
from nevsky.rules import position as _position
from nevsky.rules.actions import ACTIONS, Action, parse_action
from nevsky.rules.game import Game, Move, Result, redeal
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import View

COMPILED = not str(_position.__file__).endswith(".py")
"""Whether the rules run compiled."""

__all__ = [
    "ACTIONS",
    "COMPILED",
    "Action",
    "Game",
    "Move",
    "NevskyError",
    "Result",
    "Ruleset",
    "View",
    "__version__",
    "parse_action",
    "redeal",
]
