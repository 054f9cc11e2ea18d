"""The command that deletes what is old by hand."""

from __future__ import annotations

from nevsky.errors import NevskyError
from nevsky.server.admin.desk import Answer, Desk, command
from nevsky.server.retention import Kept, clear_out, count_old

_KINDS = frozenset(Kept._fields)


@command("purge")
async def purge(desk: Desk, days: float, kinds: list[str], dry_run: bool = False) -> Answer:
    """Delete what is older than so many days, of the kinds that are named."""
    if not days > 0 or not kinds or not _KINDS.issuperset(kinds):
        raise NevskyError("admin.kinds", kinds=", ".join(Kept._fields))
    kept = Kept(**dict.fromkeys(kinds, days))
    if dry_run:
        return {"would_delete": await count_old(desk.storage, kept)}
    hub = desk.hub
    gone = await clear_out(desk.storage, kept, lambda table: hub is not None and hub.viewers(table) is not None)
    async with desk.storage.writing() as connection:
        await desk.note(connection, "purge", f"older than {days:g} days", **gone)
    return {"deleted": gone}
