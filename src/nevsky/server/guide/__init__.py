"""Guided rounds for learners: the first round, the Market, and one for each module, every one a script of its own.

The engine plays them, so a step cannot show what the rules do not allow; the numbers in the texts are the engine's.
"""

from nevsky.server.guide.scripts import SCRIPTS
from nevsky.server.guide.showing import guide, guide_json

__all__ = ["SCRIPTS", "guide", "guide_json"]
