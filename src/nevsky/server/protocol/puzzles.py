# ruff: noqa: D101
"""Puzzles, over HTTP."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nevsky.server.protocol.base import Model
from nevsky.server.protocol.state import TableState


class PuzzleSolver(Model):
    """How you have done so far."""

    rating: int
    tries: int
    solved: int


class PuzzleNext(Model):
    """GET /api/puzzles/next: one that you have not tried, about as hard as you are good."""

    puzzle: str | None
    """None: you have tried all of them."""
    left: int
    all: int
    solver: PuzzleSolver


class PuzzleValue(Model):
    """What a legal action is worth beside the best one."""

    action: str
    label: str
    mark: Literal["best", "good", "inaccuracy", "mistake", "blunder"]
    behind: float
    """Points at the end of the game that it loses against the best one, and by how much this may be wrong (95 %)."""
    doubt: float
    chance: float
    """To win, from 0 to 1."""
    why: str


class PuzzleSolution(Model):
    """What is best and why: for whoever has answered."""

    action: str
    """Your answer."""
    best: str
    solved: bool
    points: float
    """By how much the best action is ahead of the next one, and by how much this may be wrong (95 %)."""
    doubt: float
    chance: float
    """The same as a part of the win, from 0 to 1."""
    chance_doubt: float
    playouts: int
    values: list[PuzzleValue]
    """Of all legal actions, the best first."""


class PuzzleAsked(Model):
    """GET /api/puzzles/ID: a position from the seat whose turn it is. Nothing in it follows from what is best."""

    puzzle: str
    rating: int
    tries: int
    solved: int
    state: TableState
    solution: PuzzleSolution | None
    """Only if you have tried it."""
    solver: PuzzleSolver


class PuzzleAnswer(Model):
    """POST /api/puzzles/ID: an action of `choices`."""

    action: str = Field(max_length=200)


class PuzzleAnswered(Model):
    solution: PuzzleSolution
    change: int | None
    """Of your rating; None where it was not your first try."""
    solver: PuzzleSolver


class PuzzlePlayOn(Model):
    """POST /api/puzzles/ID/play-on: a private table that begins there; what the seat cannot know is dealt anew."""

    levels: list[str | None] = Field(default=[None], min_length=1, max_length=5)
    """Of the bots, by seat (yours is not looked at), or one for all of them; None is a middle one."""
