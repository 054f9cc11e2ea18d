"""People with profiles who play for their ratings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from tests.server.profiles.authenticator import Authenticator
from tests.server.support import Json, Server, Visitor

ORIGIN = "https://play.example"
PUBLIC: Json = {"public_url": ORIGIN}
RATED: Json = {"rated": True, "pace": "relaxed"}


async def profile(server: Server, name: str) -> Visitor:
    visitor = await server.visitor()
    await visitor.http.put("/api/me", json={"name": name})
    options = (await visitor.http.post("/api/profile/passkeys/options")).json()["options"]
    made = Authenticator(ORIGIN).make(options)
    assert (await visitor.http.post("/api/profile/passkeys", json={"credential": made})).status_code == 204
    return visitor


async def page_of(visitor: Visitor) -> str:
    """What others know somebody by."""
    found: str = (await visitor.http.get("/api/profile")).json()["id"]
    return found


async def sat_down(people: Sequence[Visitor], **options: Any) -> str:
    """A rated game of these people that has begun."""
    made = await people[0].create(" ".join(["me", *["open"] * (len(people) - 1)]), **{**RATED, **options})
    table: str = made["table"]
    for each in people[1:]:
        answer = await each.http.post(f"/api/tables/{table}/join")
        assert answer.status_code == 200, answer.text
    return table


async def resign(loser: Visitor, table: str) -> None:
    """So the other one of two has won."""
    seat = await loser.open(table)
    await seat.until(lambda state: state["status"] == "playing")
    await seat.send(type="resign")
    await seat.until(lambda state: state["status"] == "over")


async def told(visitor: Visitor, table: str) -> Json:
    answer = await visitor.http.get(f"/api/tables/{table}/rating")
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def rows(server: Server, table: sa.Table) -> list[Any]:
    async with server.components.storage.reading() as connection:
        return list(await connection.execute(sa.select(table)))
