"""Positions of games between strong bots in which one action is clearly best, with the proof.

They are mined reproducibly from a seed; a few hundred come with the package.
"""

from nevsky.puzzles.collection import Collection, shipped
from nevsky.puzzles.mining import mine
from nevsky.puzzles.proof import VERSION, Margin, Proof, Value, prove
from nevsky.puzzles.puzzle import Puzzle

__all__ = ["VERSION", "Collection", "Margin", "Proof", "Puzzle", "Value", "mine", "prove", "shipped"]
