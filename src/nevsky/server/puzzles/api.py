"""The part of the HTTP API that is about puzzles. What is best goes out only to whoever has answered."""

from __future__ import annotations

import secrets
from typing import Annotated, Final

from fastapi import APIRouter, Query

from nevsky.puzzles import Puzzle, shipped
from nevsky.rules.game import redeal
from nevsky.server.components import Components
from nevsky.server.errors import Refusal
from nevsky.server.http import REFUSALS, Address, ComponentsHere, Someone, Visitor, created
from nevsky.server.judged.play_on import table_at
from nevsky.server.protocol import (
    Language,
    PuzzleAnswer,
    PuzzleAnswered,
    PuzzleAsked,
    PuzzleNext,
    PuzzlePlayOn,
    PuzzleSolver,
    TableCreated,
)
from nevsky.server.puzzles import tries
from nevsky.server.puzzles.telling import shown, solution
from nevsky.server.seating import Guest

__all__ = ["router"]

router = APIRouter(prefix="/api", responses=REFUSALS)
_NEAREST: Final = 8
"""Of so many puzzles that fit somebody one is chosen by chance."""
Skipped = Annotated[str | None, Query(max_length=8, alias="not")]


def _check(components: Components) -> None:
    if not components.settings.puzzles:
        raise Refusal("not_found", "puzzles_off")


def _puzzle(components: Components, name: str) -> Puzzle:
    _check(components)
    found = shipped().get(name)
    if found is None:
        raise Refusal("not_found", "puzzle")
    return found


def _id(found: Guest | None) -> str | None:
    return None if found is None else found.id


async def _solver(components: Components, guest: str | None) -> PuzzleSolver:
    own = await tries.solver(components.storage, guest)
    return PuzzleSolver(rating=round(own.rating), tries=own.tries, solved=own.solved)


@router.get("/puzzles/next")
async def get_next(
    found: Visitor, components: ComponentsHere, skipped: Skipped = None, plain: bool = False
) -> PuzzleNext:
    """A puzzle that I have not tried, about as hard as I am good; with ``plain`` without the Market and modules."""
    _check(components)
    known = await tries.tried(components.storage, _id(found))
    moved = await tries.all_changes(components.storage)
    me = await _solver(components, _id(found))
    left = {
        name: kept.rating + moved.get(name, 0.0)
        for name, kept in shipped().kept.items()
        if name not in known and (kept.plain or not plain)
    }
    nearest = sorted(left, key=lambda name: (abs(left[name] - me.rating), name))
    fitting = [name for name in nearest if name != skipped][:_NEAREST] or nearest
    return PuzzleNext(
        puzzle=secrets.choice(fitting) if fitting else None, left=len(left), all=len(shipped()), solver=me
    )


@router.get("/puzzles/{name}")
async def get_puzzle(name: str, found: Visitor, components: ComponentsHere, language: Language = "en") -> PuzzleAsked:
    """A puzzle; with its solution for whoever has tried it."""
    puzzle = _puzzle(components, name)
    own = await tries.own_try(components.storage, _id(found), name)
    asked = await tries.asked(components.storage, name)
    return PuzzleAsked(
        puzzle=name,
        rating=round(puzzle.rating + asked.change),
        tries=asked.tries,
        solved=asked.solved,
        state=shown(puzzle, language),
        solution=None if own is None else solution(puzzle, own.action, language),
        solver=await _solver(components, _id(found)),
    )


@router.post("/puzzles/{name}")
async def post_answer(
    name: str,
    answer: PuzzleAnswer,
    someone: Someone,
    components: ComponentsHere,
    where: Address,
    language: Language = "en",
) -> PuzzleAnswered:
    """Answer a puzzle. The first answer counts for the ratings."""
    puzzle = _puzzle(components, name)
    if answer.action not in puzzle.view.legal:
        raise Refusal("illegal", "puzzle_action")
    components.limits.check("puzzle", someone.id, where)
    counted = await tries.write(components.storage, someone.id, puzzle, answer.action)
    own = await tries.own_try(components.storage, someone.id, name) if counted else None
    return PuzzleAnswered(
        solution=solution(puzzle, answer.action, language),
        change=None if own is None else round(own.change),
        solver=await _solver(components, someone.id),
    )


@router.post("/puzzles/{name}/play-on", status_code=201)
async def post_play_on(
    name: str, wanted: PuzzlePlayOn, someone: Someone, components: ComponentsHere, where: Address
) -> TableCreated:
    """Play on from a puzzle that I have tried, against bots."""
    puzzle = _puzzle(components, name)
    if await tries.own_try(components.storage, someone.id, name) is None:
        raise Refusal("not_allowed", "puzzle_first")
    components.limits.check("table", someone.id, where)
    seat = puzzle.view.seat
    assert seat is not None
    row, places = table_at(redeal(puzzle.view, 0), seat, wanted.levels, someone)
    await components.storage.add_table(row, places)
    return created(row, places[seat])
