"""Who only looks on while others play: of what they have and could have, nothing changes.

Most of their state stays as it is, so it is not made anew.
"""

from __future__ import annotations

from nevsky.rules.constants import NONE
from nevsky.rules.view import HandCard, SharedView
from nevsky.server.board import unseen

__all__ = ["NOBODY", "Onlookers", "onlookers"]

Onlookers = frozenset[int | None]
"""Seats, and None for spectators."""
NOBODY: Onlookers = frozenset()


def onlookers(shared: SharedView, show_seen: bool) -> Onlookers:
    """The viewers for whom only the display, the players and the course of the game may look otherwise than before.

    They were not asked and are not, nothing has changed with them, nor the phase, and no card has come from where
    nobody could see it. With the Market or a module nobody is so sure of that.
    """
    before = shared.before
    if before is None or shared.whole_box:
        return NOBODY
    was, now = before.position, shared.position
    if was.due < 0 or now.due < 0 or was.drawn != NONE or now.drawn != NONE:
        return NOBODY
    if (was.round, was.phase, was.must_buy) != (now.round, now.phase, now.must_buy):
        return NOBODY
    if shared.piles is not before.piles or shared.discard is not before.discard:
        return NOBODY
    if unseen(_hands(before), show_seen) != unseen(_hands(shared), show_seen):
        return NOBODY
    changed = now.seats_changed(was) | 1 << was.seat | 1 << now.seat
    return frozenset([None, *(seat for seat in range(now.n) if not changed >> seat & 1)])


def _hands(shared: SharedView) -> tuple[tuple[HandCard, ...], ...]:
    return tuple([player.hand for player in shared.players])
