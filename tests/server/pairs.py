"""Two people at one table."""

from __future__ import annotations

from typing import Any

from tests.server.support import Json, Server, Table, Visitor

Pair = tuple[Visitor, Visitor, str]


async def two_players(server: Server, **options: Any) -> Pair:
    anna, boris = await server.visitor(), await server.visitor()
    made = await anna.create("me open", **options)
    await boris.http.post(f"/api/tables/{made['table']}/join")
    return anna, boris, made["table"]


async def seated(pair: Pair, **options: Any) -> tuple[Table, Table]:
    """Who is to move, and the other one."""
    found = [await each.open(pair[2], **options) for each in pair[:2]]
    for table in found:
        await table.until(lambda state: state["status"] == "playing" and all(p["connected"] for p in state["players"]))
    found.sort(key=lambda table: table.state["to_move"] != table.state["you"])
    return found[0], found[1]


def mine(state: Json) -> Json:
    found: Json = state["players"][state["you"]]
    return found
