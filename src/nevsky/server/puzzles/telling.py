"""A puzzle as browsers see it: the table from its seat, and after an answer what was best and why."""

from __future__ import annotations

from nevsky.bots.names import PEOPLE
from nevsky.puzzles import Puzzle, Value
from nevsky.review.verdict import mark_of
from nevsky.rules.actions import parse_action
from nevsky.server.present import OwnContext, SeatInfo, TableContext, present
from nevsky.server.protocol import PuzzleSolution, PuzzleValue, TableState
from nevsky.texts import text
from nevsky.texts.sentences import Wording

__all__ = ["names_at", "shown", "solution"]


def names_at(puzzle: Puzzle, language: str) -> list[str]:
    """Who sits there."""
    names = list(PEOPLE[: puzzle.view.ruleset.players])
    assert puzzle.view.seat is not None
    names[puzzle.view.seat] = text("you", language)
    return names


def shown(puzzle: Puzzle, language: str) -> TableState:
    """The table, made of nothing but what the seat knows: every payment that it has seen counts as known."""
    names = names_at(puzzle, language)
    seats = [SeatInfo(name, None if seat == puzzle.view.seat else "master") for seat, name in enumerate(names)]
    context = TableContext(table="puzzle", status="playing", seats=seats)
    return present(puzzle.view, context, language, own=OwnContext(version=1))


def solution(puzzle: Puzzle, action: str, language: str) -> PuzzleSolution:
    """What is told after an answer."""
    wording = Wording(language, puzzle.view.ruleset.edition, names_at(puzzle, language))
    proof = puzzle.proof
    return PuzzleSolution(
        action=action,
        best=proof.best,
        solved=action == proof.best,
        points=round(proof.again.points, 1),
        doubt=round(proof.again.doubt, 1),
        chance=proof.again.chance,
        chance_doubt=proof.again.chance_doubt,
        playouts=proof.again.playouts,
        values=[_value(puzzle, each, wording) for each in proof.values],
    )


def _value(puzzle: Puzzle, value: Value, wording: Wording) -> PuzzleValue:
    best = value.action == puzzle.proof.best
    return PuzzleValue(
        action=value.action,
        label=wording.choice(parse_action(value.action), puzzle.view.due or ""),
        mark=mark_of(value.behind, value.doubt, first=best),
        behind=round(value.behind, 1),
        doubt=round(value.doubt, 1),
        chance=value.chance,
        why=value.why.say(wording.language, wording.edition, wording.seats),
    )
