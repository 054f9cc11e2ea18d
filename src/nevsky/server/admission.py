"""Who may look at a table: players always, spectators while there is room."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from nevsky.server.errors import Refusal
from nevsky.server.places import Held
from nevsky.server.viewer import Viewer

__all__ = ["admit"]

_MOST_SPECTATORS: Final = 300
_MOST_OF_A_SEAT: Final = 8
"""Tabs and devices of one player; the oldest makes room."""


def admit(viewers: Collection[Viewer], newcomer: Viewer, per_address: int) -> None:
    """Refuse a spectator for whom there is no room; a player always finds one at their own table.

    If there is no room at all, the newest spectator of the address with the most of them makes room.
    """
    if newcomer.seat is not None:
        own = [viewer for viewer in viewers if viewer.seat == newcomer.seat and not viewer.closed]
        own.sort(key=lambda viewer: viewer.came)
        for oldest in own[: max(0, len(own) - _MOST_OF_A_SEAT + 1)]:
            oldest.dismiss(Refusal("replaced", "replaced"))
        return
    spectators = [viewer for viewer in viewers if viewer.seat is None and not viewer.closed]
    if sum(viewer.address == newcomer.address for viewer in spectators) >= per_address:
        raise Refusal("refused", "crowded_address")
    if len(spectators) >= _MOST_SPECTATORS:
        watching = Held((viewer.address, viewer) for viewer in sorted(spectators, key=lambda each: each.came))
        yielding = watching.too_much(newcomer.address)
        if not yielding:
            raise Refusal("refused", "crowded")
        yielding[-1].dismiss(Refusal("busy", "made_room"))
