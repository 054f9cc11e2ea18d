"""Who has tried which puzzle, in the database. Only the first try at each counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.server.puzzles.rating import START, changes
from nevsky.server.schema import puzzle_ratings, puzzle_tries
from nevsky.server.storage import CONFLICTS, Storage, now

if TYPE_CHECKING:
    from nevsky.puzzles import Puzzle

__all__ = ["Asked", "Solver", "Try", "all_changes", "asked", "bring", "own_try", "solver", "tried", "write"]


class Solver(NamedTuple):
    """How somebody has done so far."""

    rating: float = START
    tries: int = 0
    solved: int = 0


class Asked(NamedTuple):
    """How a puzzle has done so far."""

    change: float = 0.0
    """From the rating that it had at first."""
    tries: int = 0
    solved: int = 0


class Try(NamedTuple):
    """The try that counted."""

    action: str
    solved: bool
    change: float
    """Of the solver's rating."""


async def solver(storage: Storage, guest: str | None) -> Solver:
    """A guest's rating; it is the sum of what their tries have changed."""
    if guest is None:
        return Solver()
    async with storage.reading() as connection:
        return await _solver(connection, guest)


async def _solver(connection: AsyncConnection, guest: str) -> Solver:
    right = sa.func.sum(sa.case((puzzle_tries.c.solved, 1), else_=0))
    query = sa.select(sa.func.sum(puzzle_tries.c.change), sa.func.count(), right).where(puzzle_tries.c.guest == guest)
    change, tries, solved = (await connection.execute(query)).one()
    return Solver(START + float(change or 0), int(tries), int(solved or 0))


async def asked(storage: Storage, puzzle: str) -> Asked:
    """What has become of a puzzle."""
    async with storage.reading() as connection:
        return await _asked(connection, puzzle)


async def _asked(connection: AsyncConnection, puzzle: str) -> Asked:
    columns = [puzzle_ratings.c[name] for name in Asked._fields]
    found = (await connection.execute(sa.select(*columns).where(puzzle_ratings.c.puzzle == puzzle))).one_or_none()
    return Asked() if found is None else Asked(*found)


async def all_changes(storage: Storage) -> dict[str, float]:
    """The puzzles whose ratings have changed, and by how much."""
    async with storage.reading() as connection:
        rows = await connection.execute(sa.select(puzzle_ratings.c.puzzle, puzzle_ratings.c.change))
        return {row.puzzle: row.change for row in rows}


async def tried(storage: Storage, guest: str | None) -> set[str]:
    """What a guest has tried."""
    if guest is None:
        return set()
    async with storage.reading() as connection:
        query = sa.select(puzzle_tries.c.puzzle).where(puzzle_tries.c.guest == guest)
        return set((await connection.execute(query)).scalars())


async def own_try(storage: Storage, guest: str | None, puzzle: str) -> Try | None:
    """The try of a guest at a puzzle that counted."""
    if guest is None:
        return None
    mine = (puzzle_tries.c.guest == guest) & (puzzle_tries.c.puzzle == puzzle)
    async with storage.reading() as connection:
        query = sa.select(*[puzzle_tries.c[name] for name in Try._fields]).where(mine)
        found = (await connection.execute(query)).one_or_none()
    return None if found is None else Try(*found)


async def write(storage: Storage, guest: str, puzzle: Puzzle, action: str) -> bool:
    """Keep a try and what it changes; False if it was not the first one."""
    for _ in range(3):
        if await own_try(storage, guest, puzzle.id) is not None:
            return False
        try:
            async with storage.writing() as connection:
                await _write(connection, guest, puzzle, action)
        except CONFLICTS:  # they have answered twice at once, or others are the first with them
            continue
        return True
    return False


async def _write(connection: AsyncConnection, guest: str, puzzle: Puzzle, action: str) -> None:
    me, other = await _solver(connection, guest), await _asked(connection, puzzle.id)
    solved = action == puzzle.proof.best
    own, change = changes(me.rating, me.tries, puzzle.rating + other.change, other.tries, solved=solved)
    values = {"guest": guest, "puzzle": puzzle.id, "action": action, "solved": solved, "change": own, "at": now()}
    await connection.execute(puzzle_tries.insert().values(**values))
    mine = puzzle_ratings.c.puzzle == puzzle.id
    more = {
        "change": puzzle_ratings.c.change + change,  # others may have written something meanwhile
        "tries": puzzle_ratings.c.tries + 1,
        "solved": puzzle_ratings.c.solved + int(solved),
    }
    written = await connection.execute(puzzle_ratings.update().where(mine).values(more))
    if not written.rowcount:
        await connection.execute(
            puzzle_ratings.insert().values(puzzle=puzzle.id, change=change, tries=1, solved=int(solved))
        )


async def bring(connection: AsyncConnection, guest: str, profile: str) -> None:
    """The tries of a guest become those of a profile; where both have tried, what the profile did counts."""
    theirs = sa.select(puzzle_tries.c.puzzle).where(puzzle_tries.c.guest == profile)
    twice = set((await connection.execute(theirs)).scalars())
    mine = puzzle_tries.c.guest == guest
    await connection.execute(puzzle_tries.delete().where(mine & puzzle_tries.c.puzzle.in_(twice)))
    await connection.execute(puzzle_tries.update().where(mine).values(guest=profile))
