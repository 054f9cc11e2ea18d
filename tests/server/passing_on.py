"""Two servers, one of which has all the tables; visitors come to the other one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from nevsky.server.actor import Table as TableHere
from nevsky.server.forwarding import Forwarding
from nevsky.server.ownership import Elsewhere, ElsewhereError
from nevsky.server.vouching import Vouching
from tests.server.support import Json, Server, Visitor, running

__all__ = ["SECRET", "Pair", "pair"]

SECRET = "one secret for all of them"


class Pair:
    """The front, where visitors come in, and the owner of all tables."""

    def __init__(self, front: Server, owner: Server, patience: float) -> None:
        self.front = front
        self.owner = owner
        self.address: str | None = f"http://127.0.0.1:{owner.port}"
        """Where the front looks for the owner; None once the front has the tables itself."""
        self.asked = 0
        self.gone: set[str] = set()
        for server, name in ((front, "front"), (owner, "owner")):
            vouching = Vouching(SECRET, partial(str, name))
            server.components.connections.others_come = True
            server.components.forwarding = Forwarding(server.components.hub, vouching, self._running, patience)
        self._get = front.components.hub.get
        front.components.hub.get = self._find  # type: ignore[method-assign, assignment]

    async def _find(self, table: str) -> TableHere:
        self.asked += 1
        if self.address is not None:
            process = "owner" if self.address.endswith(f":{self.owner.port}") else f"at {self.address}"
            raise ElsewhereError(Elsewhere(process, self.address))
        return await self._get(table)

    async def _running(self, processes: Collection[str]) -> Collection[str]:
        return [each for each in processes if not each.startswith(tuple(self.gone))]

    async def somebody(self, seats: str = "me easy", **options: Any) -> tuple[Visitor, Json]:
        """A visitor of the front, with a seat at a new table of the owner."""
        direct = await self.owner.visitor()
        made = await direct.create(seats, **options)
        visitor = await self.front.visitor()
        visitor.http.cookies.update(direct.http.cookies)
        return visitor, made

    async def directly(self, visitor: Visitor) -> Visitor:
        """The same visitor, at the owner itself."""
        direct = await self.owner.visitor()
        direct.http.cookies.update(visitor.http.cookies)
        return direct


@asynccontextmanager
async def pair(folder: Path, patience: float = 1.0, **options: Any) -> AsyncIterator[Pair]:
    """Both, while the block runs."""
    common = {"secret": SECRET, **options}
    async with running(folder / "owner.db", **common) as owner, running(folder / "front.db", **common) as front:
        both = Pair(front, owner, patience)
        try:
            yield both
        finally:
            for server in (front, owner):
                assert server.components.forwarding is not None
                await server.components.forwarding.close()
