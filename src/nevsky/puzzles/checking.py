"""Whether puzzles are what they say."""

from __future__ import annotations

from collections.abc import Sequence

from nevsky.errors import NevskyError
from nevsky.puzzles.mining import fooled_by
from nevsky.puzzles.proof import is_clear, prove
from nevsky.puzzles.puzzle import Puzzle
from nevsky.rules.game import redeal

__all__ = ["check", "check_proof", "sample"]


def check(puzzle: Puzzle) -> None:
    """Refuse a puzzle that cannot be played, does not name every legal action, or whose margins are too small."""
    view, proof = puzzle.view, puzzle.proof
    if sorted(view.legal) != sorted(value.action for value in proof.values):
        raise NevskyError("puzzles.actions", id=puzzle.id)
    game = redeal(view, "check")
    for text in view.legal:
        game.copy().push(text)
    margins = (proof.first, proof.again)
    others = proof.values[1:]
    if not all(margin.clear for margin in margins) or not all(is_clear(each.behind, each.doubt) for each in others):
        raise NevskyError("puzzles.margin", id=puzzle.id)
    if puzzle.fooled != fooled_by(view, proof.best):
        raise NevskyError("puzzles.fooled", id=puzzle.id)


def check_proof(puzzle: Puzzle) -> None:
    """Refuse a puzzle whose proof is another one when it is found again."""
    if prove(puzzle.view) != puzzle.proof:
        raise NevskyError("puzzles.proof", id=puzzle.id)


def sample(puzzles: Sequence[Puzzle], number: int) -> list[Puzzle]:
    """So many of them, from the first to the last in equal steps."""
    if number >= len(puzzles):
        return list(puzzles)
    return [puzzles[at * len(puzzles) // number] for at in range(number)]
